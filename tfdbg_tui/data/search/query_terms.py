"""The terms of a query: what each asks of a site, of an event's number, or of its tensors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tfdbg_tui.data.records.health import Bad, bad_told_by
from tfdbg_tui.data.records.modes import NUMBERS, told_by
from tfdbg_tui.data.search.bulk_health import DTYPE, SIZE, HealthColumns
from tfdbg_tui.data.stores.layer_names import layer_and_op
from tfdbg_tui.frozen.frozen import Frozen

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.search.text_patterns import Pattern
    from tfdbg_tui.data.search.user_filters import UserFilter

    Mask = npt.NDArray[np.bool_]

SITE_FIELDS = ("tensor", "op", "fn", "file", "dev")
"""What a plain word is looked for in."""


class Interval(Frozen):
    """Numbers from `low` to `high`, both included; or all others."""

    low: float
    high: float
    outside: bool = False

    def holds(self, numbers: npt.NDArray[Any]) -> Mask:
        """Which numbers are in it; NaN, a number that is not known, never is."""
        mask: Mask
        if self.outside:
            mask = (numbers < self.low) | (numbers > self.high)
        else:
            mask = (numbers >= self.low) & (numbers <= self.high)
        return mask

    def side(self, number: float) -> int:
        """Below -1, from low to high 0, above 1."""
        return int(number > self.high) - int(number < self.low)

    @property
    def means_any(self) -> bool:
        """Whether a count is in it just if it is not zero."""
        if self.outside:
            return self.low == self.high == 0
        return 0 < self.low <= 1 and self.high == math.inf


class TextTest(Frozen):
    """A text in one of the names of a site."""

    fields: tuple[str, ...]
    pattern: Pattern

    def holds(self, facts: SiteFacts) -> bool:
        """Whether it is found."""
        return any(
            self.pattern.fits(text) for field in self.fields for text in texts_of(facts, field)
        )

    def is_open(self, facts: SiteFacts) -> bool:
        """Whether a name that it looks at is not on disk yet."""
        return any(_may_change(facts, field) for field in self.fields)


class LineTest(Frozen):
    """The number of the user's line."""

    interval: Interval

    def holds(self, facts: SiteFacts) -> bool:
        """Whether the line is one of those."""
        line = facts.line
        return line is not None and bool(self.interval.holds(np.array(line.line)))

    def is_open(self, facts: SiteFacts) -> bool:
        """Whether the line is not on disk yet."""
        return _may_change(facts, "file")


class IndexTest(Frozen):
    """The number of the event."""

    interval: Interval


class StepTest(Frozen):
    """The training step the event belongs to."""

    interval: Interval


class FlagTest(Frozen):
    """Any bad number of some kinds: decided by a column in memory."""

    kinds: Bad

    def holds(self, bad: npt.NDArray[np.uint8]) -> Mask:
        """Which flags have one of the kinds."""
        mask: Mask = (bad & np.uint8(self.kinds)) != 0
        return mask

    def is_told_by(self, mode: int) -> bool:
        """Whether a mode of the recorder tells such numbers apart."""
        return bool(bad_told_by(mode) & self.kinds)


class CountTest(Frozen):
    """A number of a tensor's health, or the sum of several, maybe as a percentage of its size."""

    columns: tuple[int, ...]
    interval: Interval
    percent: bool = False

    def holds(self, tensors: HealthColumns) -> Mask:
        """Which tensors have such a number."""
        numbers = tensors.numbers[:, self.columns[0]]
        for column in self.columns[1:]:
            numbers = numbers + tensors.numbers[:, column]
        if self.percent:
            sizes = tensors.numbers[:, SIZE]
            sizes = np.where(sizes > 0, sizes, np.nan)
            numbers = 100 * numbers / sizes
        return self.interval.holds(numbers)

    def is_told_by(self, mode: int) -> bool:
        """Whether a mode of the recorder tells these numbers."""
        needed = {*self.columns, SIZE} if self.percent else {*self.columns}
        return needed <= columns_told_by(mode)


class DtypeTest(Frozen):
    """The element type of a tensor."""

    numbers: tuple[int, ...]
    """TensorFlow's numbers of the types that fit."""

    def holds(self, tensors: HealthColumns) -> Mask:
        """Which tensors have one of the types."""
        types = tensors.numbers[:, DTYPE] % 100  # reference types count as their base
        mask = np.zeros(len(types), np.bool_)
        for number in self.numbers:
            mask |= types == number
        return mask

    def is_told_by(self, mode: int) -> bool:
        """Whether a mode of the recorder tells the type."""
        return DTYPE in columns_told_by(mode)


class FilterTest(Frozen):
    """What a filter of the user's own says of a tensor."""

    function: UserFilter


class QueryTest(Frozen):
    """Several terms together, as a name stands for them; they can only be excluded together."""

    terms: tuple[Term, ...]


AnyTest: TypeAlias = (
    TextTest
    | LineTest
    | IndexTest
    | StepTest
    | FlagTest
    | CountTest
    | DtypeTest
    | FilterTest
    | QueryTest
)


class Term(Frozen):
    """One word of a query."""

    word: str
    negated: bool
    test: AnyTest


def columns_told_by(mode: int) -> set[int]:
    """Which columns of health a mode of the recorder fills."""
    told = told_by(mode)
    return {column for column, name in enumerate(NUMBERS) if name in told}


def texts_of(facts: SiteFacts, field: str) -> tuple[str, ...]:
    """The names of a site that a field means, as far as they are known."""
    if field == "file":
        if facts.line is None:
            return ()
        path, line = facts.line.path, facts.line.line
        name = path.rpartition("/")[2]
        return (f"{path}:{line}", f"{name}:{line}", path, name)
    if field == "layer":
        layer = "" if facts.is_call else layer_and_op(facts.tensor)[0]
        return (layer, *layer.split("/")) if layer else ()
    names = {
        "tensor": (facts.tensor,),
        "op": (facts.op_type,),
        "fn": (facts.function, facts.graph),
        "dev": (facts.device,),
        "phase": (facts.phase.value if facts.phase else None,),
    }
    return tuple(name for name in names[field] if name)


def _may_change(facts: SiteFacts, field: str) -> bool:
    """Whether more of the files could tell more about a field of a site."""
    if field == "op":
        return facts.op_type is None
    if field == "file":
        return facts.line is None
    if field == "dev":
        return not facts.device
    if field == "phase":
        return facts.phase_is_open
    if field == "layer":
        return False
    if field == "tensor":  # a call is named after its graph once that is known
        return facts.is_call and facts.graph is None
    is_eager_op = not facts.is_call and facts.tensor == facts.op_type
    return (facts.function is None or facts.graph is None) and not is_eager_op
