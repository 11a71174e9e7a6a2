"""From the sites that rules name to those that are muted with them, site by site in time.

What follows from nothing but muted causes is muted, too. What follows from another cause as well
stands below that. Where the flow of numbers is lost, in a variable that nobody tells who wrote, a
site is muted if it went bad when its muted cause did; if it was clean since, it begins anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

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
        """Sites that are causes now: they went bad by something that is not known."""

    def settle(
        self, key: int, ways: Callable[[], Iterable[Way]], turned_with: Callable[[int], bool]
    ) -> bool:
        """Decide on the next site in time; True if its ways had to be walked.

        Of what nothing is known, `turned_with` says whether it went bad with a cause.
        """
        if key in self._causes:
            self.by[key] = self._causes[key]
        elif self._is_cause(key):
            self._last_cause = self._last_cause if key in self._meant else key
        elif self._cause_of.get(key) in self._causes:
            self._settle_follower(key, tuple(ways()), turned_with)
            return True
        return False

    def _settle_follower(
        self, key: int, ways: Sequence[Way], turned_with: Callable[[int], bool]
    ) -> None:
        rules = [way.rule for way in ways if way.rule is not None]
        is_open = any(way.is_open for way in ways)
        said = self._cause_of[key]
        if not rules and not is_open and self._last_cause is None and turned_with(said):
            rules = [self._causes[said]]
        if rules and not is_open:
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

    def _is_harmful(self, key: int) -> bool:
        """Whether a site is a cause that is neither muted nor meant."""
        is_cause = self._is_cause(key) or key in self.begun
        return is_cause and key not in self._causes and key not in self._meant

    def _is_cause(self, key: int) -> bool:
        return self._cause_of.get(key) == key
