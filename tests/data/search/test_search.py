"""A search looks through both kinds of events of a host, and goes on as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.support.navigating import Stages, browsing, finish, index_of, indexed
from tfdbg_tui.data.search.query import parse
from tfdbg_tui.data.search.search import Search
from tfdbg_tui.data.stores.event_kind import EventKind

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library


@pytest.mark.parametrize("scenario", ["full_health", "keras_fit", "eager_only", "tf1_session"])
def test_bad_finds_every_event_with_an_alert(library: Library, scenario: str) -> None:
    index = indexed(library.path(scenario))
    search = Search(index, parse("bad"))
    finish(search)
    assert search.is_done
    for found, store in (
        (search.traces, index.host.traces),
        (search.executions, index.host.executions),
    ):
        assert found.rows.tolist() == np.flatnonzero(store.events["bad"]).tolist()


def test_functions_are_found_among_calls_and_inside_graphs(library: Library) -> None:
    index = indexed(library.path("full_health"))
    search = Search(index, parse("fn:loss"))
    finish(search)
    for found, store, site_index in (
        (search.traces, index.host.traces, index.sites.trace),
        (search.executions, index.host.executions, index.sites.execution),
    ):
        sites = store.events["site"].tolist()
        wanted = [row for row, site in enumerate(sites) if site_index(site).function == "loss"]
        assert found.rows.tolist() == wanted
        assert wanted


def test_steps_are_those_of_the_host(library: Library) -> None:
    index = indexed(library.path("full_health"))
    search = Search(index, parse("step:3"))
    finish(search)
    times = index.host.traces.events["wall_time"].tolist()
    wanted = [row for row, time in enumerate(times) if index.steps.step_of(time) == 3]
    assert search.traces.rows.tolist() == wanted
    assert wanted


def test_it_is_done_when_all_that_came_is_searched(library: Library, tmp_path: Path) -> None:
    stages = Stages(library.path("full_health"), tmp_path / "stages")
    stages.come("metadata", "graphs", "execution")
    navigator = browsing(stages.logdir.runs[0])
    navigator.search_for("bad")
    search = navigator.search
    assert search is not None
    assert not search.is_done
    finish(search)
    assert search.is_done
    assert len(search.traces) == 0
    stages.come("graph_execution_traces")
    assert not search.is_done
    finish(search)
    assert search.is_done
    alerts = index_of(navigator).host.traces.alerts["event"].tolist()
    assert search.traces.rows.tolist() == alerts


def test_nothing_is_searched_at_once(library: Library) -> None:
    search = Search(indexed(library.path("circular")), parse("bad"))
    assert search.is_done
    assert not search.extend()


@pytest.mark.parametrize(
    ("scenario", "text"),
    [("full_health", "op:Log"), ("full_health", "bad"), ("keras_fit", "layer:dense"),
     ("tf1_session", "bad"), ("while_loop", "op:Mul"), ("eager_only", "bad"), ("threads", "op:Mul"),
     ("tf1_training", "op:MatMul"), ("mirrored", "size>=1")],
)  # fmt: skip
def test_a_filter_keeps_the_calls_in_which_something_matches(
    library: Library, scenario: str, text: str
) -> None:
    index = indexed(library.path(scenario))
    search = Search(index, parse(text), with_calls=True)
    finish(search)
    assert search.is_done
    alone = Search(index, parse(text))
    finish(alone)
    inside = {index.joins.execution_of(trace) for trace in alone.traces.rows.tolist()}
    wanted = sorted({*alone.executions.rows.tolist(), *inside} - {None})
    assert search.executions.rows.tolist() == wanted
    assert search.kept(EventKind.EXECUTION) == (len(wanted), len(index.host.executions))
    assert wanted


def test_calls_are_kept_as_soon_as_they_are_known(library: Library, tmp_path: Path) -> None:
    whole = indexed(library.path("full_health"))
    expected = Search(whole, parse("op:Log"), with_calls=True)
    finish(expected)
    stages = Stages(library.path("full_health"), tmp_path / "stages")
    stages.come("metadata", "graph_execution_traces")
    navigator = browsing(stages.logdir.runs[0])
    navigator.show_only("Log")
    search = navigator.filter
    assert search is not None
    finish(search)
    assert len(search.traces)
    assert not len(search.executions)
    stages.come("execution")
    finish(search)
    stages.come("graphs", "stack_frames", "source_files")
    finish(search)
    assert search.executions.rows.tolist() == expected.executions.rows.tolist()
