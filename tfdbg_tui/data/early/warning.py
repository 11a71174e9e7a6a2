"""One early warning as a frozen value: what goes wrong, where, since when, and what it means."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.frozen.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.stores.sources import Line


class WarningKind(Enum):
    """The kinds of early warnings, by the names that the JSON has."""

    RETRACED = "retraced"
    SHAPE_DRIFT = "shape_drift"
    ALL_ZERO = "all_zero"
    ZERO_RISING = "zero_rising"
    SIGN_COLLAPSE = "sign_collapse"
    GROWING = "growing"
    HALF_INF = "half_inf"
    POISONED_VARIABLE = "poisoned_variable"
    FIRST_REPLICA = "first_replica"
    STALLED = "stalled"

    @property
    def words(self) -> str:
        """The kind as rows name it."""
        return _WORDS[self]


_WORDS = {
    WarningKind.RETRACED: "retraced",
    WarningKind.SHAPE_DRIFT: "shape drift",
    WarningKind.ALL_ZERO: "all zero",
    WarningKind.ZERO_RISING: "zeros rise",
    WarningKind.SIGN_COLLAPSE: "one sign",
    WarningKind.GROWING: "growing",
    WarningKind.HALF_INF: "inf in half",
    WarningKind.POISONED_VARIABLE: "poisoned",
    WarningKind.FIRST_REPLICA: "one replica",
    WarningKind.STALLED: "stalled",
}

Number = float | int | str | None


class EarlyWarning(Frozen):
    """One warning."""

    kind: WarningKind
    tensor: EventRef
    """The first event that shows it: where choosing it leads."""
    key: tuple[object, ...]
    """The same for as long as it is about the same thing."""
    name: str
    """The tensor, the function or the variable."""
    op_type: str
    function: str
    """The function that computed it, where it was computed in one."""
    line: Line | None
    time: float
    step: int | None
    """The step of its first event; None where none is known."""
    told: str
    """The evidence in a few words, with its numbers."""
    means: str
    """What it means, and what helps, in one sentence."""
    evidence: Mapping[str, Number]
    """The numbers by their names in the JSON."""
    count: int = 1
    """Tensors, or calls, that it stands for."""
    is_call: bool = False
    """Whether it is about a call of a function."""

    @property
    def sentence(self) -> str:
        """What happens, with its evidence."""
        since = "" if self.step is None else f", since step {self.step:,}"
        return f"{self.name}{since}: {self.told}."

    @property
    def order(self) -> tuple[float, str, str]:
        """Warnings stand in the order of time."""
        return self.time, self.kind.value, self.name
