"""The execution timeline: a strip of the whole run above the executions themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.event_rows import ExecutionRow
from tfdbg_tui.data.views.number_words import bad_words, compact, elapsed, extent
from tfdbg_tui.widgets.numbers import alarm, gradient_word, holds, phase_word
from tfdbg_tui.widgets.pieces import (
    Piece,
    Pieces,
    base_name,
    left,
    right,
    shorten,
    width_of,
)
from tfdbg_tui.widgets.row_list import SIGN_WIDTH
from tfdbg_tui.widgets.table_columns import Column, index_column
from tfdbg_tui.widgets.table_list import TableList
from tfdbg_tui.widgets.timeline_strip import StripClicked, TimelineStrip

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.index.session_run_numbers import SessionRunFacts
    from tfdbg_tui.data.views.timeline import Density


def _location(row: ExecutionRow, is_loading: bool) -> str:
    line = row.facts.line
    if line is None:
        missing = "not read yet" if is_loading else "not on disk"
        return missing if row.facts.line_is_open else ""
    return f"{base_name(line.path)}:{line.line}"


def _outputs(row: ExecutionRow) -> str:
    if row.collapsed > 1 or row.facts.is_session_run or not row.outputs:
        return ""
    return f"{row.outputs} tensors" if row.outputs != 1 else extent(row.health) or "1 tensor"


def _health(row: ExecutionRow, width: int) -> Pieces:
    if row.session_run is not None:
        mark = alarm(row.follows, row.is_muted)
        return [_tensors(row.session_run, row.bad_inside, mark, width)]
    sign, role = alarm(row.follows, row.is_muted)
    if row.bad and row.collapsed > 1:
        return [Piece(f"{sign} {bad_words(row.bad)}", role)]
    told = holds(row.health, row.bad, row.follows, row.is_muted)
    if row.bad_inside:
        number = compact(row.bad_inside)
        inside = f"{number} bad inside"
        if not told or not row.bad:
            return [_fitting(width, role, f"{sign} {inside}", f"{sign} {number} inside")]
        told = [*told, _fitting(width - width_of(told), role, f", {inside}", f", {number} inside")]
    return told


def _tensors(run: SessionRunFacts, bad: int, mark: Piece, width: int) -> Piece:
    """What a run of a session has computed."""
    all_of_them = f"{compact(run.tensors)}{'+' if run.has_more else ''}"
    words = f"{all_of_them} tensors" if run.tensors != 1 else "1 tensor"
    if not bad:
        return _fitting(width, "dim", words, all_of_them)
    head = f"{mark.text} {compact(bad)} bad"
    return _fitting(
        width,
        mark.role,
        f"{head} inside {words}",
        f"{head} of {all_of_them}",
        head,
    )


def _fitting(width: int, role: str, *forms: str) -> Piece:
    """The first form that fits, or the last; a blank at its end needs no room."""
    return Piece(next((f for f in forms if len(f.rstrip()) <= width), forms[-1]), role)


class ExecutionsPane(TableList[ExecutionRow]):
    """Eager ops and calls of functions, under a strip of the whole run."""

    kind: ClassVar = EventKind.EXECUTION

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id)
        self._strip = TimelineStrip()
        self._has_strip = True
        self._is_loading = False

    def columns(self) -> tuple[Column[ExecutionRow], ...]:
        """When, what, from which line, and how that went."""
        return (
            index_column(lambda row: row.index),
            Column("time", 8, 8, 11, 6, _time, at_right=True, text=_time_text),
            Column("step", 4, 5, 9, 5, _step, at_right=True, text=_step_text),
            Column("op or function", 14, 18, 40, 1, self._op_name, text=self._name_text),
            Column(
                "your line",
                14,
                18,
                28,
                2,
                self._your_line,
                text=lambda row: _location(row, self._is_loading),
                folds=True,
                in_title="at {}".format,
            ),
            Column(
                "gives",
                9,
                9,
                14,
                4,
                lambda row, width: [left(_outputs(row), width, "dim")],
                text=_outputs,
                folds=True,
            ),
            Column(
                "what it holds",
                16,
                24,
                60,
                3,
                _health,
                text=lambda row: "".join(piece.text for piece in _health(row, 60)),
            ),
        )

    def _name_text(self, row: ExecutionRow) -> str:
        return "".join(piece.text for piece in self._op_name(row, 40)).rstrip()

    def tell_loading(self, is_loading: bool) -> None:
        """What is missing may be on disk all the same while that is read."""
        if is_loading is not self._is_loading:
            self._is_loading = is_loading
            self.redraw()

    def _your_line(self, row: ExecutionRow, width: int) -> Pieces:
        return [left(_location(row, self._is_loading), width)]

    def _op_name(self, row: ExecutionRow, width: int) -> Pieces:
        facts = row.facts
        if facts.is_call:
            kind = gradient_word(width) if facts.is_backward else phase_word(facts.phase, width)
            text = facts.tensor if row.session_run is None else f"run {row.session_run.number:,}"
            name = Piece(shorten(text, max(1, width - 2 - len(kind))))
            return [Piece(f"{self.glyphs.function} ", "keyword"), name, Piece(kind, "dim")]
        many = f" {self.glyphs.times}{row.collapsed:,}" if row.collapsed > 1 else ""
        name = Piece(shorten(facts.tensor, max(1, width - 2 - len(many))))
        return [Piece("  "), name, Piece(many, "dim")]

    # The strip.

    def show_strip(self, has_strip: bool) -> None:
        """Draw the strip above the rows, unless it stands elsewhere."""
        if has_strip is not self._has_strip:
            self._has_strip = has_strip
            self.redraw_head()

    def measure_with(self, measure: Callable[[int], Density] | None) -> None:
        """Take the density of the run, asked for when the width is known."""
        self._strip.measure_with(measure)
        self.redraw_head()

    def reload_strip(self) -> None:
        """Measure again: the zoom changed."""
        self._strip.forget()
        self.redraw_head()

    def reload_rows(self) -> None:
        """Fetch the rows in view and measure again: executions have come."""
        self._strip.forget()
        super().reload_rows()

    def choose_execution(self, execution: int | None) -> None:
        """Show on the strip where an execution is."""
        if self._strip.choose(execution) and self._has_strip:
            self.redraw_head()

    def prepare(self, first: int, last: int, width: int) -> None:
        """Fetch the rows in view and measure the strip, unless they are there."""
        super().prepare(first, last, width)
        if self._has_strip and self._strip.fit(width - SIGN_WIDTH):
            self._heads = None

    @property
    def head_height(self) -> int:
        """The strip, its axis where there is room, and the titles."""
        if not self._has_strip:
            return 1
        return 3 if self.content_size.height > 12 else 2

    def head(self, width: int) -> list[Pieces]:
        """The strip and the titles."""
        margin = Piece(" " * SIGN_WIDTH)
        strip = [margin, *self._strip.signs(self.glyphs)]
        lines = [strip, [margin, *self._strip.axis(self.glyphs)]][: self.head_height - 1]
        return [*lines, self.titles(width)]

    def head_clicked(self, x: int, y: int) -> None:
        """A click on the strip goes to that part of the run."""
        execution = self._strip.execution_at(x - SIGN_WIDTH)
        if self._has_strip and y == 0 and execution is not None:
            self.post_message(StripClicked(execution))


def _time(row: ExecutionRow, width: int) -> Pieces:
    return [right(elapsed(row.seconds, width), width, "dim")]


def _time_text(row: ExecutionRow) -> str:
    return elapsed(row.seconds, 11)


def _step(row: ExecutionRow, width: int) -> Pieces:
    forms = (f"{row.step:,}", str(row.step)) if row.step else ("",)
    return [right(next((f for f in forms if len(f) <= width), forms[-1]), width, "dim")]


def _step_text(row: ExecutionRow) -> str:
    return f"{row.step:,}" if row.step else ""
