"""Real recordings, read by us and held against what TensorFlow's own protos say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.recordings import reference
from tests.recordings.fabricate import HEADER, split
from tests.recordings.record import REPOSITORY
from tests.support.expected_health import expected_health
from tests.support.reading import (
    GUILTY_LINES,
    SCENARIOS,
    Recording,
    cut_tail,
    event_stores,
    health_of,
    identity,
    load,
    outermost_name,
    tensors_of,
)
from tfdbg_tui.data.records.debug_event_schema import parse
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.sources import Frame, Location
from tfdbg_tui.data.stores.user_code import is_user_file
from tfdbg_tui.verdict import judgement

if TYPE_CHECKING:
    import numpy.typing as npt

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.event_store import EventStore


SITE = "site-packages"


@pytest.fixture(scope="module", params=SCENARIOS)
def recording(request: pytest.FixtureRequest, library: Library) -> Recording:
    path = library.path(request.param)
    return Recording(request.param, path, load(path))


def _kinds(events: list[Any]) -> Counter[str]:
    return Counter(event.WhichOneof("what") for event in events)


def test_counts_are_those_of_the_records(recording: Recording) -> None:
    for run in recording.logdir.runs:
        kinds: Counter[str] = Counter()
        for host in run.hosts:
            for suffix in reference.SUFFIXES:
                kinds += _kinds(recording.events(host, suffix))
        assert run.counts() == {
            "source_files": kinds["source_file"],
            "stack_frames": kinds["stack_frame_with_id"],
            "graphs": kinds["debugged_graph"],
            "graph_ops": kinds["graph_op_creation"],
            "devices": kinds["debugged_device"],
            "executions": kinds["execution"],
            "graph_executions": kinds["graph_execution_trace"],
        }


def test_runs_and_metadata_are_told_apart(recording: Recording) -> None:
    stated = {}
    for host in recording.hosts:
        [event] = recording.events(host, "metadata")
        stated[event.debug_metadata.tfdbg_run_id] = event
    assert len(stated) == (2 if recording.scenario == "two_runs" else 1)
    assert [run.run_id for run in recording.logdir.runs] == list(stated)
    for run in recording.logdir.runs:
        assert run.run_id is not None
        event = stated[run.run_id]
        assert run.tensorflow_version == event.debug_metadata.tensorflow_version
        assert run.file_version == event.debug_metadata.file_version
        assert run.started == event.wall_time


def test_only_a_killed_program_leaves_damage(recording: Recording) -> None:
    found = [host.damage() for host in recording.hosts]
    assert sum(damage.corrupt_records for damage in found) == 0
    assert not any(damage.missing_files for damage in found)
    left_over = sum(damage.cut_bytes for damage in found)
    tails = sum(cut_tail(path) for path in recording.path.glob("tfdbg_events.*"))
    assert left_over == tails
    assert (left_over > 0) == (recording.scenario in ("killed", "circular"))


def test_sources_are_those_recorded(recording: Recording) -> None:
    for host in recording.hosts:
        for index, event in enumerate(recording.events(host, "source_files")):
            stated = event.source_file
            source = host.sources.get(index)
            assert source is not None
            assert (source.path, source.host) == (stated.file_path, stated.host_name)
            assert (host.sources.lines(index) or ()) == tuple(stated.lines)
        assert host.sources.get(len(host.sources.files)) is None


def test_stack_frames_are_those_recorded(recording: Recording) -> None:
    for host in recording.hosts:
        stated = [event.stack_frame_with_id for event in recording.events(host, "stack_frames")]
        assert host.frames.by_id == {
            frame.id: Frame(
                frame.id,
                frame.file_line_col.file_index,
                frame.file_line_col.line,
                frame.file_line_col.func,
                frame.file_line_col.code,
            )
            for frame in stated
        }


def test_graphs_enclose_each_other_as_recorded(recording: Recording) -> None:
    for host in recording.hosts:
        events = recording.events(host, "graphs")
        stated = [e.debugged_graph for e in events if e.HasField("debugged_graph")]
        assert {graph.graph_id for graph in stated} <= host.graphs.by_id.keys()
        for record in stated:
            graph = host.graphs.by_id[record.graph_id]
            assert (graph.name, graph.outer_id) == (record.graph_name, record.outer_context_id)
            inner = [other.graph_id for other in stated if other.outer_context_id == graph.id]
            assert list(graph.inner_ids) == inner
            assert host.graphs.function_of(graph.id) == outermost_name(stated, graph.id)


def test_ops_and_devices_are_those_recorded(recording: Recording) -> None:
    for host in recording.hosts:
        events = recording.events(host, "graphs")
        ops = [e.graph_op_creation for e in events if e.HasField("graph_op_creation")]
        devices = [e.debugged_device for e in events if e.HasField("debugged_device")]
        assert host.graphs.devices == {d.device_id: d.device_name for d in devices}
        assert sum(len(graph.ops) for graph in host.graphs.by_id.values()) == len(ops)
        for stated in ops:
            op = host.graphs.op(stated.graph_id, stated.op_name)
            assert op == (
                stated.graph_id,
                stated.op_name,
                stated.op_type,
                tuple(stated.input_names),
                stated.num_outputs,
                stated.device_name,
                stated.code_location.host_name,
                tuple(stated.code_location.stack_frame_ids),
                tuple(stated.output_tensor_ids),
            )


def test_consumers_are_the_ops_that_name_a_tensor_as_input(recording: Recording) -> None:
    for host in recording.hosts:
        events = recording.events(host, "graphs")
        ops = [e.graph_op_creation for e in events if e.HasField("graph_op_creation")]
        takers: dict[tuple[str, str], list[tuple[str, int]]] = {}
        for op in ops:
            for place, tensor in enumerate(op.input_names):
                takers.setdefault((op.graph_id, tensor), []).append((op.op_name, place))
        for op in ops:
            for slot in range(op.num_outputs):
                found = host.graphs.by_id[op.graph_id].consumers(op.op_name, slot)
                expected = takers.get((op.graph_id, f"{op.op_name}:{slot}"), [])
                assert [(taker.op.name, taker.input_index) for taker in found] == expected


def test_executions_are_those_recorded(recording: Recording) -> None:
    for host in recording.hosts:
        events = recording.events(host, "execution")
        store = host.executions
        assert store.events["wall_time"].tolist() == [event.wall_time for event in events]
        ids = [event.execution.output_tensor_ids for event in events]
        assert store.events["first_output_id"].tolist() == [(*found, -1)[0] for found in ids]
        for index, event in enumerate(events):
            stated, execution = event.execution, store.read(index)
            assert execution is not None
            assert (execution.event, execution.wall_time) == (index, event.wall_time)
            assert execution.input_tensor_ids == tuple(stated.input_tensor_ids)
            assert execution.output_tensor_ids == tuple(stated.output_tensor_ids)
            assert execution.site == (
                stated.op_type,
                stated.num_outputs,
                stated.graph_id,
                stated.tensor_debug_mode,
                stated.code_location.host_name,
                tuple(stated.code_location.stack_frame_ids),
                tuple(stated.output_tensor_device_ids),
                len(stated.tensor_protos),
            )


def test_traces_are_those_recorded(recording: Recording) -> None:
    for host in recording.hosts:
        events = recording.events(host, "graph_execution_traces")
        store = host.traces
        assert store.events["wall_time"].tolist() == [event.wall_time for event in events]
        for index, event in enumerate(events):
            stated, trace = event.graph_execution_trace, store.read(index)
            assert trace is not None
            assert (trace.event, trace.wall_time) == (index, event.wall_time)
            assert trace.site == (
                stated.tfdbg_context_id,
                stated.op_name,
                stated.output_slot,
                stated.device_name,
                stated.tensor_debug_mode,
            )


def test_health_is_what_each_mode_tells(recording: Recording) -> None:
    for host in recording.hosts:
        for source, index, position, mode, tensor in tensors_of(host, recording):
            expected = expected_health(mode, tensor)
            assert health_of(host, source, index, position) == expected, (source, index, position)


def test_values_are_exactly_those_recorded(recording: Recording) -> None:
    for host in recording.hosts:
        for source, index, position, mode, tensor in tensors_of(host, recording):
            if not tensor.dtype or mode == "NO_TENSOR":
                continue
            expected = reference.tensor_values(tensor)
            if expected.dtype.name == "bfloat16":
                expected = expected.astype(np.float32)
            ours: npt.NDArray[Any] | None
            if source == "execution":
                ours = host.executions.values(index, position)
            else:
                ours = host.traces.values(index)
            assert ours is not None, (source, index, position, tensor)
            assert (ours.dtype, ours.shape) == (expected.dtype, expected.shape)
            np.testing.assert_array_equal(ours, expected)


def test_alerts_are_all_bad_tensors_in_true_time_order(recording: Recording) -> None:
    for run in recording.logdir.runs:
        [host] = run.hosts
        expected = {
            (alert.source, alert.index, alert.position): event.wall_time
            for alert, event in recording.alerts_of(host)
        }
        alerts = [run.alerts[rank] for rank in range(len(run.alerts))]
        found = {identity(run, alert): alert.wall_time for alert in alerts}
        assert len(found) == len(alerts)
        assert found == expected
        times = [alert.wall_time for alert in alerts]
        assert times == sorted(times)
        assert run.alerts.unseen == 0


def test_counts_of_alerts_read_back_right(recording: Recording) -> None:
    for host in recording.hosts:
        for alert, event in recording.alerts_of(host):
            traced = alert.source == "graph_execution"
            source, position = ("trace", 0) if traced else ("execution", alert.position)
            health = health_of(host, source, alert.index, position)
            assert health is not None
            assert health.bad
            counts = (alert.neg_inf, alert.pos_inf, alert.nan)
            if (health.dtype or "").startswith("complex"):
                # The reference counts parts, we count elements.
                tensor = event.execution.tensor_protos[position] if not traced else None
                tensor = tensor or event.graph_execution_trace.tensor_proto
                expected = expected_health("FULL_TENSOR", tensor)
                assert expected is not None
                counts = (expected.neg_inf, expected.pos_inf, expected.nan)
            assert (health.neg_inf, health.pos_inf, health.nan) == counts


def test_alerts_per_site_equal_a_recount(recording: Recording) -> None:
    for host in recording.hosts:
        for store in event_stores(host):
            rows: dict[tuple[int, int], list[tuple[float, int]]] = {}
            for event, position in zip(
                store.alerts["event"].tolist(), store.alerts["position"].tolist(), strict=True
            ):
                site = int(store.events["site"][event])
                time = float(store.events["wall_time"][event])
                rows.setdefault((site, position), []).append((time, event))
            found = store.site_alerts.all()
            assert {(alert.site, alert.position) for alert in found} == rows.keys()
            for alert in found:
                seen = rows[alert.site, alert.position]
                assert alert.alerts == len(seen)
                assert (alert.first_time, alert.first_event) == min(seen)
                assert (alert.last_time, alert.last_event) == max(seen)
            assert [alert.first_time for alert in found] == sorted(a.first_time for a in found)


def test_first_bad_is_the_earliest_bad_tensor(recording: Recording) -> None:
    for run in recording.logdir.runs:
        [host] = run.hosts
        expected = recording.alerts_of(host)
        report = judgement.verdict_on_run(run)
        assert report.alerts == len(expected)
        first = report.first_bad
        if not expected:
            assert first is None
            continue
        assert first is not None
        earliest = min(event.wall_time for _, event in expected)
        candidates = [(alert, event) for alert, event in expected if event.wall_time == earliest]
        places = [(alert.source, alert.index) for alert, _ in candidates]
        assert (first.source, first.event) in places
        alert, event = candidates[places.index((first.source, first.event))]
        assert first.wall_time == event.wall_time
        assert (first.health.neg_inf, first.health.pos_inf) == (alert.neg_inf, alert.pos_inf)
        assert first.health.nan == alert.nan
        if alert.source == "graph_execution":
            trace = event.graph_execution_trace
            assert first.tensor == f"{trace.op_name}:{trace.output_slot}"
            assert first.device == trace.device_name
        else:
            assert first.op_type == event.execution.op_type


def _records(store: EventStore[Any]) -> list[tuple[int, bytes]]:
    return split(Path(store.file.path))


def test_columns_equal_each_record_decoded_by_itself(recording: Recording) -> None:
    for host in recording.hosts:
        for store in event_stores(host):
            records, sites = _records(store), len(store.sites)
            assert store.events["offset"].tolist() == [offset + HEADER for offset, _ in records]
            alerts = []
            for index, (_, payload) in enumerate(records):
                event, learned = parse(payload), store.learn(payload)
                assert event is not None
                assert learned is not None
                assert store.events["wall_time"][index] == event.wall_time
                assert store.events["site"][index] == learned.site
                positions = range(len(learned.layout.tensors))
                healths = store.healths_in(payload, positions) if positions else []
                flags = [0 if health is None else int(health.bad) for health in healths]
                assert store.events["bad"][index] == np.bitwise_or.reduce([0, *flags])
                alerts += [(index, place, bad) for place, bad in enumerate(flags) if bad]
            assert len(store.sites) == sites
            columns = [store.alerts[name].tolist() for name in ("event", "position", "bad")]
            assert list(zip(*columns, strict=True)) == alerts


def test_the_guilty_line_is_found(recording: Recording) -> None:
    bad = [judgement.verdict_on_run(run).first_bad for run in recording.logdir.runs]
    found = [first.location for first in bad if first is not None]
    if recording.scenario not in GUILTY_LINES:
        assert not found
        return
    module, code, function = GUILTY_LINES[recording.scenario]
    path = REPOSITORY / "tests" / "recordings" / "scenarios" / f"{module}.py"
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    assert lines.count(code) == 1
    line = lines.index(code) + 1
    assert found == [Location(file=str(path), line=line, function=function, code=code)]


def test_only_the_programs_own_files_are_the_users(recording: Recording) -> None:
    for host in recording.hosts:
        paths = [event.source_file.file_path for event in recording.events(host, "source_files")]
        own = [path for path in paths if is_user_file(path)]
        assert own
        assert all(path.startswith(str(REPOSITORY / "tests" / "recordings")) for path in own)
        assert [path for path in paths if path.startswith(str(REPOSITORY / "tests"))] == own


@pytest.mark.parametrize(
    "path",
    [
        "/tmp/__autograph_generated_filexk3b2c.py",
        "/tmp/tmp8q/__autograph_generated_file0_.py",
        r"C:\Users\me\AppData\Local\Temp\__autograph_generated_fileab.py",
        f"/venv/lib/python3.11/{SITE}/tensorflow/python/distribute/mirrored_run.py",
        "/usr/lib/python3/dist-packages/numpy/core.py",
        "/usr/lib/python3.12/threading.py",
        "/home/me/<frozen runpy>",
    ],
)
def test_generated_and_library_files_are_not_the_users(path: str) -> None:
    assert not is_user_file(path)


def test_every_kind_of_bad_number_occurs_in_the_recordings(library: Library) -> None:
    """A guard for the tests above: they say nothing about numbers that never occur."""
    seen = Bad.NONE
    for scenario in ("curt_health", "full_health", "half_types_full"):
        for host in load(library.path(scenario)).runs[0].hosts:
            for store in event_stores(host):
                for flags in set(store.alerts["bad"].tolist()):
                    seen |= Bad(flags)
    assert seen == Bad.NEG_INF | Bad.POS_INF | Bad.NAN | Bad.UNTOLD
