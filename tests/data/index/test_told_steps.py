"""Steps are what the program says that it made: Keras and TF1 sessions, whatever else they do."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pytest

from tests.recordings.fabricate import frame, split
from tests.support.navigating import Stages, browsed, browsing, finish, index_of
from tests.support.reading import drain, load
from tests.support.sessions_told import KERAS, SESSIONS, as_tensorflow_records, told
from tfdbg_tui.data.flow.graph_nodes import Relation
from tfdbg_tui.data.index.phases import Phase
from tfdbg_tui.data.index.session_run_numbers import SessionRunFacts
from tfdbg_tui.data.index.session_runs import SessionRuns
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.views.event_rows import AllEvents, ExecutionRows
from tfdbg_tui.data.views.neighbourhood import NodeSubject, neighbourhood
from tfdbg_tui.data.views.timeline import density
from tfdbg_tui.screens.session.destinations import try_destination

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.site_facts import SiteFacts

Found = TypeVar("Found")


def not_none(value: Found | None) -> Found:
    assert value is not None
    return value


def facts_of_each(index: HostIndex) -> list[SiteFacts]:
    executions = index.host.executions
    return [index.sites.execution(site) for site in executions.site_numbers.tolist()]


def assert_steps_are_told(index: HostIndex, steps: int) -> None:
    """As many steps as were made, each beginning with an execution that trains."""
    assert len(index.steps) == steps
    facts = facts_of_each(index)
    executions = index.host.executions
    step_of = [index.steps.step_of(time) for time in executions.wall_times.tolist()]
    for step in range(1, steps + 1):
        first = index.steps.first_execution(step)
        assert first is not None
        assert step_of.index(step) == first
        trains = [row for row, own in enumerate(step_of) if own == step and facts[row].is_step]
        assert trains == [first]
    assert index.steps.first_execution(steps + 1) is None
    assert (step_of[-1] or 0) == steps


# ---------------------------------------------------------------------- Keras


@pytest.mark.parametrize("scenario", KERAS)
def test_steps_of_keras(library: Library, scenario: str) -> None:
    path = library.path(scenario)
    index = index_of(browsed(path))
    if any(facts.is_step for facts in facts_of_each(index)):
        assert_steps_are_told(index, told(path)["steps"])
    assert len(index.steps) == told(path)["steps"]


def test_each_call_of_keras_has_its_phase(library: Library) -> None:
    index = index_of(browsed(library.path("keras_plots")))
    calls = [facts for facts in facts_of_each(index) if "step_on" in facts.tensor]
    assert Counter(facts.phase for facts in calls) == {
        Phase.TRAIN: 6,
        Phase.VALIDATION: 6,
        Phase.PREDICT: 240,
    }
    assert {facts.phase for facts in calls if facts.is_step} == {Phase.TRAIN}
    traced = {index.sites.trace(site).phase for site in range(len(index.host.traces.sites))}
    assert traced >= {Phase.TRAIN, Phase.VALIDATION, Phase.PREDICT}


@pytest.mark.parametrize("phase", ["train", "validation", "predict"])
def test_a_phase_can_be_searched_for(library: Library, phase: str) -> None:
    navigator = browsed(library.path("keras_plots"))
    index = index_of(navigator)
    navigator.search_for(f"phase={phase}")
    assert navigator.search is not None
    finish(navigator.search)
    for kind in EventKind:
        store = index.host.store_of(kind)
        facts = [index.sites.of(kind, site) for site in store.site_numbers.tolist()]
        wanted = [row for row, own in enumerate(facts) if own.phase and own.phase.value == phase]
        assert navigator.search.of(kind).rows.tolist() == wanted
        assert 0 < len(wanted) < len(store)


def test_without_training_there_are_no_steps(library: Library) -> None:
    index = index_of(browsed(library.path("keras_evaluation")))
    assert len(index.steps) == 0
    assert index.steps.step_of(1.7e9) is index.steps.first_execution(1) is None


def test_phases_that_come_late_make_other_steps(library: Library, tmp_path: Path) -> None:
    source = library.path("keras_plots")
    stages = Stages(source, tmp_path / "stages")
    stages.come("metadata", "graphs", "execution", "graph_execution_traces")
    navigator = browsing(stages.logdir.runs[0])
    index = index_of(navigator)
    assert {facts.phase for facts in facts_of_each(index)} == {None}
    assert len(index.steps) != told(source)["steps"], "by what happens most"
    stages.come("stack_frames", "source_files")
    finish(*navigator.jobs())
    assert_steps_are_told(index, told(source)["steps"])


# ---------------------------------------------------------------------- sessions


@pytest.mark.parametrize("scenario", SESSIONS)
def test_steps_of_sessions_as_they_are_written_down(library: Library, scenario: str) -> None:
    path = library.path(scenario)
    index = index_of(browsed(path))
    assert index.session_runs is None
    assert_steps_are_told(index, told(path)["steps"])
    traced = {index.joins.execution_of(trace) for trace in range(len(index.host.traces))}
    assert None not in traced
    assert len(traced) == told(path)["runs"]


@pytest.mark.parametrize("scenario", SESSIONS)
def test_steps_of_sessions_as_they_are_found(
    library: Library, scenario: str, tmp_path: Path
) -> None:
    path = as_tensorflow_records(library.path(scenario), tmp_path / "copy")
    index = index_of(browsed(path))
    assert isinstance(index.host.executions, SessionRuns)
    assert_steps_are_told(index, told(path)["steps"])
    assert len(index.host.executions) == told(path)["runs"]
    traced = Counter(index.joins.execution_of(trace) for trace in range(len(index.host.traces)))
    assert traced.keys() == set(range(told(path)["runs"]))


def test_tensorflows_own_recorder_has_its_runs_found(library: Library) -> None:
    index = index_of(browsed(library.path("tf1_session")))
    runs = index.host.executions
    assert len(runs) == len(index.steps) == 3, "nothing trains: each run is a step"
    for run in range(3):
        names = [
            index.host.traces.site_of(trace).op_name
            for trace in index.joins.traces_of(run).tolist()
        ]
        assert sorted(names) == ["log_x", "mul", "mul/y", "total", "x"]
    assert index.bad_inside(1).tolist() == index.host.traces.bad_events.tolist()


def test_keys_know_runs_as_they_know_calls(library: Library) -> None:
    navigator = browsing(load(library.path("tf1_session")).runs[0])
    index = index_of(navigator)
    assert try_destination(navigator, EventKind.EXECUTION, "step 1") == ""
    assert navigator.selection.execution == 0
    assert navigator.step_match(EventKind.EXECUTION, 1)
    assert navigator.selection.execution == 1, "the next with anything bad inside"
    assert navigator.inside(1) == index.host.traces.bad_events[0]
    navigator.select_trace(int(index.host.traces.bad_events[0]))
    chosen = navigator.selection
    assert (chosen.execution, chosen.kind) == (1, EventKind.TRACE)
    (outer, *_) = neighbourhood(
        index.host, index.sites, index.joins, NodeSubject(*not_none(chosen.node), chosen.trace)
    )
    assert (outer.relation, outer.name, outer.execution) == (Relation.OUTER, "Session.run", 1)
    row = ExecutionRows(index, AllEvents(index.host.executions)).row(1)
    assert row.session_run == SessionRunFacts(2, 5, has_more=False)
    assert row.bad_inside == 3
    assert sum(cell.executions for cell in density(index, 20).cells) == 3


@pytest.mark.parametrize("scenario", SESSIONS)
def test_found_runs_grow_and_end_as_if_found_at_once(
    library: Library, scenario: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = as_tensorflow_records(library.path(scenario), tmp_path / "copy")
    index = index_of(browsed(path))
    whole = index.host.executions
    for rows in (1, 7, 40):
        monkeypatch.setattr("tfdbg_tui.data.index.session_runs.SLICE_ROWS", rows)
        runs = SessionRuns(index.origin)
        count = 0
        while runs.extend_runs():
            assert len(runs) >= max(count, runs.settled), "none is lost"
            count = len(runs)
        assert runs.wall_times.tolist() == whole.wall_times.tolist()
        assert runs.site_numbers.tolist() == whole.site_numbers.tolist()


def test_a_run_that_goes_on_is_there(library: Library, tmp_path: Path) -> None:
    path = as_tensorflow_records(library.path("tf1_training"), tmp_path / "copy")
    (file,) = path.glob("*.graph_execution_traces")
    records = [frame(payload) for _, payload in split(file)]
    file.write_bytes(b"")
    logdir = Logdir(path)
    seen = []
    for first in range(0, len(records), 25):
        with file.open("ab") as stream:
            stream.write(b"".join(records[first : first + 25]))
        drain(logdir)
        navigator = browsing(logdir.runs[0])
        index = index_of(navigator)
        last = len(index.host.traces) - 1
        assert index.joins.execution_of(last) == len(index.host.executions) - 1
        navigator.select_trace(last)
        assert navigator.selection.execution == len(index.host.executions) - 1
        seen.append(len(index.steps))
    assert seen == sorted(seen)
    assert seen[-1] == told(path)["steps"]


def test_records_of_runs_are_taken_instead_when_they_come(library: Library, tmp_path: Path) -> None:
    source = library.path("tf1_training")
    stages = Stages(source, tmp_path / "stages")
    stages.come("metadata", "graphs", "stack_frames", "source_files", "graph_execution_traces")
    (run,) = stages.logdir.runs
    navigator = browsing(run)
    navigator.select_execution(3)
    assert index_of(navigator).session_runs is not None
    stages.come("execution")
    assert navigator.open_run(run)
    finish(*navigator.jobs())
    index = index_of(navigator)
    assert index.session_runs is None
    assert index.host.executions is run.hosts[0].executions
    assert not navigator.open_run(run)
    assert_steps_are_told(index, told(source)["steps"])


def test_a_search_finds_runs_by_what_they_turned_out_to_be(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tfdbg_tui.data.index.session_runs.SLICE_ROWS", 9)
    path = as_tensorflow_records(library.path("tf1_training"), tmp_path / "copy")
    logdir = Logdir(path)
    logdir.load()
    navigator = browsing(logdir.runs[0])
    index = index_of(navigator)
    fresh = SessionRuns(index.origin)
    index.host.executions = index.session_runs = fresh
    navigator.search_for("phase:train")
    search = navigator.search
    assert search is not None
    while fresh.extend_runs():
        finish(search)
    finish(search)
    trained = [row for row in range(len(fresh)) if "train" in fresh.site_of(row).op_type]
    assert search.of(EventKind.EXECUTION).rows.tolist() == trained
    assert len(trained) == told(path)["steps"]


def test_searches_know_steps_and_numbers_of_runs(library: Library, tmp_path: Path) -> None:
    path = as_tensorflow_records(library.path("tf1_training"), tmp_path / "copy")
    navigator = browsed(path)
    index = index_of(navigator)
    for text, wanted in (("step:4", 1), ("step:3", 3), ("zero>=0", 0), ("-zero>=0", 21)):
        navigator.search_for(text)
        assert navigator.search is not None
        finish(navigator.search)
        assert len(navigator.search.of(EventKind.EXECUTION).rows) == wanted, text
    runs = [index.run_numbers.of(execution) for execution in range(21)]
    assert [run.number for run in runs if run] == list(range(1, 22))
    assert sum(run.tensors for run in runs if run) == len(index.host.traces)
    times = index.host.executions.wall_times
    assert np.all(np.diff(times) > 0)
