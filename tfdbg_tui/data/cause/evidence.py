"""What the inputs of a bad tensor tell of where its bad numbers came from, as a frozen value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.flow.graph_nodes import Vertex
    from tfdbg_tui.data.stores.event_kind import EventRef


class Evidence(NamedTuple):
    """What the inputs of a tensor tell."""

    sources: tuple[EventRef, ...] = ()
    """Those that are bad."""
    is_stored: bool = False
    """Whether it is itself what was stored before."""
    takes_stored: bool = False
    """Whether it takes that from an op that is not recorded."""
    takes_untold: bool = False
    """Whether it takes something of which it is not told where it comes from."""
    takes_argument: bool = False
    """Whether it takes an argument of which it is not told what the call was given."""
    takes_data: bool = False
    """Whether it takes what a dataset yields, which is not recorded."""
    is_open: bool = False
    """Whether what it takes is not told because it is not on disk yet."""
    writer: Vertex | None = None
    """Where it is stored and no source was found: what last wrote it, if that is known."""
    writer_is_told: bool = False
    """Whether all that the writer took is recorded, and none of it is bad."""

    @property
    def source(self) -> EventRef | None:
        """The first of the bad ones."""
        return self.sources[0] if self.sources else None


def either(one: Evidence, other: Evidence) -> Evidence:
    """What two inputs tell together."""
    return one._replace(
        is_stored=one.is_stored or other.is_stored,
        takes_stored=one.takes_stored or other.takes_stored,
        takes_untold=one.takes_untold or other.takes_untold,
        takes_argument=one.takes_argument or other.takes_argument,
        takes_data=one.takes_data or other.takes_data,
        is_open=one.is_open or other.is_open,
    )
