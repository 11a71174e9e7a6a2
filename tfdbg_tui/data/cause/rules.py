"""Which rule of arithmetic an op broke: told by what it computes, what it took and what came out.

An op is judged by its own meaning. Where counts of zeros or negatives are not recorded, what came
out still tells: only a zero makes -∞ of a logarithm. Where nothing tells, the rule is unknown.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.operations import (
    DIVISIONS,
    DOMAINS,
    ELEMENTWISE,
    EXTREMES,
    FAST_GROWING,
    LOGARITHM_PRODUCTS,
    LOGARITHMS,
    MEANS,
    NORMS,
    RECIPROCAL_ROOTS,
    RECIPROCALS,
    REMAINDERS,
    ROOTS,
    SINGULAR_GRADIENTS,
    SOFTMAXES,
    needs_large_numbers,
    plain,
)
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.tf_names import differentiated_type
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.records.health import Health

HALF = "float16"


class Rule(Enum):
    """What went wrong, by the name that the JSON has for it."""

    LOG_OF_ZERO = "log_of_zero"
    LOG_OF_NEGATIVE = "log_of_negative"
    SQRT_OF_NEGATIVE = "sqrt_of_negative"
    RSQRT_OF_ZERO = "rsqrt_of_zero"
    DIVISION_BY_ZERO = "division_by_zero"
    ZERO_OVER_ZERO = "zero_over_zero"
    POW_DOMAIN = "pow_domain"
    DOMAIN = "domain"
    OVERFLOW = "overflow"
    HALF_OVERFLOW = "half_overflow"
    INF_MINUS_INF = "inf_minus_inf"
    ZERO_TIMES_INF = "zero_times_inf"
    SOFTMAX_OF_INF = "softmax_of_inf"
    GRADIENT_AT_SINGULARITY = "gradient_at_singularity"
    MEAN_OF_EMPTY = "mean_of_empty"
    DATA = "data"
    CONSTANT = "constant"
    VARIABLE = "variable"
    OPTIMIZER_UPDATE = "optimizer_update"
    EXPLOSION = "explosion"
    UNKNOWN = "unknown"


class Held(NamedTuple):
    """What is recorded of a tensor that an op took or put out."""

    bad: Bad
    health: Health | None
    lowest: float | None = None
    """Of its finite numbers, where they were recorded."""
    highest: float | None = None

    def has(self, what: str) -> bool:
        """Whether it holds any `zero`, `negative` or `positive`; True where that is not told."""
        number = None if self.health is None else getattr(self.health, what)
        return number is None or number > 0

    def holds_for_certain(self, what: str) -> bool:
        """The same; False where that is not told."""
        number = None if self.health is None else getattr(self.health, what)
        return bool(number)

    def is_told(self, what: str) -> bool:
        """Whether it is told how many `zero`, `negative` or `positive` it holds."""
        return self.health is not None and getattr(self.health, what) is not None

    @property
    def is_empty(self) -> bool | None:
        """Whether it has no elements; None where that is not told."""
        size = None if self.health is None else self.health.size
        return None if size is None else size == 0


UNTOLD = Held(Bad.NONE, None)
"""A tensor of which nothing is recorded."""


class Case(NamedTuple):
    """One op that put out bad numbers, and what is known of what it took."""

    op_type: str
    output: Held
    inputs: tuple[Held, ...]
    is_gradient: bool = False
    """Whether it computes a gradient."""
    in_optimizer: bool = False
    """Whether an optimizer updates a variable by it."""
    has_trained: bool = False
    """Whether variables were updated before, and what it takes depends on them."""

    def input(self, number: int) -> Held:
        """What is recorded of an input."""
        return self.inputs[number] if number < len(self.inputs) else UNTOLD


class Broken(NamedTuple):
    """A rule, and the input that broke it."""

    rule: Rule
    culprit: int | None = None
    """The number of the input whose numbers tell why."""


SINGULAR = frozenset(
    {Rule.LOG_OF_ZERO, Rule.LOG_OF_NEGATIVE, Rule.SQRT_OF_NEGATIVE, Rule.RSQRT_OF_ZERO}
    | {Rule.DIVISION_BY_ZERO, Rule.ZERO_OVER_ZERO, Rule.POW_DOMAIN, Rule.DOMAIN}
)
"""What a gradient does at the edge of its function's domain."""


def rule_of(case: Case) -> Broken:
    """The rule that an op broke."""
    found = _by_meaning(case)
    if case.in_optimizer and found.rule is not Rule.UNKNOWN:
        return found._replace(rule=Rule.OPTIMIZER_UPDATE)
    if case.is_gradient and found.rule in SINGULAR:
        return found._replace(rule=Rule.GRADIENT_AT_SINGULARITY)
    return found


def _by_meaning(case: Case) -> Broken:
    op_type = plain(case.op_type)
    tainted = [number for number, held in enumerate(case.inputs) if held.bad]
    if tainted:
        return _out_of_inf(case, op_type, tainted[0])
    if op_type in LOGARITHMS:
        return _logarithm(case, 0)
    if op_type in LOGARITHM_PRODUCTS:
        return _logarithm(case, 1)
    if op_type in ROOTS:
        return Broken(Rule.SQRT_OF_NEGATIVE, 0)
    if op_type in RECIPROCAL_ROOTS:
        is_negative = not _has_inf(case.output) and _has_nan(case.output)
        return Broken(Rule.SQRT_OF_NEGATIVE if is_negative else Rule.RSQRT_OF_ZERO, 0)
    if op_type in RECIPROCALS:
        zero = case.input(0).has("zero")
        return Broken(Rule.DIVISION_BY_ZERO, 0) if zero else _too_large(case)
    if op_type in DIVISIONS:
        return _division(case)
    if op_type in REMAINDERS:
        return Broken(Rule.DIVISION_BY_ZERO, 1)
    if op_type == "Pow":
        return _power(case)
    if op_type in DOMAINS:
        return Broken(Rule.DOMAIN, 0)
    if op_type in MEANS | EXTREMES and _is_of_nothing(case):
        return Broken(Rule.MEAN_OF_EMPTY, 0)
    if op_type in MEANS and case.output.bad & Bad.UNTOLD and case.input(0).is_empty is None:
        return Broken(Rule.UNKNOWN, 0)
    if differentiated_type(op_type) is not None and not needs_large_numbers(op_type):
        return _gradient(case)
    if op_type in FAST_GROWING or needs_large_numbers(op_type) or op_type == "Cast":
        is_told_nan = _has_nan(case.output) and not _has_inf(case.output)
        by_itself = op_type in ELEMENTWISE and is_told_nan
        return Broken(Rule.UNKNOWN) if by_itself else _too_large(case)
    if op_type in SOFTMAXES:
        return _too_large(case)
    return Broken(Rule.UNKNOWN)


def _has_inf(held: Held) -> bool:
    return bool(held.bad & (Bad.NEG_INF | Bad.POS_INF))


def _has_nan(held: Held) -> bool:
    return bool(held.bad & Bad.NAN)


def _logarithm(case: Case, culprit: int) -> Broken:
    """-∞ comes of a zero alone, NaN of a negative alone; where both came, the more tell."""
    output, taken = case.output, case.input(culprit)
    if output.bad & Bad.UNTOLD and not taken.is_told("negative"):
        return Broken(Rule.UNKNOWN, culprit)
    if output.bad & Bad.UNTOLD:
        is_negative = taken.holds_for_certain("negative")
    elif _has_inf(output) and _has_nan(output):
        health = output.health
        is_negative = health is not None and (health.nan or 0) > (health.neg_inf or 0)
    else:
        is_negative = _has_nan(output)
    return Broken(Rule.LOG_OF_NEGATIVE if is_negative else Rule.LOG_OF_ZERO, culprit)


def _division(case: Case) -> Broken:
    over, under = case.input(0), case.input(1)
    if not under.has("zero"):
        return _too_large(case)
    if _has_nan(case.output) and not _has_inf(case.output) and over.has("zero"):
        return Broken(Rule.ZERO_OVER_ZERO, 1)
    return Broken(Rule.DIVISION_BY_ZERO, 1)


def _power(case: Case) -> Broken:
    base, exponent = case.input(0), case.input(1)
    if _has_nan(case.output) and base.has("negative"):
        return Broken(Rule.POW_DOMAIN, 0)
    if _has_inf(case.output) and base.has("zero") and exponent.has("negative"):
        return Broken(Rule.POW_DOMAIN, 0)
    if case.output.bad & Bad.UNTOLD and (base.has("negative") or base.has("zero")):
        return Broken(Rule.UNKNOWN, 0)
    return _too_large(case)


def _is_of_nothing(case: Case) -> bool:
    """Whether an op took nothing, as far as is known: finite numbers have a finite mean."""
    empty = case.input(0).is_empty
    if empty is not None:
        return empty
    return plain(case.op_type) in EXTREMES or (
        _has_nan(case.output) and not _has_inf(case.output) and not case.has_trained
    )


def _gradient(case: Case) -> Broken:
    """An op that is the gradient of another: at the edge of its domain, or too large."""
    if any(held.holds_for_certain("zero") for held in case.inputs):
        return Broken(Rule.GRADIENT_AT_SINGULARITY, _first_with_zeros(case))
    may_be_zero = any(held.has("zero") for held in case.inputs) or not case.inputs
    if plain(case.op_type) in SINGULAR_GRADIENTS and may_be_zero:
        return Broken(Rule.GRADIENT_AT_SINGULARITY)
    return _too_large(case)


def _first_with_zeros(case: Case) -> int | None:
    with_zeros = (n for n, held in enumerate(case.inputs) if held.holds_for_certain("zero"))
    return next(with_zeros, None)


def _too_large(case: Case) -> Broken:
    """Finite numbers have become too large, for half precision or for any."""
    health = case.output.health
    culprit = 0 if case.inputs else None
    if health is not None and health.dtype == HALF:
        return Broken(Rule.HALF_OVERFLOW, culprit)
    if plain(case.op_type) not in FAST_GROWING | NORMS and case.has_trained:
        return Broken(Rule.EXPLOSION, culprit)
    return Broken(Rule.OVERFLOW, culprit)


def _out_of_inf(case: Case, op_type: str, culprit: int) -> Broken:
    """What an op made out of ∞ that it was given on purpose."""
    if not _has_nan(case.output):
        return Broken(Rule.UNKNOWN, culprit)
    if op_type in SOFTMAXES:
        return Broken(Rule.SOFTMAX_OF_INF, culprit)
    if op_type in ("Mul", "MatMul", "BatchMatMul", "Einsum", "Conv2D", "Conv1D", "Conv3D"):
        return Broken(Rule.ZERO_TIMES_INF, culprit)
    if op_type in ("Add", "Sub", "AddN", "BiasAdd", "Sum", "Mean", "Cumsum", "SquaredDifference"):
        return Broken(Rule.INF_MINUS_INF, culprit)
    return Broken(Rule.UNKNOWN, culprit)
