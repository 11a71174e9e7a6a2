"""Muting, told by the session alone: what can be muted, what comes of it, what stays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.examining import examine
from tests.support.sessions import arrive, opened, said, searched
from tfdbg_tui.data.cause.mutes import Mutes, read_mutes
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.why_page import WhyPage
from tfdbg_tui.screens.session.muting import NOT_KEPT, Deed, Option
from tfdbg_tui.screens.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.recordings.record import Library

METRIC_FIRST = "cause_metric_before_the_loss"


class Kept:
    """Keeps nothing, and has something to mute."""

    def __init__(self, mutes: Mutes) -> None:
        self.kept = mutes
        self.path = Path("/home/ada/x.mute")

    async def keep(self, mutes: Mutes, complain: Callable[[str], None]) -> None:
        """It is lost."""


def options(session: Session) -> tuple[Option, ...]:
    found = session.muting.options()
    assert not isinstance(found, str), found
    return found


def the(session: Session, deed: Deed, what: str = "", text: str = "") -> Option:
    fitting = (o for o in options(session) if o.deed is deed and what in o.what and text in o.text)
    return next(fitting)


def mute(session: Session, what: str) -> str:
    """Mute something of what is chosen; the sentence that comes of it."""
    change = session.mute(the(session, Deed.MUTE, what))
    searched(session, change)
    return said(change)


def muting(path: Path, *rules: str) -> Session:
    return opened(path, Session(keeper=Kept(read_mutes("\n".join(rules)))))


def test_what_is_chosen_can_be_muted_in_several_ways(frozen: Path) -> None:
    session = opened(frozen)
    session.go_to_first_bad()
    assert [(o.deed.value, o.what, o.text, o.tensors) for o in options(session)][:-1] == [
        ("Mute", "this tensor", "tensor=Log:0 fn=loss", 117),
        (
            "Mute",
            "this line",
            'file=train.py code="diff = -labels * tf.math.log(probs)"',
            117,
        ),
        ("Mute", "this function", "fn=loss", 117),
        ("Mute", "this op type", "op=Log", 117),
    ]
    assert said(session.mute(options(session)[-1])) == NOT_KEPT


def test_muting_the_only_cause_leaves_nothing_to_go_to_and_says_so(frozen: Path) -> None:
    session = opened(frozen)
    session.go_to_first_bad()
    here = session.navigator.selection
    assert mute(session, "op type") == "Muted: op=Log, 117 tensors."
    assert session.navigator.selection == here, "nobody is led away"
    nothing = "Nothing is bad but 117 tensors that you have muted; M lists that."
    assert said(session.go_to_first_bad()) == nothing
    session.navigator.select_trace(0)
    assert said(session.go_to_match(1)).startswith("No later bad tensor")
    assert said(session.go_to_alert(1)) == "No later alert that is not muted."
    assert session.navigator.selection.trace == 0
    session.event_list = EventKind.EXECUTION
    assert said(session.go_to_match(1)).startswith("No later bad tensor")


def test_what_is_not_muted_is_gone_to(library: Library) -> None:
    session = muting(library.path(METRIC_FIRST), "fn=_sensitivity")
    causes = session.navigator.causes
    assert [causes.muting.muted.tensors, len(causes.ranked), len(causes.muted)] == [12, 1, 1]
    session.go_to_first_bad()
    index = session.navigator.index
    assert index is not None
    worst = session.navigator.selection.trace
    assert index.host.traces.site_of(worst or 0).op_name == "Sqrt"
    session.navigator.select_trace(0)
    bad = [int(event) for event in index.host.traces.bad_events]
    walked = []
    session.event_list = EventKind.TRACE
    while session.go_to_match(1).selection and session.navigator.selection.kind is EventKind.TRACE:
        walked.append(session.navigator.selection.trace)
    names = {index.sites.trace(index.host.traces.site_number(e)).function for e in walked if e}
    assert "_sensitivity" not in names
    assert len(walked) == sum(
        index.sites.trace(index.host.traces.site_number(e)).function != "_sensitivity" for e in bad
    )


def test_e_passes_what_is_muted(library: Library) -> None:
    session = muting(library.path(METRIC_FIRST), "fn=_sensitivity")
    muting_of = session.navigator.causes.muting
    session.navigator.select_trace(0)
    went = 0
    while session.go_to_alert(1).selection:
        chosen = session.navigator.selection.event
        assert chosen is not None
        assert muting_of.rule_of(chosen) is None
        went += 1
        assert went <= 37
    assert went
    while session.go_to_alert(-1).selection:
        chosen = session.navigator.selection.event
        assert chosen is not None
        assert muting_of.rule_of(chosen) is None
        went -= 1
    assert went <= 1, "the same way back"


def test_unmuting_brings_all_back(frozen: Path) -> None:
    session = muting(frozen, "op=Log")
    change = session.mute(the(session, Deed.UNMUTE, text="op=Log"))
    searched(session, change)
    assert said(change) == "No longer muted: op=Log."
    assert session.navigator.causes.muting.muted.tensors == 0
    session.go_to_first_bad()
    assert session.navigator.selection.trace == 60


def test_a_session_that_begins_muted_says_so_once(frozen: Path) -> None:
    session = Session(keeper=Kept(read_mutes("op=Log")))
    snapshot = examine(frozen).snapshot
    assert said(arrive(session, snapshot)) == "117 tensors are muted; M lists that."
    assert said(session.take_snapshot(snapshot)) == ""
    file = the(session, Deed.FILE)
    assert said(session.mute(file)) == "It is kept in /home/ada/x.mute."


def test_the_alerts_are_one_row_that_can_be_listed(frozen: Path) -> None:
    session = muting(frozen, "op=Log")
    tree = session.navigator.causes.tree
    assert tree is not None
    tree.refresh()
    (row,) = tree.rows(0, 10)
    assert (row.note, row.is_muted) == ("117 muted tensors: op=Log", True)
    session.mute(the(session, Deed.SHOW))
    assert len(tree) == 21
    assert all(row.is_muted and not row.note for row in tree.rows(0, 30))
    session.mute(the(session, Deed.HIDE))
    assert len(tree) == 1


def test_the_tree_keeps_what_is_not_muted(library: Library) -> None:
    session = muting(library.path(METRIC_FIRST), "fn=_sensitivity")
    tree = session.navigator.causes.tree
    assert tree is not None
    tree.refresh()
    rows = tree.rows(0, 100)
    assert tree.causes == 1
    assert not rows[0].follows
    assert [row.is_muted for row in rows] == [False] * (len(rows) - 1) + [True]
    assert rows[-2].is_last
    for row in rows:
        assert tree.rows(tree.row_of(row.site.first) or 0, 1 << 30)[0] == row


def test_why_says_that_it_is_muted_and_by_what(frozen: Path) -> None:
    session = opened(frozen)
    session.go_to_first_bad()
    mute(session, "op type")
    page = session.asking_why.page()
    assert isinstance(page, WhyPage)
    assert page.title == "muted"
    texts = [line.text for line in page.lines]
    assert "You have muted it, by op=Log; M unmutes it." in texts
    assert "117 muted tensors: op=Log" in texts


def test_rows_of_lists_tell_what_is_muted(frozen: Path) -> None:
    session = muting(frozen, "op=Log")
    traces, executions = session.navigator.trace_rows(), session.navigator.execution_rows()
    assert traces is not None
    assert executions is not None
    assert all(row.is_muted for row in traces.rows(0, 1000) if row.bad)
    assert not any(row.is_muted for row in traces.rows(0, 1000) if not row.bad)
    assert all(row.is_muted for row in executions.rows(0, 1000) if row.bad or row.bad_inside)


def test_what_is_clean_has_nothing_to_mute(library: Library) -> None:
    session = opened(library.path("healthy"))
    told = session.muting.options()
    assert isinstance(told, str)
    assert told.endswith("is not bad: there is nothing to mute here.")
