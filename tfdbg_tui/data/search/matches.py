"""The events that a query finds, as a sorted column that grows with the recording.

One thread looks, a slice of some milliseconds at a time; any thread reads what was found so far.
Sites are tested once, then millions of rows by numpy; records are read only for the rows that
nothing in memory rules out. The names of a site may come later, with another file, and steps
may be counted differently when more is known: what that could change is tested again, less and
less often while nothing new comes.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.search.bulk_health import HealthReader
from tfdbg_tui.data.search.event_test import EventTest
from tfdbg_tui.data.search.guesses import Guesses
from tfdbg_tui.data.search.site_tests import SiteTests
from tfdbg_tui.data.stores.columns import NO_ROWS, RowsSoFar, Table
from tfdbg_tui.data.stores.executions import ExecutionStore
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    import numpy.typing as npt

    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.search.query import Query
    from tfdbg_tui.data.stores.traces import TraceStore

    Rows = npt.NDArray[Any]
    Mask = npt.NDArray[np.bool_]

SLICE_SECONDS = 0.004
"""How long one call of `extend` works, give or take one piece of work."""

CHUNK_ROWS = 1 << 18
"""Rows looked at together where columns in memory decide."""

RESULTS_SECONDS = 0.1
"""How long sites are tested before the rows are looked at whose sites are known so far."""

MAX_ROW = (1 << 32) - 1
"""The last row that a column of matches can name."""

STEPS_AT_ONCE = 1 << 15
"""Events whose steps are told apart together; they have to be sorted by time."""

MAX_PROBES = 16
"""Rows at which it is checked that steps are still counted as before."""

MIN_PAUSE, MAX_PAUSE = 0.25, 8.0
"""Seconds between two rounds of asking about gaps: at first, and after rounds without an answer."""

SHARE_OF_TIME = 0.01
"""The part of a core that asking about gaps may cost."""


class _Found(NamedTuple):
    """What one piece of looking gave."""

    rows: Rows
    scanned: int
    """All rows before this one have been looked at."""


class _Probe(NamedTuple):
    """A row whose step was used, to notice when steps are counted differently."""

    row: int
    time: float
    step: int | None


class Matches:
    """The events of one store that a query finds.

    `extend` is for the thread that fills the store; call it after each refresh, also when this
    store did not grow, for gaps are closed by other files. All else is for any thread.

    `step_of` gives the step at a time, never less than at an earlier one; None while steps are
    not known at all.
    """

    def __init__(
        self,
        store: TraceStore | ExecutionStore,
        facts: Callable[[int], SiteFacts],
        query: Query,
        step_of: Callable[[float], int | None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.query = query
        self.so_far = NO_ROWS
        """The rows that match and how far was looked, published in one assignment."""
        self.revision = 0
        """How often rows were not only added at the end."""
        self._store = store
        self._step_of = step_of or _no_step
        self._clock = clock
        self._table = Table(row=np.uint32)
        self._site_tests = SiteTests(query, facts)
        self._probes: list[_Probe] = []
        """In the order of rows, thinned out towards the first."""
        joins_flags = query.joins_flags and isinstance(store, ExecutionStore)
        self._reads_health = query.needs_health or joins_flags
        self._reader = HealthReader(store)
        self._event_test = EventTest(store, facts, query, self._step_of)
        self._guesses = Guesses(store)
        self._work: Iterator[None] | None = None
        self._worked = 0.0
        """Seconds spent so far on what is being done."""
        self._pause = 0.0
        self._next_round = 0.0
        self._scanned_at_round = 0

    # ------------------------------------------------------------------ what was found

    @property
    def rows(self) -> npt.NDArray[np.uint32]:
        """The rows of the store that match, ascending.

        It grows at the end; a name that comes late can also add rows before or take some away.
        """
        return self.so_far.rows

    @property
    def scanned(self) -> int:
        """Rows examined so far, from the first on."""
        return self.so_far.scanned

    def __len__(self) -> int:
        return len(self.rows)

    def rank_of(self, row: int) -> int:
        """How many matches come before a row: its rank among them if it is one."""
        return _rank(self.rows, row)

    def marks(self, buckets: int, total_rows: int) -> bytes:
        """For each of some equal parts of the rows, 1 if it holds a match, else 0."""
        edges = np.arange(buckets + 1) * total_rows // max(1, buckets)
        ranks = np.searchsorted(self.rows, edges.astype(np.uint32))
        return (ranks[1:] > ranks[:-1]).astype(np.uint8).tobytes()

    def tensors_that_fit(self, event: int) -> Mask:
        """Which tensors of a match fit what is asked of tensors; reads its record."""
        return self._event_test.tensors_that_fit(event)

    # ------------------------------------------------------------------ looking

    def extend(self) -> bool:
        """Look on for a few milliseconds; True while there is more."""
        now = self._clock()
        until = now + SLICE_SECONDS
        while True:
            before = now
            if self._work is None:
                self._work, self._worked = self._next_work(), 0.0
            if self._work is None:
                return False
            if next(self._work, self) is self:
                self._work = None
            now = self._clock()
            self._worked += now - before
            if now + (now - before) > until:  # one more piece like this would take too long
                return self._work is not None or self._has_news or self._round_is_due

    @property
    def _has_news(self) -> bool:
        return self.scanned < len(self._store) or self._guesses.since(self.scanned) is not None

    @property
    def _round_is_due(self) -> bool:
        has_gaps = bool(self._site_tests.open_sites or self._probes)
        return has_gaps and self._clock() >= self._next_round

    def _next_work(self) -> Iterator[None] | None:
        if self._round_is_due:
            return self._close_gaps()
        return self._look_on() if self._has_news else None

    def _look_on(self) -> Iterator[None]:
        """Look at the rows that are new."""
        guessed = self._guesses.since(self.scanned)
        if guessed is not None:
            self._publish(self.rows[: _rank(self.rows, guessed)], guessed)
        self._guesses.look()
        stop = len(self._store)
        while self.scanned < stop:
            known = yield from self._test_sites(min(self.scanned + CHUNK_ROWS, stop))
            for found in self._scan(self.scanned, known, self._site_tests.fits):
                if found is not None:
                    self._table.extend(row=found.rows)
                    self.so_far = RowsSoFar(self._table["row"], found.scanned)
                yield

    def _test_sites(self, stop: int) -> Generator[None, None, int]:
        """Test the sites of the next rows, for a while; the row up to which all are tested."""
        if not self.query.needs_sites:
            return stop
        start, tested = self.scanned, 0
        until = self._clock() + RESULTS_SECONDS
        for tested in self._site_tests.test_new(self._store.site_numbers[start:stop]):
            if tested and self._clock() >= until:
                break
            yield
        return start + tested

    # ------------------------------------------------------------------ rows

    def _scan(self, start: int, stop: int, site_fits: Mask) -> Iterator[_Found | None]:
        """The matches among some rows, piece by piece; None is a pause."""
        for first in range(start, stop, CHUNK_ROWS):
            last = min(first + CHUNK_ROWS, stop)
            found = self._examined(self._candidates(first, last, site_fits), last)
            yield from _asked(self._event_test, found) if self.query.asks_each else found

    def _candidates(self, start: int, stop: int, site_fits: Mask) -> Rows:
        """The rows that the columns in memory do not rule out."""
        store, query = self._store, self.query
        masks = [
            site_fits[store.site_numbers[start:stop]] if query.needs_sites else None,
            query.flags_fit(store.bad_flags[start:stop]),
            query.indices_fit(start, stop),
        ]
        deciding = [mask for mask in masks if mask is not None]
        if not deciding:
            return np.arange(start, stop)
        fits = deciding[0]
        for mask in deciding[1:]:
            fits = fits & mask
        return np.flatnonzero(fits) + start

    def _examined(self, candidates: Rows, last: int) -> Iterator[_Found | None]:
        """The candidates whose records and steps fit, out of the rows before the last."""
        examined = 0 if self._reads_health or self.query.needs_steps else len(candidates)
        rest = candidates[len(candidates) - examined :]
        while examined < len(candidates):
            batch = candidates[examined:]
            if self._reads_health:
                batch = batch[: self._reader.how_many(batch)]
            examined += len(batch)
            rows = (yield from self._with_health(batch)) if self._reads_health else batch
            if self.query.needs_steps:
                for first in range(0, len(rows), STEPS_AT_ONCE):
                    some = rows[first : first + STEPS_AT_ONCE]
                    yield _Found(self._with_steps(some), int(some[-1]) + 1)
            else:
                yield _Found(rows, int(batch[-1]) + 1)
        yield _Found(rest, last)

    def _with_health(self, rows: Rows) -> Generator[None, None, Rows]:
        tensors = yield from self._reader.read(rows)
        return rows[self.query.tensors_fit(tensors, len(rows))]

    def _with_steps(self, rows: Rows) -> Rows:
        """The rows whose steps fit."""
        times = self._store.wall_times[rows]
        order = np.argsort(times, kind="stable")
        steps = np.empty(len(rows))
        steps[order] = _steps_at(times[order].tolist(), self._step_of, self.query)
        for end in (0, -1):
            when = float(times[end])
            self._remember(_Probe(int(rows[end]), when, self._step_of(when)))
        return rows[self.query.steps_fit(steps)]

    def _remember(self, probe: _Probe) -> None:
        if len(self._probes) >= MAX_PROBES:
            self._probes = self._probes[::2]
        self._probes = sorted([*self._probes, probe], key=_row_of)

    # ------------------------------------------------------------------ gaps

    def _close_gaps(self) -> Iterator[None]:
        """Test again what was not known, and correct the matches accordingly."""
        open_sites = len(self._site_tests.open_sites)
        self._check_steps()
        changes = yield from self._site_tests.ask_again()
        if changes.any_turned_off:
            self._drop_misfits()
        if changes.turned_on.any():
            added: list[Rows] = []
            for found in self._scan(0, self.scanned, changes.turned_on):
                if found is not None:
                    added.append(found.rows)
                yield
            self._insert(np.concatenate(added))
        self._schedule(open_sites)

    def _check_steps(self) -> None:
        """Look again at all rows from the first whose step is now counted differently."""
        for number, (_, when, step) in enumerate(self._probes):
            if self._step_of(when) != step:
                scanned = self._probes[number - 1].row if number else 0
                self._publish(self.rows[: _rank(self.rows, scanned)], scanned)
                self._probes = self._probes[:number]
                return

    def _drop_misfits(self) -> None:
        """Drop the matches whose sites do not fit any more."""
        sites = self._store.site_numbers
        rows = self.rows
        self._publish(rows[self._site_tests.fits[sites[rows]]], self.scanned)

    def _insert(self, added: Rows) -> None:
        """Sort more matches in among the others."""
        self._publish(_merged(self.rows, added), self.scanned)

    def _publish(self, rows: Rows, scanned: int) -> None:
        """Replace the rows found so far; readers see the old ones or the new ones."""
        self._table = Table(row=np.uint32)
        self._table.extend(row=rows)
        self.so_far = RowsSoFar(self._table["row"], scanned)
        self.revision += 1

    def _schedule(self, open_sites: int) -> None:
        """Test again soon if that helped or if events came since; else after a longer pause."""
        shortest = max(MIN_PAUSE, self._worked / SHARE_OF_TIME)
        is_known = len(self._site_tests.open_sites) < open_sites
        of_use = is_known or self._scanned_at_round != self.scanned
        doubled = min(MAX_PAUSE, 2 * self._pause)
        self._pause = shortest if of_use else max(shortest, doubled)
        self._scanned_at_round = self.scanned
        self._next_round = self._clock() + self._pause


def _asked(test: EventTest, found: Iterator[_Found | None]) -> Iterator[_Found | None]:
    """Those for which filters hold, too: with a pause after each, for that may take any time."""
    for piece in found:
        for row in [] if piece is None else piece.rows.tolist():
            yield _Found(np.array([row] if test.holds(row) else [], np.int64), row + 1)
        yield None if piece is None else _Found(piece.rows[:0], piece.scanned)


def _merged(rows: Rows, added: Rows) -> Rows:
    """Two ascending columns as one."""
    ranks = np.searchsorted(rows, added.astype(np.uint32)) + np.arange(len(added))
    is_old = np.ones(len(rows) + len(added), np.bool_)
    is_old[ranks] = False
    merged = np.empty(len(is_old), np.uint32)
    merged[ranks] = added
    merged[is_old] = rows
    return merged


def _steps_at(
    times: list[float], step_of: Callable[[float], int | None], query: Query
) -> npt.NDArray[np.float64]:
    """For each of some ascending times a step that fits if its own does; NaN is none.

    Steps do not decrease with time: between two that fit alike, all do.
    """
    steps = np.empty(len(times))
    parts = [(0, step_of(times[0]), len(times) - 1, step_of(times[-1]))]
    while parts:
        start, low, end, high = parts.pop()
        if not query.tells_apart(low, high):
            steps[start : end + 1] = np.nan if low is None else low
        elif end - start == 1:
            steps[start], steps[end] = (np.nan if x is None else x for x in (low, high))
        else:
            middle = (start + end) // 2
            step = step_of(times[middle])
            parts += [(start, low, middle, step), (middle, step, end, high)]
    return steps


def _row_of(probe: _Probe) -> int:
    return probe.row


def _no_step(wall_time: float) -> int | None:
    return None


def _rank(rows: npt.NDArray[np.uint32], row: int) -> int:
    """How many of the rows come before one."""
    # A number of another type would make numpy copy all the rows first.
    return int(np.searchsorted(rows, np.uint32(min(max(row, 0), MAX_ROW))))
