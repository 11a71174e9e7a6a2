"""How long the disk will hold a recording that grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.live.run_activity import FULL_BELOW
from tfdbg_tui.doctor.finding import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.live.snapshot import RunState

PROBLEM_BELOW = 0.25
"""Hours left below which it is urgent."""

WARNING_BELOW = 2.0
"""Hours left below which somebody should know."""

LONG = 24.0
"""Hours left from which on they are told as days."""

SECONDS_PER_HOUR, MINUTES_PER_HOUR, HOURS_PER_DAY = 3600.0, 60.0, 24.0

UNITS = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def room_left(state: RunState) -> Iterator[Finding]:
    """How fast a recording grows, and when it fills the disk."""
    if state.free_bytes is None:
        return
    if state.free_bytes < FULL_BELOW and (state.cut_tail or not state.bytes_per_second):
        yield Finding(
            "disk-full",
            Level.PROBLEM,
            "The disk is full: events are lost",
            (
                f"{_size(state.free_bytes)} are left there. TensorFlow goes on without a",
                "word, and whatever does not fit is gone: nothing bad here does not mean that all",
                "is well. Make room, and record again.",
            ),
        )
        return
    if not state.bytes_per_second:
        return
    hours = state.free_bytes / state.bytes_per_second / SECONDS_PER_HOUR
    level = Level.FACT
    if hours < WARNING_BELOW:
        level = Level.PROBLEM if hours < PROBLEM_BELOW else Level.WARNING
    text = [
        f"It grows by {_size(state.bytes_per_second)} a second, and its file system has "
        f"{_size(state.free_bytes)} left.",
    ]
    if level is not Level.FACT:
        text.append(
            "When it is full the recording ends in the middle of a record, and whatever else "
            "writes there fails. Record for a shorter time, or only some ops: "
            'op_regex="^(Log|MatMul)$" in the call that switches the recorder on.'
        )
    yield Finding("disk", level, f"The disk is full in {_time(hours)} at this rate", tuple(text))


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
