"""The alerts: by kind, then by site."""

from __future__ import annotations

from tfdbg_tui.data.index.alert_rows import AlertKindRow, AlertSiteRow
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.widgets.numbers import bad_words, compact, gradient_word
from tfdbg_tui.widgets.pieces import (
    Piece,
    Pieces,
    base_name,
    left,
    path_cell,
    right,
    shorten,
    spread,
)
from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.widgets.table_columns import Column, Layout

AlertRow = AlertKindRow | AlertSiteRow


def _steps(row: AlertSiteRow, width: int) -> Pieces:
    """The steps from first to last, in as many words as fit."""
    if not row.first_step:
        return []
    last = f"-{row.last_step:,}" if row.last_step and row.last_step != row.first_step else ""
    forms = (f"step {row.first_step:,}{last}", f"{row.first_step:,}{last}", f"{row.first_step:,}")
    return [Piece(next((form for form in forms if len(form) <= width), forms[-1]))]


def _where(row: AlertSiteRow) -> str:
    """The function inside which a tensor was computed; of an eager op or a call, its line."""
    if row.kind is EventKind.TRACE:
        return row.facts.function or ""
    line = row.facts.line
    return "" if line is None else f"{base_name(line.path)}:{line.line}"


class AlertsPane(RowList[AlertRow]):
    """What went wrong, earliest first."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id)
        self._site_columns = (
            Column[AlertSiteRow]("", 14, 16, 40, 1, self._tensor),
            Column[AlertSiteRow](
                "", 8, 14, 20, 5, lambda row, width: [left(_where(row), width, "dim")]
            ),
            Column[AlertSiteRow](
                "", 8, 10, 10, 2, lambda row, width: [left(bad_words(row.bad), width, "bad")]
            ),
            Column[AlertSiteRow]("", 5, 9, 18, 3, _steps),
            Column[AlertSiteRow](
                "", 4, 7, 7, 2, lambda row, width: [right(self._times(row), width, "dim")], True
            ),
        )

        self._layout: tuple[int, Layout[AlertSiteRow]] | None = None

    def _tensor(self, row: AlertSiteRow, width: int) -> Pieces:
        if row.kind is EventKind.TRACE or not row.facts.is_call:
            return [path_cell(row.name, width)]
        slot = row.name.rpartition(":")[2]
        kind = gradient_word(width) if row.facts.is_backward else ""
        name = shorten(f"{row.facts.tensor}:{slot}", max(1, width - 2 - len(kind)))
        return [Piece(f"{self.glyphs.function} ", "accent"), Piece(name), Piece(kind, "dim")]

    def _times(self, row: AlertSiteRow) -> str:
        return f"{self.glyphs.times}{compact(row.count)}"

    def draw(self, row: AlertRow, width: int) -> Pieces:
        """A kind with its count, or a site below it."""
        if isinstance(row, AlertKindRow):
            count = [Piece(f"{row.alerts:,}", "bad")]
            return spread([Piece(f"! {row.title}", "bad")], count, width)
        return self._layout_in(width).line(row)

    def _layout_in(self, width: int) -> Layout[AlertSiteRow]:
        """The columns of sites in a width."""
        if self._layout is None or self._layout[0] != width:
            self._layout = (width, Layout(self._site_columns, width))
        return self._layout[1]
