"""The health of the chosen tensor: what it holds, and how that went over time."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from textual.message import Message

from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.records.modes import tells_bad
from tfdbg_tui.widgets.numbers import bad_words, compact, extent, percent
from tfdbg_tui.widgets.pieces import Piece, Pieces, clean, cut, left, right, shorten, spread
from tfdbg_tui.widgets.text_pane import TextPane
from tfdbg_tui.words import CAME_WITH_DATA, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events

    from tfdbg_tui.data.records.health import Health
    from tfdbg_tui.data.views.health_facts import HealthFacts
    from tfdbg_tui.data.views.tensor_history import HistoryCell
    from tfdbg_tui.data.views.value_facts import ValueFacts

ROWS = (
    ("neg_inf", "-inf", True),
    ("negative", "-", False),
    ("zero", "0", False),
    ("positive", "+", False),
    ("pos_inf", "+inf", True),
    ("nan", "NaN", True),
)
"""The counts from the lowest numbers to none at all: attribute, name, whether it is bad."""

NAME_WIDTH, COUNT_WIDTH, SHARE_WIDTH = 6, 11, 5

INDENT = 2
"""Cells before every line, in which a bad one has its sign."""

HISTORY_START = 14
"""Cells before the history, for how many computations it shows."""


GRADIENT_OF = "gradient of "

BLANK = Piece(" " * INDENT)


class HealthPane(TextPane):
    """What one tensor holds."""

    class InvocationClicked(Message):
        """A cell of the history was clicked; this is its event."""

        def __init__(self, event: int) -> None:
            super().__init__()
            self.event = event

    class CameIntoView(Message):
        """The pane was not on the screen and is now: it may want more to show."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id)
        self._facts: HealthFacts | None = None
        self._cells_for: Callable[[int], Sequence[HistoryCell]] | None = None
        self._cells: Sequence[HistoryCell] = ()
        self._history_line: int | None = None
        self._event: int | None = None
        self._empty = ""

    def show(
        self,
        facts: HealthFacts | None,
        event: int | None = None,
        cells_for: Callable[[int], Sequence[HistoryCell]] | None = None,
        empty: str = "",
    ) -> None:
        """Show one tensor, with its history asked for when the width is known."""
        self._facts, self._event, self._cells_for = facts, event, cells_for
        self._empty = empty
        self.rewrite()

    def write(self, width: int) -> list[Pieces]:
        """What the tensor is, what it holds, how that went, and what is not told."""
        facts = self._facts
        if facts is None:
            return [[BLANK, Piece(self._empty, "dim")]]
        lines = [*self._identity(facts, width), *self._counts(facts, width)]
        self._history_line = len(lines)
        lines += [*self._history(width), *_values(facts.values, width)]
        notes = wrap(clean(facts.note), max(10, width - INDENT))
        lines += [[BLANK, Piece(note, "dim")] for note in notes]
        return lines

    def _identity(self, facts: HealthFacts, width: int) -> list[Pieces]:
        role = "bad" if facts.bad else "title"
        sign = Piece("! ", "bad") if facts.bad else BLANK
        name = facts.name
        if facts.output:
            name += f"  output {facts.output[0]} of {facts.output[1]}"
        label = [Piece(facts.label, "dim")]
        room = max(1, width - INDENT - len(facts.label) - 1)
        lines = [spread([sign, left(name, room, role)], label, width)]
        health = facts.health
        op_type = facts.op_type or ""
        parts = [] if op_type.startswith("__") else [op_type]  # a call's name stands above
        parts += _measures(health) if health else ()
        told = "  ".join(part for part in parts if part)
        lines.append([BLANK, Piece(cut(told, max(1, width - INDENT)))])
        if facts.gradient_of:
            forward = shorten(facts.gradient_of, max(1, width - INDENT - len(GRADIENT_OF)))
            lines.append([BLANK, Piece(GRADIENT_OF, "dim"), Piece(forward)])
        if facts.bad and facts.came_with_data:
            lines.append([BLANK, Piece(cut(CAME_WITH_DATA, max(1, width - INDENT)))])
        return lines

    def _counts(self, facts: HealthFacts, width: int) -> list[Pieces]:
        health = facts.health
        if health is None:
            return []
        told = [(name, getattr(health, attribute), bad) for attribute, name, bad in ROWS]
        if all(number is None for _, number, _ in told):
            if not facts.bad:
                return [[BLANK, Piece("no NaN or inf")]] if facts.mode == 2 else []
            return [[Piece(f"! {bad_words(facts.bad)}", "bad")]]
        whole = health.size or sum(number or 0 for _, number, _ in told)
        return [self._count(*row, whole, width) for row in told]

    def _count(self, name: str, number: int | None, bad: bool, whole: int, width: int) -> Pieces:
        if number is None:
            return [right(name, NAME_WIDTH, "dim"), Piece("  not recorded", "dim")]
        role = "dim" if not number else "bad" if bad else ""
        room = max(0, width - NAME_WIDTH - COUNT_WIDTH - SHARE_WIDTH - 3)
        filled = 0
        if number and whole:
            filled = max(1, min(room, round(room * number / whole)))
        return [
            Piece("! ", "bad") if number and bad else BLANK,
            right(name, NAME_WIDTH - INDENT, role),
            right(_fitting(number, COUNT_WIDTH - 1), COUNT_WIDTH, role),
            Piece(" "),
            left(self.glyphs.bar * filled, room, role),
            right(percent(number, whole) if number else "", SHARE_WIDTH, role),
        ]

    def _history(self, width: int) -> list[Pieces]:
        facts = self._facts
        if self._cells_for is None or facts is None or not tells_bad(facts.mode):
            return []
        room = max(1, width - HISTORY_START)
        self._cells = self._cells_for(room)
        return [self._bad_line(), *self._zero_line()] if self._cells else []

    def _bad_line(self) -> Pieces:
        times = sum(cell.invocations for cell in self._cells)
        label = counted(times, "time") if times < 10_000 else f"{times / 1000:,.0f}k times"
        signs = [BLANK, left(label, HISTORY_START - INDENT, "dim")]
        for cell in self._cells:
            here = self._event is not None and cell.first_event <= self._event <= cell.last_event
            sign = _bad_sign(cell.bad) if cell.bad else self.glyphs.healthy
            signs.append(Piece(sign, "hit" if here else "bad" if cell.bad else "dim"))
        return signs

    def _zero_line(self) -> list[Pieces]:
        if not any(cell.zero_share for cell in self._cells):
            return []
        blocks = self.glyphs.blocks
        signs = [BLANK, left("zeros", HISTORY_START - INDENT, "dim")]
        for cell in self._cells:
            share = cell.zero_share
            sign = " " if not share else blocks[min(len(blocks) - 1, int(share * len(blocks)))]
            signs.append(Piece(sign, "dim"))
        return [signs]

    def on_show(self) -> None:
        """Say that there is room for a history now."""
        self.post_message(self.CameIntoView())

    def on_click(self, event: events.Click) -> None:
        """A click on the history goes to that invocation."""
        offset = event.get_content_offset(self)
        number = None if offset is None else self.line_at(offset.y)
        if offset is None or number is None or number != self._history_line:
            return
        cell = offset.x - HISTORY_START
        if 0 <= cell < len(self._cells):
            self.post_message(self.InvocationClicked(self._cells[cell].first_event))


def _values(values: ValueFacts | None, width: int) -> list[Pieces]:
    """The range of a tensor's finite numbers, and as many of its values as fit."""
    if values is None:
        return []
    lines: list[Pieces] = []
    if values.lowest is not None:
        numbers = f"{values.lowest:.6g} to {values.highest:.6g}, mean {values.mean:.6g}"
        lines.append([BLANK, left("finite", HISTORY_START - INDENT, "dim"), Piece(numbers)])
    if values.first:
        shown = cut("  ".join(values.first), max(1, width - HISTORY_START))
        lines.append([BLANK, left("values", HISTORY_START - INDENT, "dim"), Piece(shown)])
    return lines


def _fitting(number: int, width: int) -> str:
    """A number whole if that fits, else rounded: digits are never left out."""
    whole = f"{number:,}"
    return whole if len(whole) <= width else compact(number)


def _measures(health: Health) -> list[str]:
    """Dtype, shape or rank, and size, as far as they are told."""
    parts = [health.dtype or ""]
    if health.shape is not None:
        parts.append(extent(health))
    elif health.rank is not None:
        parts.append(f"{health.rank}-D")
    return [*parts, counted(health.size, "element") if health.size is not None else ""]


def _bad_sign(bad: Bad) -> str:
    """NaN and ∞ apart, as a word would."""
    if bad & Bad.NAN:
        return "N"
    return "!" if bad & Bad.UNTOLD else "i"
