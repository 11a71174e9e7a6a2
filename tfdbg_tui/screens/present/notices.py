"""What the app says by itself: in place of the panes, or once beside them.

The words are the doctor's; here is which of them are said where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.doctor.findings import LOADING
from tfdbg_tui.doctor.presence import absence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfdbg_tui.data.live.snapshot import RunState, Snapshot
    from tfdbg_tui.doctor.finding import Finding

REMARKED = frozenset(
    {
        "went-wrong",
        "not-all-searched",
        "logdir-gone",
        "cut-tail",
        "damaged-records",
        "torn-files",
        "file-replaced",
        "unreadable",
    }
)
"""Findings that are said when they come up: something happened to the recording."""


class Notice(NamedTuple):
    """A headline, some sentences and, where there is one, the code that helps."""

    headline: str
    text: tuple[str, ...] = ()
    code: tuple[str, ...] = ()


def notice_of(snapshot: Snapshot, state: RunState | None) -> Notice | None:
    """What fills the screen in place of the panes; None when there are events to show."""
    found = absence(snapshot, state)
    if found is not None and snapshot.activity is Activity.LOADING:
        found = LOADING
    return None if found is None else Notice(found.headline, found.text, found.code)


def remarks(found: Iterable[Finding]) -> tuple[str, ...]:
    """Short sentences about what is wrong with a recording that can be shown all the same."""
    return tuple(f"{finding.headline}." for finding in found if finding.id in REMARKED)
