"""The tree of ops by the session alone: a cursor that stays, folding, finding, where ops lead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.navigating import finish
from tests.support.sessions import opened
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.search.query import QueryError
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.views.op_tree_rows import Level, OpTreeRow
from tfdbg_tui.data.views.selection import Node
from tfdbg_tui.screens.session.op_tree_look import (
    LEAST_ALREADY,
    NO_GROUP,
    NO_MORE_BAD,
    OpTreeLook,
    OpTreePage,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.screens.session.session import Session


def page_of(look: OpTreeLook) -> OpTreePage:
    """The page when the feed has done all that it was asked for."""
    page = None
    for _ in range(2):  # where the cursor begins may unfold something
        assert look.job is not None
        finish(look.job)
        page = look.page()
    assert page is not None
    assert not page.is_outdated
    return page


def rows_of(look: OpTreeLook) -> list[OpTreeRow]:
    page = page_of(look)
    return page.rows.rows(0, len(page.rows))


def here(look: OpTreeLook) -> OpTreeRow:
    rows, line = rows_of(look), look.line()
    assert line is not None
    return rows[line]


@pytest.fixture
def session(frozen: Path) -> Session:
    session = opened(frozen)
    session.go_to_first_bad()
    return session


@pytest.fixture
def look(session: Session) -> OpTreeLook:
    look = session.looks.op_tree
    page_of(look)
    return look


def test_it_begins_on_what_is_chosen_and_tells_it(look: OpTreeLook) -> None:
    page, row = page_of(look), here(look)
    assert (page.ops, page.tensors, page.bad) == (82, 50, 21)
    assert (row.level, row.label, row.op_type) == (Level.OP, "Log", "Log")
    cell = look.cell()
    assert cell is not None
    assert cell.path == ("CPU:0", "loss")
    assert cell.first_bad is not None
    assert cell.first_bad[:3] == (0, EventKind.TRACE, 60)
    assert (cell.step, cell.bad) == (7, Bad.NEG_INF)
    assert cell.health is not None
    assert cell.health.neg_inf == 1312


def test_causes_and_what_follows_have_their_signs_up_to_the_device(look: OpTreeLook) -> None:
    rows = {(row.level, row.label): row for row in rows_of(look)}
    assert rows[Level.DEVICE, "CPU:0"].has_cause
    assert rows[Level.FUNCTION, "loss"].has_cause or rows[Level.FUNCTION, "loss"].bad == 0
    assert rows[Level.OP, "Log"].has_cause
    assert rows[Level.OP, "mul"].bad
    assert not rows[Level.OP, "mul"].has_cause
    assert not rows[Level.SCOPE, "top level"].has_cause


def test_left_folds_and_goes_up_and_right_the_other_way(look: OpTreeLook) -> None:
    assert look.fold() == ""
    assert here(look).label == "loss"
    before = len(rows_of(look))
    assert look.fold() == ""
    assert len(rows_of(look)) == before - 4
    assert look.unfold() == ""
    assert len(rows_of(look)) == before
    assert look.unfold() == ""
    assert here(look).label == "Log"
    assert look.unfold() == NO_GROUP
    look.fold()
    look.fold()
    look.fold()
    assert here(look).label == "CPU:0"
    look.fold()
    assert look.fold() == LEAST_ALREADY


def test_a_fold_twice_before_the_feed_has_come_to_it_is_none(look: OpTreeLook) -> None:
    look.fold()
    before = rows_of(look)
    look.toggle()
    look.toggle()
    assert rows_of(look) == before


def test_what_is_folded_with_the_cursor_hands_it_to_what_it_is_in(look: OpTreeLook) -> None:
    look.deepen(-1)
    assert {row.depth for row in rows_of(look)} == {0, 1}
    assert here(look).label == "loss"
    look.deepen(-1)
    assert here(look).label == "CPU:0"
    assert look.deepen(-1) == LEAST_ALREADY
    for _ in range(9):
        look.deepen(1)
    assert sum(row.level is Level.OP for row in rows_of(look)) == 82
    assert look.deepen(1) == "All is unfolded."


def test_bad_ops_are_walked_through_folds(look: OpTreeLook) -> None:
    walked = [here(look).label]
    while (said := look.go_to_next(1)) == "":
        walked.append(here(look).label)
        assert here(look).bad
    assert said == NO_MORE_BAD[1]
    assert walked[:3] == ["Log", "mul", "Mean"]
    assert len(walked) == 14
    back = [here(look).label]
    while look.go_to_next(-1) == "":
        back.append(here(look).label)
    assert back == walked[::-1]


def test_what_is_searched_for_is_all_that_is_listed(look: OpTreeLook) -> None:
    look.search("readvariable")
    assert here(look).label == "ReadVariableOp"
    rows = rows_of(look)
    found = [row for row in rows if row.level is Level.OP]
    assert {row.label for row in found} == {"ReadVariableOp"}
    assert page_of(look).found == len(found)
    assert look.go_to_next(1) == ""
    assert here(look).node == found[1].node
    look.search("")
    assert not look.is_searching
    assert len(rows_of(look)) > len(rows)
    with pytest.raises(QueryError):
        look.search("/(/")
    look.search("nothing like it")
    assert rows_of(look) == []
    assert look.go_to_next(1) == "No op fits nothing like it: escape lists all again."
    assert look.cell() is None


def test_another_search_with_as_many_hits_is_another(look: OpTreeLook) -> None:
    for text in ("/^Log$/", "/^Neg$/", "/^Mean$/"):
        look.search(text)
        rows = rows_of(look)
        assert {row.label for row in rows if row.level is Level.OP} == {text.strip("/^$")}


def test_an_op_leads_to_its_first_bad_computation_or_its_last_or_itself(
    look: OpTreeLook, session: Session
) -> None:
    wanted = look.chosen()
    assert isinstance(wanted, EventRef)
    assert wanted[:3] == (0, EventKind.TRACE, 60)
    neg = next(row for row in rows_of(look) if row.label == "Neg")
    look.choose(neg.node)
    last = look.chosen()
    assert isinstance(last, EventRef)
    index = session.navigator.index
    assert index is not None
    assert index.host.traces.site_of(last.event).op_name == "Neg"
    assert last.event == 104
    const = next(row for row in rows_of(look) if row.label == "Const")
    look.choose(const.node)
    node = look.chosen()
    assert isinstance(node, Node)
    session.links.go_to_op(node)
    assert session.navigator.selection.node == node
    group = next(row for row in rows_of(look) if row.level is Level.DEVICE)
    look.choose(group.node)
    assert look.chosen() is None


def test_a_mode_that_counts_no_zeros_tells_none(library: Library) -> None:
    look = opened(library.path("curt_health")).looks.op_tree
    assert all(row.zeros is None for row in rows_of(look))
    assert any(row.bad for row in rows_of(look))
