"""A tensor over all its computations by the session alone: a cursor, bad ones, parts of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.navigating import finish
from tests.support.sessions import opened
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.tensor_history import Outcome
from tfdbg_tui.screens.session.history_look import NO_MORE, NO_TENSOR
from tfdbg_tui.screens.session.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.views.history_page import HistoryPage


def page_of(session: Session, room: int = 100) -> HistoryPage:
    """The page when the feed has done all that it was asked for."""
    look = session.looks.history
    assert look.job is not None
    finish(look.job)
    look.page(room)  # has records read
    finish(look.job)
    page = look.page(room)
    assert page is not None
    return page


@pytest.fixture
def session(frozen: Path) -> Session:
    session = opened(frozen)
    session.go_to_first_bad()
    assert session.looks.history.begin() == ""
    return session


def test_every_computation_has_a_column_where_they_fit(session: Session) -> None:
    page = page_of(session)
    assert (page.computations, page.bad, page.shown) == (12, 6, (1, 12))
    outcomes = [cell.outcome for cell in page.cells]
    assert outcomes == [Outcome.OK] * 6 + [Outcome.INF] + [Outcome.NAN] * 5
    assert [steps[0] for steps in page.steps] == list(range(1, 13))
    assert (page.cursor, page.here.number, page.here.event, page.here.step) == (6, 7, 60, 7)
    sample = page.samples[6]
    assert sample is not None
    assert sample.health is not None
    assert (sample.health.neg_inf, sample.health.negative) == (1312, 3688)


def test_the_cursor_moves_by_columns_and_stays_within(session: Session) -> None:
    look = session.looks.history
    page_of(session)
    look.move(1)
    assert page_of(session).here.number == 8
    look.move(-100)
    assert page_of(session).here.number == 1
    look.move(100)
    assert page_of(session).here.number == 12
    chosen = look.chosen()
    assert chosen is not None
    assert chosen.kind is EventKind.TRACE


def test_bad_computations_are_walked_exactly_even_where_they_share_columns(
    session: Session,
) -> None:
    look = session.looks.history
    page_of(session, 2)
    look.move(-100)
    numbers = []
    while not look.go_to_bad(1):
        page = page_of(session, 2)
        numbers.append(page.here.number)
        assert page.here.bad
    assert numbers == [7, 8, 9, 10, 11, 12]
    assert look.go_to_bad(1) == NO_MORE[1]
    while not look.go_to_bad(-1):
        pass
    assert page_of(session, 2).here.bad == Bad.NEG_INF


def test_a_part_around_the_cursor_can_be_looked_at(session: Session) -> None:
    look = session.looks.history
    page_of(session)
    assert look.zoom(1) == ""
    page = page_of(session)
    assert page.shown[1] - page.shown[0] + 1 == 8
    assert page.shown[0] <= page.here.number <= page.shown[1]
    assert sum(cell.invocations for cell in page.cells) == 8
    assert look.zoom(1) == "These are the fewest."
    look.zoom(-1)
    assert page_of(session).shown == (1, 12)
    assert look.zoom(-1) == "These are all computations."


def test_magnitudes_are_told_where_values_are_recorded(library: Library) -> None:
    session = opened(library.path("full_tensor"))
    session.go_to_first_bad()
    session.looks.history.begin()
    page = page_of(session)
    known = [sample.magnitude for sample in page.samples if sample is not None]
    assert any(known)
    here = page.here.sample
    assert here.lowest is not None
    assert here.highest is not None
    assert here.mean is not None
    assert here.lowest <= here.mean <= here.highest


def test_without_a_tensor_there_is_a_sentence(tmp_path: Path) -> None:
    assert Session().looks.history.begin() == NO_TENSOR


def test_another_tensor_has_another_history(session: Session) -> None:
    page_of(session)
    session.navigator.select_trace(61)
    session.looks.history.begin()
    page = page_of(session)
    assert page.facts.name == "mul"
    assert page.here.event == 61
