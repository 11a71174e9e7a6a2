"""Whether a bad tensor follows from another one, as a frozen value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.evidence import Evidence
    from tfdbg_tui.data.flow.graph_nodes import Vertex
    from tfdbg_tui.data.stores.event_kind import EventRef


class Judged(NamedTuple):
    """Whether a bad tensor follows from another one."""

    follows: bool
    sources: tuple[EventRef, ...] = ()
    """The bad tensors that it was computed from, where some were found."""
    is_final: bool = True
    """Whether nothing that comes to disk later can change it."""
    writer: Vertex | None = None
    """Of a variable whose value was found clean where it came from: what wrote it."""
    writer_is_told: bool = False
    """Whether what the writer took is all recorded and clean: then the write made it bad."""

    @property
    def source(self) -> EventRef | None:
        """The first of the bad tensors that it was computed from."""
        return self.sources[0] if self.sources else None


def judged_by(told: Evidence, follows: bool, is_final: bool) -> Judged:
    """A judgement with what the evidence tells."""
    return Judged(follows, told.sources, is_final, told.writer, told.writer_is_told)
