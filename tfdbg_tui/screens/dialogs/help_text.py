"""The words of the help: what each pane shows, its keys, the groups of all keys, queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

from tfdbg_tui.command_line.table import COMMANDS
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.screens.dialogs.chooser import Chooser
from tfdbg_tui.screens.dialogs.doctor import DoctorScreen
from tfdbg_tui.screens.dialogs.heat_map import HeatScreen
from tfdbg_tui.screens.dialogs.history import HistoryScreen
from tfdbg_tui.screens.dialogs.op_tree import OpTreeScreen
from tfdbg_tui.screens.dialogs.result_page import ResultScreen
from tfdbg_tui.screens.dialogs.result_pane import ResultPane
from tfdbg_tui.screens.dialogs.value import ValueScreen
from tfdbg_tui.screens.keys import APP_KEYS
from tfdbg_tui.screens.keys import BINDINGS as KEYS
from tfdbg_tui.screens.pane_names import (
    ALERTS,
    EXECUTIONS,
    GRAPH,
    HEALTH,
    OUTPUT,
    SOURCE,
    STACK,
    TRACES,
    WATCHED,
)
from tfdbg_tui.widgets.alerts_pane import AlertsPane
from tfdbg_tui.widgets.heat_pane import HeatPane
from tfdbg_tui.widgets.history_pane import HistoryPane
from tfdbg_tui.widgets.op_tree_pane import OpTreePane
from tfdbg_tui.widgets.prompt import Prompt
from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.widgets.source_pane import SourcePane
from tfdbg_tui.widgets.text_pane import TextPane
from tfdbg_tui.widgets.value_pane import ValuePane

if TYPE_CHECKING:
    from textual.widget import Widget

OF_PAGES = (
    *(HeatScreen, HeatPane, HistoryScreen, HistoryPane),
    *(ValueScreen, ValuePane, OpTreeScreen, OpTreePane),
    *(ResultScreen, ResultPane),
)

WITH_KEYS = (RowList, AlertsPane, SourcePane, TextPane, Prompt, Chooser, DoctorScreen, *OF_PAGES)
"""Whatever has keys of its own, beside the app, the main screen and the help itself."""

PANE_HELP = {
    ALERTS: (
        "Every op that put out NaN or Inf: ! a cause, whose recorded inputs were clean, and below",
        "it what follows; with your line, what it held at first, the steps from first to last, and",
        "how often. What has no recorded input stands below the last cause before it in time.",
        "Below them early warnings: what goes wrong without being bad yet, and what it goes by.",
        "Moving here moves all panes to that op's first bad tensor. What you have muted (M) is",
        "one row at the end, with its sign m.",
    ),
    EXECUTIONS: (
        "What the program ran at top level: eager ops, and calls of functions (ƒ), with train,",
        "validation or predict where Keras calls them; of TF1, the runs of its sessions.",
        "The strip above is the whole run in time, with ! where anything bad was computed;",
        "click it to go there.",
    ),
    TRACES: (
        "Graph tensors, which TensorFlow calls graph executions: every tensor computed inside a",
        "graph, in the order of its computation. An arrow marks the inputs of the chosen one.",
        "What it holds is counted: NaN, inf, zero, - negative and + positive numbers.",
    ),
    HEALTH: (
        "What the chosen tensor holds, and below it the same tensor over all its",
        "computations: N where it held NaN, i where Inf. Click one to go there.",
    ),
    GRAPH: (
        "What the chosen tensor was computed from, above it, and what takes it, below,",
        "each with what it held in the same call. Enter or a click walks there.",
    ),
    STACK: (
        "The calls that created the chosen op, innermost first; library code is folded.",
        "Enter or a click shows a frame's line in Source.",
    ),
    SOURCE: (
        "The program as it was recorded. The gutter counts the ops a line created, or with ! those",
        "of them that went bad. Moving here only reads; enter goes to what the line computed, or",
        "lists its ops where it made several, and so does a click on the count.",
    ),
    OUTPUT: (
        "What the script prints, with its errors. It stays at the end until you scroll up.",
        "All of it is kept beside the recording, in output.txt where that name was free.",
    ),
    WATCHED: (
        "The tensors that you have pinned with *, here and when this logdir is opened again: when",
        "each was computed last, what it held, and how it went so far: N where it held NaN, i",
        "where Inf, else the height of its mean where values are recorded. Moving here moves all.",
    ),
}

OPEN = "list.open"

PANE_KEYS: dict[str, tuple[tuple[str, str], ...]] = {
    ALERTS: (
        (OPEN, "Go to its line in Source"),
        ("alerts.fold", "Hide what follows from causes"),
        ("alerts.unfold", "List it again"),
        ("go.next-alert", ""),
        ("go.previous-alert", ""),
    ),
    EXECUTIONS: (
        (OPEN, "From a call to its first bad tensor, from an op to its line"),
        ("view.collapse", ""),
        ("view.closer", "A shorter time in the strip"),
        ("view.farther", "A longer time in the strip"),
    ),
    TRACES: (
        (OPEN, "Go to its line in Source"),
        ("go.next-alert", ""),
        ("do.copy", ""),
    ),
    HEALTH: (("view.history", ""), ("view.value", ""), ("go.next-output", ""), ("do.copy", "")),
    GRAPH: (
        (OPEN, "Go there"),
        ("view.closer", "One step deeper"),
        ("view.farther", "One step less"),
    ),
    STACK: (
        (OPEN, "Go to its line in Source; on a fold, show what is folded"),
        ("view.unfold", ""),
    ),
    SOURCE: (
        (OPEN, "Go to the op of the line, or choose among its ops"),
        ("source.left", "Move the text to its beginning"),
        ("source.right", "Move the text on, where lines are longer than the pane is wide"),
        ("view.files", ""),
        ("do.edit", ""),
    ),
    OUTPUT: (
        ("text.last", "Go to the end, and stay there"),
        ("app.interrupt", "Stop the script, as in a shell"),
    ),
    WATCHED: (
        (OPEN, "Go to its line in Source"),
        ("do.watch", "Watch it no longer"),
        ("view.history", ""),
    ),
}
"""The keys of each pane by their ids, and what they do there where that is to be said."""


class KeyGroup(NamedTuple):
    """Some keys under a title."""

    title: str
    keys: tuple[Binding, ...]


FINDING = ("find.", "go.next-match", "go.previous-match")
"""What finding needs: first what is typed, then where that leads."""
LEAVING = ("view.help", "view.palette", "view.leave", "app.")


def groups(pane: str) -> tuple[KeyGroup, ...]:
    """All keys, those that belong together under one title; moving as in a pane."""
    everywhere = [*KEYS, *APP_KEYS]
    finding = tuple(key for start in FINDING for key in _with_ids(everywhere, (start,)))
    leaving = _with_ids(everywhere, LEAVING)
    rest = [key for key in everywhere if key not in (*finding, *leaving)]
    moving = TextPane if pane in (HEALTH, OUTPUT) else RowList
    return (
        KeyGroup("Find", finding),
        KeyGroup("Go", _with_ids(rest, ("go.", "do."))),
        KeyGroup("Show", _with_ids(rest, ("view.",))),
        KeyGroup("Panes", _with_ids(rest, ("pane.",))),
        KeyGroup("Moving", _bindings(moving)),
        KeyGroup("In a value (v)", _bindings(ValueScreen)),
        KeyGroup("In what a command told (:)", _bindings(ResultScreen)),
        KeyGroup("Help, leaving", leaving),
    )


def _bindings(owner: type[Widget]) -> tuple[Binding, ...]:
    return tuple(key for key in owner.BINDINGS if isinstance(key, Binding))


def _with_ids(keys: list[Binding], starts: tuple[str, ...]) -> tuple[Binding, ...]:
    return tuple(key for key in keys if (key.id or "").startswith(starts))


def all_keys() -> dict[str, Binding]:
    """Every key that can be mapped to another, but for those of the help, by its id."""
    others = [key for owner in WITH_KEYS for key in owner.BINDINGS]
    return {
        key.id: key for key in (*KEYS, *APP_KEYS, *others) if isinstance(key, Binding) and key.id
    }


def commands() -> tuple[tuple[str, str], ...]:
    """The commands that can be typed behind a colon, and what they do."""
    return tuple((each.name, each.summary) for each in COMMANDS)


QUERY_HELP = (
    ("Log", "text in tensor, op type, function, file:line"),
    (r"mul_\d+  /m.l$/", r"regular expressions as RE2 has them: no (?=...), no \1"),
    ("op:Log fn:loss", "op type, function; also layer: tensor: file: line: dev: dtype: phase:"),
    ("bad  nan>0  inf>0", "any bad number; counts: nan inf zero neg pos size rank"),
    ("zero>50%", "a share of the elements"),
    ("step:3..7  #52", "steps, or the event's number"),
    ("-op:Const", "not that"),
    ("filter:mine", "a function of --filters FILE.py, or a query with a name"),
    ("escape", "stops a search or filter that takes long"),
)
