"""Which warnings are left when what the user has muted is taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.cause.muted import Muted
    from tfdbg_tui.data.early.warning import EarlyWarning
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.index.site_facts import SiteFacts


def unmuted(
    run: RunIndex, warnings: Sequence[EarlyWarning], muted: Muted
) -> tuple[EarlyWarning, ...]:
    """The warnings of no tensor that is muted, nor of one that a rule names."""
    if not muted.mutes.rules:
        return tuple(warnings)
    return tuple(warning for warning in warnings if not _is_muted(run, warning, muted))


def _is_muted(run: RunIndex, warning: EarlyWarning, muted: Muted) -> bool:
    event = warning.tensor
    index = run.hosts[event.host]
    store = index.host.store_of(event.kind)
    if store.is_bad(event.event) and run.alerts.key_of(event) in muted.by:
        return True
    facts = index.sites.of(event.kind, store.site_number(event.event))

    def code_of(facts: SiteFacts) -> str | None:
        line = facts.line
        lines = None if line is None else index.host.sources.lines(line.file)
        if line is None or not lines or not 1 <= line.line <= len(lines):
            return None
        return lines[line.line - 1].strip()

    return any(rule.fits(facts, code_of) for rule in muted.mutes.rules)
