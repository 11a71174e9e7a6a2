"""What to say when there is little or nothing to show: why, and what to do about it.

Every state of a logdir that a user can meet has its text here; the screen only shows it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.data.growing_file import FileState
from tfdbg_tui.data.snapshot import Activity

if TYPE_CHECKING:
    from tfdbg_tui.data.host import Host
    from tfdbg_tui.data.snapshot import RunState, Snapshot
    from tfdbg_tui.data.tfrecord import RecordFile

RECORD = (
    "tf.debugging.experimental.enable_dump_debug_info(",
    '    "{path}", tensor_debug_mode="FULL_HEALTH",',
    "    circular_buffer_size=-1)",
)
"""The one call that makes a live recording."""


class Notice(NamedTuple):
    """A headline, some sentences and, where there is one, the code that helps."""

    headline: str
    text: tuple[str, ...] = ()
    code: tuple[str, ...] = ()


def _recipe(path: object) -> tuple[str, ...]:
    quoted = str(Path(str(path)).absolute()).replace("\\", "\\\\").replace('"', '\\"')
    return tuple(line.replace("{path}", quoted) for line in RECORD)


def notice_of(snapshot: Snapshot, state: RunState | None) -> Notice | None:
    """What fills the screen in place of the panes; None when there are events to show."""
    if state is not None and (state.executions or state.traces):
        return None
    if snapshot.activity is Activity.LOADING:
        return Notice("Reading the recording", ("Its events come after its sources and graphs.",))
    if snapshot.gone:
        return Notice(
            f"{snapshot.path} was deleted",
            ("No event had been read from it. It is shown again as soon as it is there again.",),
        )
    if state is not None:
        return _without_events(state)
    if not snapshot.exists:
        return Notice(
            f"Waiting for {snapshot.path}",
            (
                "It does not exist yet. As soon as a program records there, it is shown.",
                "To record, add this to the program, before it builds anything:",
            ),
            _recipe(snapshot.path),
        )
    if snapshot.unreadable:
        return _denied(*snapshot.unreadable[0])
    return Notice(
        f"No recording in {snapshot.path} yet",
        (
            "The directory is there and holds no tfdbg recording. To make one, add this to",
            "the program, before it builds anything:",
        ),
        _recipe(snapshot.path),
    )


def _denied(path: object, reason: str) -> Notice:
    return Notice(f"{path} cannot be read", (f"{reason}. Check its rights.",))


def _without_events(state: RunState) -> Notice:
    directory = state.run.directory
    files = [file for host in state.run.hosts for file in _event_files(host)]
    for file in files:
        if file.state is FileState.UNREADABLE:
            return _denied(file.path, file.reason)
    if lost := sum(file.corrupt_records for file in files):
        return Notice(
            "The events of this recording are damaged",
            (f"{_damaged(lost)} left out, and no other is there.",),
        )
    if state.held_back and not state.ended:
        return Notice(
            "Recording, but nothing reaches the disk",
            (
                "The program keeps its last 1,000 events in memory and writes them when it ends;",
                "if it is killed they are lost. That is TensorFlow's default. To see them live:",
            ),
            _recipe(directory),
        )
    if state.held_back or state.ended:
        return Notice(
            "The program ended without writing an event",
            (
                "Its graphs are on disk, its tensors are not: it was killed while it kept them in",
                "memory, which is TensorFlow's default, or it computed nothing. Record again with:",
            ),
            _recipe(directory),
        )
    return Notice(
        "The recording has begun",
        ("Nothing has been computed yet. Events are shown as soon as they are on disk.",),
    )


def remarks(snapshot: Snapshot, state: RunState | None) -> tuple[str, ...]:
    """Short sentences about what is wrong with a recording that can be shown all the same."""
    found = []
    if snapshot.failure:
        found.append(snapshot.failure)
    if snapshot.search_was_cut:
        found.append("There are too many folders here; not all of them were searched.")
    if state is None:
        return tuple(found)
    if snapshot.gone:
        found.append("The logdir was deleted; what was read is still shown.")
    if state.ended and state.cut_tail:
        found.append("The last record is cut: the program was killed, or its disk is full.")
    found += _damage(state)
    found += [f"{path} cannot be read ({reason})." for path, reason in snapshot.unreadable[:1]]
    return tuple(found)


def _damage(state: RunState) -> list[str]:
    corrupt = sum(file.corrupt_records for host in state.run.hosts for file in host.files())
    restarted = sum(host.restarted_files for host in state.run.hosts)
    found = [f"{_damaged(corrupt)} left out."] if corrupt else []
    if restarted:
        found.append("A file was replaced while open and read again.")
    return found


def _damaged(records: int) -> str:
    return f"{records:,} damaged {'record is' if records == 1 else 'records are'}"


def _event_files(host: Host) -> tuple[RecordFile, RecordFile]:
    return host.executions.file, host.traces.file
