"""Works the early warnings of a run out of what is loaded of it, for those without a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.early.run_warnings import RunWarnings
from tfdbg_tui.data.index.run_index import RunIndex
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.verdict.cause import Causes
from tfdbg_tui.verdict.warnings import WarningVerdict

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.muted import Muted
    from tfdbg_tui.data.cause.run_causes import RunCauses
    from tfdbg_tui.data.early.warning import EarlyWarning
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.data.stores.sources import Location

MAX_TOLD = 100
"""Warnings that are told."""


def with_steps(run: Run) -> RunIndex:
    """The indexes of a run that causes and warnings need."""
    index = RunIndex(run, only_steps=True)
    while index.extend_steps():
        pass
    return index


def without_causes(run: Run) -> Causes:
    """What there is to say of a run in which nothing is bad."""
    index = with_steps(run)
    return Causes(steps=index.steps, warnings=warnings_of(index, None))


def warnings_of(
    index: RunIndex, found: RunCauses | None, muted: Muted | None = None
) -> tuple[WarningVerdict, ...]:
    """The warnings of a run, given its causes; but for what is muted."""
    job = RunWarnings(index, found)
    while job.extend():
        pass
    warnings = job.warnings
    if muted is not None and warnings:
        from tfdbg_tui.data.early.unmuted import unmuted  # most runs are judged without

        warnings = unmuted(index, warnings, muted)
    return tuple(_told(index, warning) for warning in warnings[:MAX_TOLD])


def _told(index: RunIndex, warning: EarlyWarning) -> WarningVerdict:
    event = warning.tensor
    return WarningVerdict(
        warning.kind.value,
        warning.name,
        warning.name if warning.is_call else warning.function or None,
        warning.op_type or None,
        index.hosts[event.host].host.name,
        event.kind.value,
        event.event,
        warning.step,
        _location(index, warning),
        warning.told,
        warning.sentence,
        warning.means,
        tuple(warning.evidence.items()),
        warning.count,
    )


def _location(index: RunIndex, warning: EarlyWarning) -> Location | None:
    """The user's line, with its code."""
    event = warning.tensor
    host = index.hosts[event.host].host
    if event.kind is EventKind.EXECUTION:
        return host.location_of(host.executions.site_of(event.event).stack)
    op = host.op_of(host.traces.site_of(event.event))
    return None if op is None else host.location_of(host.graphs.stack_of(op))
