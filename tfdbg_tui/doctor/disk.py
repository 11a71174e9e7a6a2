"""How fast a recording grows, and how long the disk will hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.live.run_activity import FULL_BELOW
from tfdbg_tui.doctor.finding import Finding, Level, named
from tfdbg_tui.doctor.recipes import savings
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.live.snapshot import RunState

PROBLEM_BELOW = 0.25
"""Hours left below which it is urgent."""

WARNING_BELOW = 2.0
"""Hours left below which somebody should know."""

LONG = 24.0
"""Hours left from which on they are told as days."""

FAST = 10e9
"""Bytes an hour from which on somebody should know, however large the disk is.

At some 200 bytes an event that is 50 million: a minute to open, and two gigabytes of memory. What
grows faster can hardly be looked at after an hour, and a night of it is a hundred gigabytes.
"""

FAST_FROM = 100e6
"""Bytes of events below which nothing is said of how fast they come.

The first seconds of a program write its sources and its graphs, and are as little like the
hours to come as the tracing of its functions; so little is no trouble either.
"""

MIN_SECONDS = 1.0
"""What lasted no longer has no rate to speak of."""

SECONDS_PER_HOUR, MINUTES_PER_HOUR, HOURS_PER_DAY = 3600.0, 60.0, 24.0

UNITS = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def is_full(state: RunState) -> bool:
    """Whether there was no room for the recording: its disk is full, and it ends half-written."""
    has_room = state.free_bytes is None or state.free_bytes >= FULL_BELOW
    return not has_room and (state.cut_tail or not state.bytes_per_second)


def room_left(state: RunState) -> Iterator[Finding]:
    """How fast a recording grows, and when it fills the disk."""
    failure = None if state.program is None else state.program.failure
    if is_full(state):
        yield _full(state)
    elif failure is not None and failure.is_of_full_disk:
        yield _was_full()
    elif state.free_bytes is not None and state.bytes_per_second:
        hours = state.free_bytes / state.bytes_per_second / SECONDS_PER_HOUR
        yield _fills(state, hours)
        if hours >= WARNING_BELOW:
            yield from _fast(state, state.bytes_per_second, "It grows", Level.WARNING)
    elif state.ended:
        yield from _fast(state, _rate_of_ended(state), "It grew", Level.FACT)


def _full(state: RunState) -> Finding:
    return Finding(
        "disk-full",
        Level.PROBLEM,
        "The disk is full: events are lost",
        (
            f"{_size(state.free_bytes or 0.0)} are left there. TensorFlow goes on without a",
            "word, and whatever does not fit is gone: nothing bad here does not mean that all",
            f"is well. Make room, and record again. {savings(state.program)}",
        ),
    )


def _was_full() -> Finding:
    """The program could not write; whether to the disk of the recording is not known."""
    return Finding(
        "disk-full",
        Level.PROBLEM,
        "A disk was full when the program ended",
        (
            "Its error says so. If the recording lies there, too, the last events are lost:",
            "TensorFlow's recorder goes on without a word when it cannot write.",
        ),
    )


def _fills(state: RunState, hours: float) -> Finding:
    level = Level.FACT
    if hours < WARNING_BELOW:
        level = Level.PROBLEM if hours < PROBLEM_BELOW else Level.WARNING
    text = [
        f"It grows by {_size(state.bytes_per_second)} a second, and its file system has "
        f"{_size(state.free_bytes or 0.0)} left.",
    ]
    if level is not Level.FACT:
        text.append(
            "When it is full the recording ends in the middle of a record, and whatever else "
            "writes there fails. Record for a shorter time, or less."
        )
        text += [*_for_each_call(state, _bytes_of_events(state)), savings(state.program)]
    return Finding("disk", level, f"The disk is full in {_time(hours)} at this rate", tuple(text))


def _fast(state: RunState, rate: float, verb: str, level: Level) -> Iterator[Finding]:
    """That a recording grows fast, and what would make it smaller."""
    events, hourly = _bytes_of_events(state), rate * SECONDS_PER_HOUR
    if events < FAST_FROM or hourly < FAST:
        return
    yield Finding(
        "grows-fast",
        level,
        f"{verb} fast: by {_size(hourly)} an hour",
        (
            *_for_each_call(state, events),
            "So much takes minutes to open and much memory, and soon can hardly be looked at.",
            savings(state.program),
        ),
    )


def _for_each_call(state: RunState, events: int) -> tuple[str, ...]:
    """What a call of the function that is called most takes: mostly, what a step takes."""
    if state.most_called is None:
        return ()
    function, calls = state.most_called
    each = _size(events / calls)
    times = f"{counted(calls, 'call')} of {named([function])}"
    return (f"{_size(events)} for {times}: {each} each.",)


def _rate_of_ended(state: RunState) -> float:
    """Bytes a second from the first event to the last; 0 where that is not known."""
    stores = [store for host in state.run.hosts for store in (host.executions, host.traces)]
    times = [store.wall_time(row) for store in stores if len(store) for row in (0, -1)]
    seconds = max(times, default=0.0) - min(times, default=0.0)
    return _bytes_of_events(state) / seconds if seconds > MIN_SECONDS else 0.0


def _bytes_of_events(state: RunState) -> int:
    stores = [store for host in state.run.hosts for store in (host.executions, host.traces)]
    return sum(store.file.size for store in stores)


def _size(number: float) -> str:
    unit, name = next(((unit, name) for unit, name in UNITS if number >= unit), (1.0, "bytes"))
    value = number / unit
    return f"{value:.0f} {name}" if value >= 10 or unit == 1 else f"{value:.1f} {name}"


def _time(hours: float) -> str:
    if hours >= LONG:
        return f"{hours / HOURS_PER_DAY:,.0f} days"
    if hours >= 1:
        return f"{hours:.1f} hours"
    return f"{hours * MINUTES_PER_HOUR:.0f} minutes"
