"""Tensors that are zero in every element, or go that way: dead activations, gradients that vanish.

Zeros may mean that all is well: a loss that has been learned has no gradient at all. So a gradient
counts only while others of its graph are not zero, and an activation only if weights take it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.early.warning import EarlyWarning, WarningKind
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.early.looking import LookedAt
    from tfdbg_tui.data.early.samples import Samples, SiteSamples
    from tfdbg_tui.data.stores.event_kind import EventRef

MAX_SUSPECTS = 512
"""Sites of a host that are looked at closely."""

OUTLASTS = 3
"""Times the longest stretch of zeros before, which the last one has to outlast."""

NEVER_LIVE = 2
"""Times the usual invocations for a gradient that was zero from the beginning."""

DEAD = (
    "No unit lets anything through, so no gradient comes back and it cannot recover: "
    "a smaller learning rate, He initialisation or a leaky activation avoid it."
)
NO_GRADIENT = (
    "These weights do not learn while others of the model do: "
    "what leads to them is cut off, dead, or multiplied by zero."
)
DYING = {
    "rectified": "Units die one after another: a smaller learning rate or a leaky activation help.",
    "squashed": "It saturates: what it is computed from has become very large.",
    "gradient": "Fewer and fewer weights learn while others of the model do.",
}


def all_zero(at: LookedAt) -> Iterator[EarlyWarning | None]:
    """Activations that are dead, and gradients of weights that are zero."""
    dead: list[EarlyWarning] = []
    gradients: list[EarlyWarning] = []
    for samples, sites in _suspects(at, 1.0, "rectified", "gradient"):
        for site in sites:
            role = at.role(samples, site)
            if role == "gradient":
                yield from samples.read(_gradients_beside(at, samples, site))
            found = _judged_zero(at, samples, site, role)
            (dead if role == "rectified" else gradients).extend([found] if found else [])
            yield None
    yield from dead
    if not dead:  # else their gradients are zero for that reason
        yield from gradients


def _suspects(at: LookedAt, at_least: float, *roles: str) -> Iterator[tuple[Samples, list[int]]]:
    """The sites of some roles whose last sample has so large a share of zeros."""
    for samples in at.samples:
        sites, zeros, _ = samples.last_shares(at.sites_with(samples, *roles))
        with np.errstate(invalid="ignore"):
            yield samples, sites[zeros >= at_least][:MAX_SUSPECTS].tolist()


def _judged_zero(at: LookedAt, samples: Samples, site: int, role: str) -> EarlyWarning | None:
    wanted = at.thresholds.zero_invocations
    last = at.last_invocations(samples, site, wanted)
    if len(last) < wanted or not all(_is_zero(at, samples, event) for event in last):
        return None
    event = at.ref(samples, last[0])
    if at.tensors.is_in_loop(event) or not _matters(at, samples, event, role):
        return None
    if not _is_for_good(at, samples.of_site(site), role):
        return None
    first = _first_zero(at, samples, site)
    if role == "gradient" and not _others_live(at, samples, site, min(first, last[0])):
        return None
    times = at.count_from(samples, site, first)
    size = samples.of_site(site).size[-1]
    was_there = bool(len(at.invocations(samples, site, 0, first)))
    begun = "" if was_there else ", from its first one on"
    told = f"all {counted(int(size), 'element')} are zero in the last {times:,} invocations{begun}"
    evidence = {"size": int(size), "zero": int(size), "invocations": times}
    means = DEAD if role == "rectified" else NO_GRADIENT
    return at.warning(WarningKind.ALL_ZERO, at.ref(samples, first), told, means, evidence)


def _is_for_good(at: LookedAt, own: SiteSamples, role: str) -> bool:
    """Whether the zeros at the end last longer than any that went away before.

    Where rewards are sparse, gradients are zero most of the time. What was never anything else has
    to be so for longer: nobody has seen it work.
    """
    is_zero = own.zero == own.size
    live = np.flatnonzero(~is_zero)
    if not len(live):
        return role != "gradient" or len(own) >= NEVER_LIVE * at.thresholds.zero_invocations
    longest = int(np.diff(np.append(-1, live)).max()) - 1
    return len(own) - 1 - int(live[-1]) > OUTLASTS * longest


def _is_zero(at: LookedAt, samples: Samples, event: int) -> bool:
    health = at.health(at.ref(samples, event))
    return (
        health is not None
        and health.size is not None
        and health.zero == health.size >= at.thresholds.zero_elements
    )


def _matters(at: LookedAt, samples: Samples, event: EventRef, role: str) -> bool:
    key = ("matters", event.kind, samples.store.site_number(event.event))
    if key not in at.kept:
        tensors = at.tensors
        judge = tensors.is_weight_gradient if role == "gradient" else tensors.feeds_weights
        at.kept[key] = judge(event)
    return bool(at.kept[key])


def _first_zero(at: LookedAt, samples: Samples, site: int) -> int:
    """The event from which on all are zero, as far as samples and a bisection tell."""
    own = samples.of_site(site)
    live = np.flatnonzero(own.zero != own.size)
    before = int(own.events[live[-1]]) if len(live) else -1
    behind = own.events[live[-1] + 1 :] if len(live) else own.events
    key = ("zero", at.kind_of(samples), site)
    known = at.kept.get(key)
    if known is None or known <= before:
        known = at.first_in(
            samples, site, before, int(behind[0]), lambda event: _is_zero(at, samples, event)
        )
        at.kept[key] = known
    return int(known)


def _others_live(at: LookedAt, samples: Samples, site: int, since: int) -> bool:
    """Whether other weights of the graph have gradients in each sample since an event."""
    return _share_of_others(at, samples, site, since) < 1.0


def _share_of_others(at: LookedAt, samples: Samples, site: int, since: int) -> float:
    """The zeros of the other gradient of the graph that has fewest, where it has most."""
    least = 1.0
    for other in _gradients_beside(at, samples, site):
        own = samples.of_site(other)
        shares = own.zero_shares[own.events >= since]
        is_its = len(shares) and _matters(at, samples, at.ref(samples, own.events[-1]), "gradient")
        if is_its:
            least = min(least, float(np.nan_to_num(shares, nan=1.0).max()))
    return least


def _gradients_beside(at: LookedAt, samples: Samples, site: int) -> list[int]:
    """The sites of the other gradients of the graph."""
    sites = at.index.host.traces.sites
    graph = sites[site].graph_id
    others = at.sites_with(samples, "gradient")
    return [other for other in others if other != site and sites[other].graph_id == graph]


def zero_rising(at: LookedAt) -> Iterator[EarlyWarning | None]:
    """Tensors with more and more zeros."""
    for samples, sites in _suspects(at, at.thresholds.rising_to, *DYING):
        yield from samples.read(sites)
        for site in sites:
            own, role = samples.of_site(site), at.role(samples, site)
            if not _rises(at, own):
                continue
            if role == "gradient":
                yield from samples.read(_gradients_beside(at, samples, site))
            found = _judged_rising(at, samples, site, role, own)
            if found is not None:
                yield found
            yield None


def _rises(at: LookedAt, own: SiteSamples) -> bool:
    limits, shares = at.thresholds, own.zero_shares
    told = ~np.isnan(shares)
    if np.count_nonzero(told) < max(4, limits.rising_invocations):
        return False
    if own.size[-1] < 4 * limits.zero_elements or own.zero[-1] == own.size[-1]:
        return False
    quarters = [float(np.mean(part)) for part in np.array_split(shares[told], 4)]
    last = np.array_split(shares[told], 4)[-1]
    is_monotone = all(one <= other + 0.02 for one, other in pairwise(quarters))
    return is_monotone and quarters[0] < limits.rising_from and bool(last.min() > limits.rising_to)


def _judged_rising(
    at: LookedAt, samples: Samples, site: int, role: str, own: SiteSamples
) -> EarlyWarning | None:
    shares = own.zero_shares
    event = at.ref(samples, own.events[-1])
    if at.tensors.is_in_loop(event):
        return None
    if role != "squashed" and not _matters(at, samples, event, role):
        return None
    place = int(np.flatnonzero(shares < at.thresholds.rising_from)[-1]) + 1
    first = int(own.events[min(place, len(own) - 1)])
    if role == "gradient":
        others = _share_of_others(at, samples, site, int(own.events[-len(own) // 4]))
        if others > at.thresholds.rising_from:
            return None
    before = float(np.nanmean(np.array_split(shares, 4)[0]))
    size, now = int(own.size[-1]), float(shares[-1])
    told = f"zeros rose from {before:.0%} to {_percent(now)} of {size:,} elements"
    evidence = {"size": size, "zero_before": before, "zero_now": now}
    return at.warning(WarningKind.ZERO_RISING, at.ref(samples, first), told, DYING[role], evidence)


def _percent(share: float) -> str:
    """A share of nearly all, which is not called all."""
    return f"{min(share, 0.999):.1%}" if share > 0.99 else f"{share:.0%}"
