"""What is recorded, and whether all is well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.doctor.finding import Finding, Level
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tfdbg_tui.data.live.snapshot import RunState


def summary(state: RunState, others: Sequence[Finding]) -> Iterator[Finding]:
    """Says that all is well if no finding is more than a fact, and what is recorded."""
    if all(finding.level is Level.FACT for finding in others):
        yield Finding(
            "all-well",
            Level.FACT,
            "All is well: nothing is lost, damaged or held back",
        )
    modes = " and ".join(state.run.mode_names())
    yield Finding(
        "recorded",
        Level.FACT,
        f"{modes} of {counted(state.executions, 'execution')} and "
        f"{counted(state.traces, 'graph tensor')}",
        (f"On {counted(len(state.run.hosts), 'host')}, {_how(state)}.",),
    )


def _how(state: RunState) -> str:
    if state.ended:
        return "and the program has ended"
    return "flushed live" if state.growing else "and the program may write more"
