"""The health of the chosen tensor: what it holds, and how that went over time."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.message import Message

from tfdbg_tui.data.records.modes import mode_name, tells_bad
from tfdbg_tui.data.views.number_words import bad_words, compact, extent
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.widgets.history_lines import (
    BLANK,
    INDENT,
    START,
    WIDE,
    DrawnHistory,
    draw_history,
    room_for,
)
from tfdbg_tui.widgets.numbers import alarm, percent
from tfdbg_tui.widgets.pieces import (
    TAIL_OF_PATH,
    Piece,
    Pieces,
    clean,
    cut,
    left,
    right,
    shorten,
    spread,
)
from tfdbg_tui.widgets.text_pane import TextPane
from tfdbg_tui.words import CAME_WITH_DATA, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events

    from tfdbg_tui.data.records.health import Health
    from tfdbg_tui.data.records.value_facts import ValueFacts
    from tfdbg_tui.data.views.health_facts import HealthFacts
    from tfdbg_tui.data.views.tensor_history import HistoryCell
    from tfdbg_tui.widgets.glyphs import Glyphs

ROWS = (
    ("nan", "NaN", "NaN", True),
    ("neg_inf", "-inf", "-inf", True),
    ("pos_inf", "+inf", "+inf", True),
    ("zero", "zero", "zero", False),
    ("negative", "negative", "-", False),
    ("positive", "positive", "+", False),
)
"""The counts, bad ones first: attribute, name, name where it is narrow, whether it is bad."""

COUNT_WIDTH, SHARE_WIDTH = 11, 5

NARROW = 40
"""Cells below which signs stand for words."""

GRADIENT_OF = "gradient of "


class Composed(NamedTuple):
    """All lines for a width, and the history among them."""

    lines: list[Pieces]
    history: DrawnHistory
    history_line: int
    """The line of its signs."""


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
        self._event: int | None = None
        self._empty = ""
        self._titled = False
        self._by_width: dict[tuple[int, bool], Composed] = {}
        """What is written, by width: who asks for the height wants the lines soon after."""

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

    @property
    def titled(self) -> bool:
        """Whether the subject and the measure stand on the border, so that no line repeats them."""
        return self._titled

    @titled.setter
    def titled(self, titled: bool) -> None:
        if titled != self._titled:
            self._titled = titled
            self.rewrite()

    @property
    def subject(self) -> str:
        """Which tensor, and which computation of it: `Log:0 #52`."""
        return self.subject_in(10**6)

    def subject_in(self, width: int) -> str:
        """The same in at most so many cells: of its name the last parts stay."""
        facts = self._facts
        if facts is None:
            return ""
        end = f"{_output(facts)} {facts.number or facts.label}"
        return cut(f"{short_name(facts.shown, max(1, width - len(end)))}{end}", max(1, width))

    @property
    def measure(self) -> str:
        """The type and the shape of the tensor: `float32 2D 5,000`."""
        facts = self._facts
        return "" if facts is None else clean(_measure(facts.health))

    def rewrite(self) -> None:
        """Write anew: there is something else to say."""
        self._by_width.clear()
        super().rewrite()

    def wanted_height(self, width: int) -> int:
        """The lines that a width takes below a title: only there it has the height it wants."""
        return len(self._at(width, titled=True).lines)

    def write(self, width: int) -> list[Pieces]:
        """What the tensor is, what it holds, how that went, and what is not told."""
        return self._at(width, self.titled).lines

    def _at(self, width: int, titled: bool) -> Composed:
        composed = self._by_width.get((width, titled))
        if composed is None:
            composed = self._by_width[width, titled] = self._written(width, titled)
        return composed

    def _written(self, width: int, titled: bool) -> Composed:
        facts = self._facts
        if facts is None:
            empty = wrap(clean(self._empty), max(10, width - INDENT)) or [""]
            return Composed([[BLANK, Piece(line, "dim")] for line in empty], DrawnHistory([]), -1)
        between: list[Pieces] = [[]] if width >= WIDE else []
        history, values = self._history(facts, width), _values(facts.values, width)
        lines = [*self._identity(facts, width, titled), *self._counts(facts, width)]
        lines += between if lines and history.lines else []
        sign_line = len(lines) + history.sign_line if history.sign_line >= 0 else -1
        lines += [*history.lines, *(between if values else []), *values]
        notes: list[Pieces] = [
            [BLANK, Piece(note, "dim")] for note in wrap(clean(facts.note), max(10, width - INDENT))
        ]
        lines += [*(between if lines and notes else []), *notes]
        return Composed(lines, history, sign_line)

    def _identity(self, facts: HealthFacts, width: int, titled: bool) -> list[Pieces]:
        room = max(1, width - INDENT)
        lines: list[Pieces] = []
        if not titled:
            role, sign = (_alarm(facts), _sign(facts)) if facts.bad else ("title", BLANK)
            end, output = Piece(facts.label, "dim"), _output(facts)
            name = short_name(facts.shown, max(1, room - len(output) - len(facts.label) - 1))
            lines.append(spread([sign, Piece(clean(name + output), role)], [end], width))
        told = "  ".join(part for part in _more(facts, width, titled, self.glyphs) if part)
        if told:
            lines.append([BLANK, Piece(cut(told, room))])
        if facts.gradient_of:
            forward = shorten(facts.gradient_of, max(1, room - len(GRADIENT_OF)))
            lines.append([BLANK, Piece(GRADIENT_OF, "dim"), Piece(forward)])
        if facts.bad and facts.came_with_data:
            lines.append([BLANK, Piece(cut(CAME_WITH_DATA, room))])
        return lines

    def _counts(self, facts: HealthFacts, width: int) -> list[Pieces]:
        """The numbers that occur, or in one line that they are not told."""
        health = facts.health
        rows = None if health is None else _rows(health, is_narrow=width < NARROW)
        if rows is None:
            if facts.bad:
                words = Piece(cut(f"{bad_words(facts.bad)}, not counted", width - INDENT))
                return [[_sign(facts), words._replace(role=_alarm(facts))]]
            return [[BLANK, Piece("no NaN or inf")]] if health and facts.mode == 2 else []
        if not rows:
            return [[BLANK, Piece("no elements", "dim")]]
        whole = (health.size if health else None) or sum(number for _, number, _ in rows)
        names = max(len(name) for name, _, _ in rows)
        numbers = max(len(_fitting(number, COUNT_WIDTH)) for _, number, _ in rows)
        room = max(0, width - INDENT - names - numbers - SHARE_WIDTH - 3)
        return [
            [
                _sign(facts) if bad else BLANK,
                left(name, names, role := _alarm(facts) if bad else ""),
                right(_fitting(number, COUNT_WIDTH), numbers + 2, role),
                Piece(" "),
                left(self._bar(number, whole, room), room, role or "dim"),
                right(percent(number, whole), SHARE_WIDTH, role),
            ]
            for name, number, bad in rows
        ]

    def _bar(self, number: int, whole: int, room: int) -> str:
        """A part of the room, as exactly as blocks can say it; what is there at all is seen."""
        blocks = self.glyphs.bar
        parts = max(1, min(room * len(blocks), round(room * len(blocks) * number / whole)))
        full, rest = divmod(parts, len(blocks))
        return blocks[-1] * full + (blocks[rest - 1] if rest else "")

    def _history(self, facts: HealthFacts, width: int) -> DrawnHistory:
        if self._cells_for is None or not tells_bad(facts.mode):
            return DrawnHistory([])
        cells = self._cells_for(room_for(width))
        return draw_history(cells, width, (self._event, facts.bad), facts.step_of, self.glyphs)

    def on_show(self) -> None:
        """Say that there is room for a history now."""
        self.post_message(self.CameIntoView())

    def on_click(self, event: events.Click) -> None:
        """A click on the history goes to that invocation."""
        offset = event.get_content_offset(self)
        drawn = self._by_width.get((self.text_width, self.titled))
        if offset is None or drawn is None or self.line_at(offset.y) != drawn.history_line:
            return
        clicked = drawn.history.event_at(offset.x)
        if clicked is not None:
            self.post_message(self.InvocationClicked(clicked))


def _more(facts: HealthFacts, width: int, titled: bool, glyphs: Glyphs) -> list[str]:
    """What else is known of a tensor: as much as the title does not say and there is room."""
    is_wide = width >= WIDE
    op_type = facts.op_type or ""
    is_call = op_type.startswith("__")  # its name says which
    parts = [op_type] if (is_wide or not titled) and not is_call else []
    parts += [] if titled else [_measure(facts.health)]
    if is_wide:
        parts.append(f"in {glyphs.function} {facts.function}" if facts.function else "")
        parts.append(facts.device.rpartition("device:")[2])
        parts.append(f"step {facts.step:,}" if titled and facts.step else "")
        parts.append(mode_name(facts.mode) if facts.mode else "")
    return parts


def short_name(name: str, width: int) -> str:
    """A name in at most so many cells: whole parts of its path go first, from the left.

    Of `model/conv2d_1/BiasAdd:0` the layer and the op stay.
    """
    name = clean(name)
    parts = name.split("/")
    while cell_len(name) > width and len(parts) > 2:
        parts = parts[1:]
        name = "/".join(["…", *parts])
    return shorten(name, width, tail_share=TAIL_OF_PATH)


def _alarm(facts: HealthFacts) -> str:
    """The role of bad numbers."""
    return alarm(facts.follows, facts.is_muted).role


def _sign(facts: HealthFacts) -> Piece:
    """What stands before bad numbers."""
    sign, role = alarm(facts.follows, facts.is_muted)
    return Piece(f"{sign} ", role)


def _output(facts: HealthFacts) -> str:
    return f"  output :{facts.output[0]} of {facts.output[1]}" if facts.output else ""


def _rows(health: Health, is_narrow: bool) -> list[tuple[str, int, bool]] | None:
    """The counts that are not zero; None if the mode counts nothing."""
    counts = [
        (short if is_narrow else name, getattr(health, attribute), bad)
        for attribute, name, short, bad in ROWS
    ]
    told = [(name, number, bad) for name, number, bad in counts if number is not None]
    if not told:
        return None
    if len(told) == 3 and health.size is not None:  # CONCISE_HEALTH counts only what is bad
        told.append(("finite", health.size - sum(number for _, number, _ in told), False))
    return [row for row in told if row[1] > 0]


def _values(values: ValueFacts | None, width: int) -> list[Pieces]:
    """The range of a tensor's finite numbers, and as many of its values as fit."""
    if values is None:
        return []
    lines: list[Pieces] = []
    if values.lowest is not None:
        numbers = f"{values.lowest:.6g} to {values.highest:.6g}, mean {values.mean:.6g}"
        lines.append([BLANK, left("finite", START - INDENT, "dim"), Piece(numbers)])
    if values.first:
        room = max(1, width - START)
        shown = wrap(clean("  ".join(values.first)), room) if width >= WIDE else []
        shown = shown or [cut("  ".join(values.first), room)]
        names = ["values", *[""] * (len(shown) - 1)]
        lines += [
            [BLANK, left(name, START - INDENT, "dim"), Piece(line)]
            for name, line in zip(names, shown, strict=True)
        ]
    return lines


def _fitting(number: int, width: int) -> str:
    """A number whole if that fits, else rounded: digits are never left out."""
    whole = f"{number:,}"
    return whole if len(whole) <= width else compact(number)


def _measure(health: Health | None) -> str:
    """Type and shape, as far as they are told."""
    if health is None:
        return ""
    if health.size is not None and health.dtype is None and health.rank is None:
        return counted(health.size, "element")  # a number alone says nothing
    return " ".join(part for part in (health.dtype or "", extent(health)) if part)
