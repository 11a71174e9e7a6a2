"""Shape and type drift of eager ops: a tensor that grows in every step, or becomes another kind.

Inside a graph an element type cannot change. Healthy programs change shapes, too: last batches are
smaller, sentences longer; what grows in every single step, while variables are trained, is a leak.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.early.warning import WarningKind
from tfdbg_tui.data.records.tensors import dtype_name
from tfdbg_tui.data.stores.columns import distinct
from tfdbg_tui.data.stores.tf_names import writes_variable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.early.looking import Column, LookedAt
    from tfdbg_tui.data.early.samples import SampleNumbers, Samples, SiteSamples
    from tfdbg_tui.data.early.warning import EarlyWarning

MAX_SITES = 2_000
"""Eager sites that are looked at."""

ENDS_AT_ONCE = 32
"""Sites whose first and last sample are read in one go: a millisecond."""

AT_THE_END = 0.9
"""Part of the recording beyond which a drift must go on."""

GROWS = (
    "Something is appended in every step and never dropped: steps become slower until memory ends, "
    "and a function that takes it is traced again each time."
)
BECOMES = "What follows computes in another {what}: a function that takes it is traced again."


def shape_drift(at: LookedAt) -> Iterator[EarlyWarning | None]:
    """Eager sites whose size, rank or element type does not stay."""
    samples = at.executions
    if samples is None or not len(at.index.steps):
        return
    chosen = []
    for number, site in enumerate(_to_the_end(at, samples)):
        if number == 0 and not _trains(at):
            return
        if _differs(*samples.ends(site)):
            chosen.append(site)
        if number % ENDS_AT_ONCE == 0:
            yield None
    yield from samples.read(chosen)
    for site in chosen:
        own = samples.of_site(site)
        found = _judged(at, samples, site, own)
        if found is not None:
            yield found
        yield None


def _to_the_end(at: LookedAt, samples: Samples) -> Iterator[int]:
    """The sites with enough samples, the last of which is at the end of the recording."""
    for site in samples.sites()[:MAX_SITES]:
        events = samples.events_of(site)
        is_often = len(events) >= at.thresholds.drift_steps
        if is_often and events[-1] >= AT_THE_END * len(samples.store):
            yield site


def _differs(first: SampleNumbers, last: SampleNumbers) -> bool:
    """Whether a tensor is larger in the end than it began, or of another kind."""
    kinds = ((first.dtype, last.dtype), (first.rank, last.rank))
    return last.size > first.size or any(one < other or one > other for one, other in kinds)


def _trains(at: LookedAt) -> bool:
    """Whether the program writes variables, as training does and decoding does not."""
    host = at.index.host
    if any(writes_variable(site.op_type) for site in tuple(host.executions.sites)):
        return True
    graphs = tuple(host.graphs.by_id.values())
    return any(writes_variable(op.type) for graph in graphs for op in tuple(graph.ops.values()))


def _judged(at: LookedAt, samples: Samples, site: int, own: SiteSamples) -> EarlyWarning | None:
    if len(own) < at.thresholds.drift_steps:
        return None
    if own.events[-1] < AT_THE_END * len(samples.store):
        return None
    if (np.diff(own.size) > 0).all():
        return _grown(at, samples, site, own)
    return _changed(at, samples, own)


def _steps(at: LookedAt, samples: Samples, own: SiteSamples) -> Column:
    """The step of each sample."""
    times = samples.store.wall_times[own.events].tolist()
    return np.array([at.index.steps.step_of(time) or 0 for time in times])


def _grown(at: LookedAt, samples: Samples, site: int, own: SiteSamples) -> EarlyWarning | None:
    size, limits = own.size, at.thresholds
    if size[-1] < limits.drift_growth * max(size[0], 1):
        return None
    if not (np.diff(_steps(at, samples, own)) > 0).all():
        return None
    last = at.last_invocations(samples, site, limits.drift_steps)
    sizes = [_size(at, samples, event) for event in last]
    if len(set(sizes)) < limits.drift_steps or sizes != sorted(sizes):
        return None
    first = at.ref(samples, own.events[1])
    told = f"grew in every step, from {int(size[0]):,} to {int(size[-1]):,} elements"
    evidence = {"size_before": int(size[0]), "size_now": int(size[-1])}
    return at.warning(WarningKind.SHAPE_DRIFT, first, told, GROWS, evidence)


def _size(at: LookedAt, samples: Samples, event: int) -> int:
    health = at.health(at.ref(samples, event))
    return -1 if health is None or health.size is None else health.size


def _changed(at: LookedAt, samples: Samples, own: SiteSamples) -> EarlyWarning | None:
    """A type or rank that was one for several steps, and is another one since."""
    for what, values in (("dtype", own.dtype), ("rank", own.rank)):
        changes = np.flatnonzero(values[1:] != values[:-1]) + 1
        if len(changes) != 1 or np.isnan(values).any():
            continue
        place, enough = int(changes[0]), at.thresholds.changed_steps
        steps = _steps(at, samples, own)
        before, behind = distinct(steps[:place]), distinct(steps[place:])
        if min(len(before), len(behind)) < enough or before[-1] > behind[0]:
            continue
        one, other = values[place - 1], values[place]
        named = (_named(what, one), _named(what, other))
        word = "element type" if what == "dtype" else "rank"
        told = f"its {word} changed from {named[0]} to {named[1]}"
        evidence = {f"{what}_before": named[0], f"{what}_now": named[1]}
        event = at.ref(samples, own.events[place])
        means = BECOMES.format(what=word)
        return at.warning(WarningKind.SHAPE_DRIFT, event, told, means, evidence)
    return None


def _named(what: str, value: float) -> str:
    return dtype_name(int(value)) if what == "dtype" else f"{int(value)}-D"
