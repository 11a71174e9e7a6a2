"""The tree of alerts has every site once, each below a cause, and finds rows again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.damage import BAD_VECTOR, event, trace, write_files
from tests.support.navigating import browsed, browsing, index_of
from tests.support.reading import load
from tfdbg_tui.data.cause import run_causes
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views import alert_tree
from tfdbg_tui.data.views.cause_walk import is_at_first_bad, step_cause, which_alert

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.views.alert_tree import AlertTree
    from tfdbg_tui.data.views.navigator import Navigator

RECORDED = ("full_health", "keras_fit", "eager_only", "half_types_full", "while_loop")


def tree_of(navigator: Navigator) -> AlertTree:
    tree = navigator.causes.tree
    assert tree is not None
    tree.refresh()
    return tree


@pytest.mark.parametrize("scenario", RECORDED)
@pytest.mark.parametrize("folded", [False, True])
def test_every_site_is_in_the_tree_once(library: Library, scenario: str, folded: bool) -> None:
    navigator = browsed(library.path(scenario))
    tree = tree_of(navigator)
    tree.fold(folded)
    rows = tree.rows(0, 10_000)
    assert len(rows) == len(tree)
    assert sum(row.folded + row.reads for row in rows) == tree.ops == len(tree.alerts)
    assert sum(not row.follows for row in rows) == tree.causes
    assert not rows[0].follows
    causes = [row.site.first for row in rows if not row.follows]
    assert [tree.cause(number) for number in range(tree.causes)] == causes, "in time"
    assert [tree.number_of_cause(cause) for cause in causes] == list(range(tree.causes))
    for number, row in enumerate(rows):
        assert tree.row_of(row.site.first) == number
        ends = number + 1 == len(rows) or not rows[number + 1].follows
        assert row.is_last == (row.follows and ends)
    if folded:
        assert not any(row.follows for row in rows)
        for site in tree.alerts.rows(0, len(tree.alerts)):
            assert tree.row_of(site.first) is not None


def test_followers_stand_below_the_cause_they_were_computed_from(library: Library) -> None:
    rows = tree_of(browsed(library.path("half_types_full"))).rows(0, 1000)
    function = None
    for row in rows:
        if not row.follows:
            function = row.site.facts.function
        elif row.site.kind is EventKind.TRACE:
            assert row.site.facts.function == function


def test_reads_of_variables_are_one_row(library: Library) -> None:
    navigator = browsed(library.path("keras_fit"))
    *_, last = tree_of(navigator).rows(0, 1000)
    assert last.reads > 1
    index = index_of(navigator)
    reads = [
        event
        for event in index.host.traces.bad_events.tolist()
        if index.sites.trace(index.host.traces.site_number(event)).op_type == "ReadVariableOp"
    ]
    assert last.count >= len(reads) > 0


def test_what_is_not_judged_stands_below_the_last_cause(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alert_tree, "MAX_JUDGED", 2)
    navigator = browsing(load(library.path("full_health")).runs[0])
    tree = tree_of(navigator)
    assert (tree.causes, len(tree)) == (1, tree.ops)
    assert [row.follows for row in tree.rows(0, 3)] == [False, True, True]


def test_sites_are_judged_in_slices(library: Library) -> None:
    run = load(library.path("keras_fit")).runs[0]
    navigator = browsed(library.path("keras_fit"))
    navigator.open_run(run)
    job = navigator.causes.job
    assert job is not None
    assert job.extend()
    assert len(job.cause_of) == run_causes.SITES_AT_ONCE


def test_keys_walk_from_cause_to_cause_and_then_through_all_alerts(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    tree = tree_of(navigator)
    navigator.first_alert()
    said = [which_alert(navigator)]
    while step_cause(navigator, 1):
        said.append(which_alert(navigator))
    assert said == [f"Cause {number} of {tree.causes}." for number in range(1, tree.causes + 1)]
    assert navigator.step_alert(1)
    assert "follows from a cause" in which_alert(navigator)
    assert not step_cause(navigator, -1), "back from what follows, the alert before it is meant"
    assert navigator.step_alert(-1)
    back = 0
    while step_cause(navigator, -1):
        back += 1
    assert back == tree.causes - 1
    assert is_at_first_bad(navigator)


def test_from_between_two_causes_the_next_is_gone_to(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    tree = tree_of(navigator)
    second_row = tree.rows(1, 2)[0]
    assert second_row.follows
    navigator.select_at(second_row.site.first)
    assert step_cause(navigator, 1)
    assert navigator.selection.event == tree.cause(1)


def test_alerts_of_ops_that_are_not_on_disk_are_listed(tmp_path: Path) -> None:
    payloads = [trace(1.0 + n, op_name=b"op%d" % n, tensor_proto=BAD_VECTOR) for n in range(3)]
    told = [event(wall_time=1.0, debug_metadata={"tfdbg_run_id": b"run"})]
    path = write_files(tmp_path, metadata=told, graph_execution_traces=payloads)
    rows = tree_of(browsed(path)).rows(0, 9)
    assert [(row.site.name, row.follows) for row in rows] == [
        ("op0:0", False),
        ("op1:0", True),
        ("op2:0", True),
    ], "whether they were given the first one is not known, but it came before"
