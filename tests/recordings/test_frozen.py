"""The frozen recording: what pictures of the screen rely on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.recordings.fabricate import split
from tests.recordings.freeze import MILLISECONDS, PROGRAM
from tests.recordings.neutral import FIRST_TIME, LIBRARY_ROOT, PROGRAM_PATH
from tfdbg_tui.cli import main
from tfdbg_tui.data.records.debug_event_schema import parse, text
from tfdbg_tui.data.stores.user_code import is_user_file

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

BAD = 1
GUILTY_LINE = "diff = -labels * tf.math.log(probs)"
SIZE_LIMIT = 150_000


def events(logdir: Path, suffix: str) -> list[Any]:
    (path,) = logdir.glob(f"*.{suffix}")
    return [parse(payload) for _, payload in split(path)]


def test_check_finds_the_line(frozen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(frozen)]) == BAD
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[0].startswith("run b9a2519f")
    line = 1 + PROGRAM.splitlines().index(f"    {GUILTY_LINE}")
    place = lines.index(f"{PROGRAM_PATH}:{line} in loss")
    assert lines[place + 1] == GUILTY_LINE
    assert lines[place + 2].startswith("why: Log took 1,312 zeros of Softmax")
    assert lines[-2] == "try: tf.math.log(tf.maximum(probs, 1e-7))"
    assert lines[-1].startswith("warning: weights and bias, since step 8: were clean, and hold ")


def test_nothing_is_damaged(frozen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--json", str(frozen)])
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert not any(run["damage"].values())


def test_the_program_is_the_only_file_of_the_user(frozen: Path) -> None:
    sources = [event.source_file for event in events(frozen, "source_files")]
    lines_of = {text(source.file_path): [*map(text, source.lines)] for source in sources}
    assert [path for path in lines_of if is_user_file(path)] == [PROGRAM_PATH]
    assert all(path.startswith((PROGRAM_PATH, LIBRARY_ROOT)) for path in lines_of)
    assert lines_of.pop(PROGRAM_PATH) == PROGRAM.split("\n")
    assert lines_of
    assert not any(lines_of.values())


def test_events_are_a_millisecond_apart(frozen: Path) -> None:
    times = [
        event.wall_time
        for suffix in ("execution", "graph_execution_traces")
        for event in events(frozen, suffix)
    ]
    assert sorted(times) == [FIRST_TIME + rank / MILLISECONDS for rank in range(len(times))]


def test_it_is_small_and_tells_nothing_of_the_machine_that_recorded_it(frozen: Path) -> None:
    content = b"".join(path.read_bytes() for path in frozen.iterdir())
    assert len(content) < SIZE_LIMIT
    for trace in (b"/tmp/", b"site-", b"lib/python3."):
        assert trace not in content
