"""All names of a run that commands can be told, sorted in chunks: beginnings are bisected.

Chunks are small enough that none takes long to sort; nothing sorts all of them together.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from heapq import merge
from itertools import islice
from typing import TYPE_CHECKING

from tfdbg_tui.command_line.definition import Names
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.layer_names import layer_and_op

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.run_index import RunIndex

    _State = tuple[tuple[object, ...], ...]

CHUNK = 4096
"""Names that are sorted together: a millisecond's work."""

SLICE_SECONDS = 0.004
"""How long one call of `extend` works, give or take a chunk."""

PAUSE_AFTER = 256
"""Names that are noted between two looks at the clock."""

OP_TYPE, FUNCTION, LAYER = "op type", "function", "layer"
"""More kinds of names, which are behind fields of a query."""


class SortedNames:
    """Names that are found by how they begin, in either case, or by what they hold."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._new: list[str] = []
        self._chunks: tuple[list[tuple[str, str]], ...] = ()

    def __len__(self) -> int:
        return len(self._known)

    def add(self, name: str) -> None:
        """One more name; those of a chunk can be found once it is full, or closed."""
        if name and name not in self._known:
            self._known.add(name)
            self._new.append(name)
            if len(self._new) >= CHUNK:
                self.close()

    def close(self) -> None:
        """Have all that was added be found."""
        if self._new:
            chunk = sorted((name.lower(), name) for name in self._new)
            self._new = []
            self._chunks = (*self._chunks, chunk)

    def starting(self, beginning: str, most: int) -> list[str]:
        """The first names that begin so, in order."""
        wanted = beginning.lower()
        runs = [_run(chunk, wanted) for chunk in self._chunks]
        return [name for _, name in islice(merge(*runs), most)]

    def holding(self, part: str, most: int) -> list[str]:
        """Some names that hold a part."""
        wanted = part.lower()
        found = (name for chunk in self._chunks for low, name in chunk if wanted in low)
        return sorted(islice(found, most))


def _run(chunk: list[tuple[str, str]], beginning: str) -> Iterator[tuple[str, str]]:
    """The names of a chunk that begin so."""
    for number in range(bisect_left(chunk, (beginning, "")), len(chunk)):
        if not chunk[number][0].startswith(beginning):
            return
        yield chunk[number]


class NameLists:
    """The names of one run; `extend` is for the feed's thread, all else for any."""

    def __init__(self, run: RunIndex | None) -> None:
        self._run = run
        self._state: _State = ()
        self._work: Iterator[None] | None = None
        self._lists: dict[object, SortedNames] = {}

    def of(self, kind: object) -> SortedNames:
        """The names of a kind, as far as they were noted."""
        return self._lists.get(kind) or SortedNames()

    def extend(self) -> bool:
        """Note names for a few milliseconds; True while there are more."""
        if self._work is None:
            hosts = () if self._run is None else self._run.hosts
            state = tuple(map(_state_of, hosts))
            if state == self._state:
                return False
            self._state, self._work = state, self._noting(hosts)
        until = time.monotonic() + SLICE_SECONDS
        while time.monotonic() < until:
            if next(self._work, self) is self:
                self._work = None
                return False
        return True

    def _noting(self, hosts: Iterable[HostIndex]) -> Iterator[None]:
        """Note all names anew; those of before are told until that is done."""
        lists: dict[object, SortedNames] = {}
        for number, (kind, name) in enumerate(_names(hosts)):
            if name.isprintable():  # what cannot be typed is no use, and may be hostile
                lists.setdefault(kind, SortedNames()).add(name)
            if number % PAUSE_AFTER == 0:
                yield
        for names in lists.values():
            names.close()
            yield
        self._lists = lists


def _state_of(index: HostIndex) -> tuple[object, ...]:
    """What names are made of: how much of each there is."""
    host = index.host
    sites = len(host.traces.sites), len(host.executions.sites)
    return (*sites, host.graphs.counts, len(host.sources.files))


def _names(hosts: Iterable[HostIndex]) -> Iterator[tuple[object, str]]:
    for index in hosts:
        host = index.host
        for site in tuple(host.traces.sites):
            yield Names.TENSOR, site.tensor_name
        for number in range(len(host.executions.sites)):
            facts = index.sites.of(EventKind.EXECUTION, number)
            yield Names.TENSOR, facts.tensor
            yield Names.OP, facts.tensor
            yield OP_TYPE, facts.op_type or ""
            yield FUNCTION, facts.function or ""
        for graph in tuple(host.graphs.by_id.values()):
            yield FUNCTION, graph.name or ""
            for op in tuple(graph.ops.values()):
                yield Names.OP, op.name
                yield OP_TYPE, op.type
                yield LAYER, layer_and_op(op.name)[0]
        for source in host.sources.files:
            if source is not None:
                yield Names.SOURCE, source.path.replace("\\", "/").rpartition("/")[2]
