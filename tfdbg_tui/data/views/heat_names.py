"""What the rows of a heat map are called, and which of them stand together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.index.step_grid import MAX_SITES
from tfdbg_tui.data.records.modes import Mode, tells_bad, told_by
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.layer_names import layer_and_op
from tfdbg_tui.data.stores.tf_names import computes_gradient, is_of_gradient
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex

NAMED_AT_ONCE = 32
"""Sites that are looked up in one go: about a millisecond."""

KINDS = (EventKind.TRACE, EventKind.EXECUTION)


class Group(NamedTuple):
    """Rows that stand together: of one layer of a function, or of one file at top level."""

    function: str
    layer: str = ""
    file: str = ""
    """Of what ran at top level: the user's file; there is no function then."""


class SiteName(NamedTuple):
    """What is said of one row."""

    group: Group
    label: str
    line: int | None = None
    is_call: bool = False
    is_gradient: bool = False
    mode: int = Mode.UNSPECIFIED
    holds_tensors: bool = True
    """Whether anything of it is recorded but that it ran."""

    @property
    def tells_bad(self) -> bool:
        """Whether its mode tells NaN and ∞."""
        return tells_bad(self.mode)

    @property
    def tells_zero(self) -> bool:
        """Whether its mode counts zeros."""
        return "zero" in told_by(self.mode)


def key_of(kind: EventKind, site: int) -> int:
    """The number of a row: one for each site of either kind."""
    return len(KINDS) * site + KINDS.index(kind)


def site_of(key: int) -> tuple[EventKind, int]:
    """What a row stands for."""
    site, kind = divmod(key, len(KINDS))
    return KINDS[kind], site


def _others(name: SiteName) -> SiteName:
    """What is said of the one row that all sites share which have none of their own."""
    return SiteName(Group("all other tensors"), "all others", mode=name.mode)


class HeatNames:
    """The names of all sites of a host; one thread extends them, any may ask."""

    def __init__(self, index: HostIndex) -> None:
        self._index = index
        self._names: dict[int, SiteName] = {}
        self.named = 0
        """Names found so far, those that became whole later counted again."""
        self._open: list[int] = []
        """Rows whose names lacked something that was not on disk."""
        self._next = dict.fromkeys(KINDS, 0)

    def of(self, key: int) -> SiteName | None:
        """The name of a row; None while it is not known."""
        return self._names.get(key)

    def extend(self, known: dict[EventKind, int]) -> bool:
        """Look up some of so many sites of each kind; True while there are more."""
        room = NAMED_AT_ONCE
        for kind, sites in known.items():
            first = self._next[kind]
            last = min(sites, first + room)
            for site in range(first, last):
                self._name(key_of(kind, site))
            self._next[kind], room = last, room - (last - first)
        again, self._open = self._open[:room], self._open[room:]
        for key in again:
            self._name(key)
        return room == 0

    def _name(self, key: int) -> None:
        kind, site = site_of(key)
        found = self._trace(site) if kind is EventKind.TRACE else self._execution(site)
        name, is_whole = (_others(found[0]), True) if site == MAX_SITES else found
        self.named += name != self._names.get(key)
        self._names[key] = name
        if not is_whole:
            self._open.append(key)

    def _trace(self, site: int) -> tuple[SiteName, bool]:
        facts, described = self._index.sites.trace(site), self._index.host.traces.sites[site]
        layer, op = layer_and_op(described.op_name)
        slot = facts.name.rpartition(":")[2] if ":" in facts.name else ""
        name = SiteName(
            Group(facts.function or facts.graph or "", layer),
            f"{op}:{slot}" if slot else op,
            None if facts.line is None else facts.line.line,
            is_gradient=is_of_gradient(described.op_name) or computes_gradient(facts.graph or ""),
            mode=described.mode,
        )
        return name, facts.function is not None and facts.line is not None

    def _execution(self, site: int) -> tuple[SiteName, bool]:
        facts, described = (
            self._index.sites.execution(site),
            self._index.host.executions.sites[site],
        )
        path = "" if facts.line is None else facts.line.path.replace("\\", "/")
        name = SiteName(
            Group("", file=path.rpartition("/")[2]),
            facts.name,
            None if facts.line is None else facts.line.line,
            facts.is_call,
            facts.is_backward,
            described.mode,
            described.tensors > 0,
        )
        return name, not facts.line_is_open
