"""Damaged, torn, absurd and hostile files: nothing raises, nothing hangs, nothing is wrong."""

from __future__ import annotations

import os
import random
import shutil
import struct
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.recordings.fabricate import HEADER, frame, split
from tests.recordings.reference import SUFFIXES
from tests.support import damage
from tests.support.damage import (
    BAD_VECTOR,
    GOOD_VECTOR,
    assert_nothing_is_wrong,
    is_loaded,
    trace,
    write_files,
)
from tests.support.reading import assert_consistent, drain, hosts_of, load, verdict_json
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.verdict import judgement, text

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.host import Host

MAIN = "graph_execution_traces"
"""The file that is damaged in all ways; the records of all files are found by the same code."""

OTHERS = [suffix for suffix in SUFFIXES if suffix != MAIN]

SCENARIO = "tf_data"
"""The damaged recording: small, with both kinds of events, bad tensors and several functions."""


@pytest.fixture(scope="module")
def undamaged(library: Library) -> Host:
    [host] = hosts_of(load(library.path(SCENARIO)))
    return host


@pytest.fixture
def links(library: Library, tmp_path: Path) -> Path:
    """The recording as hard links: cheap to copy, and replacing a file leaves the original."""
    for path in library.path(SCENARIO).glob("tfdbg_events.*"):
        os.link(path, tmp_path / path.name)
    return tmp_path


def _rewrite(path: Path, content: bytes) -> None:
    path.unlink()
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("suffix", "injury"),
    [
        *((MAIN, injury) for injury in damage.INJURIES),
        *((suffix, injury) for suffix in OTHERS for injury in damage.SOME_INJURIES),
    ],
)
def test_every_whole_record_survives(
    links: Path, library: Library, undamaged: Host, suffix: str, injury: str
) -> None:
    [original] = library.path(SCENARIO).glob(f"*.{suffix}")
    content, offsets = original.read_bytes(), damage.offsets_of(original)
    damaged = damage.INJURIES[injury].apply(content, offsets)
    _rewrite(links / original.name, damaged)
    logdir = load(links)
    [host] = hosts_of(logdir)
    assert not damage.lost_records(host, suffix, original, damaged)
    found = host.damage()
    ends_whole = damaged == content[: len(damaged)] and len(damaged) in (0, *offsets, len(content))
    assert bool(found.corrupt_records or found.cut_bytes) == (not ends_whole)
    assert_consistent(logdir)
    assert_nothing_is_wrong(host, undamaged)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_missing_file_costs_only_what_it_held(
    links: Path, undamaged: Host, library: Library, suffix: str
) -> None:
    [gone] = links.glob(f"*.{suffix}")
    gone.unlink()
    logdir = load(links)
    [host] = hosts_of(logdir)
    assert host.damage().missing_files == (gone.name,)
    for other in set(SUFFIXES) - {suffix}:
        [path] = library.path(SCENARIO).glob(f"*.{other}")
        assert all(is_loaded(host, other, damage.Whole(*record)) for record in split(path))
    assert_consistent(logdir)
    assert_nothing_is_wrong(host, undamaged)
    if suffix == "graphs":
        first = judgement.verdict_on_run(logdir.runs[0]).first_bad
        assert first is not None
        assert (first.op_type, first.graph, first.health.pos_inf) == (None, None, 1)


@pytest.mark.parametrize(("limit", "first"), [(100, 0), (512, 1), (4096, 2)], ids=str)
def test_damage_costs_no_more_when_read_in_small_slices(
    tmp_path: Path, library: Library, undamaged: Host, limit: int, first: int
) -> None:
    [original] = library.path(SCENARIO).glob(f"*.{MAIN}")
    content, offsets = original.read_bytes(), damage.offsets_of(original)
    for injury in (*list(damage.INJURIES)[first::3], *damage.SOME_INJURIES):
        damaged = damage.INJURIES[injury].apply(content, offsets)
        (tmp_path / original.name).write_bytes(damaged)
        logdir = Logdir(tmp_path)
        drain(logdir, limit)
        [host] = hosts_of(logdir)
        assert not damage.lost_records(host, MAIN, original, damaged), injury
        assert_nothing_is_wrong(host, undamaged)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_torn_files_of_two_writers_give_every_whole_record(library: Library, suffix: str) -> None:
    path = library.path("same_second")
    logdir = load(path)
    [host] = hosts_of(logdir)
    [file] = path.glob(f"*.{suffix}")
    content = file.read_bytes()
    for offset in damage.brute_force(content):
        (length,) = struct.unpack_from("<Q", content, offset)
        record = damage.Whole(offset, content[offset + HEADER : offset + HEADER + length])
        assert is_loaded(host, suffix, record), offset
    assert_consistent(logdir)


@pytest.mark.parametrize("suffix", ["source_files", "stack_frames"])
def test_what_is_lost_of_the_users_code_is_never_blamed_on_another_line(
    links: Path, library: Library, undamaged: Host, suffix: str
) -> None:
    [original] = library.path(SCENARIO).glob(f"*.{suffix}")
    for offset in damage.own_code(original, undamaged):
        content = bytearray(original.read_bytes())
        content[offset + HEADER + 2] ^= 0x40
        _rewrite(links / original.name, bytes(content))
        [host] = hosts_of(load(links))
        assert host.damage().corrupt_records == 1
        assert_nothing_is_wrong(host, undamaged)


@pytest.mark.parametrize("place", ["middle", "end"])
def test_whole_records_over_a_torn_one_are_found(tmp_path: Path, place: str) -> None:
    times = [0.0, 1.0, 2.0, 3.0]
    records = [frame(trace(time, tensor_proto=GOOD_VECTOR)) for time in times]
    (tmp_path / f"{damage.PREFIX}.graph_execution_traces").write_bytes(damage.torn(records, place))
    [host] = hosts_of(load(tmp_path))
    assert host.traces.events["wall_time"].tolist() == times
    assert host.damage().corrupt_records or host.damage().cut_bytes


# ------------------------------------------------------------------ good checksums, bad content


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("kind", damage.SENSELESS)
def test_records_that_make_no_sense_are_counted_and_skipped(
    links: Path, undamaged: Host, suffix: str, kind: str
) -> None:
    own = {"metadata": "metadata", "source_files": "source"}
    if own.get(suffix) == kind:
        pytest.skip("makes sense in this file")
    [path] = links.glob(f"*.{suffix}")
    _rewrite(path, path.read_bytes() + frame(damage.SENSELESS[kind]) * 3)
    logdir = load(links)
    [host] = hosts_of(logdir)
    assert host.damage().corrupt_records == 3
    assert host.damage().cut_bytes == 0
    assert_consistent(logdir)
    assert_nothing_is_wrong(host, undamaged)


@pytest.mark.parametrize(
    ("mode", "tensor"),
    [pytest.param(mode, tensor, id=name) for name, mode, tensor in damage.absurd_tensors()],
)
def test_absurd_tensors_are_survived(tmp_path: Path, mode: int, tensor: dict[str, Any]) -> None:
    executed = {"op_type": b"X", "num_outputs": 1, "tensor_debug_mode": mode}
    write_files(
        tmp_path,
        graph_execution_traces=[trace(mode=mode, tensor_proto=tensor)] * 2,
        execution=[damage.event(execution={**executed, "tensor_protos": [tensor]})] * 2,
    )
    logdir = load(tmp_path)
    assert_consistent(logdir)
    damage.read_all_back(logdir)
    assert logdir.runs[0].counts()["graph_executions"] == 2


def test_repeated_submessages_are_merged_as_protobuf_says(tmp_path: Path) -> None:
    """A field of a message may stand twice; protobuf merges the two."""
    first = trace(tensor_proto=BAD_VECTOR)
    second = damage.event(graph_execution_trace={"tensor_proto": GOOD_VECTOR})
    write_files(tmp_path, graph_execution_traces=[first, first + second, first + first])
    logdir = load(tmp_path)
    assert_consistent(logdir)
    damage.read_all_back(logdir)
    [host] = hosts_of(logdir)
    for row in range(len(host.traces)):
        found = host.traces.read(row)
        assert found is not None
        assert host.traces.events["bad"][row] == (found.health.bad if found.health else 0)
    assert host.damage().corrupt_records == 2  # the merged shapes do not fit the numbers


@pytest.mark.parametrize("time", [float("nan"), float("inf"), float("-inf"), 0.0, -1.0, 1e300])
def test_absurd_times_are_survived(tmp_path: Path, time: float) -> None:
    good = [trace(wall_time=float(n), tensor_proto=GOOD_VECTOR) for n in range(5)]
    bad = [trace(wall_time=when, op_name=b"y", tensor_proto=BAD_VECTOR) for when in (3.0, time)]
    only = trace(wall_time=time, op_name=b"z", tensor_proto=BAD_VECTOR)
    write_files(
        tmp_path,
        metadata=[damage.event(wall_time=time, debug_metadata={"tfdbg_run_id": b"r"})],
        graph_execution_traces=[*good, *bad, only],
    )
    logdir = load(tmp_path)
    verdict_json(logdir)
    [run] = logdir.runs
    assert len(run.alerts) == 3
    assert run.alerts[0].wall_time == np.nanmin([3.0, time])
    store = run.hosts[0].traces
    for alert in store.site_alerts.all():
        events = store.events_of_site(alert.site).tolist()
        assert alert.first_event in events
        assert alert.last_event in events


def test_names_that_are_no_text_are_shown_with_replacements(tmp_path: Path) -> None:
    name = b"caf\xe9\xff\x1b[31m\x00"
    logdir = load(damage.hostile_recording(tmp_path, name))
    assert_consistent(logdir)
    report = judgement.verdict_on(logdir, logdir.runs)
    shown, first = name.decode("utf-8", "replace"), report.runs[0].first_bad
    assert first is not None
    assert (first.tensor, first.op_type) == (f"{shown}:0", shown)
    assert first.location is not None
    assert first.location.code == shown.strip()
    assert "\x1b" not in text.as_text(report)


@pytest.mark.parametrize("damaged", [False, True])
def test_a_record_of_twenty_megabytes_is_passed(tmp_path: Path, damaged: bool) -> None:
    numbers = np.ones(5_000_000, "<f4")
    numbers[-1] = np.nan
    shape = {"dim": [{"size": numbers.size}]}
    huge = {"dtype": 1, "tensor_shape": shape, "tensor_content": numbers.tobytes()}
    small = frame(trace(tensor_proto=GOOD_VECTOR))
    large = frame(trace(mode=7, tensor_proto=huge))
    content = small + (large[:1000] + b"?" + large[1001:] if damaged else large) + small
    (tmp_path / f"{damage.PREFIX}.graph_execution_traces").write_bytes(content)
    [host] = hosts_of(load(tmp_path))
    assert len(host.traces) == (2 if damaged else 3)
    assert host.damage().corrupt_records == damaged
    if not damaged:
        assert host.traces.alerts["event"].tolist() == [1]
        np.testing.assert_array_equal(host.traces.values(1), numbers)


@pytest.mark.parametrize("length", [2**31, 2**40, 2**62, 2**63, 2**64 - 1])
def test_an_absurd_length_with_a_good_checksum_is_passed(tmp_path: Path, length: int) -> None:
    absurd = damage.header_of(length)
    record = frame(trace(tensor_proto=BAD_VECTOR))
    content = record * 3 + absurd + record * 2 + absurd
    (tmp_path / f"{damage.PREFIX}.graph_execution_traces").write_bytes(content)
    [host] = hosts_of(load(tmp_path))
    assert len(host.traces) == 5
    assert host.damage().corrupt_records


def test_damage_everywhere_is_passed_in_few_readings_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two writers tear a file every few kilobytes; searching must not start over each time."""
    record = frame(trace(tensor_proto=GOOD_VECTOR))
    content = bytearray(record * 8000)
    for start in range(0, len(content), 20 * len(record)):
        content[start] ^= 1
    (tmp_path / f"{damage.PREFIX}.graph_execution_traces").write_bytes(content)
    reads = damage.note_reads(monkeypatch)
    [host] = hosts_of(load(tmp_path))
    assert len(host.traces) >= 8000 - 400
    assert sum(reads) < 20 * len(content)


def test_damage_to_a_header_leaves_its_record_readable(tmp_path: Path) -> None:
    """What is counted among the events can be read back like the others."""
    record = frame(trace(tensor_proto=BAD_VECTOR))
    for place in range(HEADER):
        content = bytearray(record * 3)
        content[len(record) + place] ^= 1
        (tmp_path / f"{damage.PREFIX}.graph_execution_traces").write_bytes(content)
        [host] = hosts_of(load(tmp_path))
        assert len(host.traces) in (2, 3)
        assert all(host.traces.read(row) is not None for row in range(len(host.traces)))


def test_thousands_of_lengths_are_told_apart(tmp_path: Path) -> None:
    names = [b"n" * length for length in range(1, 5000)]
    random.Random(3).shuffle(names)
    payloads = [
        trace(float(row), op_name=name, tensor_proto=GOOD_VECTOR if row % 7 else BAD_VECTOR)
        for row, name in enumerate(names)
    ]
    logdir = load(write_files(tmp_path, graph_execution_traces=payloads))
    [host] = hosts_of(logdir)
    sites = [host.traces.sites[number] for number in host.traces.events["site"].tolist()]
    assert [site.op_name.encode() for site in sites] == names
    assert host.traces.alerts["event"].tolist() == list(range(0, len(names), 7))


@settings(deadline=None, max_examples=150, derandomize=True, database=None)
@given(data=st.data())
def test_mutated_messages_with_good_checksums_are_survived(
    library: Library, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    scratch = tmp_path_factory.mktemp("mutated")
    damage.write_mutated(library.path("half_types_full"), scratch, data.draw(st.randoms()))
    logdir = load(scratch)
    verdict_json(logdir)
    damage.read_all_back(logdir)
    shutil.rmtree(scratch)
