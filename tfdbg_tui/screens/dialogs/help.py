"""What the focused pane shows and every key, over the panes."""

from __future__ import annotations

from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.screens.dialogs.help_text import (
    PANE_HELP,
    PANE_KEYS,
    QUERY_HELP,
    all_keys,
    commands,
    groups,
)
from tfdbg_tui.screens.pane_names import TITLES
from tfdbg_tui.widgets.bars import StatusBar
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.legend import legend
from tfdbg_tui.widgets.pieces import Piece, Pieces, left, padded
from tfdbg_tui.widgets.text_pane import TextPane

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from textual.app import ComposeResult

WIDEST = 90
"""Cells of a line of text, however wide the screen is."""

TWO_COLUMNS = 116
"""Cells from which on the help stands in two columns."""

BETWEEN = 3
"""Cells between columns."""

TERM_WIDTH, MAX_KEY = 18, 14
"""Cells of what stands before what it means: of a query, and of keys at the most."""

NARROWEST = 20
"""Cells in which anything is written, however narrow the screen is."""

SETTINGS = 'Keys can be others: in the settings file, below [keys], "go.first-bad" = "f2".'


class Entry(NamedTuple):
    """Something, in its role, and what it means."""

    name: str
    means: str
    role: str = "accent"


class HelpPane(TextPane):
    """What one pane shows, then all keys."""

    def __init__(self, pane: str, key_text: Callable[[Binding], str]) -> None:
        super().__init__("help-text")
        self._pane = pane
        self._key_text = key_text

    def write(self, width: int) -> list[Pieces]:
        """The help in a width: in two columns where there is room, names in as many as fit."""
        room = max(NARROWEST, width - 2)
        if width >= TWO_COLUMNS:
            half = min(WIDEST, (room - BETWEEN) // 2)
            lines = _beside(*_halves(self._sections(half)), half)
        else:
            half = min(WIDEST, room)
            lines = _below(self._sections(half))
        return [[Piece(" "), *line] for line in (*lines, [], *self._names(room))]

    def _sections(self, width: int) -> list[list[Pieces]]:
        """All but the names, what is asked for most first."""
        here = _titled(f"Keys in {TITLES[self._pane]}", self._own_keys(), self._key_width, width)
        about: list[Pieces] = [
            [Piece(line)] for line in wrap(" ".join(PANE_HELP[self._pane]), width)
        ]
        grouped = [
            _titled(title, map(self._entry, keys), self._key_width, width)
            for title, keys in groups(self._pane)
        ]
        signs = [Entry(sign.text, sign.means, sign.role) for sign in legend(self.glyphs)]
        typed = [Entry(*command) for command in commands()]
        queries = [Entry(*query) for query in QUERY_HELP]
        return [
            [*about, [], *here],
            *grouped,
            _titled("Signs", signs, self._key_width, width),
            _titled("Search and filter: all terms must hold", queries, TERM_WIDTH, width),
            _titled("Commands, typed after :", typed, self._key_width, width),
        ]

    def _own_keys(self) -> list[Entry]:
        keys = all_keys()
        return [
            Entry(self._key_text(keys[name]), does or _does(keys[name]))
            for name, does in PANE_KEYS[self._pane]
        ]

    def _entry(self, key: Binding) -> Entry:
        return Entry(self._key_text(key), _does(key))

    @property
    def _key_width(self) -> int:
        """Cells that most keys need."""
        shown = [self._key_text(key) for _, keys in groups(self._pane) for key in keys]
        return min(MAX_KEY, max(map(cell_len, shown)))

    def _names(self, width: int) -> list[Pieces]:
        """The ids by which keys are mapped to others, and the keys that they have."""
        keys = sorted((name, self._key_text(key)) for name, key in all_keys().items())
        names = max(cell_len(name) for name, _ in keys)
        texts = max(cell_len(text) for _, text in keys)
        columns = max(1, (width + BETWEEN) // (names + texts + 1 + BETWEEN))
        rows = -(-len(keys) // columns)
        cells = [
            [left(name, names), Piece(" "), left(text, texts + BETWEEN, "dim")]
            for name, text in keys
        ]
        lines = [[piece for cell in cells[row::rows] for piece in cell] for row in range(rows)]
        intro = [[Piece(line, "dim")] for line in wrap(SETTINGS, min(WIDEST, width))]
        return [[Piece("Names for the settings file", "title")], *intro, *lines]


def _does(key: Binding) -> str:
    return key.tooltip or key.description


def _titled(title: str, entries: Iterable[Entry], name_width: int, width: int) -> list[Pieces]:
    """Entries below their title, what they mean wrapped beside their names."""
    lines: list[Pieces] = [[Piece(title, "title")]]
    room = max(NARROWEST, width - name_width - 1)
    for name, means, role in entries:
        first, *others = wrap(means, room) or [""]
        lines.append([left(name, name_width, role), Piece(f" {first}")])
        lines += [[Piece(" " * (name_width + 1)), Piece(other)] for other in others]
    return lines


def _below(sections: Sequence[list[Pieces]]) -> list[Pieces]:
    """One section below another."""
    lines: list[Pieces] = []
    for section in sections:
        lines += [[], *section] if lines else section
    return lines


def _halves(sections: Sequence[list[Pieces]]) -> tuple[list[Pieces], list[Pieces]]:
    """The first sections and the others, such that both are as equally long as can be."""
    splits = [(_below(sections[:n]), _below(sections[n:])) for n in range(1, len(sections))]
    return min(splits, key=lambda halves: max(map(len, halves)))


def _beside(one: list[Pieces], other: list[Pieces], width: int) -> list[Pieces]:
    """Two columns of lines."""
    gap, nothing = Piece(" " * BETWEEN), list[Piece]()
    pairs = zip_longest(one, other, fillvalue=nothing)
    return [[*padded(start, width), gap, *end] for start, end in pairs]


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
            [Piece(f" Help: {TITLES[self._pane]}", "notable")], [Piece("escape closes ", "dim")]
        )
        yield title
        yield self._text

    def on_mount(self) -> None:
        """Let the text have the keys."""
        self.set_focus(self._text)
