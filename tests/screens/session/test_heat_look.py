"""The heat map by the session alone: rows worst first, a cursor that stays, cells that lead on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.navigating import finish
from tests.support.sessions import opened
from tfdbg_tui.data.index import step_grid
from tfdbg_tui.data.index.bucket_totals import BucketTotals
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views import heat_names
from tfdbg_tui.data.views.heat_order import FOLD
from tfdbg_tui.data.views.heat_rows import HeatRow, Look, look_of_zeros
from tfdbg_tui.screens.session.heat_look import NO_MORE, NOTHING_BAD, HeatLook, HeatPage

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.screens.session.session import Session

ROOM = 100


def page_of(look: HeatLook, room: int = ROOM) -> HeatPage:
    """The page when the feed has done all that it was asked for."""
    assert look.job is not None
    finish(look.job)
    page = look.page(room)
    assert page is not None
    page.rows.rows(0, len(page.rows))  # has records read
    finish(look.job)
    page = look.page(room)
    assert page is not None
    return page


def rows_of(page: HeatPage) -> list[HeatRow]:
    return page.rows.rows(0, len(page.rows))


def row(page: HeatPage, function: str, label: str) -> HeatRow:
    return next(
        row
        for row in rows_of(page)
        if row.name is not None and (row.name.group.function, row.name.label) == (function, label)
    )


@pytest.fixture
def session(frozen: Path) -> Session:
    session = opened(frozen)
    session.go_to_first_bad()
    return session


def test_rows_stand_in_groups_the_first_bad_in_time_on_top(session: Session) -> None:
    rows = rows_of(page_of(session.looks.heat))
    first = rows[0].group
    assert first is not None
    assert first.function == "loss"
    log = rows[1]
    assert log.name is not None
    assert (log.name.label, log.is_bad, log.follows) == ("Log", True, False)
    assert (log.bad, log.computed) == (6, 12)
    assert rows[2].follows
    assert rows[-1].entry == FOLD, "what is quiet is one line"
    bad = [row for row in rows if row.is_bad]
    assert len(bad) == page_of(session.looks.heat).bad
    tensors = page_of(session.looks.heat).tensors
    assert rows[-1].tensors == tensors - sum(row.name is not None for row in rows)


def test_a_cell_looks_like_what_was_computed_in_its_step(session: Session) -> None:
    page = page_of(session.looks.heat)
    assert page.shape.width == 1
    looks = row(page, "loss", "Log").looks
    assert looks[0] == Look.NOTHING, "nothing of it is computed before the first step"
    assert list(looks[1:7]) == [Look.CLEAN] * 6
    assert looks[7] == Look.INF
    assert set(looks[8:]) == {Look.NAN}
    assert row(page, "loss", "mul").looks[7] == Look.BOTH
    assert row(page, "model", "Softmax").looks[7] == look_of_zeros(1312 / 5000)
    assert row(page, "loss", "Neg").looks[1] == look_of_zeros(0.9)


def test_no_zeros_and_nothing_but_zeros_are_told_apart_from_nearly_so() -> None:
    assert look_of_zeros(0.0) is Look.CLEAN
    assert look_of_zeros(1e-9) is Look.FEW_ZEROS
    assert look_of_zeros(0.999999) is Look.NEARLY_ALL
    assert look_of_zeros(1.0) is Look.ALL_ZEROS


def test_the_cursor_begins_on_what_is_selected_and_tells_its_cell(session: Session) -> None:
    look = session.looks.heat
    page_of(look)
    cell = look.cell()
    assert cell is not None
    assert cell.row.label == "Log"
    assert cell.units == (7, 7)
    assert (cell.computed, cell.bad_computed, cell.bad) == (1, 1, Bad.NEG_INF)
    assert cell.event is not None
    assert cell.event[:3] == (0, EventKind.TRACE, 60)
    assert cell.health is not None
    assert cell.health.neg_inf == 1312


def test_bad_cells_are_walked_row_by_row_and_the_ends_say_so(session: Session) -> None:
    look = session.looks.heat
    page = page_of(look)
    expected = [
        (row.entry, column)
        for row in rows_of(page)
        for column, shown in enumerate(row.looks)
        if shown >= Look.INF
    ]
    assert look.go_to_first_bad() == ""
    walked = [(look.entry, look.unit)]
    while not look.go_to_bad(1):
        walked.append((look.entry, look.unit))
    assert walked == expected
    assert look.go_to_bad(1) == NO_MORE[1]
    while not look.go_to_bad(-1):
        pass
    assert (look.entry, look.unit) == expected[0]


def test_a_healthy_run_has_no_bad_cell_and_lists_everything(library: Library) -> None:
    look = opened(library.path("healthy")).looks.heat
    page = page_of(look)
    assert page.bad == 0
    assert look.go_to_first_bad() == look.go_to_bad(1) == NOTHING_BAD
    rows = rows_of(page)
    assert all(row.entry != FOLD for row in rows)
    assert sum(row.name is not None for row in rows) == page.tensors


def test_quiet_rows_are_listed_when_asked_for_and_the_cursor_stays(session: Session) -> None:
    look = session.looks.heat
    page_of(look)
    before, line = look.entry, look.line()
    look.unfold()
    page = page_of(look)
    assert sum(row.name is not None for row in rows_of(page)) == page.tensors
    assert look.entry == before
    assert rows_of(page)[look.line() or 0].entry == before
    look.unfold()
    page_of(look)
    assert look.line() == line


def test_where_steps_share_a_column_nothing_bad_is_lost(session: Session) -> None:
    look = session.looks.heat
    every = {row.entry for row in rows_of(page_of(look)) if row.is_bad}
    for room in (1, 2, 3, 5, 8):
        page = page_of(look, room)
        assert page.shape.columns <= room
        assert page.shape.units_of(page.shape.columns - 1)[1] == 12, "there are no more steps"
        shown = {
            row.entry
            for row in rows_of(page)
            if any(shown in (Look.NAN, Look.BOTH, Look.INF) for shown in row.looks)
        }
        assert shown == every


def test_zooming_keeps_the_cursor_s_step_in_view(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_grid, "BucketTotals", lambda: BucketTotals(4))
    look = session.looks.heat
    coarse = page_of(look, 3).shape
    assert coarse.width > 1
    assert look.zoom(1) == ""
    shape = page_of(look, 3).shape
    assert shape.width < coarse.width, "looked at more closely than the whole run was"
    first, _ = shape.units_of(0)
    _, last = shape.units_of(shape.columns - 1)
    assert first <= look.unit <= last
    while not look.zoom(1):
        page_of(look, 3)
    assert "already" in look.zoom(1)
    assert page_of(look, 3).shape.width == 1
    while not look.zoom(-1):
        pass
    assert look.zoom(-1) == "This is the whole run."


def test_modes_that_do_not_tell_are_not_called_clean(library: Library) -> None:
    rows = rows_of(page_of(opened(library.path("no_tensor")).looks.heat))
    shown = {look for row in rows for look in row.looks}
    assert shown == {Look.NOTHING, Look.UNTOLD}
    curt = rows_of(page_of(opened(library.path("curt_health")).looks.heat))
    shown = {look for row in curt for look in row.looks}
    assert shown == {Look.NOTHING, Look.CLEAN, Look.BAD}


def test_sites_beyond_counting_share_a_row(frozen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_grid, "MAX_SITES", 3)
    monkeypatch.setattr(heat_names, "MAX_SITES", 3)
    look = opened(frozen).looks.heat
    page = page_of(look)
    others = [
        row for row in rows_of(page) if row.name is not None and row.name.label == "all others"
    ]
    assert others
    whole = opened(frozen).navigator.index
    assert whole is not None
    stores = (whole.host.traces, whole.host.executions)
    bad = sum(int((store.bad_flags > 0).sum()) for store in stores)
    assert sum(row.bad for row in rows_of(page) if row.name is not None) == bad
