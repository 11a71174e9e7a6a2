"""What the feed tells the screen: one frozen value for the whole logdir.

Two snapshots are equal when there is nothing new to show. Nothing in them changes by the mere
passing of time, except that a run falls silent and then ends.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.data.index.function_facts import FunctionFacts
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.index.call_counts import CallCount
    from tfdbg_tui.data.stores.program_notes import Program
    from tfdbg_tui.data.stores.run import Run


class Activity(Enum):
    """What goes on in a logdir."""

    WAITING = "waiting"
    """No run is there yet."""
    LOADING = "loading"
    """What was on disk at the start is being read."""
    LIVE = "live"
    """All is read; a program may write more."""
    PAUSED = "paused"
    """Reading rests because the user wants it to."""
    ENDED = "ended"
    """All is read; no program records any more."""


class RunState(NamedTuple):
    """One run, how much of it is read and what its program does."""

    run: Run
    executions: int
    traces: int
    alerts: int
    """Those already in time order: the length of `run.alerts`."""
    growing: bool
    """Whether bytes came within the last seconds."""
    ended: bool
    """Whether the program that recorded is gone, as far as can be told."""
    cut_tail: bool
    """Whether a run that does not grow ends in the middle of an event."""
    lacks_events: bool
    """Whether events are lost: a file of them is damaged or denied, or was taken away."""
    held_back: bool
    """Whether the program keeps its events in a circular buffer: nothing of them is on disk."""
    events_per_second: float
    """Of the last seconds, to two digits; 0 when nothing comes."""
    bytes_per_second: float = 0.0
    """The same of bytes."""
    free_bytes: float | None = None
    """What its file system has left, to two digits; None unless it grows and that is known."""
    functions: FunctionFacts = FunctionFacts()
    most_called: CallCount | None = None
    """The function that it called most often: mostly its step."""
    program: Program | None = None
    """What the program noted: how it was recorded, and how it ended."""
    silent_for: float | None = None
    """Seconds for longer than which a program that is there has written nothing; None if it has
    not been silent for so long that this is worth a warning."""


class Snapshot(NamedTuple):
    """A logdir at one moment."""

    path: str
    exists: bool
    activity: Activity
    read_bytes: int = 0
    total_bytes: int = 0
    """On disk when last looked at."""
    runs: tuple[RunState, ...] = ()
    """Oldest first."""
    unreadable: tuple[tuple[str, str], ...] = ()
    """Folders and files that the system denies, and why; safe to show."""
    search_was_cut: bool = False
    """Whether there are more folders than are searched."""
    gone: bool = False
    """Whether the logdir was there and has been deleted; what was read stays."""
    program: Program | None = None
    """What a program noted that was to record right here, whether it did or not."""
    failure: str | None = None
    """One sentence, safe to show, about something unexpected that stopped a part of the work."""
    extended: int = 0
    """Slices of work that jobs have done: a change says that they have more to show."""
    details_extended: int = 0
    """The same of jobs that are about the selection alone."""
    working: bool = False
    """Whether jobs have more to do."""
