"""A bad tensor is a cause if what it was computed from is clean, and follows if it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.damage import BAD_VECTOR, event, write_files
from tests.support.navigating import Stages, browsed, browsing, finish, index_of
from tfdbg_tui.data.cause.causes import Causes
from tfdbg_tui.data.cause.run_causes import RunCauses
from tfdbg_tui.data.flow.graph_nodes import Relation
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.views.neighbourhood import NodeSubject, neighbourhood, recorded_inputs

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.cause.call_causes import CallCauses
    from tfdbg_tui.data.cause.causes import HostCauses
    from tfdbg_tui.data.views.alert_tree import AlertTree
    from tfdbg_tui.data.views.navigator import Navigator

CAUSES = {
    "branches": ["while/cond/Log1p:0"],
    "full_health": ["Log:0", "RealDiv:0", "Unique:0", "SparseFillEmptyRows:1"],
    "curt_health": ["Log:0", "RealDiv:0", "Unique:0", "SparseFillEmptyRows:1"],
    "eager_only": ["Log:0", "Reciprocal:0"],
    "gradient_ops": [
        "gradient_tape/distance/SqrtGrad:0",
        "gradients/distance/Sqrt_grad/SqrtGrad:0",
    ],
    "keras_fit": ["sequential_1/dense_1_2/MatMul:0"],
    "mirrored": ["replica_1/Log:0"],
    "nan_input": ["IteratorGetNext:0"],
    "retraced": ["truediv:0"] * 3,
    "tf1_session": ["log_x:0"],
    "tf_data": ["truediv:0"],
    "while_loop": ["while/cond/mul:0", "mul:0"],
}
"""The first causes of recorded programs, in time: what their source says went wrong by itself."""


def tree_of(navigator: Navigator) -> AlertTree:
    tree = navigator.causes.tree
    assert tree is not None
    tree.refresh()
    return tree


def causes_of(navigator: Navigator) -> HostCauses:
    causes = navigator.causes.of_host(0)
    assert causes is not None
    return causes


def calls_of(navigator: Navigator) -> CallCauses:
    calls = navigator.causes.of_calls(0)
    assert calls is not None
    return calls


@pytest.mark.parametrize("scenario", CAUSES)
def test_causes_are_what_the_program_did_wrong_by_itself(library: Library, scenario: str) -> None:
    rows = tree_of(browsed(library.path(scenario))).rows(0, 1000)
    found = [row.site.name for row in rows if not row.follows]
    wanted = CAUSES[scenario]
    assert found[: len(wanted)] == wanted
    if not scenario.endswith("health"):
        assert len(found) == len(wanted)


@pytest.mark.parametrize("scenario", ["full_health", "keras_fit", "gradient_ops", "while_loop"])
def test_what_has_a_bad_recorded_input_follows(library: Library, scenario: str) -> None:
    navigator = browsed(library.path(scenario))
    index, causes = index_of(navigator), causes_of(navigator)
    traces = index.host.traces
    assert navigator.run is not None
    first = navigator.run.log.first()
    checked = 0
    for trace in traces.bad_events.tolist():
        site = traces.site_of(trace)
        subject = NodeSubject(site.graph_id, site.op_name, site.slot, trace)
        nodes = neighbourhood(index.host, index.sites, index.joins, subject, 1)
        if any(traces.is_bad(given) for given in recorded_inputs(nodes) if given != trace):
            assert first is not None
            assert causes.follows(EventKind.TRACE, trace) or first.event == trace
            checked += 1
    assert checked


def test_clean_tensors_follow_from_nothing(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    index, causes = index_of(navigator), causes_of(navigator)
    for kind in EventKind:
        store = index.host.store_of(kind)
        clean = [event for event in range(len(store)) if not store.is_bad(event)]
        assert clean
        assert not any(causes.follows(kind, event) for event in clean)


def test_a_bad_variable_follows_though_no_input_of_its_read_is_recorded(library: Library) -> None:
    navigator = browsed(library.path("keras_fit"))
    index, causes = index_of(navigator), causes_of(navigator)
    traces = index.host.traces
    bad = [
        trace
        for trace in traces.bad_events.tolist()
        if index.sites.trace(traces.site_number(trace)).op_type == "ReadVariableOp"
    ]
    assert bad
    assert all(causes.follows(EventKind.TRACE, trace) for trace in bad)


def test_rows_say_it(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    traces, executions = navigator.trace_rows(), navigator.execution_rows()
    assert traces is not None
    assert executions is not None
    bad = [row for row in traces.rows(0, 1000) if row.bad]
    in_first_call = [(row.facts.tensor, row.follows) for row in bad[:3]]
    assert in_first_call == [("Log:0", False), ("mul:0", True), ("Mean:0", True)]
    calls = [row for row in executions.rows(0, 1000) if row.bad or row.bad_inside]
    assert [(row.facts.tensor, row.follows) for row in calls[:3]] == [
        ("loss", False),
        ("loss", True),
        ("model", True),
    ], "a call that holds a cause, and the gradients that follow"
    healthy = [row for row in executions.rows(0, 1000) if not row.bad and not row.bad_inside]
    assert not any(row.follows for row in healthy)


def test_several_ops_in_one_row_hold_a_cause_if_one_is(library: Library) -> None:
    navigator = browsed(library.path("eager_only"))
    index, calls = index_of(navigator), calls_of(navigator)
    bad = index.host.executions.bad_events.tolist()
    first, second = bad[0], bad[1]
    assert not calls.row_follows(first, second - first + 1)
    assert calls.row_follows(second, 1)


def test_nodes_of_the_graph_say_it(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    assert navigator.first_alert()
    index, chosen = index_of(navigator), navigator.selection
    assert chosen.node is not None
    subject = NodeSubject(*chosen.node, chosen.trace)
    nodes = neighbourhood(index.host, index.sites, index.joins, subject, 2)
    marked = calls_of(navigator).marked(nodes)
    said = {(node.name, node.relation): node.follows for node in marked if node.bad}
    assert said["Log:0", Relation.SELF] is False
    assert said["mul:0", Relation.CONSUMER] is True
    assert not any(node.follows for node in marked if not node.bad)


def test_the_causes_of_a_call_are_told(library: Library) -> None:
    navigator = browsed(library.path("half_types_full"))
    index = index_of(navigator)
    tensor = next(
        trace
        for trace in index.host.traces.bad_events.tolist()
        if index.sites.trace(index.host.traces.site_number(trace)).tensor == "truediv_1:0"
    )
    navigator.select_trace(tensor)
    found = navigator.causes.in_call(navigator.selection)
    names = [
        index.sites.trace(index.host.traces.site_number(cause.event)).tensor for cause in found
    ]
    assert len(names) > 1
    assert names[-1] == "truediv_1:0"
    navigator.select_execution(0)
    assert navigator.causes.in_call(navigator.selection) == ()


def test_what_is_judged_before_its_call_has_ended_is_judged_again(
    library: Library, tmp_path: Path
) -> None:
    stages = Stages(library.path("full_health"), tmp_path / "stages")
    stages.come("metadata", "graphs", "stack_frames", "source_files", "graph_execution_traces")
    navigator = browsing(stages.logdir.runs[0])
    job = navigator.causes.job
    assert job is not None
    stages.come("execution")
    finish(*navigator.jobs())
    whole = browsed(library.path("full_health")).causes.job
    assert whole is not None
    for key, cause in whole.cause_of.items():
        if key in job.cause_of:
            assert (job.cause_of[key] == key) == (cause == key)


def test_a_first_tensor_of_which_nothing_else_is_known_is_a_cause(tmp_path: Path) -> None:
    fields = {"op_type": b"ReadVariableOp", "num_outputs": 1, "tensor_debug_mode": 4}
    payloads = [
        event(wall_time=when, execution={**fields, "tensor_protos": [BAD_VECTOR]})
        for when in (1.0, 2.0)
    ]
    navigator = browsed(write_files(tmp_path, execution=payloads))
    judged = [navigator.causes.follows(EventRef(0, EventKind.EXECUTION, n, 0)) for n in (0, 1)]
    assert judged == [False, True]


def test_what_goes_no_further_is_absorbed(library: Library) -> None:
    navigator = browsed(library.path("masked"))
    rows = tree_of(navigator).rows(0, 100)
    assert [row.site.name for row in rows if not row.follows] == ["Log:0", "SelectV2/e:0"]
    host = causes_of(navigator)
    by_name = {row.site.name: row.site.first for row in rows}
    assert not host.is_absorbed(by_name["Log:0"]), "where has taken it over"
    assert host.is_absorbed(by_name["add:0"]), "softmax has not"
    absorbed = [row.site.name for row in rows if row.absorbed and row.follows]
    assert absorbed == ["add:0", "SelectV2:0"]
    assert all(row.absorbed for row in rows if not row.follows), "in the end, both causes are"


def test_what_no_verdict_tells_is_not_looked_for(library: Library) -> None:
    index = browsed(library.path("masked")).run
    assert index is not None
    found = RunCauses(index, Causes(index), tells_absorbed=False)
    while found.extend():
        pass
    assert found.is_done
    assert found.absorbed.keys == set(found.found), "of causes it is known all the same"
