"""All early warnings of a run, found in slices by the feed's thread; any thread may ask.

Rows are sampled as they come; what the samples say is judged when no more rows come for a moment.
A healthy run costs its samples and little else: only what looks suspicious is looked at closely.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tfdbg_tui.data.early.growing import growing
from tfdbg_tui.data.early.looking import LookedAt
from tfdbg_tui.data.early.retraces import retraced
from tfdbg_tui.data.early.shapes import shape_drift
from tfdbg_tui.data.early.signs import sign_collapse
from tfdbg_tui.data.early.thresholds import Thresholds
from tfdbg_tui.data.early.zeros import all_zero, zero_rising
from tfdbg_tui.frozen.frozen import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tfdbg_tui.data.cause.ranking import Ranking
    from tfdbg_tui.data.cause.run_causes import RunCauses
    from tfdbg_tui.data.early.warning import EarlyWarning
    from tfdbg_tui.data.index.run_index import RunIndex

SECONDS_AT_ONCE = 0.004
"""Seconds of work in one go."""

MAX_WARNINGS = 500
"""Warnings that are kept, the first in time."""

FINDERS = (all_zero, zero_rising, sign_collapse, shape_drift, growing, retraced)
"""What looks at each host by itself, whether anything is bad or not."""

_State = tuple[int, ...]


class RunWarnings:
    """The warnings of one run."""

    def __init__(
        self, run: RunIndex, found: RunCauses | None, thresholds: Thresholds | None = None
    ) -> None:
        self._run = run
        self._found = found
        limits = thresholds or Thresholds()
        self._hosts = [LookedAt(n, index, limits) for n, index in enumerate(run.hosts)]
        self._done: _State = ()
        self._ranking: Ranking | None = None
        self._rankings = 0
        """How often the causes were put in order since this looks at them."""
        self._pass: Iterator[bool] | None = None
        self.warnings: tuple[EarlyWarning, ...] = ()
        """In the order of time."""

    # For the feed's thread.

    def extend(self) -> bool:
        """Work for some milliseconds; True while there is more to do."""
        if self._pass is None:
            state = self._state()
            if state == self._done:
                return False
            self._pass = self._judge(state)
        until = time.perf_counter() + SECONDS_AT_ONCE
        while time.perf_counter() < until:
            step = next(self._pass, None)
            if step is None:
                self._pass = None
                return self._state() != self._done
            if not step:
                break
        return True

    def _state(self) -> _State:
        """What the warnings depend on."""
        hosts = self._run.hosts
        if self._found is not None and self._found.ranking is not self._ranking:
            self._ranking = self._found.ranking
            self._rankings += 1
        rows = (len(index.host.traces) + len(index.host.executions) for index in hosts)
        return (*rows, self._rankings, self._run.steps or 0)

    def _judge(self, state: _State) -> Iterator[bool]:
        """One look at all; gives False where reading should go on first."""
        for at in self._hosts:
            for samples in at.samples:
                for _ in samples.steps():
                    yield True
        yield False
        if self._state() != state:
            return
        found: list[EarlyWarning] = []
        for judged in self._finders():
            if judged is not None:
                found.append(judged)
            yield True
        self._done = state
        warnings = _merged(found)
        if warnings != self.warnings:
            self.warnings = warnings

    def _finders(self) -> Iterator[EarlyWarning | None]:
        for at in self._hosts:
            yield from at.read_last()
            for finder in FINDERS:
                yield from finder(at)
        if self._ranking is None:
            return
        # Most runs are clean, and are looked at sooner without.
        from tfdbg_tui.data.early.bad_numbers import half_infinities, poisoned
        from tfdbg_tui.data.early.replicas import first_replica

        ranked = (*self._ranking.causes, *self._ranking.meant)
        causes = sorted(ranked, key=lambda cause: cause.time)
        for at in self._hosts:
            own = [cause for cause in causes if cause.tensor.host == at.number]
            yield from half_infinities(at, own)
            yield from poisoned(at, own)
        yield from first_replica(self._hosts, causes)


def _merged(found: Iterable[EarlyWarning]) -> tuple[EarlyWarning, ...]:
    """In time; what one op does in several graphs, of training and of tests, is said once."""
    said: dict[tuple[object, ...], EarlyWarning] = {}
    for warning in sorted(found, key=lambda warning: warning.order):
        same = (warning.kind, warning.tensor.host, warning.name, warning.line)
        known = said.get(same)
        if known is None:
            said[same] = warning
        else:
            said[same] = replace(known, count=known.count + warning.count)
    return tuple(said.values())[:MAX_WARNINGS]
