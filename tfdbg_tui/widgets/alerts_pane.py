"""The alerts as a tree, causes and below each what follows from it; then early warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.alert_list import WarningRow
from tfdbg_tui.data.views.alert_tree import AlertTreeRow
from tfdbg_tui.data.views.number_words import bad_words, compact
from tfdbg_tui.widgets.did_nothing import DidNothing
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.numbers import gradient_word
from tfdbg_tui.widgets.pieces import Piece, Pieces, base_name, clean, cut, left, op_path, right
from tfdbg_tui.widgets.table_columns import Column
from tfdbg_tui.widgets.table_list import TableList

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfdbg_tui.data.early.warning import EarlyWarning

AlertRow = AlertTreeRow | WarningRow

CAUSE = "!"

MUTED = "m"

ABSORBED = " absorbed"
"""Behind a name: nothing that was computed from it is bad."""

MAX_NAME, MAX_LINE, MAX_CODE = 60, 24, 120
"""Cells beyond which names of ops, of files with their line, and code gain nothing."""


def _steps(row: AlertRow) -> str:
    """The steps from first to last; of a warning, since when."""
    if isinstance(row, WarningRow):
        return f"{row.warning.step:,}-" if row.warning.step else ""
    first, last = row.site.first_step, row.site.last_step
    if not first:
        return ""
    return f"{first:,}-{last:,}" if last and last != first else f"{first:,}"


def _in_steps(steps: str) -> str:
    """The steps of all rows, in the title."""
    return f"in step{'s' if '-' in steps else ''} {steps}"


def _line(row: AlertRow) -> str:
    """The user's line, without the file where most rows have the same."""
    if isinstance(row, WarningRow):
        line = row.warning.line
    else:
        line = row.site.facts.line if row.reads == 1 and not row.note else None
    if line is None:
        return ""
    file = "" if row.is_usual_file else base_name(line.path)
    return clean(f"{file}:{line.line}")


def _what_text(row: AlertRow) -> str:
    """Which bad numbers; of a warning, its kind."""
    if isinstance(row, WarningRow):
        return row.warning.kind.words
    return bad_words(row.site.bad)


class AlertsPane(TableList[AlertRow]):
    """What went wrong: causes, earliest first, each above what follows from it."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("left", "fold(1)", "Causes only", show=False, id="alerts.fold"),
            Binding("right", "fold(0)", "All alerts", show=False, id="alerts.unfold"),
        ]
    )

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id)
        self._fold: Callable[[bool], None] | None = None
        self._read_code: Callable[[AlertRow], str] | None = None

    def fold_with(self, fold: Callable[[bool], None]) -> None:
        """What folds the rows that follow, or lists them again."""
        self._fold = fold

    def code_with(self, read_code: Callable[[AlertRow], str]) -> None:
        """What reads the code of a row's line; empty where that is not there."""
        self._read_code = read_code

    def action_fold(self, is_folded: int) -> None:
        """Fold the rows that follow below their causes, or list them again, as in any tree."""
        before = self.row_count
        if self._fold is not None:
            self._fold(bool(is_folded))
        if self.row_count == before:
            why = "Nothing more can be folded." if is_folded else "Nothing is folded."
            why = why if before else self.empty_text
            self.post_message(DidNothing(self.id, why))

    # Rows and columns.

    @property
    def head_height(self) -> int:
        """A line of titles, unless there is nothing below it."""
        return 1 if self.row_count else 0

    def head(self, width: int) -> list[Pieces]:
        """The titles of the columns."""
        return [self.titles(width)] if self.row_count else []

    def columns(self) -> Sequence[Column[AlertRow]]:
        """Which op, where in the program, what it held, when and how often."""

        def dim(text: Callable[[AlertRow], str]) -> Callable[[AlertRow, int], Pieces]:
            return lambda row, width: [left(text(row), width, "dim")]

        return (
            Column("op", 10, 24, MAX_NAME, 1, self._op, text=self._op_text),
            Column(
                "line",
                *(5, 12, MAX_LINE),
                2,
                dim(_line),
                text=_line,
                folds=True,
                in_title="at {}".format,
            ),
            Column("what", 8, 10, 11, 2, self._what, text=_what_text),
            Column(
                "steps",
                *(5, 9, 18),
                4,
                dim(_steps),
                text=_steps,
                folds=True,
                in_title=_in_steps,
                whole=True,
            ),
            Column("times", 5, 6, 7, 2, self._times, at_right=True, text=self._times_text),
            Column("code", 16, 40, MAX_CODE, 6, self._code, text=self._code_text),
        )

    def draw(self, row: AlertRow, width: int) -> Pieces:
        """The columns of a row; one sentence for all that is muted."""
        if isinstance(row, AlertTreeRow) and row.note:
            return [Piece(f"{MUTED} ", "follows"), Piece(cut(row.note, max(1, width - 2)), "dim")]
        return super().draw(row, width)

    def _op_text(self, row: AlertRow) -> str:
        if isinstance(row, AlertTreeRow) and row.note:
            return ""
        return "".join(piece.text for piece in self._op(row, MAX_NAME))

    def _op(self, row: AlertRow, width: int) -> Pieces:
        """A cause or a warning with its sign, or a follower at its branch."""
        if isinstance(row, WarningRow):
            return self._warned(row.warning, width)
        end = f" +{row.folded:,} follow" if row.folded else ABSORBED if row.absorbed else ""
        if not row.follows:
            room = max(1, width - len(CAUSE) - len(end))
            return [Piece(CAUSE, "bad"), *self._op_name(row, room, "bad"), Piece(end, "dim")]
        if row.is_muted:
            return [Piece(f"{MUTED} ", "follows"), *self._op_name(row, max(1, width - 2), "dim")]
        glyphs = self.glyphs
        branch = f" {glyphs.last_branch if row.is_last else glyphs.branch}"
        room = max(1, width - len(branch))
        if row.reads > 1:
            forms = (f"{row.reads:,} variable reads", f"{row.reads:,} reads"[:room])
            told = next(form for form in forms if len(form) <= room)
            return [Piece(branch, "dim"), Piece(told, "dim")]
        name = self._op_name(row, max(1, room - len(end)), "dim")
        return [Piece(branch, "dim"), *name, Piece(end, "dim")]

    def _op_name(self, row: AlertTreeRow, width: int, role: str) -> Pieces:
        site = row.site
        name = site.name.rpartition(":")[0] if site.is_only_output else site.name
        ellipsis = self.glyphs.ellipsis
        if site.kind is EventKind.TRACE or not site.facts.is_call:
            return [Piece(op_path(name, width, ellipsis), role)]
        slot = "" if site.is_only_output else f":{site.name.rpartition(':')[2]}"
        kind = gradient_word(width) if site.facts.is_backward else ""
        room = max(1, width - 2 - len(kind))
        shown = op_path(f"{site.facts.tensor}{slot}", room, ellipsis)
        return [Piece(f"{self.glyphs.function} ", role), Piece(shown, role), Piece(kind, "dim")]

    def _warned(self, warning: EarlyWarning, width: int) -> Pieces:
        """What a warning is about: a tensor, a function, or variables."""
        sign = self.glyphs.warning
        function = f"{self.glyphs.function} " if warning.is_call else ""
        room = max(1, width - len(sign) - len(function))
        name = op_path(warning.name, room, self.glyphs.ellipsis)
        return [Piece(sign, "warn"), Piece(function, "keyword"), Piece(name, "")]

    def _what(self, row: AlertRow, width: int) -> Pieces:
        """Which bad numbers, red where they were made; of a warning, its kind."""
        role = "warn" if isinstance(row, WarningRow) else "follows" if row.follows else "bad"
        return [left(_what_text(row), width, role)]

    def _code(self, row: AlertRow, width: int) -> Pieces:
        follows = isinstance(row, AlertTreeRow) and row.follows
        return [Piece(cut(self._code_text(row), width), "dim" if follows else "")]

    def _code_text(self, row: AlertRow) -> str:
        is_several = isinstance(row, AlertTreeRow) and row.reads > 1
        return "" if self._read_code is None or is_several else clean(self._read_code(row))

    def _times(self, row: AlertRow, width: int) -> Pieces:
        return [right(self._times_text(row), width, "dim")]

    def _times_text(self, row: AlertRow) -> str:
        count = row.warning.count if isinstance(row, WarningRow) else row.count
        return f"{self.glyphs.times}{compact(count)}"
