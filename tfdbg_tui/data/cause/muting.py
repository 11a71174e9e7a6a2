"""Finds what is muted among the bad tensors of a run: a job that follows the search for causes.

A site is muted if a rule names it, or if all that made it bad is muted: then the user need not mute
what follows tensor by tensor. The flow of numbers tells that or, where it is lost, that the site
went bad when its cause did; what was clean since then counts as a cause. A site is judged by its
first bad tensor and by its last one, for what is meant in the first steps must not hide what breaks
later.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.cause.muted import Muted, MutedSites
from tfdbg_tui.data.cause.spreading import FRESH, Spread, Way
from tfdbg_tui.data.index.alert_rows import AlertRows
from tfdbg_tui.data.stores.event_kind import EventKind, store_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tfdbg_tui.data.cause.causes import Causes
    from tfdbg_tui.data.cause.mutes import Mutes
    from tfdbg_tui.data.cause.run_causes import RunCauses
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.stores.host import AnyEventStore

ASKED_AT_ONCE = 4_000
"""Sites that are looked at in one go, if nothing else has to be done: a few milliseconds."""

RULE_COST, WALK_COST = 10, 500
"""Sites that could be looked at while one is held against a rule, or its way back is walked."""

MAX_CLEAN = 1
"""How often a site may be clean between a cause that went bad and its own first bad tensor."""

NOT_MUTED = -1
"""In place of a number of tensors: one of the site's is not muted."""


class Muting:
    """The muted sites of one run; the feed's thread works, any thread reads what is published."""

    def __init__(
        self,
        run: RunIndex,
        causes: Causes,
        found: RunCauses,
        mutes: Mutes,
        before: Muted | None = None,
    ) -> None:
        self._run = run
        self._causes = causes
        self._found = found
        self._mutes = mutes
        self._sites = AlertRows(run.hosts)
        self._rule_of: dict[int, int | None] = {}
        """The rule that names each site, by its key, as far as that is certain."""
        self._texts: dict[tuple[int, int], tuple[str, ...] | None] = {}
        self._seen = (-1, -1)
        self._pass: Iterator[None] | None = None
        self._is_new = True
        self.muted = before or Muted(mutes)
        """What is muted, as far as that is known."""
        self.is_done = not mutes.rules
        """Whether it is known of all that was there when it was looked last."""
        self.version = 0

    def extend(self) -> bool:
        """Look at some more sites; True while there is more to do."""
        if self._is_new:
            self._is_new = False
            self._begin(frozenset())
        if self._found.has_more and self._found.extend():
            return True
        self._sites.refresh()
        now = (self._sites.count, self._found.version)
        if self._pass is None:
            if now == self._seen:
                return False
            self._seen = now
            self._pass = self._look()
        if next(self._pass, self) is self:
            self._pass = None
            return self._found.has_more
        return True

    # One look at all sites.

    def _look(self) -> Iterator[None]:
        """Work out what is muted, with pauses, and publish it."""
        keys = self._sites.keys.tolist()
        named: dict[int, int] = {}
        asked = 0
        for rank, key in enumerate(keys):
            asked += 1 if key in self._rule_of else RULE_COST * len(self._mutes.rules)
            rule = self._named_by(rank, key)
            if rule is not None:
                named[key] = rule
            if asked >= ASKED_AT_ONCE:
                asked = 0
                yield
        spread = Spread(self._found, named)
        ranks = {key: rank for rank, key in enumerate(keys)}
        for rank, key in enumerate(keys):
            ways = partial(self._ways_to, rank, key, spread)
            is_walked = spread.settle(key, ways, partial(self._turned_with, rank, ranks))
            asked += WALK_COST if is_walked else 1
            if asked >= ASKED_AT_ONCE:
                asked = 0
                yield
        self._publish(keys, spread)

    def _named_by(self, rank: int, key: int) -> int | None:
        """The first rule that names a site."""
        if key in self._rule_of:
            return self._rule_of[key]
        site, rules = self._sites.site(rank), self._mutes.rules
        code_of = partial(self.code_of, site.host)
        fitting = (n for n, rule in enumerate(rules) if rule.fits(site.facts, code_of))
        found = next(fitting, None)
        if not any(rule.is_open(site.facts) for rule in rules):
            self._rule_of[key] = found
        return found

    def code_of(self, host: int, facts: SiteFacts) -> str | None:
        """The user's line of a site, without its indentation; None where it is not there."""
        line = facts.line
        if line is None:
            return None
        place = host, line.file
        if self._texts.get(place) is None:
            self._texts[place] = self._run.hosts[host].host.sources.lines(line.file)
        lines = self._texts[place] or ()
        return lines[line.line - 1].strip() if 1 <= line.line <= len(lines) else None

    def _ways_to(self, rank: int, key: int, spread: Spread) -> Iterator[Way]:
        """How the first and the last bad tensor of a site that follows came to be so."""
        first = self._found.followers.get(key)
        site = self._sites.alert(rank)
        host = self._causes.hosts[site.host]
        yield self._way(site.first, () if first is None else first.sources, spread)
        if site.last.event == site.first.event:
            return
        last = host.judge(site.last.kind, site.last.event)
        yield self._way(site.last, last.sources, spread) if last.follows else FRESH

    def _way(self, tensor: EventRef, sources: Sequence[EventRef], spread: Spread) -> Way:
        """Whether all that a bad tensor comes from is muted or, if not, which cause is not."""
        roots = self._causes.hosts[tensor.host].roots(sources) if sources else ()
        if roots:
            return spread.from_roots([*map(self._sites.key_of, roots)])
        return spread.from_sources([*map(self._sites.key_of, sources)])

    def _turned_with(self, rank: int, ranks: Mapping[int, int], cause: int) -> bool:
        """Whether a site was not clean any more after a cause had gone bad, but for once.

        In the calls of both it may have been: loops go round.
        """
        site, before = self._sites.alert(rank), self._sites.alert(ranks[cause]).first
        store = self._store_of(site.first)
        began = self._store_of(before).wall_time(before.event)
        start = int(np.searchsorted(store.wall_times, began, "right"))
        end = site.first.event
        if before[:2] == site.first[:2]:
            start = max(start, self._call_of(before)[1])
        end = min(end, self._call_of(site.first)[0])
        own = store.site_numbers[start:end] == site.site
        return int((own & (store.bad_flags[start:end] == 0)).sum()) <= MAX_CLEAN

    def _call_of(self, tensor: EventRef) -> tuple[int, int]:
        """The first event of the call of a graph tensor, and the one behind its last."""
        joins = self._run.hosts[tensor.host].joins
        call = joins.execution_of(tensor.event) if tensor.kind is EventKind.TRACE else None
        return (tensor.event, tensor.event + 1) if call is None else joins.window_of(call)

    def _store_of(self, tensor: EventRef) -> AnyEventStore:
        return self._run.hosts[tensor.host].host.store_of(tensor.kind)

    def _publish(self, keys: list[int], spread: Spread) -> None:
        by = spread.by
        counts = [0] * len(self._mutes.rules)
        first = None
        for rank, key in enumerate(keys if by else ()):
            if key in by:
                counts[by[key]] += self._sites.alert(rank).alerts
            elif first is None:
                first = self._sites.alert(rank).first
        if set(spread.begun) - self._found.begun:
            self._begin(frozenset(spread.begun) | self._found.begun)
        is_other = not self.is_done or (by, spread.moved) != (self.muted.by, self.muted.moved)
        stores = self._by_store(by)
        self.muted = Muted(self._mutes, by, spread.moved, tuple(counts), first, stores)
        self.is_done = True
        self.version += is_other

    def _by_store(self, by: dict[int, int]) -> dict[int, MutedSites]:
        """The sites of which all bad tensors are muted, store by store."""
        tensors: dict[int, dict[int, int]] = {}
        for rank, key in enumerate(self._sites.keys.tolist() if by else ()):
            alert = self._sites.alert(rank)
            number = store_number(alert.host, alert.first.kind)
            of_store = tensors.setdefault(number, {})
            if key in by and of_store.get(alert.site, 0) >= 0:
                of_store[alert.site] = of_store.get(alert.site, 0) + alert.alerts
            else:
                of_store[alert.site] = NOT_MUTED
        muted = {
            number: {site: count for site, count in sites.items() if count != NOT_MUTED}
            for number, sites in tensors.items()
        }
        return {
            number: MutedSites(np.array(sorted(sites), np.int64), sum(sites.values()))
            for number, sites in muted.items()
            if sites
        }

    def _begin(self, begun: frozenset[int]) -> None:
        """Have these sites be causes, and no others of those that would follow."""
        changed = begun ^ self._found.begun
        if not changed:
            return
        ranks = {key: rank for rank, key in enumerate(self._sites.keys.tolist())}
        sites = [self._sites.alert(ranks[key]) for key in begun]
        for number, host in enumerate(self._causes.hosts):
            host.begin(site.first for site in sites if site.host == number)
        self._found.begun = begun
        self._found.judge_again(changed)
