"""What is muted in a run, as a frozen value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.cause.mutes import Mutes
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from tfdbg_tui.data.cause.mutes import Mute
    from tfdbg_tui.data.stores.event_kind import EventRef

    Sites = npt.NDArray[np.int64]


class MutedSites(NamedTuple):
    """What is muted in one store, as whole sites; for lists of events."""

    sites: Sites
    """The numbers of sites of which all bad tensors are muted, ascending."""
    tensors: int
    """Bad tensors of these."""

    def hold(self, sites: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Which of some sites are muted."""
        return np.isin(sites, self.sites)


@dataclass(frozen=True, eq=False)
class Muted:
    """Which sites are muted, by which rules, and what that comes to; keys as in `AlertRows`."""

    mutes: Mutes = field(default_factory=Mutes)
    by: Mapping[int, int] = field(default_factory=dict)
    """The rule that mutes each site that is muted, by the key of the site."""
    moved: Mapping[int, int] = field(default_factory=dict)
    """The cause of sites that follow from something muted and from something else, too."""
    counts: tuple[int, ...] = ()
    """Bad tensors that each rule mutes, with what follows from them."""
    first: EventRef | None = None
    """The first bad tensor in time that is not muted, if any tensor is."""
    stores: Mapping[int, MutedSites] = field(default_factory=dict)
    """The muted sites of each store that has some, by its number."""

    @property
    def tensors(self) -> int:
        """Bad tensors that are muted."""
        return sum(self.counts)

    def rule_of(self, key: int) -> Mute | None:
        """The rule that mutes a site; None where none does."""
        number = self.by.get(key)
        return None if number is None else self.mutes.rules[number]

    @property
    def working(self) -> tuple[tuple[Mute, int], ...]:
        """The rules that mute something, and how many tensors, most first."""
        pairs = zip(self.mutes.rules, self.counts, strict=False)
        return tuple(sorted((p for p in pairs if p[1]), key=lambda pair: -pair[1]))

    @property
    def unused_lines(self) -> tuple[int, ...]:
        """The numbers of the lines whose rule mutes nothing."""
        unused = (number for number, count in enumerate(self.counts) if not count)
        return tuple(map(self.mutes.number_of, unused))
