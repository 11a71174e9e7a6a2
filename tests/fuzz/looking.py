"""All that can be looked at in a recording: the commands, and what the panes show, drawn."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from tests.support.examining import examine
from tests.support.navigating import finish
from tests.support.sessions import arrive
from tfdbg_tui import cli
from tfdbg_tui.commands import arguments
from tfdbg_tui.commands.outcome import BAD, CANNOT_READ, CLEAN
from tfdbg_tui.data.index.stacks import folded
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.views.health_facts import health_facts
from tfdbg_tui.data.views.scroll_marks import marks
from tfdbg_tui.data.views.tensor_history import TensorHistory
from tfdbg_tui.data.views.timeline import density
from tfdbg_tui.doctor.report import Report
from tfdbg_tui.errors import UserError
from tfdbg_tui.screens.dialogs import choices
from tfdbg_tui.screens.dialogs.menu import Menu
from tfdbg_tui.screens.present.detail_panes import _neighbours, _tensor_of
from tfdbg_tui.screens.session.session import Session
from tfdbg_tui.screens.session.source_location import source_location
from tfdbg_tui.widgets.alerts_pane import AlertsPane
from tfdbg_tui.widgets.executions_pane import ExecutionsPane
from tfdbg_tui.widgets.graph_pane import GraphPane
from tfdbg_tui.widgets.health_pane import HealthPane
from tfdbg_tui.widgets.highlight import HighlightedSource
from tfdbg_tui.widgets.stack_pane import StackPane
from tfdbg_tui.widgets.traces_pane import TracesPane

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.views.selection import Selection

QUERIES = ("bad", "nan>0 size>=8", "mul -fn:loss", "zero>50% rank=1..2", "line>=3 dtype:float32")
ROWS = 6
"""Rows that are drawn of the beginning and of the end of each list."""

SELECTED = 3
"""Events of each kind that are chosen."""

WIDTHS = (20, 78, 160)

DOCTOR_EVERY = 10
"""Cases of which one goes through the whole command, which waits for what may still grow."""


def commands_of(seed: int) -> list[list[str]]:
    """What is typed over the recording of a case: for text or for JSON, sometimes of the doctor."""
    chance = Random(seed)
    commands = ["check", "doctor"] if seed % DOCTOR_EVERY == 0 else ["check"]
    return [[command, *["--json"] * chance.randrange(2)] for command in commands]


def run_commands(logdir: Path, commands: Iterable[Sequence[str]]) -> None:
    """What is printed: text, or JSON that scripts can read, and a code that they know."""
    for words in commands:
        options = arguments.parse([*words, str(logdir)])
        try:
            outcome = cli.command(options.command)(options)
        except UserError as error:
            if error.exit_code != CANNOT_READ:
                raise
            continue
        assert outcome.code in (CLEAN, BAD, CANNOT_READ)
        outcome.text.encode()
        if options.json:
            json.loads(outcome.text, parse_constant=_refuse)


def _refuse(word: str) -> None:
    raise AssertionError(f"{word} is no JSON")


def look_at_all(logdir: Path, seed: int) -> None:
    """What the doctor finds, and what every pane shows of some events of every run."""
    chance = Random(seed)
    examined = examine(logdir)
    report = Report(examined.snapshot, examined.states)
    report.as_text()
    json.dumps(report.to_json())
    session = Session()
    arrive(session, examined.snapshot)
    session.go_to_first_bad()
    for state in examined.states:
        for host in range(len(state.run.hosts)):
            session.look_at(state.run, host)
            arrive(session, examined.snapshot)
            _look_at_host(session, chance)
    for menu in (choices.runs(session), choices.files(session)):
        if isinstance(menu, Menu) and menu.choices:
            menu.choose(len(menu.choices) - 1)


def _look_at_host(session: Session, chance: Random) -> None:
    navigator = session.navigator
    index = navigator.index
    if index is None:
        return
    _draw_lists(session)
    density(index, 60, 0, chance.choice((1, 4, 1 << 20)))
    for kind in EventKind:
        events = range(len(index.host.store_of(kind)))
        for event in chance.sample(events, min(SELECTED, len(events))):
            navigator.select_at(EventRef(navigator.selection.host, kind, event))
            _show(index, navigator.selection, chance)
            navigator.next_output()
    for steps in (1, 1, -1):
        if navigator.step_alert(steps):
            _show(index, navigator.selection, chance)
    source_location(navigator)
    choices.ops_of_line(session, navigator.selection.line or 1)
    session.search(chance.choice(QUERIES))
    finish(*navigator.jobs(), *navigator.causes.patient_jobs)
    session.go_to_match(1)
    session.show_only(chance.choice(QUERIES))
    finish(*navigator.jobs(), *navigator.causes.patient_jobs)
    _draw_lists(session)
    session.walking.collapse()
    _draw_lists(session)
    for place in ("#1", "step 1", "train.py:3"):
        session.go_to(place)


@cache
def _panes() -> tuple[Any, ...]:
    return AlertsPane(), ExecutionsPane(), TracesPane(), GraphPane(), StackPane()


def _draw_lists(session: Session) -> None:
    navigator = session.navigator
    assert navigator.run is not None
    assert navigator.index is not None
    alerts, executions, traces, *_ = _panes()
    assert navigator.causes.tree is not None
    navigator.causes.tree.refresh()
    of_executions, of_traces = navigator.execution_rows(), navigator.trace_rows()
    shown: tuple[tuple[Any, Any], ...] = (
        (alerts, navigator.causes.tree),
        (executions, of_executions),
        (traces, of_traces),
    )
    for pane, source in shown:
        if source is None:
            continue
        count = len(source)
        rows = [*source.rows(0, ROWS), *source.rows(max(0, count - ROWS), count)]
        for number, row in enumerate(rows):
            pane.draw(row, WIDTHS[number % len(WIDTHS)])
    for kind, listed in ((EventKind.EXECUTION, of_executions), (EventKind.TRACE, of_traces)):
        if listed is not None and len(listed):
            bad = navigator.index.host.store_of(kind).bad_events
            marks(listed.positions, len(listed), 20, bad, None)


def _show(index: HostIndex, selection: Selection, chance: Random) -> None:
    """One selection in the four panes of details."""
    width = chance.choice(WIDTHS)
    tensor = _tensor_of(index, selection)
    history = None if tensor is None else TensorHistory(*tensor)
    if history is not None:
        finish(history)
    pane = HealthPane()
    event = None if selection.event is None else selection.event.event
    pane.show(health_facts(index, selection), event, history.cells if history else None, "-")
    pane.write(width)
    *_, graph, stack = _panes()
    for node in _neighbours(index, selection, 2, inputs_only=False):
        graph.draw(node, width)
    rows = folded(selection.stack, unfolded=chance.random() < 0.5)
    stack.show_frames(rows, {}, None)
    for row in rows:
        stack.draw(row, width)
    if selection.file is not None:
        lines = index.host.sources.lines(selection.file)
        text = HighlightedSource(lines or ())
        index.lines.lines(selection.file)
        for frame in selection.stack:
            text.code_at(frame.line or 0)
        for number in range(min(3, len(text))):
            text.line(number)
