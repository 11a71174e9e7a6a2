"""The long and the live recordings that benchmarks are run on."""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.long_recordings import lengthen
from benchmarks.paced_writer import PacedWriter
from tests.recordings.fabricate import frame, split
from tfdbg_tui.data.records.debug_event_schema import parse
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.demo.block_file import BLOCK

if TYPE_CHECKING:
    from pathlib import Path

EVENT_FILES = ("execution", "graph_execution_traces")
TIMEOUT = 60.0


def file_of(logdir: Path, suffix: str) -> Path:
    (path,) = logdir.glob(f"*.{suffix}")
    return path


def events(logdir: Path, suffix: str) -> list[Any]:
    return [parse(payload) for _, payload in split(file_of(logdir, suffix))]


def counted_by_the_engine(logdir: Path) -> tuple[int, int]:
    """Executions and traces; also sees to it that all records are sound."""
    loaded = Logdir(logdir)
    loaded.load()
    (run,) = loaded.runs
    counts = run.counts()
    return counts["executions"], counts["graph_executions"]


def in_time_order(logdir: Path) -> list[Any]:
    both = [event for suffix in EVENT_FILES for event in events(logdir, suffix)]
    return sorted(both, key=lambda event: float(event.wall_time))


def without_time_and_ids(event: Any) -> bytes:
    copy = type(event)()
    copy.CopyFrom(event)
    copy.wall_time = 0
    if copy.HasField("execution"):
        copy.execution.ClearField("input_tensor_ids")
        copy.execution.ClearField("output_tensor_ids")
    content: bytes = copy.SerializeToString()
    return content


@pytest.fixture
def tripled(frozen: Path, tmp_path: Path) -> Path:
    target = tmp_path / "long"
    traces = 3 * len(events(frozen, "graph_execution_traces"))
    executions = 3 * len(events(frozen, "execution"))
    assert lengthen(frozen, target, traces) == traces + executions
    assert counted_by_the_engine(target) == (executions, traces)
    return target


def test_a_long_recording_repeats_all_events_in_their_order(frozen: Path, tripled: Path) -> None:
    once = [without_time_and_ids(event) for event in in_time_order(frozen)]
    assert [without_time_and_ids(event) for event in in_time_order(tripled)] == once * 3


def test_checksums_are_right(tripled: Path) -> None:
    for suffix in EVENT_FILES:
        path = file_of(tripled, suffix)
        assert b"".join(frame(payload) for _, payload in split(path)) == path.read_bytes()


def test_time_goes_on_in_each_file(tripled: Path) -> None:
    for suffix in EVENT_FILES:
        times = [event.wall_time for event in events(tripled, suffix)]
        assert all(before < after for before, after in itertools.pairwise(times))


def test_eager_tensors_are_made_once_and_used_after_that(tripled: Path) -> None:
    executions = [event.execution for event in events(tripled, "execution")]
    made = [number for execution in executions for number in execution.output_tensor_ids]
    assert len(set(made)) == len(made)
    repetition = len(executions) // 3
    first, last = executions[:repetition], executions[2 * repetition :]
    distances = {
        new - old
        for early, late in zip(first, last, strict=True)
        for old, new in zip(early.input_tensor_ids, late.input_tensor_ids, strict=True)
    }
    assert len(distances) == 1


def test_files_repeated_differently_often_take_the_same_time(frozen: Path, tmp_path: Path) -> None:
    lengthen(frozen, tmp_path / "long", traces=1080, executions=254)
    executions, traces = (events(tmp_path / "long", suffix) for suffix in EVENT_FILES)
    assert (len(executions), len(traces)) == (254, 1080)
    assert executions[127].wall_time > traces[5 * 108 - 1].wall_time


def test_a_paced_writer_writes_blocks_and_at_the_end_everything(
    frozen: Path, tmp_path: Path
) -> None:
    target, started = tmp_path / "live", time.time()
    with PacedWriter(frozen, target, events_per_second=20_000) as writer:
        while writer.history()[-1].events < 1000:
            assert time.time() < started + TIMEOUT
        assert all(file_of(target, suffix).stat().st_size % BLOCK == 0 for suffix in EVENT_FILES)
        writer.stop()
        last = writer.history()[-1]
    assert counted_by_the_engine(target) == (last.executions, last.traces)
    times = [event.wall_time for event in in_time_order(target)]
    assert started <= times[0] <= times[-1] <= last.wall_time
