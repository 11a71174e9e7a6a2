"""The op that an error blames: found where only one can be meant, and otherwise not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.navigating import add_host
from tests.support.reading import load
from tfdbg_tui.data.index.failing_op import failing_op
from tfdbg_tui.data.stores.program_notes import Failure

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.run import Run

STEP = "__inference_step_1"


def run_of(path: Path) -> Run:
    (run,) = load(path).runs
    return run


def failure_of(node: str, call: str | None = None, stack: str = "") -> Failure:
    """An error as TensorFlow raises it for an op of a function."""
    called = "" if call is None else f" [Op:{call}]"
    message = f"Graph execution error:\n\n{stack}Bad\n\t [[{{{{node {node}}}}}]]{called}"
    return Failure("InvalidArgumentError", message, ())


def found(run: Run, failure: Failure) -> tuple[str | None, str] | None:
    """The graph and the name of the op that is found."""
    op = failing_op(run.hosts, failure)
    if op is None:
        return None
    return run.hosts[op.host].graphs.name_of(op.op.graph_id), op.op.name


@pytest.mark.parametrize(
    ("scenario", "graph", "op"),
    [
        ("op_fails", "score", "MatMul"),
        ("loop_fails", "while_body", "while/GatherV2"),
        ("data_fails", "Dataset_map_parse", "StringToNumber"),
        ("tf1_fails", "", "product"),
    ],
)
def test_the_real_errors_of_real_programs(
    library: Library, scenario: str, graph: str, op: str
) -> None:
    run = run_of(library.path(scenario))
    assert run.program is not None
    assert run.program.failure is not None
    place = found(run, run.program.failure)
    assert place is not None
    assert (place[0] or "").startswith(graph)
    assert place[1] == op


def test_of_a_function_that_is_traced_twice_the_one_that_was_not_called_before(
    library: Library,
) -> None:
    run = run_of(library.path("loop_fails"))
    assert run.program is not None
    assert run.program.failure is not None
    op = failing_op(run.hosts, run.program.failure)
    assert op is not None
    graphs = run.hosts[0].graphs
    called = {site.graph_id for site in run.hosts[0].executions.sites}
    assert graphs.by_id[op.op.graph_id].outer_id not in called


def test_a_call_that_came_back_before_tells_which_graph_it_runs(library: Library) -> None:
    run = run_of(library.path("retraced"))
    (host,) = run.hosts
    calls = {site.op_type: site.graph_id for site in host.executions.sites if site.graph_id}
    assert len(calls) > 1
    for call, graph_id in calls.items():
        op = failing_op(run.hosts, failure_of("truediv", call))
        assert op is not None
        assert op.op.graph_id == graph_id


@pytest.mark.parametrize(
    ("node", "call", "wanted"),
    [
        ("MatMul", "__inference_gram_1", ("gram", "MatMul")),
        ("StatefulPartitionedCall/MatMul", STEP, ("score", "MatMul")),
        ("MatMul", STEP, ("score", "MatMul")),
        ("mul", STEP, ("step", "mul")),
        ("MatMul", None, None),
        ("MatMul", "__inference_elsewhere_1", None),
        ("MatMul_7", STEP, None),
        ("DebugIdentityV2_3", STEP, None),
    ],
)
def test_the_call_decides_between_ops_of_one_name(
    library: Library, node: str, call: str | None, wanted: tuple[str, str] | None
) -> None:
    """Without a call nothing but a session can have run it, and there is none."""
    assert found(run_of(library.path("op_fails")), failure_of(node, call)) == wanted


def test_a_call_that_was_replaced_is_not_taken_for_an_op_of_its_caller(library: Library) -> None:
    """`step` has a `mul` of its own; inside what it calls there is none."""
    run = run_of(library.path("op_fails"))
    assert found(run, failure_of("StatefulPartitionedCall/mul", STEP)) is None


def test_the_stack_of_the_message_decides_where_the_name_does_not(library: Library) -> None:
    run = run_of(library.path("op_fails"))
    (host,) = run.hosts
    gram = next(g for g in host.graphs.by_id.values() if g.name == "gram")
    line = host.line_of(gram.ops["MatMul"].stack)
    assert line is not None
    stack = f'  File "{line.path}", line {line.line}, in gram\n\n'
    anywhere = failure_of("MatMul", "__inference_elsewhere_1", stack)
    assert found(run, anywhere) == ("gram", "MatMul")


def test_two_hosts_with_the_same_op_leave_it_open(library: Library, tmp_path: Path) -> None:
    for name in ("one", "two"):
        add_host(library.path("op_fails"), tmp_path, name)
    assert found(run_of(tmp_path), failure_of("MatMul", STEP)) is None
