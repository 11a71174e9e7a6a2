"""One bad tensor as a frozen value, and as JSON. None is what is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.records.health import Health
    from tfdbg_tui.data.stores.sources import Location

Json = dict[str, object]


class BadTensor(NamedTuple):
    """A tensor with a NaN or Inf in it, and where it was computed."""

    host: str
    wall_time: float | None
    source: Literal["execution", "graph_execution"]
    event: int
    """Which of the events of its source it belongs to."""
    op_type: str | None
    tensor: str
    slot: int | None
    graph: str | None
    function: str | None
    device: str | None
    health: Health
    location: Location | None
    """The user's line that created its op."""
    via: Literal["gradient_of"] | None = None
    """How the line was found: None if it is the op's own, `gradient_of` if the op computes a
    gradient and the line is that of the op whose gradient it is."""
    came_with_data: bool = False
    """Whether it was read, not computed: its line is then where the data is asked for."""

    def to_json(self) -> Json:
        """Flat, but for the line."""
        health, location = self.health, self.location
        return {
            "host": self.host,
            "wall_time": self.wall_time,
            "source": self.source,
            "index": self.event,
            "op_type": self.op_type,
            "tensor": self.tensor,
            "slot": self.slot,
            "graph": self.graph,
            "function": self.function,
            "device": self.device,
            "dtype": health.dtype,
            "rank": health.rank,
            "size": health.size,
            "neg_inf": health.neg_inf,
            "pos_inf": health.pos_inf,
            "nan": health.nan,
            "location": None if location is None else location._asdict(),
            "via": self.via,
        }
