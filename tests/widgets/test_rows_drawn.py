"""The rows of every pane as text: what they say, and that they fit any width."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from tests.recordings.freeze import FROZEN
from tests.support.recorded_rows import browser_of, lists_of, renamed
from tests.support.texts import FAMILY, NAMES, WIDE
from tfdbg_tui.data.flow.graph_nodes import GraphNode, Relation
from tfdbg_tui.data.index.session_run_numbers import SessionRunFacts
from tfdbg_tui.data.index.stacks import Fold, FrameKind, StackFrame
from tfdbg_tui.data.records.health import Bad, Health
from tfdbg_tui.data.views.neighbourhood import NodeSubject, neighbourhood
from tfdbg_tui.frozen.frozen import replace
from tfdbg_tui.screens.dialogs.chooser import ChoiceList
from tfdbg_tui.screens.dialogs.menu import Choice, Fit, Heading, Menu
from tfdbg_tui.screens.session.change import UNCHANGED
from tfdbg_tui.widgets.alerts_pane import AlertsPane
from tfdbg_tui.widgets.column_needs import ColumnNeeds
from tfdbg_tui.widgets.executions_pane import ExecutionsPane, _tensors
from tfdbg_tui.widgets.graph_pane import GraphPane
from tfdbg_tui.widgets.numbers import alarm
from tfdbg_tui.widgets.pieces import Piece, Pieces, width_of
from tfdbg_tui.widgets.stack_pane import StackPane
from tfdbg_tui.widgets.traces_pane import TracesPane

if TYPE_CHECKING:
    from tests.recordings.record import Library

WIDTHS = (*range(20, 60, 3), *range(60, 161, 11))
FEW_WIDTHS = (20, 21, 33, 46, 76, 78, 111, 160)
SCENARIOS = ("full_health", "curt_health", "concise_health", "shape", "no_tensor", "full_tensor")


def text(pieces: Pieces) -> str:
    return "".join(piece.text for piece in pieces)


def words(pieces: Pieces) -> list[str]:
    return text(pieces).split()


@pytest.mark.parametrize("width", FEW_WIDTHS)
def test_rows_of_a_recording_fit(width: int) -> None:
    alerts, executions, traces = lists_of(FROZEN)
    drawn = [AlertsPane().draw(row, width) for row in alerts]
    drawn += [ExecutionsPane().draw(row, width) for row in executions]
    drawn += [TracesPane().draw(row, width) for row in traces]
    assert {width_of(line) <= width for line in drawn} == {True}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_rows_of_every_mode_fit(library: Library, scenario: str) -> None:
    alerts, executions, traces = lists_of(library.path(scenario))
    for width in (20, 78, 111):
        drawn = [AlertsPane().draw(row, width) for row in alerts[:50]]
        drawn += [ExecutionsPane().draw(row, width) for row in executions[:50]]
        drawn += [TracesPane().draw(row, width) for row in traces[:50]]
        assert {width_of(line) <= width for line in drawn} == {True}


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_rows_with_any_name_fit_any_width(name: str) -> None:
    alerts, executions, traces = lists_of(FROZEN)
    alert = alerts[1]
    call = next(row for row in executions if row.facts.is_call)
    trace, execution = renamed(traces[60], name), renamed(executions[0], name)
    altered = replace(alert, site=replace(alert.site, facts=trace.facts, name=name))
    draw_alert = AlertsPane().draw
    draw_execution, draw_trace = ExecutionsPane().draw, TracesPane().draw
    for width in WIDTHS:
        drawn = [draw_alert(altered, width), draw_alert(alerts[0], width)]
        drawn += [draw_execution(row, width) for row in (execution, renamed(call, name))]
        drawn += [draw_execution(replace(execution, collapsed=12_345), width)]
        drawn += [draw_trace(row, width) for row in (trace, replace(trace, health=None))]
        assert max(map(width_of, drawn)) <= width


def test_columns_of_a_row_drop_by_rank() -> None:
    row = lists_of(FROZEN).traces[60]
    assert words(TracesPane().draw(row, 160)) == [
        *("60", "loss", "Log", "Log", "float32", "2D", "5,000", "!"),
        *("-inf", "1,312", "-", "3,688", "0.130s", "CPU:0"),
    ]
    assert words(TracesPane().draw(row, 66))[:3] == ["60", "loss", "Log"]
    assert words(TracesPane().draw(row, 20))[:2] == ["60", "Log"]
    kept = [len(words(TracesPane().draw(row, width))) for width in (160, 110, 78, 50, 20)]
    assert kept == sorted(kept, reverse=True)


def test_an_execution_says_its_line_and_its_health() -> None:
    rows = lists_of(FROZEN).executions
    call = words(ExecutionsPane().draw(rows[70], 111))
    assert call[:5] == ["70", "0.133s", "7", "ƒ", "loss"]
    assert "train.py:33" in call
    assert "3 bad inside" in text(ExecutionsPane().draw(rows[70], 111))
    assert "gradient" in text(ExecutionsPane().draw(rows[71], 111))
    many = text(ExecutionsPane().draw(replace(rows[68], collapsed=1234), 111))
    assert "×1,234" in many


def test_an_alert_says_where_when_and_how_often() -> None:
    first, second, *_, last = lists_of(FROZEN).alerts
    assert words(AlertsPane().draw(first, 76)) == ["!Log", ":20", "-inf", "7-12", "×6"]
    assert words(AlertsPane().draw(first, 20))[0] == "!Log"
    assert words(AlertsPane().draw(second, 76))[:3] == ["├", "mul", ":20"]
    assert words(AlertsPane().draw(last, 76))[0] == "└"
    elsewhere = replace(first, is_usual_file=False)
    assert "train.py:20" in words(AlertsPane().draw(elsewhere, 76))
    folded = replace(first, folded=33)
    assert "+33 follow" in text(AlertsPane().draw(folded, 76))


@pytest.mark.parametrize(
    ("last", "said"), [(3, ("at :20", "in step 3")), (9, ("at :20", "in steps 3-9"))]
)
def test_what_all_alerts_share_stands_in_the_title(last: int, said: tuple[str, ...]) -> None:
    first = lists_of(FROZEN).alerts[0]
    needs = ColumnNeeds(AlertsPane().columns())
    needs.see([replace(first, site=replace(first.site, first_step=3, last_step=last))] * 3)
    assert needs.common == said


def test_names_are_cut_at_their_outer_scopes() -> None:
    name = "gradient_tape/model/dense_12/MatMul/ReadVariableOp:0"
    row = renamed(lists_of(FROZEN).traces[0], name)
    for width in (40, 78, 100):
        (shown,) = (w for w in words(TracesPane().draw(row, width)) if w.endswith("Op"))
        assert "MatMul/" in shown or "…" in shown


def test_wide_names_keep_the_columns_behind_them_in_their_place() -> None:
    row = lists_of(FROZEN).traces[60]
    usual = text(TracesPane().draw(row, 100))
    cells = cell_len(usual[: usual.index("-inf 1,312")])
    for name in (WIDE * 5, "e\u0301" * 30, FAMILY * 3):
        shown = text(TracesPane().draw(renamed(row, name), 100))
        assert cell_len(shown[: shown.index("-inf 1,312")]) == cells


# ---------------------------------------------------------------------- graph and stack


def nodes_of_first_bad() -> tuple[GraphNode, ...]:
    navigator = browser_of(FROZEN)
    assert navigator.first_alert()
    index, chosen = navigator.index, navigator.selection
    assert index is not None
    assert chosen.node is not None
    subject = NodeSubject(*chosen.node, chosen.trace)
    return neighbourhood(index.host, index.sites, index.joins, subject, 2)


def test_a_node_says_how_it_relates_and_how_it_fared() -> None:
    drawn = [text(GraphPane().draw(node, 60)).rstrip() for node in nodes_of_first_bad()]
    assert "Log  ! -inf 1,312  - 3,688" in drawn
    (consumer,) = (line for line in drawn if "→ mul " in line)
    assert consumer.startswith("  → mul  ! NaN 1,185")
    (argument,) = (line for line in drawn if "probs " in line)
    assert argument == "  ← probs Placeholder  not recorded"


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_nodes_with_any_name_fit_any_width(name: str) -> None:
    health = Health(bad=Bad.NAN, nan=10**9, zero=10**9)
    nodes = [
        GraphNode(Relation.INPUT, 1, name, name, bad=Bad.NAN, health=health),
        GraphNode(Relation.CONSUMER, 99, name, name, note="not recorded"),
        GraphNode(Relation.SELF, 0, name),
        GraphNode(Relation.OUTER, 0, name, is_call=True),
        GraphNode(Relation.INPUT, 2, "", more=12_345),
    ]
    for width in WIDTHS:
        for node in nodes:
            assert width_of(GraphPane().draw(node, width)) <= width


def frame(path: str | None, line: int | None, function: str | None = "loss") -> StackFrame:
    return StackFrame("id", function, path, 0, line, FrameKind.USER, 0)


def test_frames_say_function_and_place() -> None:
    draw = StackPane().draw
    assert words(draw(frame("/home/ada/train.py", 22), 36)) == ["loss", "train.py:22"]
    assert words(draw(frame("C:\\ada\\train.py", 22), 36)) == ["loss", "train.py:22"]
    assert "12 library frames" in text(draw(Fold(12), 36))
    assert "1 library frame" in text(draw(Fold(1), 36))
    assert "not on disk yet" in text(draw(frame(None, None, None), 36))
    assert "line 7" in text(draw(frame(None, 7), 36))


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_frames_and_choices_with_any_name_fit_any_width(name: str) -> None:
    cells = tuple(Piece(name) for _ in Fit)
    headings = [Heading(fit.value, fit, rank) for rank, fit in enumerate(Fit, 1)]
    menu = Menu("", headings, [Choice(cells), Choice(cells, chosen=True)], lambda _: UNCHANGED)
    for width in WIDTHS:
        assert width_of(StackPane().draw(frame(f"/home/{name}", 10**6, name), width)) <= width
        for row in enumerate(menu.choices):
            assert width_of(ChoiceList(menu).draw(row, width)) <= width


# ---------------------------------------------------------------------- runs and phases


def test_a_run_says_its_number_its_line_and_how_many_tensors_it_computed(
    library: Library,
) -> None:
    _, executions, _ = lists_of(library.path("tf1_training"))
    pane = ExecutionsPane()
    first, fourth = words(pane.draw(executions[0], 111)), words(pane.draw(executions[3], 111))
    assert [*first[-6:-3], *first[-2:]] == ["run", "1", "init", "24", "tensors"]
    assert [*fourth[-6:-3], *fourth[-2:]] == ["run", "4", "train", "57", "tensors"]
    assert fourth[-3].startswith("sessions.py:")
    for row in executions:
        for width in WIDTHS:
            assert width_of(pane.draw(row, width)) <= width


CAUSE = alarm(follows=False)


@pytest.mark.parametrize(
    ("width", "expected"),
    [(50, "! 3 bad inside 57 tensors"), (20, "! 3 bad of 57"), (10, "! 3 bad")],
)
def test_bad_tensors_of_a_run_are_told_in_any_width(width: int, expected: str) -> None:
    assert _tensors(SessionRunFacts(4, 57, has_more=False), 3, CAUSE, width).text == expected


def test_a_run_of_very_many_tensors_says_that_there_are_more() -> None:
    assert (
        _tensors(SessionRunFacts(4, 20_000, has_more=True), 0, CAUSE, 30).text == "20,000+ tensors"
    )
    assert _tensors(SessionRunFacts(4, 1, has_more=False), 0, CAUSE, 30).text == "1 tensor"


def test_a_call_of_keras_says_what_it_is_for(library: Library) -> None:
    _, executions, _ = lists_of(library.path("keras_plots"))
    pane = ExecutionsPane()
    drawn = [text(pane.draw(row, 160)) for row in executions if row.facts.is_call]
    for word in ("train", "validation", "predict"):
        assert any(f" {word} " in line for line in drawn)
    narrow = [text(pane.draw(row, 78)) for row in executions if row.facts.is_call]
    assert any(" val " in line for line in narrow)
    assert any(" pred " in line for line in narrow)
