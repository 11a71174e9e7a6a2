"""The early warnings of a run as frozen values, as JSON, and as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.frozen import Frozen
from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tfdbg_tui.data.early.warning import Number
    from tfdbg_tui.data.stores.sources import Location
    from tfdbg_tui.verdict.bad_tensor import Json

KINDS = (
    *("retraced", "shape_drift", "all_zero", "zero_rising", "sign_collapse", "growing"),
    *("half_inf", "poisoned_variable", "first_replica", "stalled"),
)
"""All kinds, by their names in the JSON; a kind that does not occur counts 0."""

MAX_LINES = 3
"""Warnings that the text tells."""


class WarningVerdict(Frozen):
    """One early warning."""

    kind: str
    tensor: str
    function: str | None
    """The function that it is about, or that computed the tensor."""
    op_type: str | None
    host: str
    source: str
    index: int
    """Of the first event that shows it."""
    step: int | None
    location: Location | None
    told: str
    sentence: str
    means: str
    evidence: tuple[tuple[str, Number], ...]
    count: int
    """Tensors, variables or functions that it stands for."""

    def to_json(self) -> Json:
        """All that is known of it."""
        return {
            "kind": self.kind,
            "tensor": self.tensor,
            "function": self.function,
            "op_type": self.op_type,
            "host": self.host,
            "source": self.source,
            "index": self.index,
            "step": self.step,
            "location": None if self.location is None else self.location._asdict(),
            "count": self.count,
            "evidence": dict(self.evidence),
            "sentence": self.sentence,
            "means": self.means,
        }


def counts(warnings: Iterable[WarningVerdict]) -> dict[str, int]:
    """How many there are of each kind."""
    found = dict.fromkeys(KINDS, 0)
    for warning in warnings:
        found[warning.kind] += warning.count
    return found


def lines(warnings: Sequence[WarningVerdict]) -> list[str]:
    """The first warnings in a line each, and how many more there are."""
    told = [_line(warning) for warning in warnings[:MAX_LINES]]
    more = len(warnings) - MAX_LINES
    return [*told, f"and {counted(more, 'more warning')}"] if more > 0 else told


def _line(warning: WarningVerdict) -> str:
    location = warning.location
    where = "" if location is None else f" ({location.file.rpartition('/')[2]}:{location.line})"
    return sanitise(f"warning: {warning.sentence.removesuffix('.')}{where}")
