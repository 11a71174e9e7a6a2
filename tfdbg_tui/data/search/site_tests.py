"""Which sites of a store fit a query, as far as their names are on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from typing import Any

    import numpy.typing as npt

    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.search.query import Query

    Mask = npt.NDArray[np.bool_]


NEW_AT_ONCE = 1 << 12
"""Events whose sites are put in order together."""


class Changes(NamedTuple):
    """What came of asking again."""

    turned_on: Mask
    """Sites that fit now and did not before."""
    any_turned_off: bool


class SiteTests:
    """Tests each site once, and again while names that it needs are not on disk; for one thread.

    Most sites take some 30 µs, but a few long names and a large expression take a thousand times
    as long: there is a pause after each.
    """

    def __init__(self, query: Query, facts: Callable[[int], SiteFacts]) -> None:
        self._query = query
        self._facts = facts
        self.fits: Mask = np.zeros(0, np.bool_)
        """For each site, whether it was tested and fits."""
        self._is_tested: Mask = np.zeros(0, np.bool_)
        self.open_sites: list[int] = []
        """Sites of which that may change."""

    def test_new(self, sites: npt.NDArray[Any]) -> Iterator[int]:
        """Test the new ones among the sites of some events, in the order of the events.

        Yields to pause: of how many events, from the first on, the sites are tested so far.
        That need not be all of them in the end, but is one more than at first.
        """
        self._make_room(int(sites.max(initial=-1)) + 1)
        if self._is_tested.all():
            yield len(sites)
            return
        untested = np.flatnonzero(~self._is_tested[sites])
        events = untested[:NEW_AT_ONCE]
        new, firsts = np.unique(sites[events], return_index=True)
        order = np.argsort(firsts)
        for site, event in zip(new[order].tolist(), events[firsts[order]].tolist(), strict=True):
            yield event
            self.fits[site], is_open = self._test(site)
            self._is_tested[site] = True
            if is_open:
                self.open_sites.append(site)
        yield len(sites) if len(events) == len(untested) else int(untested[NEW_AT_ONCE])

    def _make_room(self, total: int) -> None:
        missing = np.zeros(max(0, total - len(self.fits)), np.bool_)
        self.fits = np.append(self.fits, missing)
        self._is_tested = np.append(self._is_tested, missing)

    def ask_again(self) -> Generator[None, None, Changes]:
        """Test again the sites of which something was not on disk; yields to pause."""
        fits = self.fits.copy()
        still_open = []
        for site in self.open_sites:
            fits[site], is_open = self._test(site)
            if is_open:
                still_open.append(site)
            yield
        before, self.fits, self.open_sites = self.fits, fits, still_open
        return Changes(fits & ~before, bool((before & ~fits).any()))

    def _test(self, site: int) -> tuple[bool, bool]:
        """Whether a site fits, and whether that may change."""
        facts = self._facts(site)
        return self._query.site_test(facts), self._query.is_open(facts)
