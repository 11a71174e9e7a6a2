"""One tensor over all its computations, as high as there is room for: shares, and magnitudes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.binding import Binding, BindingType
from textual.message import Message

from tfdbg_tui.data.views.tensor_history import Outcome
from tfdbg_tui.widgets.history_lines import SIGNS, history_words
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.numbers import CLASSES, FINITE, percent
from tfdbg_tui.widgets.pieces import Piece, Pieces, cut, left, padded
from tfdbg_tui.widgets.text_pane import TextPane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events

    from tfdbg_tui.data.views.tensor_samples import Sample
    from tfdbg_tui.screens.session.history_look import HistoryPage

START = 12
"""Cells before the columns, for the name of a row."""

VALUES = 18
"""Cells behind the columns for the numbers of the computation at the cursor, if it is wide."""

WIDE = 70
"""Cells from which on those numbers stand beside their rows."""

WIDEST_PITCH = 10
"""Cells of the screen for one column, however few there are."""

MAX_BAR, MAX_CURVE, MIN_CURVE = 6, 12, 3
"""Rows of a share, and of the magnitudes."""

HEAD = 3
"""Rows of the axis, the pointer and the outcomes."""

WORDS = {"negative": "negative", "positive": "positive"}
"""Names that are longer than in a list: there is room for them."""

EIGHTHS = 8
"""Heights of a sign."""


class Drawn(NamedTuple):
    """What the lines are written from, in a width."""

    page: HistoryPage
    pitch: int
    width: int
    """Of all columns."""
    is_wide: bool


class HistoryPane(TextPane):
    """The rows, and a cursor on a column."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("left", "column(-1)", "Before", show=False, id="history.left"),
            Binding("right", "column(1)", "Behind", show=False, id="history.right"),
            Binding("pageup,shift+left", "part(-1)", "Far before", show=False, id="history.before"),
            Binding(
                "pagedown,shift+right", "part(1)", "Far behind", show=False, id="history.behind"
            ),
            Binding("home,g", "edge(0)", "First", show=False, id="history.first"),
            Binding("end,G", "edge(1)", "Last", show=False, id="history.last"),
            Binding("enter", "open", "Go there", show=False, id="history.open"),
        ]
    )

    class ColumnChosen(Message):
        """The cursor is wanted on a column."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    class Opened(Message):
        """The computation at the cursor is wanted in all panes."""

    class RoomChanged(Message):
        """There is room for more columns, or for fewer."""

    def __init__(self) -> None:
        super().__init__("history-rows")
        self._page: HistoryPage | None = None

    @property
    def room(self) -> int:
        """Columns that fit."""
        values = VALUES if self.text_width >= WIDE else 0
        return max(1, self.text_width - START - values)

    def show_page(self, page: HistoryPage) -> None:
        """Show this from now on."""
        if page != self._page:
            self._page = page
            self.rewrite()

    def on_resize(self) -> None:
        """Another width has room for other columns."""
        self.post_message(self.RoomChanged())

    @property
    def _pitch(self) -> int:
        cells = 1 if self._page is None else max(1, len(self._page.cells))
        return max(1, min(WIDEST_PITCH, self.room // cells))

    # Lines.

    def write(self, width: int) -> list[Pieces]:
        """All rows, as high as they can be in the height that there is."""
        page = self._page
        if page is None:
            return [[], [Piece("  Looking at what is recorded …", "dim")]]
        if page.computations == 1:
            return self._once(page, width)
        pitch = self._pitch
        drawn = Drawn(page, pitch, pitch * len(page.cells), self.text_width >= WIDE)
        shown = [
            (name, WORDS.get(name, words))
            for name, words, _ in CLASSES
            if _is_ever(page.samples, name)
        ]
        magnitudes = [None if sample is None else sample.magnitude for sample in page.samples]
        has_curve = any(magnitudes)
        free = self.body_height - HEAD - 3
        curve = max(MIN_CURVE, min(MAX_CURVE, free // 3)) if has_curve else 0
        each = max(1, min(MAX_BAR, (free - curve) // max(1, len(shown)) - 1))
        lines = self._head_lines(drawn)
        for name, words in shown:
            lines += [[]] if each > 1 else []
            lines += self._share_lines(drawn, name, words, each)
        if has_curve:
            lines += [[], *self._curve_lines(drawn, magnitudes, curve)]
        lines += [[], *self._end_lines(drawn, width)]
        return lines

    def _head_lines(self, drawn: Drawn) -> list[Pieces]:
        """The axis, a sign above the cursor's column, and what came of each."""
        page, pitch = drawn.page, drawn.pitch
        has_steps = any(step for steps in page.steps for step in steps)
        axis = [" "] * max(drawn.width, 8)
        here = page.cursor * pitch + _middle(pitch)
        label = self._label(page, page.cursor, has_steps)
        at = max(0, min(here - (len(label) - 1) // 2, len(axis) - len(label)))
        axis[at : at + len(label)] = label
        last = len(page.cells) - 1
        for column in (0, last, *range(1, last)):
            text = self._label(page, column, has_steps, is_end=0 < column == last)
            begin = column * pitch + _middle(pitch) - (len(text) - 1) // 2
            if len(text) < pitch or column in (0, last):
                _put(axis, text, max(0, min(begin, drawn.width - len(text))))
        line, end = "".join(axis), at + len(label)
        name = left("  step" if has_steps else "  number", START, "dim")
        signs = [left("  outcome", START, "dim")]
        for number, cell in enumerate(page.cells):
            sign = SIGNS.get(cell.outcome, self.glyphs.healthy)
            role = "bad" if cell.outcome is not Outcome.OK else "dim"
            role = "hit" if number == page.cursor else role
            signs += [Piece(sign.center(max(1, pitch - 1)), role), Piece(" " * (pitch > 1))]
        return [
            [name, Piece(line[:at], "dim"), Piece(label, "notable"), Piece(line[end:], "dim")],
            [Piece(" " * (START + here)), Piece(self.glyphs.here, "notable")],
            signs,
        ]

    def _label(self, page: HistoryPage, column: int, has_steps: bool, is_end: bool = False) -> str:
        if column == page.cursor:
            return f"{page.here.step or 0:,}" if has_steps else f"{page.here.number:,}"
        if has_steps:
            return f"{page.steps[column][is_end] or 0:,}"
        before = sum(cell.invocations for cell in page.cells[: column + is_end])
        return f"{page.shown[0] + before - is_end:,}"

    def _share_lines(self, drawn: Drawn, name: str, words: str, rows: int) -> list[Pieces]:
        """How large a part of the tensor is of a kind, in rows of blocks from top to bottom."""
        page = drawn.page
        shares = [_share(sample, name) for sample in page.samples]
        lines = self._blocks(drawn, shares, rows, "dim" if name in FINITE else "bad")
        label = left(f"  {words}", START, "" if name in FINITE else "bad")
        values = self._values(page, name) if drawn.is_wide else []
        blank = Piece(" " * START)
        return [
            [label if row == rows - 1 else blank, *line, *(values if row == rows - 1 else [])]
            for row, line in enumerate(lines)
        ]

    def _values(self, page: HistoryPage, name: str) -> Pieces:
        """The number at the cursor, and its share."""
        health = page.here.sample.health
        number = None if health is None else getattr(health, name)
        if number is None or health is None:
            return []
        part = f" {percent(number, health.size)}" if health.size else ""
        role = "bad" if number and name not in FINITE else ""
        return [Piece(f"  {number:,}", role), Piece(part, "dim")]

    def _blocks(
        self, drawn: Drawn, shares: Sequence[float | None], rows: int, role: str
    ) -> list[Pieces]:
        """Bars of so many rows; what is there at all is seen, what is not all is not full."""
        pitch, blocks = drawn.pitch, self.glyphs.blocks
        heights = [_height(share, rows) for share in shares]
        lines = []
        for row in range(rows - 1, -1, -1):
            pieces: Pieces = []
            for number, height in enumerate(heights):
                level = max(0, min(EIGHTHS, height - row * EIGHTHS))
                sign = blocks[level - 1] if level else " "
                chosen = "notable" if number == drawn.page.cursor else role
                gap = " " * (pitch > 1)
                pieces.append(Piece(sign * max(1, pitch - 1) + gap, chosen))
            lines.append(pieces)
        return lines

    def _curve_lines(
        self, drawn: Drawn, magnitudes: Sequence[float | None], rows: int
    ) -> list[Pieces]:
        """How large the finite numbers are, in powers of ten, with their mean and range."""
        powers = [math.log10(size) for size in magnitudes if size]
        low, high = math.floor(min(powers)), math.ceil(max(powers))
        high = max(high, low + 1)
        floor = 1 / (rows * EIGHTHS)
        shares = [
            None if size is None else 0.0 if not size else _scaled(size, low, high, floor)
            for size in magnitudes
        ]
        lines = self._blocks(drawn, shares, rows, "number")
        here = drawn.page.here.sample
        facts = (("max", here.highest), ("mean", here.mean), ("min", here.lowest))
        values = [f"  {name} {value:.4g}" for name, value in facts if value is not None]
        found = []
        for row, line in enumerate(lines):
            label = f"1e{high:+d}" if row == 0 else f"1e{low:+d}" if row == rows - 1 else ""
            name = f"  |x|  {label}" if row == 0 else f"       {label}"
            value = values[row] if drawn.is_wide and row < len(values) else ""
            found.append([left(name, START, "dim"), *line, Piece(value)])
        return found

    def _end_lines(self, drawn: Drawn, width: int) -> list[Pieces]:
        """All of it in words, and what cannot be told."""
        page = drawn.page
        room = max(10, width - 2)
        words = [history_words(page.cells, self.glyphs.times, room)]
        most = max(cell.invocations for cell in page.cells)
        if most > 1:
            words.append(
                f"a column is up to {most:,} computations: shown is the first bad one, or the first"
            )
        words += [page.note] if page.note else []
        roles = ("", "dim", "dim")
        return [[Piece(f"  {cut(text, room)}", roles[min(n, 2)])] for n, text in enumerate(words)]

    def _once(self, page: HistoryPage, width: int) -> list[Pieces]:
        """A tensor that was computed once: its shares side by side with their numbers."""
        when = f", in step {page.here.step:,}" if page.here.step else ""
        lines: list[Pieces] = [[], [Piece(f"  computed once{when}", "title")], []]
        sample = page.here.sample
        for name, words, _ in CLASSES:
            share = _share(sample, name)
            if not share:
                continue
            room = max(1, width - START - VALUES - 2)
            bar = self.glyphs.bar[-1] * max(1, int(share * min(room, 60)))
            role = "dim" if name in FINITE else "bad"
            values = self._values(page, name)
            lines.append(
                [
                    left(f"  {WORDS.get(name, words)}", START, "" if name in FINITE else "bad"),
                    *padded(values, VALUES),
                    Piece(f"  {bar}", role),
                ]
            )
        if sample.lowest is not None and sample.highest is not None:
            lines += [[], [Piece(f"  from {sample.lowest:.4g} to {sample.highest:.4g}", "number")]]
        if page.here.bad and sample.health is None:
            lines.append([Piece("  it was bad", "bad")])
        lines += [[], [Piece(f"  {cut(page.note, max(10, width - 2))}", "dim")]]
        return lines

    # Keys and mouse.

    def action_column(self, columns: int) -> None:
        """Move the cursor by columns."""
        if self._page is not None:
            self.post_message(self.ColumnChosen(self._page.cursor + columns))

    def action_part(self, parts: int) -> None:
        """Move the cursor by a quarter of the columns."""
        columns = 0 if self._page is None else len(self._page.cells)
        self.action_column(parts * max(1, columns // 4))

    def action_edge(self, is_last: int) -> None:
        """Go to the first or the last column."""
        columns = 0 if self._page is None else len(self._page.cells)
        self.post_message(self.ColumnChosen(columns - 1 if is_last else 0))

    def action_open(self) -> None:
        """Go to the computation at the cursor."""
        self.post_message(self.Opened())

    def on_click(self, event: events.Click) -> None:
        """A click on a column puts the cursor there; on the cursor's own it goes there."""
        offset, page = event.get_content_offset(self), self._page
        if offset is None or page is None or offset.x >= self.text_width:
            return
        column = (offset.x - START) // self._pitch
        if offset.x < START or column >= len(page.cells):
            return
        if column == page.cursor:
            self.action_open()
        else:
            self.post_message(self.ColumnChosen(column))


def _is_ever(samples: Sequence[Sample | None], name: str) -> bool:
    return any(_share(sample, name) for sample in samples)


def _share(sample: Sample | None, name: str) -> float | None:
    """Which part of a tensor is of a kind; None where that is not told."""
    health = None if sample is None else sample.health
    number = None if health is None else getattr(health, name)
    if health is None or number is None or not health.size:
        return None
    return float(number / health.size)


def _height(share: float | None, rows: int) -> int:
    """Eighths of rows: at least one for something, and all only for all."""
    if not share:
        return 0
    most = rows * EIGHTHS
    return most if share >= 1 else max(1, min(most - 1, round(share * most)))


def _scaled(size: float, low: int, high: int, floor: float) -> float:
    """Where a size stands between two powers of ten; seen, however small."""
    return max(floor, (math.log10(size) - low) / (high - low))


def _middle(pitch: int) -> int:
    """Where the sign of a column stands in it."""
    room = max(1, pitch - 1)
    return (room - 1) // 2 if room % 2 else "x".center(room).index("x")


def _put(line: list[str], text: str, start: int) -> None:
    """Write into free cells, with a blank on either side; else leave it out."""
    end = start + len(text)
    if start >= 0 and end <= len(line) and not "".join(line[max(0, start - 1) : end + 1]).strip():
        line[start:end] = text
