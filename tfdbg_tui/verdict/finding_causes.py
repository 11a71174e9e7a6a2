"""Works the causes of a run out of what is loaded of it, for those without a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause import sentences
from tfdbg_tui.data.cause.causes import Causes as Judgements
from tfdbg_tui.data.cause.explaining import explain
from tfdbg_tui.data.cause.run_causes import RunCauses
from tfdbg_tui.data.stores.alert_log import Alert
from tfdbg_tui.verdict.cause import Causes, CauseVerdict, Meant
from tfdbg_tui.verdict.describing import bad_tensor
from tfdbg_tui.verdict.finding_warnings import warnings_of, with_steps

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.explanation import Explanation
    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.verdict.bad_tensor import BadTensor

MAX_TOLD = 20
"""Causes that are told, and places whose numbers are meant."""


def causes_of(run: Run) -> Causes:
    """The causes of a run, all of them judged, and what warns of others."""
    index = with_steps(run)
    found = RunCauses(index, Judgements(index))
    while found.extend():
        pass
    ranking = found.ranking
    meant = [explain(index, cause) for cause in ranking.meant[:MAX_TOLD]]
    return Causes(
        tuple(cause_verdict(index, cause) for cause in ranking.causes[:MAX_TOLD]),
        tuple(Meant(sentences.meant(cause), _origin(index, cause)) for cause in meant),
        found.alerts_of({cause.key for cause in ranking.meant}),
        index.steps,
        warnings_of(index, found),
    )


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
