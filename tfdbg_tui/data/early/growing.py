"""Magnitude that grows towards overflow, where the values themselves are recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.early.warning import WarningKind
from tfdbg_tui.data.records.modes import tells_values
from tfdbg_tui.data.records.value_facts import value_facts
from tfdbg_tui.data.stores.event_kind import EventKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.early.looking import LookedAt
    from tfdbg_tui.data.early.samples import Samples
    from tfdbg_tui.data.early.warning import EarlyWarning

MAX_SITES = 256
"""Sites of which values are read."""

MAX_KEPT = 8192
"""Magnitudes that are kept."""

MAX_READ = 10
"""Samples of a site whose values are read."""

HALF_LIMIT = 65504.0
LIMITS = {"float16": HALF_LIMIT, "bfloat16": 3.39e38, "float32": 3.4e38, "float64": 1.8e308}
"""The largest number of each element type."""

MEANS = (
    "At this rate it overflows to infinity, and then to NaN: a smaller learning rate, "
    "clipped gradients or a normalised input stop it."
)


def growing(at: LookedAt) -> Iterator[EarlyWarning | None]:
    """The tensor that has grown most; the others of the host are counted with it."""
    found: list[tuple[float, EarlyWarning]] = []
    for samples in at.samples:
        for site in _with_values(at, samples):
            judged = _judged(at, samples, site)
            if judged is not None:
                found.append(judged)
            yield None
    if found:
        first = min((warning for _, warning in found), key=lambda warning: warning.order)
        first = at.warning(
            first.kind,
            first.tensor,
            first.told,
            MEANS,
            first.evidence,
            count=len(found),
            key=(WarningKind.GROWING, at.number),
        )
        yield first


def _with_values(at: LookedAt, samples: Samples) -> list[int]:
    sites = samples.store.sites
    return [site for site in samples.sites() if tells_values(sites[site].mode)][:MAX_SITES]


def _judged(at: LookedAt, samples: Samples, site: int) -> tuple[float, EarlyWarning] | None:
    events = samples.events_of(site)
    wanted = at.thresholds.growth_invocations
    if len(events) < wanted:
        return None
    # Whichever are read stay the same for as long as no windows are joined.
    step = -(-len(events) // MAX_READ)
    chosen = sorted({*events[::step].tolist(), int(events[-1])})
    told = [(event, *_magnitude(at, samples, event)) for event in chosen]
    finite = [(event, size, dtype) for event, size, dtype in told if size > 0]
    if len(finite) < wanted:
        return None
    sizes = np.array([size for _, size, _ in finite])
    limits, dtype = at.thresholds, finite[-1][2]
    is_half = dtype == "float16"
    least = HALF_LIMIT / 10 if is_half else limits.growth_from
    growth = limits.growth**0.25 if is_half else limits.growth
    recent = sizes[-max(wanted, len(sizes) // 2) :]
    is_growing = bool((np.diff(sizes) > 0).all()) and recent[-1] > recent[0] * growth**0.5
    if not is_growing or sizes[-1] < least or sizes[-1] < growth * sizes[0]:
        return None
    place = int(np.flatnonzero(sizes >= min(growth * sizes[0], sizes[-1]))[0])
    words = f"grew from {sizes[0]:.2g} to {sizes[-1]:.2g}, of {LIMITS.get(dtype, 3.4e38):.2g}"
    evidence = {"magnitude_before": float(sizes[0]), "magnitude_now": float(sizes[-1])}
    event = at.ref(samples, finite[place][0])
    return sizes[-1], at.warning(WarningKind.GROWING, event, f"{words} at most", MEANS, evidence)


def _magnitude(at: LookedAt, samples: Samples, event: int) -> tuple[float, str]:
    """The largest magnitude of a tensor, 0 where it is not told or not finite; and its type."""
    kept: dict[object, tuple[float, str]] = at.kept.setdefault(("magnitudes",), {})
    key = (at.kind_of(samples), event)
    if key not in kept:
        if len(kept) >= MAX_KEPT:
            kept.clear()
        store = at.index.host
        is_eager = at.kind_of(samples) is EventKind.EXECUTION
        written = store.executions.written(event, 0) if is_eager else store.traces.written(event)
        facts = value_facts(written)
        is_bad = samples.store.is_bad(event)
        largest = 0.0
        if facts is not None and facts.lowest is not None and facts.highest is not None:
            largest = max(abs(facts.lowest), abs(facts.highest))
        dtype = "" if written is None else written.dtype
        is_float = "float" in dtype
        kept[key] = (largest if is_float and not is_bad else 0.0, dtype)
    return kept[key]
