"""Why there is nothing to show: the logdir, the recorder or the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.files.growing_file import FileState
from tfdbg_tui.data.stores.program_notes import HowEnded
from tfdbg_tui.doctor.endings import endings
from tfdbg_tui.doctor.finding import Finding, Level
from tfdbg_tui.doctor.functions import compiled
from tfdbg_tui.doctor.recipes import HOW, recipe, started_by_run
from tfdbg_tui.doctor.scripts import has_other_backend, other_backend, unrecorded
from tfdbg_tui.sanitise import sanitise

if TYPE_CHECKING:
    from tfdbg_tui.data.files.tfrecord import RecordFile
    from tfdbg_tui.data.live.snapshot import RunState, Snapshot
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.program_notes import Program


BEGUN = Finding(
    "begun",
    Level.FACT,
    "The recording has begun",
    ("Nothing has been computed yet. Events are shown as soon as they are on disk.",),
)


def absence(snapshot: Snapshot, state: RunState | None) -> Finding | None:
    """What is said instead of events; None when there are some."""
    if state is not None and (state.executions or state.traces):
        return None
    if snapshot.gone:
        return Finding(
            "logdir-deleted",
            Level.PROBLEM,
            f"{snapshot.path} was deleted",
            ("No event had been read from it. It is shown again as soon as it is there again.",),
        )
    if state is not None:
        return _without_events(state)
    if not snapshot.exists:
        return Finding(
            "no-logdir",
            Level.PROBLEM,
            f"Waiting for {snapshot.path}",
            (
                "It does not exist yet. As soon as a program records there, it is shown.",
                HOW,
            ),
            recipe(snapshot.path),
        )
    if snapshot.unreadable:
        return _denied(*snapshot.unreadable[0])
    if snapshot.program is not None:
        return unrecorded(snapshot.program)
    return Finding(
        "no-recording",
        Level.PROBLEM,
        f"No recording in {snapshot.path} yet",
        ("The directory is there and holds no tfdbg recording.", HOW),
        recipe(snapshot.path),
    )


def _denied(path: object, reason: str) -> Finding:
    return Finding(
        "denied",
        Level.PROBLEM,
        f"{path} cannot be read",
        (f"{reason}. Check its rights.",),
    )


def _without_events(state: RunState) -> Finding:
    files = [file for host in state.run.hosts for file in _event_files(host)]
    for file in files:
        if file.state is FileState.UNREADABLE:
            return _denied(file.path, file.reason)
    if lost := sum(file.corrupt_records for file in files):
        return Finding(
            "events-damaged",
            Level.PROBLEM,
            "The events of this recording are damaged",
            (f"{damaged(lost)} left out, and no other is there.",),
        )
    found = compiled(state)
    if found is not None:
        return found
    if state.program is not None:
        return _noted(state, state.program)
    if state.ended:
        return _ended(state)
    if state.held_back:
        return Finding(
            "held-back",
            Level.PROBLEM,
            "Recording, but nothing reaches the disk",
            (
                "The program keeps its last 1,000 events in memory and writes them when it ends;",
                "if it is killed they are lost. That is TensorFlow's default. If it has",
                "circular_buffer_size=-1 already, its first 4,096 bytes are still to come. If not:",
            ),
            recipe(state.run.directory),
        )
    return BEGUN


def _noted(state: RunState, program: Program) -> Finding:
    """Where we switched the recorder on, nothing is held back in memory."""
    if program.how_ended is None and not state.ended:
        return BEGUN
    found = next(endings(state), None)
    if found is not None and program.how_ended in (None, HowEnded.FAILED):
        return found
    if has_other_backend(program):
        return other_backend(program)
    start = "its import of TensorFlow" if started_by_run(program) else "the call of record.enable"
    return Finding(
        "nothing-computed",
        Level.PROBLEM,
        f"{sanitise(program.name)} ended without computing anything",
        (
            f"The recorder was on from {start} on, and no op came to its end. What a",
            "program computes in other threads or other processes is not recorded.",
        ),
    )


def _ended(state: RunState) -> Finding:
    if any(host.sources.records or host.graphs.counts.ops for host in state.run.hosts):
        return Finding(
            "lost-in-memory",
            Level.PROBLEM,
            "The program ended without writing an event",
            (
                "What it ran is on disk, what it computed is not: it was killed while it kept that",
                "in memory, which is TensorFlow's default, or stopped before its first op. Again:",
            ),
            recipe(state.run.directory),
        )
    return Finding(
        "nothing-computed",
        Level.PROBLEM,
        "The program ended without computing anything",
        (
            "The recorder was switched on, and no op ran and no function was traced after that.",
            "It records only the process it is in, from the call on. Make it the first line:",
        ),
        recipe(state.run.directory),
    )


def damaged(records: int) -> str:
    """How many records are damaged, and a verb."""
    return f"{records:,} damaged {'record is' if records == 1 else 'records are'}"


def _event_files(host: Host) -> tuple[RecordFile, RecordFile]:
    return host.executions.file, host.traces.file
