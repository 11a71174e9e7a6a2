"""Gradient ops and the forward ops they belong to."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import opened
from tests.support.reading import hosts_of, load
from tfdbg_tui.cli import main

if TYPE_CHECKING:
    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.graph import Graph
    from tfdbg_tui.data.stores.host import Host

SOURCE = Path(__file__).parents[2] / "recordings" / "scenarios" / "gradients.py"


@pytest.fixture
def host(library: Library) -> Host:
    (host,) = hosts_of(load(library.path("gradient_ops")))
    return host


def graph_called(host: Host, name: str) -> Graph:
    (graph,) = (graph for graph in host.graphs.by_id.values() if graph.name == name)
    return graph


def pairs(host: Host, function: str) -> set[tuple[str, str]]:
    """Types of gradient ops and of the forward ops they were linked to."""
    ops = list(graph_called(host, function).ops.values())
    linked = [(op, host.graphs.forward_of(op)) for op in ops]
    return {(op.type, forward.type) for op, forward in linked if forward is not None}


def line_of(text: str) -> int:
    (number,) = (n for n, line in enumerate(SOURCE.read_text().splitlines(), 1) if text in line)
    return number


def test_a_tape_names_its_gradients_after_forward_ops(host: Host) -> None:
    found = pairs(host, "tape_step")
    assert ("Mul", "Mul") in found
    assert ("SqrtGrad", "Sqrt") in found
    assert ("SoftsignGrad", "Softsign") in found


def test_so_does_a_graph(host: Host) -> None:
    found = pairs(host, "graph_step")
    assert {("SqrtGrad", "Sqrt"), ("Mul", "Mul")} <= found


def test_no_forward_op_is_taken_for_a_gradient(host: Host) -> None:
    for function in ("tape_step", "graph_step"):
        for op in graph_called(host, function).ops.values():
            if "gradient" not in op.name:
                assert host.graphs.forward_of(op) is None, op.name


def test_a_forward_op_is_never_a_gradient_itself(library: Library) -> None:
    for scenario in ("gradient_ops", "keras_fit", "lstm"):
        for host in hosts_of(load(library.path(scenario))):
            for graph in host.graphs.by_id.values():
                for op in graph.ops.values():
                    forward = host.graphs.forward_of(op)
                    assert forward is None or "gradient" not in forward.name


@pytest.mark.parametrize("code", ["squares = x * x", "return tf.sqrt(total)"])
def test_a_gradient_has_the_line_of_its_forward_op(host: Host, code: str) -> None:
    kind = "Mul" if "*" in code else "SqrtGrad"
    for function in ("tape_step", "graph_step"):
        ops = graph_called(host, function).ops.values()
        for op in (op for op in ops if op.type == kind and host.graphs.forward_of(op)):
            location = host.location_of(host.graphs.stack_of(op))
            assert location is not None
            assert (location.line, location.file) == (line_of(code), str(SOURCE))


def test_check_names_the_forward_line(library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(library.path("gradient_ops")), "--json"])
    first = json.loads(capsys.readouterr().out)["runs"][0]["first_bad"]
    assert first["op_type"] == "SqrtGrad"
    assert first["location"]["line"] == line_of("return tf.sqrt(total)")
    assert first["location"]["function"] == "distance"


def test_what_a_gradient_is_composed_of_belongs_to_the_op_of_the_same_tensor(
    library: Library,
) -> None:
    (host,) = hosts_of(load(library.path("composed_gradients")))
    graph = graph_called(host, "composed_step")
    linked = {
        (op.name, forward.type)
        for op in graph.ops.values()
        if (forward := host.graphs.forward_of(op)) is not None
    }
    own = {f"gradient_tape/bend/{name}" for name in ("Square", "Sub", "Sqrt", "Reciprocal")}
    assert {(name, "Acos") for name in own} <= linked
    assert "Log" in {kind for _, kind in linked}
    assert not [pair for pair in linked if pair[1] in ("Atan", "Sinh")], "nobody can tell"


def test_check_names_the_line_of_a_composed_gradient(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", str(library.path("composed_gradients")), "--json"])
    first = json.loads(capsys.readouterr().out)["runs"][0]["first_bad"]
    assert (first["op_type"], first["via"]) == ("Reciprocal", "gradient_of")
    assert first["location"]["line"] == line_of("turned = tf.acos(x)")


async def test_all_panes_go_to_the_forward_line(library: Library) -> None:
    async with opened(library.path("gradient_ops")) as driven:
        await driven.press("!")
        assert "SqrtGrad" in driven.row("traces")
        assert "return tf.sqrt(total)" in driven.row("source")
        assert "distance" in driven.row("stack")
        await driven.press("4")
        health = driven.lines_of("health")
        assert any("gradient of distance/Sqrt" in line for line in health), inspect.cleandoc(
            "\n".join(health)
        )
