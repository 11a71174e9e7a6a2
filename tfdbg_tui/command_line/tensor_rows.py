"""Events as rows of a table: made when they are looked at, sorted by columns in bulk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.command_line.finding import times_of
from tfdbg_tui.command_line.pauses import finished
from tfdbg_tui.command_line.result import Cell, Head
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.records.value_facts import LARGEST
from tfdbg_tui.data.search.bulk_health import SIZE, HealthReader
from tfdbg_tui.data.stores.event_kind import EventKind, host_and_kind
from tfdbg_tui.data.views.number_words import COUNTED, bad_words, elapsed

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    import numpy.typing as npt

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.finding import FoundEvents
    from tfdbg_tui.command_line.result import Row
    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.records.health import Health

    Keys = npt.NDArray[np.float64]

HEADS = (
    Head("time", "time", is_number=True),
    Head("size", "size", is_number=True),
    Head("op", "op type"),
    Head("name", "tensor"),
    Head("health", "health"),
    Head("event", "event", is_number=True),
    Head("kind", "in"),
)

HOST = Head("host", "host")
"""One more column where a run has several hosts."""


class TensorRows:
    """Events with their tensors."""

    def __init__(self, context: Context, found: FoundEvents) -> None:
        self.found = found
        self._context = context

    def __len__(self) -> int:
        return len(self.found)

    @property
    def heads(self) -> tuple[Head, ...]:
        """The columns."""
        return HEADS if len(self._context.hosts) == 1 else (*HEADS, HOST)

    def rows(self, start: int, stop: int) -> Sequence[Row]:
        """Some of them, read back from disk."""
        return [self._row(row) for row in range(start, min(stop, len(self)))]

    def _row(self, number: int) -> Row:
        ref = self.found.ref(number)
        index = self._context.run.hosts[ref.host]
        store = index.host.store_of(ref.kind)
        facts = index.sites.of(ref.kind, store.site_number(ref.event))
        health = _health(self._context, ref.host, ref.kind, ref.event)
        seconds = store.wall_time(ref.event) - index.started
        bad = store.bad(ref.event)
        size = None if health is None else health.size
        row = (
            Cell(elapsed(seconds), seconds),
            Cell("" if size is None else f"{size:,}", size),
            Cell(facts.op_type or "?", facts.op_type),
            Cell(facts.name, facts.tensor, ref),
            health_cell(health, bad),
            Cell(f"#{ref.event:,}", ref.event, role="dim"),
            _kind_cell(ref.kind, facts),
        )
        return (
            row if len(self._context.hosts) == 1 else (*row, Cell(index.host.name, index.host.name))
        )

    def sorted_by(self, key: str, is_reversed: bool) -> TensorRows:
        """The same in the order of a column, at once."""
        return finished(self.put_in_order(key, is_reversed))

    def put_in_order(self, key: str, is_reversed: bool) -> Generator[None, None, TensorRows]:
        """The same with pauses; what is not known stands at the end."""
        keys = yield from _keys(self._context, self.found, key)
        order = np.argsort(-keys if is_reversed else keys, kind="stable")
        return TensorRows(self._context, self.found.ordered(order))


def _kind_cell(kind: EventKind, facts: SiteFacts) -> Cell:
    """What an event is, in the word that its number can be named with: `graph#52`."""
    word = "graph" if kind is EventKind.TRACE else "call" if facts.is_call else "eager"
    return Cell("run" if facts.is_session_run else word, word, role="dim")


def _health(context: Context, host: int, kind: EventKind, event: int) -> Health | None:
    """The health of an event's worst tensor, unless its record is very large."""
    own = context.run.hosts[host].host
    store = own.store_of(kind)
    if store.record_size(event) > LARGEST:
        return None
    if kind is EventKind.TRACE:
        return own.traces.health(event)
    return own.executions.worst_health(event)


def health_words(health: Health | None, bad: Bad) -> str:
    """What is bad in a tensor, in a few words; nothing if nothing is known to be."""
    told = [(name, getattr(health, field)) for field, name in COUNTED[:3]] if health else []
    counts = [f"{name} {number:,}" for name, number in told if number]
    return " ".join(counts) or bad_words(bad) or ("ok" if health and health.nan == 0 else "")


def health_cell(health: Health | None, bad: Bad) -> Cell:
    """The same as a cell."""
    words = health_words(health, bad)
    return Cell(words, words or None, role="bad" if bad else "")


def _keys(context: Context, found: FoundEvents, key: str) -> Generator[None, None, Keys]:
    """A number for each event that puts it where a column wants it; NaN stands at the end."""
    if key in ("time", "step"):  # steps follow each other
        return times_of(context, found)
    if key == "event":
        return found.events.astype(np.float64)
    if key in ("host", "kind"):
        return found.stores.astype(np.float64)
    if key in NAMES:
        return _name_keys(context, found, NAMES[key])
    keys = np.full(len(found), np.nan)
    for number in np.unique(found.stores).tolist():
        host, kind = host_and_kind(number)
        store = context.run.hosts[host].host.store_of(kind)
        own = np.flatnonzero(found.stores == number)
        if key == "health":
            keys[own] = -_BADNESS[store.bad_flags[found.events[own]]]
        else:
            order = own[np.argsort(found.events[own])]
            keys[order] = yield from _sizes(HealthReader(store), found.events[order])
    return keys


def _badness(flags: int) -> float:
    bad = Bad(flags)
    return float(
        8 * bool(bad & Bad.NAN)
        + 4 * bool(bad & Bad.UNTOLD)
        + bool(bad & (Bad.POS_INF | Bad.NEG_INF))
    )


_BADNESS = np.array([_badness(flags) for flags in range(16)])
"""How bad some flags are: NaN is worst."""


def _line(facts: SiteFacts) -> str:
    return "" if facts.line is None else f"{facts.line.path}:{facts.line.line:09}"


NAMES: dict[str, Callable[[SiteFacts], str]] = {
    "op": lambda facts: facts.op_type or "?",
    "name": lambda facts: facts.name,
    "function": lambda facts: facts.function or "",
    "line": _line,
}
"""Columns that are the same for all events of a site."""


def _name_keys(context: Context, found: FoundEvents, of: Callable[[SiteFacts], str]) -> Keys:
    """The rank of each event's name among all names: sites are named, events are many."""
    sites: dict[tuple[int, int], str] = {}
    parts = []
    for number in np.unique(found.stores).tolist():
        host, kind = host_and_kind(number)
        index = context.run.hosts[host]
        own = np.flatnonzero(found.stores == number)
        numbers = index.host.store_of(kind).site_numbers[found.events[own]]
        parts.append((number, own, numbers))
        for site in np.unique(numbers).tolist():
            sites[number, site] = of(index.sites.of(kind, site))
    ranks = {name: rank for rank, name in enumerate(sorted(set(sites.values())))}
    keys = np.empty(len(found))
    for number, own, numbers in parts:
        rank_of = np.zeros(int(numbers.max(initial=-1)) + 1)
        for (store, site), name in sites.items():
            if store == number:
                rank_of[site] = ranks[name]
        keys[own] = rank_of[numbers]
    return keys


def _sizes(reader: HealthReader, events: npt.NDArray[np.uint32]) -> Generator[None, None, Keys]:
    """How many elements the tensor of each event has that is told: a bad one, or the first."""
    sizes = np.full(len(events), np.nan)
    done = 0
    while done < len(events):
        some = events[done:].astype(np.int64)
        some = some[: reader.how_many(some)]
        tensors = yield from reader.read(some)
        order = np.lexsort((tensors.bad == 0, tensors.event))
        which, first = np.unique(tensors.event[order], return_index=True)
        sizes[done + which] = tensors.numbers[order[first], SIZE]
        done += len(some)
    return sizes
