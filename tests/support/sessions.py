"""A session over a recording, without an app: the feed's part is done by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.examining import examine
from tests.support.navigating import finish
from tfdbg_tui.program.process import ScriptState
from tfdbg_tui.screens.session.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from tfdbg_tui.data.live.snapshot import Snapshot
    from tfdbg_tui.screens.session.change import Change


def arrive(session: Session, snapshot: Snapshot) -> Change:
    """Have the jobs done and a snapshot tell of it, as the feed does."""
    change = session.take_snapshot(snapshot)
    finish(*session.navigator.jobs(), *session.navigator.causes.patient_jobs)
    return change | session.take_snapshot(snapshot._replace(extended=snapshot.extended + 1))


def opened(path: Path, session: Session | None = None, **more: object) -> Session:
    """A session that has seen all of a recording."""
    session = session or Session()
    arrive(session, examine(path, **more).snapshot)  # type: ignore[arg-type]
    return session


def searched(session: Session, change: Change) -> Change:
    """What came of a search or filter when the feed has been through everything."""
    assert session.snapshot is not None
    return change | arrive(session, session.snapshot)


def said(change: Change) -> str:
    """The sentence of a change."""
    return "" if change.said is None else change.said.text


def script(**more: object) -> ScriptState:
    """A script that runs and has printed nothing."""
    state = ScriptState("train.py", (), exit_code=None, is_stopping=False)
    return state._replace(**more)  # type: ignore[arg-type]
