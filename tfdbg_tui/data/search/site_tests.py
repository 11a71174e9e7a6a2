"""Which sites of a store fit a query, as far as their names are on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    import numpy.typing as npt

    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.search.query import Query

    Mask = npt.NDArray[np.bool_]

SITES_AT_ONCE = 32
"""Sites tested between two pauses; each takes some 30 µs."""


class Changes(NamedTuple):
    """What came of asking again."""

    turned_on: Mask
    """Sites that fit now and did not before."""
    any_turned_off: bool


class SiteTests:
    """Tests each site once, and again while names that it needs are not on disk; for one thread."""

    def __init__(self, query: Query, facts: Callable[[int], SiteFacts]) -> None:
        self._query = query
        self._facts = facts
        self.fits: Mask = np.zeros(0, np.bool_)
        """For each site that was tested, whether it fits."""
        self.open_sites: list[int] = []
        """Sites of which that may change."""

    def test_new(self, total: int) -> Iterator[None]:
        """Test the sites that have come, up to so many in all; yields to pause."""
        known = len(self.fits)
        if total == known or not self._query.needs_sites:
            return
        fits = np.zeros(total, np.bool_)
        fits[:known] = self.fits
        opened = []
        for site in range(known, total):
            fits[site], is_open = self._test(site)
            if is_open:
                opened.append(site)
            if site % SITES_AT_ONCE == 0:
                yield
        self.fits = fits
        self.open_sites += opened

    def ask_again(self) -> Generator[None, None, Changes]:
        """Test again the sites of which something was not on disk; yields to pause."""
        fits = self.fits.copy()
        still_open = []
        for number, site in enumerate(self.open_sites):
            fits[site], is_open = self._test(site)
            if is_open:
                still_open.append(site)
            if number % SITES_AT_ONCE == 0:
                yield
        before, self.fits, self.open_sites = self.fits, fits, still_open
        return Changes(fits & ~before, bool((before & ~fits).any()))

    def _test(self, site: int) -> tuple[bool, bool]:
        """Whether a site fits, and whether that may change."""
        facts = self._facts(site)
        return self._query.site_test(facts), self._query.is_open(facts)
