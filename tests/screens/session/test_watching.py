"""What is watched, by the session alone: pinning, rows, other runs, what stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.examining import examine
from tests.support.growing import Growing
from tests.support.navigating import finish
from tests.support.reading import drain
from tests.support.sessions import arrive, opened, said
from tfdbg_tui.data.index.run_index import RunIndex
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.views.watch_list import NOT_COMPUTED, NOT_HERE, WatchList, WatchRow
from tfdbg_tui.data.views.watched_names import MAX_WATCHED, WatchedName
from tfdbg_tui.screens.session.session import Session
from tfdbg_tui.screens.session.watching import NO_TENSOR, NOTHING, TOO_LONG, TOO_MANY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library

LOG = WatchedName(EventKind.TRACE, "Log", 0, "loss")


class Kept:
    """Has something watched, and remembers what is to be kept."""

    def __init__(self, *names: WatchedName) -> None:
        self.kept = names
        self.wanted: list[tuple[WatchedName, ...]] = []

    async def keep(self, now: tuple[WatchedName, ...], complain: Callable[[str], None]) -> None:
        """Note it."""
        self.wanted.append(now)


def rows_of(session: Session) -> tuple[WatchRow, ...]:
    """The rows when the feed has done all."""
    job = session.watching.job
    assert job is not None
    finish(job)
    return session.watching.rows()


def watching(path: Path, *names: WatchedName) -> Session:
    return opened(path, Session(watches=Kept(*names)))


def test_what_is_chosen_is_watched_and_no_longer(frozen: Path) -> None:
    session = opened(frozen)
    assert session.watching.job is None
    session.go_to_first_bad()
    change = session.watching.toggle()
    assert change.watched
    assert said(change).startswith("Log is watched; * again ends that.")
    assert session.watching.names == (LOG,)
    assert session.watching.number_of_chosen == 0
    change = session.watching.toggle()
    assert said(change) == "Log is no longer watched."
    assert not session.watching.names
    assert session.watching.job is None


def test_a_row_tells_the_latest_and_how_it_went(frozen: Path) -> None:
    session = watching(frozen, LOG)
    (row,) = rows_of(session)
    assert row.event is not None
    assert row.event.event == 105
    assert (row.step, row.bad, row.computations, row.bad_computations) == (12, Bad.NAN, 12, 6)
    assert row.sample.health is not None
    assert row.sample.health.nan == 5000
    assert [bool(cell.bad) for cell in row.cells] == [False] * 6 + [True] * 6
    assert row.means == (), "no values are recorded"
    assert row.follows


def test_choosing_a_row_moves_everything_there(frozen: Path) -> None:
    session = watching(frozen, LOG)
    (row,) = rows_of(session)
    change = session.links.choose_watched(row, by_keys=True)
    assert change.selection
    assert session.navigator.selection.trace == 105
    assert session.watching.number_of_chosen == 0


def test_values_make_a_curve(library: Library) -> None:
    session = opened(library.path("full_tensor"))
    session.go_to_first_bad()
    session.watching.toggle()
    (row,) = rows_of(session)
    assert len(row.means) == len(row.cells)
    assert any(mean is not None for mean in row.means)


def test_top_level_ops_and_calls_are_watched_with_their_line_and_output(frozen: Path) -> None:
    session = opened(frozen)
    index = session.navigator.index
    assert index is not None
    session.navigator.select_execution(70, 1)
    session.watching.toggle()
    (row,) = rows_of(session)
    assert row.name == WatchedName(EventKind.EXECUTION, "loss", 1, place="train.py:33")
    assert row.facts is not None
    assert row.facts.is_call
    assert row.event is not None
    assert row.event.output == 1
    assert row.computations == 11, "of the site that was computed last"
    assert session.watching.number_of_chosen == 0
    session.navigator.select_execution(70, 2)
    assert session.watching.number_of_chosen is None


def test_what_is_not_there_says_so_and_is_chosen_by_nobody(frozen: Path) -> None:
    gone = LOG._replace(name="Exp")
    elsewhere = WatchedName(EventKind.EXECUTION, "Mul", 0, place="other.py:1")
    const = LOG._replace(name="Const")
    session = watching(frozen, gone, elsewhere, LOG, const)
    first, second, log, third = rows_of(session)
    assert (first.note, second.note, third.note) == (NOT_HERE, NOT_HERE, NOT_COMPUTED)
    assert log.event is not None
    before = session.navigator.selection
    change = session.links.choose_watched(first, by_keys=False)
    assert said(change) == "Exp is not in this run."
    assert session.navigator.selection == before
    session.watching.unpin(gone)
    assert session.watching.names == (elsewhere, LOG, const)


def test_another_run_of_the_logdir_finds_the_same_names(library: Library) -> None:
    session = Session()
    path = library.path("two_runs")
    arrive(session, examine(path).snapshot)
    session.navigator.select_trace(0)
    session.watching.toggle()
    (name,) = session.watching.names
    assert session.snapshot is not None
    found = []
    for state in session.snapshot.runs:
        session.look_at(state.run, 0)
        arrive(session, session.snapshot)
        (row,) = rows_of(session)
        assert row.name == name
        found.append(row.event)
    assert len(found) == 2
    assert all(found)


def test_what_grows_shows_its_latest(frozen: Path, tmp_path: Path) -> None:
    growing = Growing(frozen, tmp_path / "growing")
    logdir = Logdir(growing.path)
    drain(logdir)
    index = RunIndex(logdir.runs[0])
    watched = WatchList(index.hosts[0], 0)
    watched.watch((LOG,))
    counts = []
    while not growing.is_whole:
        growing.grow()
        drain(logdir)
        finish(index, watched)
        counts.append(watched.rows[0].computations)
    assert counts == sorted(counts)
    assert counts[-1] == 12


async def test_what_is_watched_is_kept_once(frozen: Path) -> None:
    keeper = Kept(LOG)
    session = opened(frozen, Session(watches=keeper))
    assert session.watching.keeping(pytest.fail) is None
    session.watching.unpin(LOG)
    keeping = session.watching.keeping(pytest.fail)
    assert keeping is not None
    await keeping
    assert keeper.wanted == [()]
    assert session.watching.keeping(pytest.fail) is None


def test_what_cannot_be_watched_says_why(
    frozen: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(Session().watching.toggle()) == NOTHING
    names = [LOG._replace(name=f"op_{number}") for number in range(MAX_WATCHED)]
    session = watching(frozen, *names)
    session.go_to_first_bad()
    assert said(session.watching.toggle()) == TOO_MANY
    session = opened(frozen)
    session.go_to_first_bad()
    monkeypatch.setattr("tfdbg_tui.screens.session.watching.MAX_NAME", 3)
    assert said(session.watching.toggle()) == TOO_LONG
    session = opened(library.path("tf1_session"))
    session.navigator.select_execution(0)
    assert said(session.watching.toggle()) == NO_TENSOR
