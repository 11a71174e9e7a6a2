"""Works the causes of a run out of what is loaded of it, for those without a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.cause import sentences
from tfdbg_tui.data.cause.causes import Causes as Judgements
from tfdbg_tui.data.cause.explaining import explain
from tfdbg_tui.data.cause.run_causes import RunCauses
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.alert_log import Alert, stores_of
from tfdbg_tui.verdict.cause import Causes, CauseVerdict, Meant, MutedVerdict
from tfdbg_tui.verdict.describing import bad_tensor
from tfdbg_tui.verdict.finding_warnings import warnings_of, with_steps

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.explanation import Explanation
    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.data.cause.muted import Muted
    from tfdbg_tui.data.cause.mutes import Mutes
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.verdict.bad_tensor import BadTensor

MAX_TOLD = 20
"""Causes that are told, and places whose numbers are meant."""


def causes_of(run: Run, mutes: Mutes | None = None) -> Causes:
    """The causes of a run, all of them judged, and what warns of others; but for what is muted."""
    index = with_steps(run)
    judgements = Judgements(index)
    found = RunCauses(index, judgements, tells_absorbed=False)
    while found.extend():
        pass
    muted = None if mutes is None else _muted_in(index, judgements, found, mutes)
    ranking, by = found.ranking, {} if muted is None else muted.by
    ranked = [cause for cause in ranking.causes if cause.key not in by]
    on_purpose = [cause for cause in ranking.meant if cause.key not in by]
    meant = [explain(index, cause) for cause in on_purpose[:MAX_TOLD]]
    return Causes(
        tuple(cause_verdict(index, cause) for cause in ranked[:MAX_TOLD]),
        tuple(Meant(sentences.meant(cause), _origin(index, cause)) for cause in meant),
        found.alerts_of({cause.key for cause in on_purpose}, by),
        index.steps,
        None if muted is None else _muted(muted),
        _first(index, muted),
        _has_nan(index, muted),
        warnings_of(index, found, muted),
    )


def _muted_in(index: RunIndex, judgements: Judgements, found: RunCauses, mutes: Mutes) -> Muted:
    """What is muted in a run of which the causes are found."""
    # Most runs are judged without, and `check` starts sooner.
    from tfdbg_tui.data.cause.muting import Muting

    muting = Muting(index, judgements, found, mutes)
    while muting.extend():
        pass
    return muting.muted


def _muted(muted: Muted) -> MutedVerdict:
    rules = tuple((rule.text, tensors) for rule, tensors in muted.working)
    return MutedVerdict(muted.tensors, rules, muted.unused_lines)


def _first(index: RunIndex, muted: Muted | None) -> Alert | None:
    """The first bad tensor in time that is not muted."""
    alert = index.log.first()
    if alert is None or muted is None or index.alerts.key_of(alert.ref) not in muted.by:
        return alert
    first = muted.first
    if first is None:
        return None
    store = index.hosts[first.host].host.store_of(first.kind)
    bad = store.bad_outputs(first.event).get(first.output or 0, store.bad(first.event))
    return Alert(*first[:3], first.output or 0, int(bad), store.wall_time(first.event))


def _has_nan(index: RunIndex, muted: Muted | None) -> bool:
    """Whether any bad tensor that is not muted holds a NaN, or what may be one."""
    for number, store in enumerate(stores_of([one.host for one in index.hosts])):
        events, flags = store.bad_events, store.alerts.columns["bad"]
        is_nan = (flags[: len(events)] & np.uint8(Bad.NAN | Bad.UNTOLD)) != 0
        if muted is not None and number in muted.stores:
            is_nan &= ~muted.stores[number].hold(store.site_numbers[events])
        if is_nan.any():
            return True
    return False


def cause_verdict(index: RunIndex, found: FoundCause) -> CauseVerdict:
    """All that is told of a cause."""
    cause = explain(index, found)
    return CauseVerdict(
        cause.rule.value,
        sentences.verdict(cause),
        _origin(index, cause),
        cause.layer,
        cause.inputs,
        tuple(told.name for told in cause.chain),
        cause.reach.value,
        cause.variables,
        cause.step,
        cause.cures,
    )


def _origin(index: RunIndex, cause: Explanation) -> BadTensor:
    """The op that made bad numbers, told as the first bad tensor is."""
    tensor, view = cause.tensor, index.run.view
    time = index.hosts[tensor.host].host.store_of(tensor.kind).wall_time(tensor.event)
    alert = Alert(*tensor[:3], tensor.output or 0, int(cause.output.bad), time)
    return bad_tensor(view, alert)._replace(
        op_type=cause.op_type or None,
        tensor=cause.name,
        location=cause.location,
        via="gradient_of" if cause.is_gradient_of and cause.location else None,
    )
