"""How the app keeps up with a recorder that writes at a pace, and what that costs the terminal."""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.paced_writer import PacedWriter
from benchmarks.table import Row
from benchmarks.terminal_answers import KeyPress, answer_times, press
from benchmarks.terminal_lab import (
    EXECUTION_COUNT,
    TIMEOUT,
    TRACE_COUNT,
    WAITING,
    WIDE,
    Lab,
    Result,
    number_shown,
    spread,
)
from benchmarks.terminal_tape import Frame, TapedTerminal, repaints
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from benchmarks.paced_writer import Progress

FAST, SLOW = 40_000, 1_000
"""Events a second."""

SECONDS = 10.0
"""That are measured."""

KEY_INTERVAL = 0.4
"""Seconds between keys: as somebody who looks around."""

CAUSES = 5
"""Recordings that go bad while somebody waits for it."""

TOLD_WHY = re.compile(r"▌   why ")

KEPT_UP = "under 500 ms of lag"

TRACE_HEAD = re.compile(r"\s*# .*\btensor\b")
"""The titles above the rows of graph tensors."""


def follow(lab: Lab) -> Iterator[Result]:
    """Events that come fast, followed and not, and keys meanwhile; then slow ones, followed."""
    with _writer(lab, "fast", FAST) as writer, lab.app(lab.place / "fast") as terminal:
        _wait_until_live(terminal)
        terminal.press("3", "f")
        terminal.wait_for("following")
        yield from _kept_up(terminal, writer, "followed", _rows_shown)
        terminal.press("f")
        terminal.wait_for(lambda lines: "following" not in lines[0])
        yield from _kept_up(terminal, writer, "not followed, in the `+N` badge", _events_told)
    with _writer(lab, "slow", SLOW) as writer, lab.app(lab.place / "slow", *WIDE) as terminal:
        _wait_until_live(terminal)
        terminal.press("3", "f")
        terminal.wait_for("following")
        yield _repaints(terminal)
    yield _cause(lab)


def _writer(lab: Lab, name: str, pace: float) -> PacedWriter:
    return PacedWriter(lab.source, lab.place / name, pace)


def _wait_until_live(terminal: TapedTerminal) -> None:
    terminal.wait_for(re.compile(r"LIVE [\d,]+ ev/s"), TIMEOUT)
    terminal.wait_for(TRACE_COUNT)


# Lag.


def _kept_up(
    terminal: TapedTerminal,
    writer: PacedWriter,
    what: str,
    count: Callable[[Sequence[str]], int | None],
) -> Iterator[Result]:
    terminal.pump(1.0)
    first, began = len(terminal.tape.chunks), time.time()
    used, first_bytes = terminal.cpu_seconds(), terminal.bytes_written
    pressed = _look_around(terminal)
    ended = time.time()
    share = (terminal.cpu_seconds() - used) / (ended - began)
    rate = (terminal.bytes_written - first_bytes) / (ended - began)
    terminal.pump(2.0)
    frames = list(terminal.tape.frames(first))
    history = [now for now in writer.history() if began <= now.wall_time <= ended]
    pace = (history[-1].events - history[0].events) / (ended - began)
    lags = _lags(frames, history, count)
    details = f"{share:.0%} of a core, {rate / 1e3:.1f} kB/s"
    where = f"{pace:,.0f} events/s {what}"
    yield Result(Row(f"{where}: lag, median/95%/max", spread(lags), "", details, KEPT_UP))
    answers = answer_times(frames, pressed)
    yield Result(Row(f"{where}: keys, median/95%/max", spread(answers), "", "", "responsive"))


def _look_around(terminal: TapedTerminal) -> list[KeyPress]:
    """Press keys that show another list each."""
    shown = {"1": lambda lines: not _shows_traces(lines), "3": _shows_traces}
    pressed: list[KeyPress] = []
    until = time.time() + SECONDS
    while time.time() < until:
        key = "31"[len(pressed) % 2 - 1]
        pressed.append(press(terminal, key, shown[key]))
        terminal.pump(KEY_INTERVAL)
    return pressed


def _shows_traces(lines: Sequence[str]) -> bool:
    return any(map(TRACE_HEAD.match, lines))


def _lags(
    frames: Sequence[Frame],
    history: Sequence[Progress],
    count: Callable[[Sequence[str]], int | None],
) -> list[float]:
    """Seconds from when events were wholly on disk until they were on the screen."""
    seen: list[tuple[int, float]] = []
    for frame in frames:
        number = count(frame.lines)
        if number is not None and (not seen or number > seen[-1][0]):
            seen.append((number, frame.wall_time))
    numbers = [number for number, _ in seen]
    lags = []
    for now in history:
        place = bisect_left(numbers, now.traces if count is _rows_shown else now.events)
        shown_at = seen[place][1] if place < len(seen) else float("inf")
        lags.append(max(0.0, shown_at - now.wall_time))
    return lags


def _rows_shown(lines: Sequence[str]) -> int | None:
    return number_shown(TRACE_COUNT, lines)


def _events_told(lines: Sequence[str]) -> int | None:
    """What the lists show and what the badge says is waiting."""
    shown = [number_shown(pattern, lines) for pattern in (TRACE_COUNT, EXECUTION_COUNT)]
    parts = [*shown, number_shown(WAITING, lines[:1])]
    return None if None in parts else sum(filter(None, parts))


# The cause.


def _cause(lab: Lab) -> Result:
    """From when the first bad tensor is wholly on disk until the screen says why it is bad."""
    first = _first_bad(lab.source)
    lags = []
    for turn in range(CAUSES):
        name = f"cause {turn}"
        (lab.place / name).mkdir()
        with lab.app(lab.place / name) as terminal:
            terminal.wait_for("WAITING")
            terminal.press("!")
            with _writer(lab, name, SLOW) as writer:
                terminal.wait_for(TOLD_WHY, TIMEOUT)
                terminal.pump(1.0)
                told = next(
                    frame.wall_time
                    for frame in terminal.tape.frames(0)
                    if any(map(TOLD_WHY.search, frame.lines))
                )
                on_disk = next(now for now in writer.history() if first.is_on_disk(now))
                lags.append(max(0.0, told - on_disk.wall_time))
    row = Row(
        f"why a tensor is bad, at {SLOW:,} events/s: lag, median/95%/max",
        spread(lags),
        "",
        "",
        "under 1 s",
    )
    return Result(row)


class _FirstBad(NamedTuple):
    """The first bad event of a recording."""

    kind: EventKind
    number: int

    def is_on_disk(self, now: Progress) -> bool:
        """Whether it is, in a recording that is written again."""
        return self.number < (now.traces if self.kind is EventKind.TRACE else now.executions)


def _first_bad(recording: Path) -> _FirstBad:
    logdir = Logdir(recording)
    logdir.load()
    (run,) = logdir.runs
    first = run.alerts.first()
    assert first is not None
    return _FirstBad(first.kind, first.event)


# Repaints.


def _repaints(terminal: TapedTerminal) -> Result:
    terminal.pump(1.0)
    first, used, began = len(terminal.tape.chunks), terminal.cpu_seconds(), time.time()
    terminal.pump(SECONDS)
    seconds = time.time() - began
    share = (terminal.cpu_seconds() - used) / seconds
    chunks = terminal.tape.chunks[first:]
    size = sum(len(chunk.output) for chunk in chunks)
    times = repaints(chunks)
    row = Row(
        f"following {SLOW:,} events/s at {WIDE[0]}x{WIDE[1]}",
        f"{times / seconds:.1f} repaints/s, {size / seconds / 1e3:.1f} kB/s",
        f"{size / max(1, times) / 1e3:.1f} kB a repaint",
        f"{share:.0%} of a core",
        "at most 4 repaints/s",
    )
    return Result(row)
