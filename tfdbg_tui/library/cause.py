"""Why numbers are bad, as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.library import notebook
from tfdbg_tui.library.source import SourceLine, source_line
from tfdbg_tui.sanitise import one_line
from tfdbg_tui.verdict.finding_causes import cause_verdict

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.library.access import RunAccess


class RecordedCause(NamedTuple):
    """What made numbers bad, as `tfdbg-tui check` tells it."""

    sentence: str
    """What broke, with its evidence, and what it came to."""
    rule: str
    tensor: str
    """Where it began."""
    op_type: str
    function: str
    layer: str
    step: int | None
    event: int
    eager: bool
    source: SourceLine | None
    """The user's line."""
    chain: tuple[str, ...]
    """Tensors from there to what it came to."""
    reach: str
    variables: tuple[str, ...]
    """Those that were poisoned."""
    suggestions: tuple[str, ...]
    """What to write instead."""

    def _repr_html_(self) -> str:
        where = None if self.source is None else f"{self.source.file}:{self.source.line}"
        told = (
            ("tensor", f"{self.tensor} ({self.op_type})"),
            ("line", where),
            ("code", None if self.source is None else self.source.code),
            ("step", self.step),
            ("try", next(iter(self.suggestions), None)),
        )
        return notebook.heading(self.sentence, bad=True) + notebook.facts(told)


def recorded_cause(access: RunAccess, found: FoundCause) -> RecordedCause:
    """A cause that was found."""
    told = cause_verdict(access.index, found)
    origin = told.origin
    return RecordedCause(
        one_line(told.sentence),
        told.rule,
        one_line(origin.tensor),
        one_line(origin.op_type or ""),
        one_line(origin.function or ""),
        one_line(told.layer),
        told.step,
        origin.event,
        origin.source == "execution",
        source_line(origin.location),
        tuple(map(one_line, told.chain)),
        told.reach,
        tuple(map(one_line, told.variables)),
        tuple(map(one_line, told.cures)),
    )
