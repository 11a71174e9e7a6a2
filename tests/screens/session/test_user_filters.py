"""Filters of the user's own in searches and filters of the app, and what is said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.sessions import opened, said, searched
from tfdbg_tui.data.search.filter_file import read_filters
from tfdbg_tui.data.search.query import QueryError
from tfdbg_tui.screens.session.finder import untold
from tfdbg_tui.screens.session.session import Session

if TYPE_CHECKING:
    from pathlib import Path

FILTERS = """
def logs(tensor, value):
    return tensor.op_type == "Log"

def wrong(tensor, value):
    raise RuntimeError("\\x1b[2Jgone")
"""


@pytest.fixture
def session(frozen: Path, tmp_path: Path) -> Session:
    (tmp_path / "mine.py").write_text(FILTERS)
    session = Session()
    session.navigator.searching.filters = read_filters(tmp_path / "mine.py")
    return opened(frozen, session)


def test_a_filter_shows_what_a_query_shows(session: Session) -> None:
    def shown(text: str) -> list[int]:
        searched(session, session.show_only(text))
        assert session.navigator.filter is not None
        rows: list[int] = session.navigator.filter.traces.rows.tolist()
        return rows

    assert shown("filter:logs nan>0") == shown("op=Log nan>0") != []


def test_a_search_goes_to_its_matches(session: Session) -> None:
    searched(session, session.search("filter:logs"))
    session.go_to_match(1)
    index, trace = session.navigator.index, session.navigator.selection.trace
    assert index is not None
    assert trace is not None
    assert index.sites.trace(index.host.traces.site_number(trace)).op_type == "Log"


def test_what_goes_wrong_is_said_once_and_is_harmless(session: Session) -> None:
    change = searched(session, session.show_only("filter:wrong"))
    sentence = said(change)
    assert "mine.py, line 6: wrong raised RuntimeError: " in sentence
    assert sentence.endswith("gone; that counts as False.")
    assert "\x1b" not in sentence
    assert "raised" not in said(searched(session, session.show_only("filter:logs")))


def test_where_nothing_matches_what_went_wrong_is_the_reason(session: Session) -> None:
    for text in ("filter:wrong", "filter:wrong op:Log"):
        searched(session, session.show_only(text))
        filtered = session.navigator.filter
        assert filtered is not None
        assert session.state is not None
        assert "wrong raised RuntimeError" in untold(session.state, filtered)


def test_a_name_that_means_nothing_is_told(session: Session) -> None:
    with pytest.raises(QueryError, match=r"There is no filter log, only bad, .*, logs and wrong; "):
        session.show_only("filter:log")
