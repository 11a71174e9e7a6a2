"""All that there is to know about a recording, the most serious first.

Costs what the run's sites and files cost to look at, whatever the number of its events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.doctor.choices import limits_by_choice
from tfdbg_tui.doctor.disk import room_left
from tfdbg_tui.doctor.endings import endings
from tfdbg_tui.doctor.files import keeps_only_the_newest, state_of_files
from tfdbg_tui.doctor.finding import Finding, Level
from tfdbg_tui.doctor.functions import limits_of_functions
from tfdbg_tui.doctor.modes import limits_of_mode
from tfdbg_tui.doctor.presence import absence
from tfdbg_tui.doctor.summary import summary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.live.snapshot import RunState, Snapshot

LOADING = Finding(
    "loading",
    Level.FACT,
    "Reading the recording",
    ("Its events come after its sources and graphs.",),
)


def findings(snapshot: Snapshot, state: RunState | None) -> tuple[Finding, ...]:
    """What can be said of a run, or of a logdir without one.

    Looks at the snapshot and at what is read, and at nothing else: no process and no file.
    """
    ended = () if state is None else tuple(endings(state))
    found = [*ended, *_surroundings(snapshot)]
    if snapshot.activity is Activity.LOADING:
        found.append(LOADING)
    else:
        missing = absence(snapshot, state)
        if missing is not None and missing not in found:
            found.append(missing)
        if state is not None:
            found += _of_run(snapshot, state, missing, ended)
    return tuple(sorted(found, key=_seriousness))


def _seriousness(finding: Finding) -> int:
    return list(Level).index(finding.level)


def _surroundings(snapshot: Snapshot) -> Iterator[Finding]:
    """What went wrong outside the runs."""
    if snapshot.failure:
        yield Finding("went-wrong", Level.PROBLEM, snapshot.failure.removesuffix("."))
    if snapshot.search_was_cut:
        yield Finding(
            "not-all-searched",
            Level.WARNING,
            "There are too many folders here; not all of them were searched",
            ("Give a folder further down, nearer to the recording.",),
        )


def _of_run(
    snapshot: Snapshot, state: RunState, missing: Finding | None, ended: tuple[Finding, ...]
) -> Iterator[Finding]:
    found = [finding for finding in _limits(snapshot, state) if _adds(finding, missing)]
    if missing is None:
        yield from summary(state, [*ended, *found])
    yield from found


def _adds(finding: Finding, missing: Finding | None) -> bool:
    """Whether a finding says more than why there are no events."""
    if missing is None:
        return True
    said = {"events-damaged": "damaged-records", "denied": "unreadable"}.get(missing.id, missing.id)
    return finding.id != said


def _limits(snapshot: Snapshot, state: RunState) -> Iterator[Finding]:
    has_events = bool(state.executions or state.traces)
    for path, reason in snapshot.unreadable[:1]:
        yield Finding(
            "unreadable",
            Level.PROBLEM,
            f"{path} cannot be read ({reason})",
            ("What is in it is missing here. Check its rights.",),
        )
    yield from limits_by_choice(state.program)
    yield from state_of_files(snapshot, state, has_events)
    yield from limits_of_functions(state, all_kept=has_events and not _has_lost_events(state))
    if has_events:
        yield from limits_of_mode(state)
    yield from room_left(state)


def _has_lost_events(state: RunState) -> bool:
    """Whether events may have been computed that are not in the recording."""
    return state.cut_tail or state.lacks_events or keeps_only_the_newest(state)
