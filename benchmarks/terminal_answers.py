"""When keys are answered while the screen changes by itself: what each must show is looked for."""

from __future__ import annotations

import time
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.terminal_tape import Frame, TapedTerminal, first_time
from tests.support.terminal_keys import key_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Shows = Callable[[Sequence[str]], object]


class KeyPress(NamedTuple):
    """When a key was pressed, and what tells that it was answered."""

    wall_time: float
    is_answered: Shows


def press(terminal: TapedTerminal, key: str, is_answered: Shows) -> KeyPress:
    """Press a key without waiting for anything."""
    now = time.time()
    terminal.type(key_bytes(key).decode())
    return KeyPress(now, is_answered)


def answer_times(frames: Sequence[Frame], pressed: Sequence[KeyPress]) -> list[float]:
    """Seconds from each key until its answer was on the screen; infinite if it never was."""
    times = [frame.wall_time for frame in frames]
    answers = []
    for key in pressed:
        later = frames[bisect_left(times, key.wall_time) :]
        answered = first_time(later, key.is_answered)
        answers.append(float("inf") if answered is None else answered - key.wall_time)
    return answers
