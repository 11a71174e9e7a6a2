"""Queries over one store, in slices, and the same asked of one event at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.reading import hosts_of, load
from tfdbg_tui.data.index.site_facts import SiteIndex
from tfdbg_tui.data.records.health import Bad, Health
from tfdbg_tui.data.search.matches import Matches
from tfdbg_tui.data.search.query import parse

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.stores.host import Host

    Fits = Callable[[int, SiteFacts, list[Health]], bool]

QUERIES: dict[str, Fits] = {
    "Log": lambda _, facts, __: "Log" in _names(facts),
    "op:mul -fn:loss": lambda _, facts, __: (
        "mul" in (facts.op_type or "").lower()
        and "loss" not in f"{facts.function} {facts.graph}".lower()
    ),
    "bad": lambda _, __, healths: any(health.bad for health in healths),
    "-nan": lambda _, __, healths: not any(health.bad & Bad.NAN for health in healths),
    "nan inf": lambda _, __, healths: any(
        health.bad & Bad.NAN and health.bad & (Bad.NEG_INF | Bad.POS_INF) for health in healths
    ),
    "nan>0 size>=8": lambda _, __, healths: any(
        health.nan and (health.size or 0) >= 8 for health in healths
    ),
    "zero>50%": lambda _, __, healths: any(
        health.zero is not None and health.size and health.zero * 2 > health.size
        for health in healths
    ),
    "-zero>0 dtype:float32": lambda _, __, healths: (
        not any(health.zero for health in healths)
        and any(health.dtype == "float32" for health in healths)
    ),
    "rank=1..2": lambda _, __, healths: any(health.rank in (1, 2) for health in healths),
    "index>=5 #..40 -#7": lambda index, _, __: 5 <= index <= 40 and index != 7,
    "line>=30 inf=0": lambda _, facts, healths: (
        facts.line is not None
        and facts.line.line >= 30
        and any(health.neg_inf == 0 == health.pos_inf for health in healths)
    ),
}
"""Query → the same, asked of one event at a time."""


def _names(facts: SiteFacts) -> str:
    line = facts.line
    names = (facts.tensor, facts.op_type, facts.function, facts.graph, facts.device)
    return " ".join(map(str, (*names, line and line.path)))


class Clock:
    """A clock that stands still until it is told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Search:
    """One query over one store of a host."""

    def __init__(self, host: Host, text: str, traces: bool, **options: Any) -> None:
        site_index = SiteIndex(host)
        self.store: Any = host.traces if traces else host.executions
        self.facts = site_index.trace if traces else site_index.execution
        self.text = text
        self.clock = Clock()
        options.setdefault("clock", self.clock)
        self.matches = Matches(self.store, self.facts, parse(text), **options)

    def finish(self) -> list[int]:
        """Look until nothing is waiting, with all pauses over."""
        while self.matches.extend():
            pass
        self.clock.now += 1000
        while self.matches.extend():
            pass
        found: list[int] = self.matches.rows.tolist()
        return found

    def expected(self) -> list[int]:
        """The same by asking each event."""
        return [row for row in range(len(self.store)) if self._fits(row)]

    def _fits(self, row: int) -> bool:
        facts = self.facts(int(self.store.events["site"][row]))
        told = self.store.read(row).health
        healths = (told,) if told is None or isinstance(told, Health) else told
        return bool(QUERIES[self.text](row, facts, [health for health in healths if health]))


def only_host(path: Path) -> Host:
    (host,) = hosts_of(load(path))
    return host
