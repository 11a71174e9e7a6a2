"""All there is to tell of one cause, as one frozen value: what `w`, `check` and the band say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.rules import Rule
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.reach import Reach
    from tfdbg_tui.data.records.bad_rows import BadRows
    from tfdbg_tui.data.records.health import Bad, Health
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.stores.sources import Line, Location


class ToldTensor(NamedTuple):
    """What an op took or put out, as far as it is recorded."""

    name: str
    op_type: str | None
    event: EventRef | None
    bad: Bad
    health: Health | None
    lowest: float | None = None
    highest: float | None = None
    """The range of its finite numbers, where they were recorded."""
    line: Line | None = None
    is_call: bool = False
    is_backward: bool = False
    """Whether it is what a call put out, and whether that computes gradients."""


class EarlierInput(NamedTuple):
    """The input that broke an op, in an earlier step."""

    event: EventRef
    step: int | None
    told: ToldTensor


class Explanation(NamedTuple):
    """One cause."""

    rule: Rule
    tensor: EventRef
    """The first bad tensor of the cause; of an update, the variable when it was read next."""
    op_type: str
    name: str
    """Of the tensor, as `op:slot`; of an update, of the op that wrote."""
    short_name: str
    function: str | None
    location: Location | None
    """The user's line of the op or, of a gradient, of its forward op."""
    is_gradient_of: str | None
    """The forward op whose line it is."""
    layer: str
    """The path of the layer, where the name tells one."""
    output: ToldTensor
    inputs: tuple[ToldTensor, ...]
    """Those that are recorded, in the order in which the op takes them."""
    culprit: int | None
    """Which of them broke the rule."""
    reach: Reach
    end: ToldTensor | None
    """The loss, or what was put out."""
    end_step: int | None
    variables: tuple[str, ...]
    """Those that were poisoned."""
    chain: tuple[ToldTensor, ...]
    """From the cause to what it came to."""
    tensors: int
    """Bad tensors that were computed from it."""
    step: int | None
    earlier: tuple[EarlierInput, ...]
    """What led to it, oldest first."""
    cures: tuple[str, ...]
    tells_counts: bool
    """Whether the mode tells zeros and signs."""
    bad_rows: BadRows | None = None
    """Of data that came in bad, where its values were recorded."""

    @property
    def culprit_input(self) -> ToldTensor | None:
        """The input that broke the rule, where it is recorded."""
        number = self.culprit
        if number is None or not self.inputs:
            return None
        return self.inputs[min(number, len(self.inputs) - 1)]

    @property
    def is_update(self) -> bool:
        """Whether the numbers became bad when a variable was written."""
        return self.rule is Rule.OPTIMIZER_UPDATE and self.name != self.output.name
