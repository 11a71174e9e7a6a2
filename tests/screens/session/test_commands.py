"""Typed commands by the session alone: worked on by the feed, waited for, stopped, followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.navigating import finish
from tests.support.sessions import opened, said
from tfdbg_tui.command_line import running
from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.result import OpLink, SourceLink
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.screens import goto
from tfdbg_tui.screens.session import command_work
from tfdbg_tui.screens.session.change import Change
from tfdbg_tui.screens.session.command_links import follow
from tfdbg_tui.screens.session.result_look import NO_PATTERN, ONE_ORDER, ResultLook
from tfdbg_tui.screens.session.result_rows import Part
from tfdbg_tui.screens.session.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from tfdbg_tui.screens.session.command_work import CommandWork


@pytest.fixture
def session(frozen: Path) -> Session:
    return opened(frozen)


def done(session: Session, line: str) -> CommandWork:
    """What comes of a line when the feed has worked on it."""
    assert isinstance(goto.answer(session, line), Change)
    assert session.commands.hand_over() is None, "nothing is done on the screen's thread"
    finish(*session.commands.jobs)
    work = session.commands.hand_over()
    assert work is not None
    return work


def look_at(session: Session, line: str) -> ResultLook:
    work = done(session, line)
    assert work.result is not None, work.error
    return ResultLook(line, work.result)


def column(look: ResultLook, number: int) -> list[str]:
    rows = look.rows.rows(0, len(look.rows))
    return [row.cells[number].text for row in rows if row.part is Part.TABLE]


# Beginning, waiting, stopping.


def test_a_command_is_done_once_and_told_once(session: Session) -> None:
    look = look_at(session, "lt -n Log")
    assert look.result.title == "12 tensors of 235 recorded ones, by time"
    assert len(look.rows) == 12
    assert session.commands.hand_over() is None
    assert not session.commands.jobs


def test_what_takes_long_says_so_and_can_be_stopped(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    goto.answer(session, "lt")
    assert session.commands.is_expected_at_once
    assert session.awaits_search, "keys that are typed on wait for it"
    monkeypatch.setattr(command_work, "AT_ONCE", 0)
    assert not session.awaits_search
    assert session.commands.working == "lt"
    change = session.stop_looking()
    assert change is not None
    assert said(change) == "Stopped lt."
    assert not session.commands.jobs
    assert session.commands.stop() is None


def test_a_command_that_fails_for_no_known_reason_is_a_sentence(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: running.Running) -> bool:
        raise MemoryError("too much")

    monkeypatch.setattr(running.Running, "extend", broken)
    error = done(session, "ri").error
    assert error is not None
    assert str(error).startswith("`ri` failed: ")


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("ls -x", "has no option -x"),
        ("li", "needs TENSOR"),
        ("mouse sideways", "`mouse [on|off]` is all there is."),
        ("wibble", "neither a place such as #52, step 3 or train.py:22, nor a command"),
        ("allerts", "did you mean alerts?"),
    ],
)
def test_a_wrong_line_is_refused_at_once(session: Session, line: str, part: str) -> None:
    with pytest.raises(CommandError) as caught:
        goto.answer(session, line)
    assert part in str(caught.value)


def test_a_name_that_is_not_there_is_refused_when_it_is_looked_for(session: Session) -> None:
    error = done(session, "li nothing_like_that:0").error
    assert error is not None
    assert "nothing_like_that" in str(error)


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("q", "screen.quit_layer"),
        ("exit", "app.quit"),
        ("Mouse  OFF", "app.turn_mouse(False)"),
        ("view.zoom", "screen.zoom"),
        ("doctor", "screen.doctor"),
    ],
)
def test_words_for_actions_stay_what_they_were(session: Session, line: str, action: str) -> None:
    assert goto.answer(session, line) == action


def test_nothing_is_recorded_yet() -> None:
    with pytest.raises(CommandError, match=r"^Nothing is recorded yet\.$"):
        Session().commands.begin("lt")


def test_settings_are_those_of_the_app(session: Session) -> None:
    session.commands.settings = lambda: (("theme", "nord"),)
    assert column(look_at(session, "config"), 1) == ["nord"]


def test_a_filter_is_named_for_the_session(session: Session) -> None:
    assert "stands for" in look_at(session, "filter dead zero=100%").result.title
    assert session.commands.complete("lt -f d", ()).candidates == ("dead",)


# Files.


def test_a_file_is_replaced_only_by_the_same_line_again(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("mine", encoding="utf-8")
    work = done(session, f"ri > {path}")
    question = session.commands.objection(work)
    assert question == f"{path} is there already: enter replaces it, escape leaves it as it is."
    assert path.read_text(encoding="utf-8") == "mine"
    assert done(session, "ri").result is not None, "another line is no answer"
    work = done(session, f"ri > {path}")
    session.commands.objection(work)
    assert done(session, f"ri > {path}").error is None
    assert "FULL_HEALTH" in path.read_text(encoding="utf-8")


def test_a_link_is_never_followed(session: Session, tmp_path: Path) -> None:
    (tmp_path / "target").write_text("mine", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    line = f"ri > {tmp_path / 'link'}"
    for _ in range(2):
        work = done(session, line)
        assert "symbolic link" in session.commands.objection(work)
    assert (tmp_path / "target").read_text(encoding="utf-8") == "mine"


# Completing.


def test_names_are_noted_while_somebody_types(session: Session) -> None:
    assert session.commands.patient_jobs == ()
    session.commands.type(True)
    finish(*session.commands.patient_jobs)
    assert "Log:0" in session.commands.complete("li Lo", ()).candidates
    assert session.commands.complete("ps trai", ()).candidates == ("train.py",)
    session.commands.type(False)
    assert session.commands.patient_jobs == ()


def test_commands_and_other_words_are_completed_before_anything_is_recorded() -> None:
    offered = Session().commands.complete("fi", goto.WORDS)
    assert offered.candidates == ("files", "filter")
    assert Session().commands.complete("lt fi", goto.WORDS).candidates == ("file:", "filter:")


def test_no_candidate_harms_a_terminal(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a\x1b[31m.txt").touch()
    (tmp_path / "a.txt").touch()
    monkeypatch.chdir(tmp_path)
    assert session.commands.complete("ri > a", ()).candidates == ("a.txt",)


# Following.


def test_names_lead_to_tensors_ops_and_lines(session: Session) -> None:
    navigator = session.navigator
    tensor = EventRef(0, EventKind.TRACE, 69, 0)
    follow(navigator, session.links, tensor)
    assert navigator.selection.trace == 69
    (probs,) = (
        link
        for row in look_at(session, "li Log:0").rows.rows(0, 10)
        for link in row.links
        if isinstance(link, OpLink) and link.op_name == "probs"
    )
    follow(navigator, session.links, probs)
    assert navigator.selection.node is not None
    assert navigator.selection.node.op_name == "probs"
    change = follow(navigator, session.links, SourceLink(0, navigator.selection.file or 0, 14))
    assert navigator.selection.line == 14
    assert [reveal.pane for reveal in change.reveal] == ["source"]


# Looking at a result.


def test_rows_are_sorted_by_the_feed(session: Session) -> None:
    look = look_at(session, "lt -n Log|Softmax")
    before = column(look, 5)
    assert look.sort_by("health") == ""
    assert column(look, 5) == before, "not yet"
    assert look.working == "Sorting"
    finish(*look.jobs)
    assert look.take_order()
    assert not look.take_order()
    assert column(look, 4)[0].startswith("NaN")
    assert sorted(column(look, 5)) == sorted(before)
    look.sort_by("health")
    finish(*look.jobs)
    look.take_order()
    assert look.order == ("health", True)
    assert column(look, 4)[-1].startswith("NaN")


def test_keys_sort_by_one_column_after_another(session: Session) -> None:
    look = look_at(session, "ls")
    seen = []
    for _ in range(5):
        look.sort_next()
        finish(*look.jobs)
        look.take_order()
        seen.append(look.order)
    keys = [head.key for head in look.sortable]
    assert seen == [(key, False) for key in (*keys, keys[0])]
    look.turn_round()
    finish(*look.jobs)
    look.take_order()
    assert look.order == (keys[0], True)


def test_a_tree_has_one_order(session: Session) -> None:
    look = look_at(session, "li -r Log:0")
    assert {look.sort_next(), look.sort_by("tensor"), look.turn_round()} == {ONE_ORDER}


def test_rows_are_sought_by_the_feed_and_once_round(session: Session) -> None:
    look = look_at(session, "lt -n Log")
    look.search("/inf/", here=8)
    assert look.take_found() is None, "not yet"
    finish(*look.jobs)
    assert look.take_found() == 6, "behind the last row comes the first"
    look.search("nan", here=0)
    finish(*look.jobs)
    assert look.take_found() == 7
    rows = []
    for step in (1, 1, -1, -1):
        look.seek(7, step)
        finish(*look.jobs)
        rows.append(look.take_found())
    assert rows == [8, 8, "No earlier row has nan.", "No earlier row has nan."]
    look.search("wibble", here=3)
    finish(*look.jobs)
    assert look.take_found() == "No row has wibble."
    look.search("", here=3)
    assert look.seek(0, 1) == NO_PATTERN


def test_text_stands_above_a_table_and_notes_below(session: Session) -> None:
    look = look_at(session, "help")
    parts = [row.part for row in look.rows.rows(0, len(look.rows))]
    assert parts[0] is Part.TABLE
    assert look.rows.heads_stay
    assert parts[-2:] == [Part.TEXT, Part.TEXT], "a blank and the note"
    text = look_at(session, "help lt")
    assert text.rows.rows(0, 1)[0].text.startswith("lt [-n RE]")
    assert text.rows.rows(text.rows.first_link, text.rows.first_link + 1)[0].links
    for start in range(len(look.rows)):
        one = look.rows.rows(start, start + 1)
        assert one == look.rows.rows(0, len(look.rows))[start : start + 1]
