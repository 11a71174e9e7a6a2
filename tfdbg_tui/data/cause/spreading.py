"""From the sites that rules name to those that are muted with them, site by site in time.

What follows from nothing but muted causes is muted, too. What follows from another cause as well
stands below that; what follows, as far as anyone knows, from nothing else begins anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tfdbg_tui.data.cause.run_causes import RunCauses


class Way(NamedTuple):
    """Where a bad tensor comes from; nothing is known of it without a rule or something open."""

    rule: int | None = None
    """The rule that mutes all of that."""
    is_open: bool = False
    """Whether some of it is not muted."""
    cause: int | None = None
    """The key of a cause of that, if one is known."""


UNKNOWN = Way()
FRESH = Way(is_open=True)
"""Of a tensor that made its bad numbers itself."""


class Spread:
    """What is muted, as far as the sites were settled; each in the order of time."""

    def __init__(self, found: RunCauses, named: Mapping[int, int]) -> None:
        self._cause_of = found.cause_of
        # A gradient that broke by the same number is the same cause as its forward op.
        parts = found.ranking.part_of.items()
        gradients = {key: named[of] for key, of in parts if of in named and self._is_cause(key)}
        self._causes = {**gradients, **named}
        """The rule of each site that is muted by itself."""
        self._meant = {cause.key for cause in found.ranking.meant}
        """Causes that do no harm: what comes from them and from something muted is muted."""
        self._last_cause: int | None = None
        self.by: dict[int, int] = {}
        """The rule of each site that is muted."""
        self.moved: dict[int, int] = {}
        """The cause of sites that follow from something muted and from that, too."""
        self.begun: list[int] = []
        """Sites that are causes now, since nothing is known that they follow from."""

    def settle(self, key: int, ways: Callable[[], Iterable[Way]]) -> bool:
        """Decide on the next site in time; True if its ways had to be walked."""
        if key in self._causes:
            self.by[key] = self._causes[key]
        elif self._is_cause(key):
            self._last_cause = self._last_cause if key in self._meant else key
        elif self._cause_of.get(key) in self._causes:
            self._settle_follower(key, tuple(ways()))
            return True
        return False

    def _settle_follower(self, key: int, ways: Sequence[Way]) -> None:
        rules = [way.rule for way in ways if way.rule is not None]
        if rules and not any(way.is_open for way in ways):
            self.by[key] = rules[0]
            return
        known = (way.cause for way in ways if way.cause is not None)
        cause = next(known, self._last_cause)
        if cause is None:
            self.begun.append(key)
            self._last_cause = key
        else:
            self.moved[key] = cause

    def from_roots(self, roots: Sequence[int]) -> Way:
        """Where something comes from of which all causes are known."""
        muted = [key for key in roots if key in self._causes]
        others = [key for key in roots if key not in self._causes and key not in self._meant]
        if muted and not others:
            return Way(self._causes[muted[0]])
        return Way(None, bool(others), next(filter(self._is_cause, others), None))

    def from_sources(self, sources: Sequence[int]) -> Way:
        """Where something comes from of which only the nearest bad tensors are known, or none."""
        others = [key for key in sources if key not in self.by]
        if sources and not others:
            return Way(self.by[sources[0]])
        causes = (key if self._is_harmful(key) else self.moved.get(key) for key in others)
        cause = next((key for key in causes if key is not None), None)
        return Way(None, cause is not None, cause)

    def from_loop(self, inside: Sequence[int]) -> Way:
        """Where something comes from that entered a loop, after these went bad in its call."""
        muted = [key for key in inside if key in self.by]
        others = (self._cause_of.get(key) for key in inside if key not in self.by)
        if self._last_cause is not None or not muted or not self._meant.issuperset(others):
            return UNKNOWN
        return Way(self.by[muted[-1]])

    def _is_harmful(self, key: int) -> bool:
        """Whether a site is a cause that is neither muted nor meant."""
        is_cause = self._is_cause(key) or key in self.begun
        return is_cause and key not in self._causes and key not in self._meant

    def _is_cause(self, key: int) -> bool:
        return self._cause_of.get(key) == key
