"""One cause as a frozen value: its first bad tensor, and what its numbers came to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.reach import Reach
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.judged import Judged
    from tfdbg_tui.data.cause.reach import Reached
    from tfdbg_tui.data.stores.event_kind import EventRef


class FoundCause(NamedTuple):
    """One site that made bad numbers by itself."""

    key: int
    """Of its site, as `AlertRows` numbers them."""
    tensor: EventRef
    """Its first bad tensor."""
    judged: Judged
    reached: Reached
    is_gradient: bool
    is_written_down: bool
    """Whether its numbers are a constant, or the first value of a variable."""
    time: float

    @property
    def on_purpose(self) -> bool:
        """Whether its numbers are meant: they did no harm, and the program deals with them."""
        reached = self.reached
        did_no_harm = reached.reach is Reach.ABSORBED
        if reached.is_tested and self.is_gradient and reached.reach is Reach.OUTPUT:
            return True  # a step that is skipped where its gradients are not finite
        is_dealt_with = reached.was_chosen_out or reached.is_tested
        return did_no_harm and (self.is_written_down or is_dealt_with)

    @property
    def is_settled(self) -> bool:
        """Whether nothing that is computed later makes it worse."""
        return self.reached.reach is Reach.VARIABLE and self.reached.is_whole

    @property
    def order(self) -> tuple[int, bool, bool, float]:
        """What causes are ranked by: the worst first, and of those the first in time.

        What an op made out of a number that was written down is told before that number.
        """
        return self.reached.reach.rank, self.is_written_down, self.is_gradient, self.time
