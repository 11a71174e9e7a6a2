"""Sign collapse: what goes into an activation had both signs, and has one for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.early.warning import WarningKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.early.looking import LookedAt
    from tfdbg_tui.data.early.samples import Samples, SiteSamples
    from tfdbg_tui.data.early.warning import EarlyWarning

MAX_SUSPECTS = 512
"""Sites that are looked at closely."""

MEANS = (
    "Every unit is on the same side for every example, where {bender} is next to constant or next "
    "to linear: normalise the layer's input, or lower the learning rate."
)


def sign_collapse(at: LookedAt) -> Iterator[EarlyWarning | None]:
    """Sums before an activation between weights; losses and outputs may have one sign."""
    sites, zeros, rarer = at.traces.last_shares(at.sites_with(at.traces, "sum"))
    with np.errstate(invalid="ignore"):
        one_sign = sites[(rarer == 0) & (zeros == 0)][:MAX_SUSPECTS].tolist()
    chosen = [site for site in one_sign if _may_be_collapsed(at, site)]
    yield from at.traces.read(chosen)
    for site in chosen:
        own = at.traces.of_site(site)
        found = _judged(at, at.traces, site, own) if _collapsed(at, own) else None
        if found is not None:
            yield found
        yield None


def _may_be_collapsed(at: LookedAt, site: int) -> bool:
    """Whether the first sample of a site and its last are as where signs collapse."""
    first, last = at.traces.ends(site)
    # A little less, for samples that are compared are rounded.
    both = 0.99 * at.thresholds.sign_share * first.size
    had_both = min(first.negative, first.positive) >= both
    return last.size >= at.thresholds.sign_elements and had_both


def _collapsed(at: LookedAt, own: SiteSamples) -> bool:
    limits = at.thresholds
    if len(own) < limits.sign_invocations + 4 or not own.size[-1] >= limits.sign_elements:
        return False
    rarer = np.minimum(own.negative, own.positive) / own.size
    begun = rarer[: max(2, len(own) // 4)]
    is_one = (rarer == 0) & (own.zero == 0)
    same = own.positive[-limits.sign_invocations :] > 0
    is_steady = bool(is_one[-limits.sign_invocations :].all() and (same.all() or not same.any()))
    return is_steady and bool(begun.min() >= limits.sign_share)


def _judged(at: LookedAt, samples: Samples, site: int, own: SiteSamples) -> EarlyWarning | None:
    event = at.ref(samples, own.events[-1])
    bender = at.tensors.bent_by(event)
    if not bender or at.tensors.is_in_loop(event):
        return None
    wanted = at.thresholds.sign_invocations
    for recent in at.last_invocations(samples, site, wanted):
        health = at.health(at.ref(samples, recent))
        if health is None or health.zero or (health.negative and health.positive):
            return None
    both = np.flatnonzero(np.minimum(own.negative, own.positive) > 0)
    first = int(own.events[both[-1] + 1])
    sign = "positive" if own.positive[-1] else "negative"
    times = at.count_from(samples, site, first)
    told = f"all {int(own.size[-1]):,} elements are {sign} in the last {times:,} invocations"
    evidence = {"size": int(own.size[-1]), sign: int(own.size[-1]), "invocations": times}
    means = MEANS.format(bender=bender)
    return at.warning(WarningKind.SIGN_COLLAPSE, at.ref(samples, first), told, means, evidence)
