"""What the focused pane shows and every key, over the panes."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from tfdbg_tui.screens.keys import BINDINGS as KEYS
from tfdbg_tui.screens.pane_names import TITLES
from tfdbg_tui.widgets.alerts_pane import AlertsPane
from tfdbg_tui.widgets.bars import StatusBar
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import Piece, Pieces, left, spread
from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.widgets.source_pane import SourcePane
from tfdbg_tui.widgets.text_pane import TextPane

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

PANE_HELP = {
    "alerts": (
        "Every op that put out NaN or Inf: ! a cause, whose recorded inputs were clean, and below",
        "it what follows: your line, what it held at first, the steps from first to last, how",
        "often. h hides what follows, or lists it again. What has no recorded input stands below",
        "the last cause before it in time.",
        "Moving here moves all panes to that op's first bad tensor.",
    ),
    "executions": (
        "What the program ran at top level: eager ops, and calls of functions (ƒ), with train,",
        "validation or predict where Keras calls them; of TF1, the runs of its sessions.",
        "The strip above is the whole run in time, with ! where anything bad was computed;",
        "click it, or zoom it with + and -. Enter on a call goes to its first bad tensor.",
        "c shows the eager ops of one line as one row.",
    ),
    "traces": (
        "Every tensor computed inside a graph, in the order of its computation.",
        "An arrow marks the inputs of the chosen one. The bar shows the shares of",
        "! NaN and Inf, 0 zeros, - negative and + positive numbers.",
    ),
    "health": (
        "What the chosen tensor holds, and below it the same tensor over all its",
        "computations: N where it held NaN, i where Inf. Click one to go there.",
        "x shows the next output of an execution that has several.",
    ),
    "graph": (
        "What the chosen tensor was computed from, above it, and what takes it, below,",
        "each with its health in the same call. Enter or a click walks there;",
        "+ and - show more or fewer steps.",
    ),
    "stack": (
        "The calls that created the chosen op, innermost first; library code is folded.",
        "u or enter on the fold shows it. Moving here moves the source.",
    ),
    "source": (
        "The program as it was recorded. The gutter counts the ops a line created,",
        "or with ! those of them that went bad. A line that made ops brings one of them;",
        "enter, or a click on the count, lists all. s lists files, o opens $EDITOR.",
    ),
    "output": (
        "What the script prints, with its errors. It stays at the end until you scroll up;",
        "G goes there again. All of it is kept beside the recording, in output.txt where that",
        "name was free. ^c stops the script, as in a shell.",
    ),
}

WIDEST = 90
"""Cells of a line of text, however wide the screen is."""

KEY_WIDTH, TERM_WIDTH = 13, 18

QUERY_HELP = (
    ("Log", "text in tensor, op type, function, file:line"),
    (r"mul_\d+  /m.l$/", r"regular expressions as RE2 has them: no (?=...), no \1"),
    ("op:Log fn:loss", "op type, function; also layer: tensor: file: line: dev: dtype: phase:"),
    ("bad  nan>0  inf>0", "any bad number; counts: nan inf zero neg pos size rank"),
    ("zero>50%", "a share of the elements"),
    ("step:3..7  #52", "steps, or the event's number"),
    ("-op:Const", "not that"),
    ("escape", "stops a search or filter that takes long"),
)


class HelpPane(TextPane):
    """What one pane shows, then all keys."""

    def __init__(self, pane: str, key_text: Callable[[Binding], str]) -> None:
        super().__init__("help-text")
        self._pane = pane
        self._key_text = key_text

    def write(self, width: int) -> list[Pieces]:
        """The help in a width."""
        own = {"alerts": AlertsPane.BINDINGS, "source": SourcePane.BINDINGS}
        moves = [*RowList.BINDINGS, *own.get(self._pane, ())]
        moving = [binding for binding in moves if isinstance(binding, Binding)]
        text = wrap(" ".join(PANE_HELP[self._pane]), max(20, min(WIDEST, width - 2)))
        lines: list[Pieces] = [
            *([Piece(line)] for line in text),
            [],
            [Piece("Keys", "title")],
            *self._key_lines(KEYS, width),
            [],
            [Piece("Moving", "title")],
            *self._key_lines(moving, width),
            [],
            [Piece("Search and filter: all terms must hold", "title")],
            *([left(term, TERM_WIDTH, "accent"), Piece(f" {does}")] for term, does in QUERY_HELP),
        ]
        return [[Piece(" "), *line] for line in lines]

    def _key_lines(self, bindings: list[Binding], width: int) -> list[Pieces]:
        """Keys, what they do, and at the right the id by which they are mapped to others."""
        return [
            spread(
                [
                    left(self._key_text(binding), KEY_WIDTH, "accent"),
                    Piece(f" {binding.tooltip or binding.description}"),
                ],
                [Piece(f" {binding.id}", "dim")],
                max(20, min(WIDEST, width - 2)),
            )
            for binding in bindings
        ]


class HelpScreen(ModalScreen[None]):
    """Help for one pane, then all keys."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("escape,q,question_mark,ctrl+c", "dismiss", "Close", id="help.close"),
        ]
    )

    def __init__(self, pane: str, key_text: Callable[[Binding], str]) -> None:
        super().__init__()
        self._pane = pane
        self._text = HelpPane(pane, key_text)

    def compose(self) -> ComposeResult:
        """A title and the text."""
        title = StatusBar("help-title")
        title.show(
            [Piece(f" Help: {TITLES[self._pane]}", "accent")], [Piece("escape closes ", "dim")]
        )
        yield title
        yield self._text

    def on_mount(self) -> None:
        """Let the text have the keys."""
        self.set_focus(self._text)
