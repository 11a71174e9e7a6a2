"""One selection: a choice in any pane moves every other one, by keys and by mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.recordings.freeze import PROGRAM
from tests.support.app_under_test import WIDE, Driven, opened
from tfdbg_tui.data.flow.graph_nodes import GraphNode, Relation
from tfdbg_tui.data.stores.event_kind import EventKind

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library

LINES = PROGRAM.split("\n")
LOG_LINE = 1 + next(n for n, line in enumerate(LINES) if "tf.math.log(probs)" in line)
SOFTMAX_LINE = 1 + next(n for n, line in enumerate(LINES) if "tf.nn.softmax" in line)
CALL_LINE = 1 + next(
    n for n, line in enumerate(LINES) if "loss(probs, labels)" in line and "=" in line
)
FIRST_BAD = 60
"""The trace of the first bad tensor, Log."""
ITS_CALL = 70


def self_node(driven: Driven) -> GraphNode:
    """The node of the graph pane that is the selection, which must have the cursor."""
    pane = driven.panes.graph
    assert pane.source is not None
    nodes = pane.source.rows(0, len(pane.source))
    (place,) = (n for n, node in enumerate(nodes) if node.relation is Relation.SELF)
    assert pane.cursor == place
    return nodes[place]


def assert_all_at_first_bad(driven: Driven) -> None:
    """Every pane shows the first bad tensor."""
    assert driven.chosen.trace == FIRST_BAD
    assert driven.row("traces").split()[:4] == ["▸", "60", "loss", "Log"]
    assert driven.row("executions").split()[:2] == ["▸", "70"]
    assert driven.row("alerts").split()[:2] == ["▸", "!Log"]
    assert "Log #60" in driven.panes.health.title_text
    assert self_node(driven).shown == "Log"
    assert f"train.py:{LOG_LINE}" in driven.row("stack")
    assert "tf.math.log(probs)" in driven.row("source")
    assert driven.row("source").split()[1] == str(LOG_LINE)


def relations(driven: Driven) -> set[Relation]:
    pane = driven.panes.graph
    assert pane.source is not None
    return {node.relation for node in pane.source.rows(0, len(pane.source))}


async def test_a_graph_that_nobody_sees_is_walked_only_as_far_as_others_tell_it(
    frozen: Path,
) -> None:
    async with opened(frozen) as driven:
        assert relations(driven) == {Relation.INPUT, Relation.SELF}
        await driven.press("5")
        assert relations(driven) >= {Relation.INPUT, Relation.SELF, Relation.CONSUMER}
        await driven.press("3", "down", "up")
        assert Relation.CONSUMER in relations(driven), "it is on the screen"
        await driven.press("7", "3", "down")
        assert Relation.CONSUMER not in relations(driven)
        await driven.resize(160, 48)
        assert Relation.CONSUMER in relations(driven)


async def test_the_first_bad_tensor_moves_every_pane(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        assert_all_at_first_bad(driven)
        assert driven.focused == "alerts"
        await driven.press("2", "g")
        assert driven.chosen.execution == 0
        await driven.press("!")
        assert_all_at_first_bad(driven)
        assert driven.focused == "traces"
        inputs = [line.split()[3] for line in driven.lines_of("traces") if line.startswith("←")]
        assert inputs == ["Softmax"], "computed by another call, past what is not recorded"
        await driven.press("n")
        assert driven.row("traces").split()[3] == "mul"
        inputs = [line.split()[3] for line in driven.lines_of("traces") if line.startswith("←")]
        assert inputs == ["Neg", "Log"]


async def test_an_alert_moves_every_pane(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("1", "g")
        assert_all_at_first_bad(driven)
        assert driven.focused == "alerts"
        await driven.press("j")
        assert self_node(driven).shown == "mul"
        await driven.click_text("!Log", "alerts")
        assert_all_at_first_bad(driven)
        await driven.press("enter")
        assert driven.focused == "source"


async def test_an_execution_moves_every_pane(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("2", ":")
        await driven.write("#70", "enter")
        assert driven.chosen.execution == ITS_CALL
        assert driven.row("executions").split()[:2] == ["▸", "70"]
        assert "#70" in driven.panes.health.title_text
        assert self_node(driven).shown.startswith("loss")
        assert driven.row("traces").split()[1:4] == ["59", "loss", "Neg"]
        assert f"train.py:{CALL_LINE}" in driven.row("stack")
        assert driven.row("source").split()[1] == str(CALL_LINE)
        await driven.press("j")
        assert driven.row("executions").split()[1] == "71"
        assert "#71" in driven.panes.health.title_text


async def test_a_trace_moves_every_pane(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!", "3", "k", "k")
        assert driven.row("traces").split()[1:4] == ["58", "model", "Softmax"]
        assert driven.row("executions").split()[1] == "69"
        assert "Softmax" in driven.panes.health.title_text
        assert self_node(driven).shown == "Softmax"
        assert driven.row("source").split()[1] == str(SOFTMAX_LINE)
        assert driven.panes.alerts.cursor is None, "it is bad in later steps only"
        await driven.click_text("  60 loss", "traces")
        assert_all_at_first_bad(driven)


async def test_keys_look_around_in_the_graph_and_enter_walks(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!", "5", "j")
        assert driven.chosen.trace == FIRST_BAD, "moving is not walking"
        await driven.press("enter")
        assert self_node(driven).shown == "mul"
        assert driven.row("traces").split()[3] == "mul"
        await driven.press("k")
        for _ in range(10):
            if "Log " in driven.row("graph"):
                break
            await driven.press("k")
        await driven.press("enter")
        assert_all_at_first_bad(driven)
        assert driven.focused == "graph"


async def test_walking_back_along_the_inputs_reaches_the_zeros_in_the_other_function(
    frozen: Path,
) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!")
        await driven.click_text("Softmax", "graph")
        assert driven.row("traces").split()[1:4] == ["58", "model", "Softmax"]
        assert "zero 1,312" in driven.row("traces")
        assert driven.row("executions").split()[1] == "69"
        assert driven.row("source").split()[1] == str(SOFTMAX_LINE)


async def test_a_node_without_a_recording_can_be_walked_to(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!")
        await driven.click_text("probs", "graph")
        assert driven.chosen.is_node
        assert self_node(driven).shown == "probs"
        assert "probs" in driven.panes.health.title_text
        assert "did not record" in " ".join(driven.lines_of("health"))
        assert driven.chosen.execution == ITS_CALL, "it stays in the same call"
        await driven.click_text("Log", "graph")
        assert_all_at_first_bad(driven)


async def test_a_frame_moves_the_source(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!", "6", "j")
        assert f"train.py:{CALL_LINE}" in driven.row("stack")
        assert driven.row("source").split()[1] == str(LOG_LINE), "moving only looks"
        await driven.press("enter", "6")
        assert driven.row("source").split()[1] == str(CALL_LINE)
        assert driven.chosen.trace == FIRST_BAD
        await driven.click_text(f"train.py:{LOG_LINE}", "stack")
        assert driven.row("source").split()[1] == str(LOG_LINE)
        await driven.press("enter")
        assert driven.focused == "source"


async def test_a_chosen_frame_keeps_its_file_while_walking_ops(library: Library) -> None:
    async with opened(library.path("keras_fit"), WIDE) as driven:
        await driven.press("!", "u", "6", "g", "enter")
        library_file = driven.chosen.file
        before = driven.chosen
        assert before.pinned
        index = driven.navigator.index
        assert index is not None
        source = index.host.sources.get(library_file or 0)
        assert source is not None
        assert "tensorflow" in source.path or "keras" in source.path
        await driven.press("n")
        assert driven.chosen.trace != before.trace
        assert driven.chosen.file == library_file
        assert driven.panes.stack.cursor is not None
        await driven.press("!")
        assert driven.chosen.file != library_file, "the first NaN comes with the user's own line"


async def test_a_source_line_lists_its_ops_and_one_of_them_is_gone_to(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!", "7", "j", "enter")
        title, _, *ops = driven.lines_of("chooser")
        assert f"Line {LOG_LINE + 1} created" in title
        assert any("Mean" in line for line in ops)
        await driven.write("mean", "enter")
        assert driven.app.screen is driven.main
        assert self_node(driven).shown == "Mean"
        assert driven.row("traces").split()[3] == "Mean"
        await driven.press("g")
        await driven.click_text("return tf.nn.softmax", "source")
        assert driven.app.screen is driven.main, "a click only chooses the line"
        assert self_node(driven).shown == "Softmax"
        x, y = driven.find("return tf.nn.softmax", "source")
        await driven.click(x - 6, y)
        assert f"Line {SOFTMAX_LINE} created" in driven.lines_of("chooser")[0]
        await driven.click_text("Softmax", "choices")
        assert self_node(driven).shown == "Softmax"


async def test_a_line_without_ops_says_so(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!", "7", "g", "enter")
        assert driven.told == "Line 1 created no op."
        assert driven.chosen.trace == FIRST_BAD
        await driven.click_text("import sys", "source")
        assert driven.app.screen is driven.main
        assert driven.row("source").split()[1] == "3"
        assert driven.chosen.trace == FIRST_BAD


async def test_a_line_moves_all_panes_to_an_op_that_it_created(frozen: Path) -> None:
    for size in (WIDE, (80, 24)):
        async with opened(frozen, size) as driven:
            await driven.press("!", "7", "down")
            assert driven.row("source").split()[1] == str(LOG_LINE + 1)
            assert driven.chosen.trace == FIRST_BAD, "reading on only looks"
            await driven.press("enter")
            if driven.app.screen is not driven.main:  # it has several ops
                await driven.press("escape")
            assert " Mean " in driven.row("traces")
            assert "Mean" in driven.row("alerts")
            assert driven.main.view.details.name == "Mean:0"
            assert f":{LOG_LINE + 1}" in driven.row("stack")
            assert driven.focused == "source"
            await driven.press("left_square_bracket")
            assert driven.chosen.trace == FIRST_BAD


async def test_a_chosen_line_is_of_no_frame(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!", "7", "k", "enter")
        assert driven.chosen.frame is None
        assert driven.panes.stack.cursor is None, f"the stack is at {driven.row('stack')}"


async def test_the_strip_and_the_history_can_be_clicked(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        region = driven.region("timeline")
        strip = driven.lines_of("timeline")[0]
        await driven.click(region.x + strip.index("!"), region.y)
        assert driven.chosen.kind is EventKind.EXECUTION
        first_bad_cell = driven.chosen.execution
        assert first_bad_cell is not None
        assert 69 <= first_bad_cell <= 71
        await driven.press("!")
        x, y = driven.find("i  N  N", "health")
        await driven.click(x + len("i  "), y)
        assert driven.chosen.trace is not None
        assert driven.chosen.trace > FIRST_BAD
        assert " Log " in driven.row("traces")
        assert "NaN" in driven.row("traces")


async def test_back_and_forward_through_what_was_selected(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("[")
        assert driven.told == "Nothing was selected before."
        await driven.press("!", "n", "n")
        last = driven.chosen
        await driven.press("[", "[")
        assert_all_at_first_bad(driven)
        await driven.press("]")
        assert self_node(driven).shown == "mul"
        await driven.press("]")
        assert driven.chosen == last
        await driven.press("]")
        assert driven.told == "Nothing was selected after."
        await driven.press("[", "1", "j", "]")
        assert driven.told == "Nothing was selected after."


@pytest.mark.parametrize("scenario", ["eager_only", "tf1_session", "no_tensor", "mirrored"])
async def test_recordings_of_every_kind_can_be_walked_through(
    library: Library, scenario: str
) -> None:
    async with opened(library.path(scenario), WIDE) as driven:
        for pane in "1234567":
            await driven.press(pane, "G", "k", "g", "enter", "escape")
        await driven.press("!", "n", "e", "E", "N", "x", "y", "[", "]")
        assert not driven.has_quit
        assert not driven.chosen.is_empty


async def test_enter_on_a_call_goes_to_its_first_bad_tensor(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("2", ":")
        await driven.write("#70", "enter")
        await driven.press("enter")
        assert driven.focused == "traces"
        assert driven.chosen.trace == FIRST_BAD
        await driven.press("2", ":")
        await driven.write("#69", "enter")
        await driven.press("enter")
        assert driven.chosen.trace == 54, "a call without a bad tensor begins with its first"
        await driven.press("2", ":")
        await driven.write("#68", "enter")
        await driven.press("enter")
        assert driven.focused == "source", "an eager op has only its line"


async def test_source_lines_move_sideways_and_their_numbers_stay(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!", "7", "right")
        assert driven.row("source").split() == [
            "▸",
            "20",
            "!2",
            *["=", "-labels", "*", "tf.math.log(probs)"],
        ]
        await driven.press(*["right"] * 30)
        assert any(line.split()[2:] for line in driven.lines_of("source")), (
            "something stays in view"
        )
        await driven.press(*["left"] * 30)
        assert "diff = -labels" in driven.row("source")
