"""What keys mean, told by the session alone: no app, no widget, no event loop."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.support.examining import examine
from tests.support.sessions import arrive, opened, said, script, searched
from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.data.search.query import QueryError
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.screens.pane_names import EXECUTIONS, SOURCE, TRACES
from tfdbg_tui.screens.session.change import MOVED, Change, Reveal, Sentence, say
from tfdbg_tui.screens.session.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library

FIRST_BAD = 60
"""The first bad trace of the frozen recording."""


def test_a_session_begins_at_what_went_wrong(frozen: Path) -> None:
    session = Session()
    change = session.take_snapshot(examine(frozen).snapshot)
    assert change.rows
    assert change.selection
    assert session.navigator.selection.trace == FIRST_BAD
    assert not change.reveal, "nothing takes the keys from where they are"


def test_the_first_bad_tensor_with_its_row_and_its_line(frozen: Path) -> None:
    session = opened(frozen)
    session.navigator.select_execution(3)
    session.following.toggle()
    change = session.go_to_first_bad()
    assert change.selection
    assert change.scroll
    assert change.reveal == (Reveal(SOURCE, focus=False), Reveal(TRACES))
    assert session.navigator.selection.trace == FIRST_BAD
    assert session.event_list is EventKind.TRACE
    assert not session.following.is_on, "whoever goes there wants to stay"


def test_the_first_so_far_while_loading(frozen: Path) -> None:
    session = opened(frozen, activity=Activity.LOADING)
    assert said(session.go_to_first_bad()) == "The first of what is read so far."


def test_a_run_without_any_is_waited_for_while_it_may_yet_come(library: Library) -> None:
    live = opened(library.path("healthy"), writer=True)
    assert said(live.go_to_first_bad()).startswith("No NaN or Inf so far; this goes there")
    ended = opened(library.path("healthy"))
    assert said(ended.go_to_first_bad()).startswith("No NaN or Inf in ")
    untold = opened(library.path("shape"), writer=True)
    assert "does not tell NaN or Inf" in said(untold.go_to_first_bad())


def test_what_is_waited_for_is_gone_to_when_it_comes_unless_something_else_was_done(
    library: Library, frozen: Path
) -> None:
    for does_something_else in (False, True):
        session = opened(library.path("healthy"), writer=True)
        session.go_to_first_bad()
        if does_something_else:
            session.begin_key()
        session.navigator.select_execution(0)
        change = arrive(session, examine(frozen, writer=True).snapshot)
        assert bool(change.reveal) is not does_something_else


def test_matches_of_the_list_that_keys_move_in(frozen: Path) -> None:
    session = opened(frozen)
    session.go_to_first_bad()
    found = [session.navigator.selection.trace]
    for direction in (1, 1, -1):
        assert session.go_to_match(direction).selection
        found.append(session.navigator.selection.trace)
    assert found == [60, 61, 62, 61]
    session.go_to_match(-1)
    assert said(session.go_to_match(-1)) == "No earlier bad tensor in this list."


def test_a_search_is_the_feeds_work_and_lands_with_its_snapshot(frozen: Path) -> None:
    session = opened(frozen)
    session.navigator.select_trace(0)
    change = session.search("op:Softmax")
    assert change == Change()
    assert session.awaits_search
    search = session.navigator.search
    assert search is not None
    assert search.traces.scanned == 0, "nothing is searched on the screen's thread"
    change = searched(session, change)
    assert not session.awaits_search
    assert change.selection
    assert change.reveal == (Reveal(TRACES),)
    facts = session.navigator.selection.node
    assert facts is not None
    assert facts.op_name.startswith("Softmax")


def test_a_search_that_the_user_left_does_not_take_them_back(frozen: Path) -> None:
    session = opened(frozen)
    change = session.search("op:Softmax")
    session.navigator.select_execution(2)
    chosen = session.navigator.selection
    searched(session, change)
    assert session.navigator.selection == chosen


def test_a_search_in_vain_says_so(frozen: Path, library: Library) -> None:
    session = opened(frozen)
    assert said(searched(session, session.search("nothing-has-this"))) == (
        "Nothing matches nothing-has-this."
    )
    session = opened(library.path("curt_health"))
    assert "does not tell" in said(searched(session, session.search("zero>5")))
    with pytest.raises(QueryError):
        session.search('"open')


def test_a_filter_shows_its_rows_when_they_are_found(frozen: Path) -> None:
    session = opened(frozen)
    change = session.show_only("op:Log")
    assert not change.rows
    assert session.awaits_search
    change = searched(session, change)
    assert change.rows
    assert not session.awaits_search
    rows = session.navigator.trace_rows()
    assert rows is not None
    assert {row.facts.op_type for row in rows.rows(0, len(rows))} == {"Log"}
    left = session.leave_layer()
    assert left is not None
    assert left.rows
    assert session.navigator.filter is None


def test_a_filter_that_finds_nothing_says_so_once(frozen: Path, library: Library) -> None:
    session = opened(frozen)
    assert searched(session, session.show_only("op:Log")).said is None
    assert said(searched(session, session.show_only("op:Nope"))) == "Nothing matches op:Nope."
    assert session.take_snapshot(session.snapshot or pytest.fail("there is one")).said is None
    session = opened(library.path("curt_health"))
    assert "does not tell" in said(searched(session, session.show_only("zero>5")))


def test_layers_are_left_one_by_one_and_following_from_the_start_is_none(frozen: Path) -> None:
    session = opened(frozen, Session(follow=True))
    assert session.leave_layer() is None
    session.follow()
    session.follow()
    searched(session, session.search("op:Log"))
    searched(session, session.show_only("bad"))
    assert not session.following.is_on, "a search looks at what it finds"
    session.follow()
    assert session.leave_layer() is not None
    assert session.navigator.filter is None
    assert session.leave_layer() is not None
    assert session.navigator.search is None
    assert session.following.is_on
    assert session.leave_layer() is not None
    assert not session.following.is_on
    assert session.leave_layer() is None


def test_a_filter_hides_what_is_gone_to_and_that_is_said(frozen: Path) -> None:
    session = opened(frozen)
    searched(session, session.show_only("op:Softmax"))
    assert said(session.go_to_first_bad()) == "The filter hides this row; escape shows all."


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", "Type #52, step 3, train.py:22, or a command."),
        ("#999,999", "This list ends at #107."),
        ("step 4000", "There are 12 steps."),
        ("absent.py:3", "No recorded source file is called absent.py; s lists all."),
    ],
)
def test_destinations_that_are_not_there(frozen: Path, text: str, answer: str) -> None:
    change = opened(frozen).go_to(text)
    assert change is not None
    assert change.said == Sentence(answer, "warn")
    assert not change.selection


def test_destinations(frozen: Path) -> None:
    session = opened(frozen)
    session.event_list = EventKind.TRACE
    change = session.go_to("#52")
    assert change is not None
    assert change.reveal == (Reveal(TRACES),)
    assert session.navigator.selection.trace == 52
    change = session.go_to("step 3")
    assert change is not None
    assert change.reveal == (Reveal(EXECUTIONS),)
    assert session.event_list is EventKind.EXECUTION
    assert session.go_to("theme") is None, "that is a command, or nothing"


def test_following_goes_along_and_stops_when_the_user_goes_elsewhere(frozen: Path) -> None:
    session = opened(frozen, Session(follow=True))
    index = session.navigator.index
    assert index is not None
    last = len(index.host.traces) - 1
    assert session.navigator.selection.trace == last
    session.links.choose_event(EventKind.TRACE, last, by_keys=True, is_last=True)
    assert session.following.is_on
    change = session.links.choose_event(EventKind.TRACE, 5, by_keys=True, is_last=False)
    assert change == MOVED
    assert not session.following.is_on


def test_back_and_forward(frozen: Path) -> None:
    session = opened(frozen)
    assert said(session.walking.forward()) == "Nothing was selected after."
    session.navigator.select_trace(3)
    assert session.walking.back() == MOVED | say("Back at Log #60.")
    assert session.navigator.selection.trace == FIRST_BAD
    assert said(session.walking.forward()).startswith("Forward to ")
    assert session.navigator.selection.trace == 3


def test_pausing_what_has_ended_is_explained(frozen: Path) -> None:
    session = opened(frozen)
    assert said(session.pause()).startswith("The program has ended")
    assert not session.is_paused
    live = opened(frozen, writer=True)
    live.pause()
    assert live.is_paused


def test_a_script_that_runs_is_asked_about_once_before_leaving(frozen: Path) -> None:
    session = opened(frozen)
    assert session.leaving.question(None) is None
    session.take_script(script())
    session.begin_key()
    question = session.leaving.question(session.script)
    assert question is not None
    assert said(question) == "train.py still runs: q again stops it and leaves."
    session.begin_key()
    assert session.leaving.question(session.script) is None
    session.begin_key()
    assert session.leaving.question(session.script) is not None, "another key took it back"
    session.begin_key()
    session.begin_key()
    assert session.leaving.question(script(exit_code=0)) is None


def test_a_script_without_a_recording_is_what_the_doctor_speaks_of(tmp_path: Path) -> None:
    session = Session()
    session.take_snapshot(examine(tmp_path).snapshot)
    session.take_script(script())
    (found,) = session.findings
    assert found.id == "script-starting"


def test_another_run_and_host_are_looked_at(library: Library) -> None:
    session = opened(library.path("two_runs"))
    assert session.snapshot is not None
    newest, oldest = session.snapshot.runs[-1].run, session.snapshot.runs[0].run
    assert session.navigator.run is not None
    assert session.navigator.run.run is newest
    change = session.look_at(oldest, 0)
    assert change.rows
    assert session.navigator.run.run is oldest
    assert not session.navigator.selection.is_empty


def test_a_run_that_was_asked_for_and_is_not_here_is_missed(frozen: Path) -> None:
    session = opened(frozen, Session(run_id="absent"))
    assert session.snapshot is not None
    (sentence,) = session.run_choice.missing(session.snapshot)
    assert sentence == "There is no run absent here; this is the newest. r lists all."


def test_changes_add_up() -> None:
    both = Change(rows=True, said=Sentence("first")) | Change(
        scroll=True, reveal=(Reveal(SOURCE),), said=Sentence("second")
    )
    assert both == Change(rows=True, scroll=True, reveal=(Reveal(SOURCE),), said=Sentence("second"))
    assert (both | Change()).said == Sentence("second")


def test_a_search_while_following_lands_on_its_match_and_follows_no_more(frozen: Path) -> None:
    session = opened(frozen, Session(follow=True))
    assert session.following.is_on
    searched(session, session.search("op:Log"))
    assert not session.following.is_on
    found = session.navigator.search
    assert found is not None
    assert session.navigator.selection.trace in found.traces.rows


def test_links_of_what_is_new_that_come_meanwhile_do_not_end_a_search(frozen: Path) -> None:
    for goes_on in (False, True):
        session = opened(frozen)
        navigator = session.navigator
        navigator.select_trace(107)
        navigator.selection = replace(navigator.selection, execution=None, stack=(), line=None)
        change = session.search("op:Log")
        if goes_on:
            navigator.select_trace(106)
        searched(session, change)
        assert navigator.selection.trace == (106 if goes_on else 6), "the user may go on"


@pytest.mark.parametrize("follows", [True, False])
def test_when_a_run_that_is_followed_ends_the_first_bad_tensor_is_chosen(
    frozen: Path, follows: bool
) -> None:
    session = opened(frozen, Session(follow=True), writer=True)
    newest = session.navigator.selection.trace
    assert newest != FIRST_BAD
    if not follows:
        session.follow()
    snapshot = session.snapshot
    assert snapshot is not None
    ended = snapshot._replace(runs=tuple(run._replace(ended=True) for run in snapshot.runs))
    change = arrive(session, ended)
    assert session.navigator.selection.trace == (FIRST_BAD if follows else newest)
    assert change.in_front is follows
    assert not change.reveal, "the keys stay where they are"
    assert not session.following.is_on


def test_when_a_healthy_run_that_is_followed_ends_its_end_stays_in_view(library: Library) -> None:
    session = opened(library.path("healthy"), Session(follow=True), writer=True)
    newest, snapshot = session.navigator.selection, session.snapshot
    assert snapshot is not None
    arrive(session, snapshot._replace(runs=tuple(r._replace(ended=True) for r in snapshot.runs)))
    assert session.navigator.selection == newest
    assert session.following.is_on


def test_going_to_an_alert_focuses_its_list_and_follows_no_more(frozen: Path) -> None:
    session = opened(frozen)
    session.go_to_first_bad()
    session.following.toggle()
    change = session.go_to_alert(1)
    assert [reveal.pane for reveal in change.reveal if reveal.focus] == [TRACES]
    assert not session.following.is_on
