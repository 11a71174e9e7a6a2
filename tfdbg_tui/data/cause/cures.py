"""The usual cures for each rule, as code on the user's own names where their line tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.code_parts import part_of
from tfdbg_tui.data.cause.operations import (
    DIVISIONS,
    DOMAINS,
    LOGARITHMS,
    RECIPROCALS,
    REMAINDERS,
    plain,
)
from tfdbg_tui.data.cause.rules import Rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.cause.code_parts import CodePart

LONGEST = 60
"""Characters of an argument that is repeated; a longer one is called `x`."""


def cures(
    rule: Rule,
    op_type: str,
    code: str | None,
    forward: str = "",
    number: int | None = None,
    culprit: str = "",
) -> tuple[str, ...]:
    """What to write instead, the most usual first.

    Of a gradient, `forward` is the type of the op whose gradient it is; `number` is the place of
    the op among those of its type in the line, from 0; `culprit` is the type of the op that put out
    the numbers that broke the rule.
    """
    kind = plain(forward or op_type)
    part = part_of(code or "", kind, number)
    if rule is Rule.GRADIENT_AT_SINGULARITY and part is None:
        part = next(filter(None, (part_of(code or "", other) for other in ("Norm", "Std"))), None)
    return _CURES[rule](_Names(part, kind, code or "", bool(forward), plain(culprit)))


class _Names:
    """The names to say it with: the user's where they are known, else x, a and b."""

    def __init__(
        self, part: CodePart | None, kind: str, code: str, is_gradient: bool, culprit: str
    ) -> None:
        self._part = part
        self.kind = kind
        """The type of the op that it is about."""
        self.code = code
        """The whole line."""
        self.is_gradient = is_gradient
        self.culprit = culprit
        """The type of the op that the numbers come from."""
        self.function = part.function if part is not None and part.function != "/" else ""

    def argument(self, number: int, otherwise: str) -> str:
        """An argument of the call, or one side of the operator."""
        given = () if self._part is None else self._part.arguments
        text = given[number] if number < len(given) else otherwise
        return text if len(text) <= LONGEST else otherwise

    @property
    def x(self) -> str:
        """The only argument, or the first."""
        return self.argument(0, "x")

    @property
    def fraction(self) -> str:
        """What is above and below, as two arguments."""
        return f"{self.argument(0, 'a')}, {self.argument(1, 'b')}"

    @property
    def axes(self) -> str:
        """By which axes a call goes, as it is written, with a comma before it."""
        keywords = () if self._part is None else self._part.keywords
        kept = [text for text in keywords if text.startswith(("axis=", "keepdims="))]
        return "".join(f", {text}" for text in kept if len(text) <= LONGEST)

    def called(self, otherwise: str) -> str:
        """The function as the user writes it."""
        return self.function or otherwise


def _log_of_zero(names: _Names) -> tuple[str, ...]:
    log = names.called("tf.math.log")
    return (
        f"{log}(tf.maximum({names.x}, 1e-7))",
        "tf.nn.softmax_cross_entropy_with_logits or log_softmax, from the logits",
    )


def _log_of_negative(names: _Names) -> tuple[str, ...]:
    log = names.called("tf.math.log")
    return (f"{log}(tf.maximum({names.x}, 1e-7)), if it may be negative at all",)


def _sqrt(names: _Names) -> tuple[str, ...]:
    # Not 0: the slope of a root is infinite there, and what is divided by it becomes so.
    kept = f"{names.called('tf.sqrt')}(tf.maximum({names.x}, 1e-12))"
    is_difference = names.culprit == "Sub" or " - " in names.x or "var" in names.x.lower()
    exact = "a variance as the mean of tf.square(x - mean), or tf.nn.moments: neither is negative"
    return (kept, exact) if is_difference else (kept,)


def _rsqrt(names: _Names) -> tuple[str, ...]:
    return (f"{names.called('tf.math.rsqrt')}({names.x} + 1e-7)",)


def _division(names: _Names) -> tuple[str, ...]:
    if names.kind in REMAINDERS:
        under = names.argument(1, "b")
        return (f"tf.math.floormod({names.argument(0, 'a')}, tf.where({under} == 0, 1, {under}))",)
    over, under = _grouped(names.argument(0, "a")), names.argument(1, "b")
    if names.culprit == "Sqrt" or "norm(" in under or "sqrt(" in under:
        # Kept from 0 behind the root, the gradient still is 0 / 0 inside it.
        return (
            "the epsilon inside the root: tf.sqrt(tf.reduce_sum(tf.square(v)) + 1e-12)",
            f"tf.math.divide_no_nan({names.fraction}), where no gradient goes through the root",
        )
    return (
        f"tf.math.divide_no_nan({names.fraction})",
        f"{over} / tf.where({under} == 0.0, 1.0, {under})",
    )


def _grouped(text: str) -> str:
    """A text as one side of an operator."""
    return f"({text})" if any(f" {sign} " in text for sign in "+-") else text


def _power(names: _Names) -> tuple[str, ...]:
    exponent = names.argument(1, "y")
    return (f"tf.pow(tf.maximum({names.x}, 1e-7), {exponent})",)


def _domain(names: _Names) -> tuple[str, ...]:
    return (f"{names.called('f')}({_INSIDE.get(names.kind, _INSIDE_ONE).format(names.x)})",)


_INSIDE_ONE = "tf.clip_by_value({}, -1 + 1e-7, 1 - 1e-7)"
_ABOVE_ZERO = "tf.maximum({}, 1e-7)"
_INSIDE = {
    "Acosh": "tf.maximum({}, 1.0)",
    "Ndtri": "tf.clip_by_value({}, 1e-7, 1 - 1e-7)",
    **dict.fromkeys(("Lgamma", "Digamma", "Polygamma", "Zeta", "Igamma", "Igammac"), _ABOVE_ZERO),
    **dict.fromkeys(("BesselK0", "BesselK1", "BesselY0", "BesselY1", "Betainc"), _ABOVE_ZERO),
}
"""How an argument is kept where a function is finite."""


def _overflow(names: _Names) -> tuple[str, ...]:
    if names.function.endswith("exp"):
        kept = f"{names.function}(tf.minimum({names.x}, 80.0))"
        is_sum, is_log = "sum(" in names.code, "log" in names.code
        if is_log:  # log(1 + exp(x)), log(sum(exp(x)))
            whole = "tf.reduce_logsumexp" if is_sum else "tf.nn.softplus"
            return (f"{whole}({names.x}), which computes all of it and does not overflow", kept)
        x = _grouped(names.x)
        largest = f"{names.function}({x} - tf.reduce_max({names.x}, axis=-1, keepdims=True))"
        return (largest, kept) if is_sum else (kept,)
    return ("scale what goes in: normalise the inputs, or work with logarithms",)


def _half(names: _Names) -> tuple[str, ...]:
    wider = f"compute this part in float32: tf.cast({names.x}, tf.float32)"
    if not names.is_gradient:
        return (wider,)
    return ("tf.keras.mixed_precision.LossScaleOptimizer(optimizer)", wider)


def _infinities(_: _Names) -> tuple[str, ...]:
    return ("a large finite number such as -1e9 in place of -inf",)


def _masked(names: _Names) -> tuple[str, ...]:
    return (
        "leave at least one position unmasked, or use -1e9 in place of -inf",
        f"tf.where(any_left, {names.called('tf.nn.softmax')}({names.x}), 0.0)",
    )


def _singular_gradient(names: _Names) -> tuple[str, ...]:
    x = names.x
    behind = f"with tf.where, keep {x} inside the domain before the function, not behind it"
    if names.function.endswith("norm"):
        return (f"tf.sqrt(tf.reduce_sum(tf.square({x}){names.axes}) + 1e-12)",)
    if names.function.endswith("reduce_std"):
        return (f"tf.sqrt(tf.math.reduce_variance({x}{names.axes}) + 1e-12)",)
    if names.kind in LOGARITHMS:
        return (f"{names.called('tf.math.log')}(tf.maximum({x}, 1e-7))", behind)
    if names.kind in DIVISIONS:
        over, under = names.argument(0, "a"), names.argument(1, "b")
        return (f"({over}) / tf.where({under} == 0.0, 1.0, {under})",)
    if names.kind in RECIPROCALS:
        return (f"tf.math.reciprocal(tf.where({x} == 0.0, 1.0, {x}))",)
    if names.kind == "Pow":
        return (f"tf.pow({x} + 1e-7, {names.argument(1, 'y')})", behind)
    if names.kind in DOMAINS:
        return (*_domain(names), behind)
    return (f"{names.called('tf.sqrt')}({x} + 1e-12)", behind)


def _empty(names: _Names) -> tuple[str, ...]:
    number = f"tf.cast(tf.size({names.x}), tf.float32)"
    return (f"tf.math.divide_no_nan(tf.reduce_sum({names.x}), {number})",)


def _data(_: _Names) -> tuple[str, ...]:
    return (
        "assert np.isfinite(x).all() before training",
        "dataset.filter(lambda x, y: tf.reduce_all(tf.math.is_finite(x)))",
    )


def _constant(_: _Names) -> tuple[str, ...]:
    return ("a finite number, or tf.where so that it is never used in arithmetic",)


def _variable(_: _Names) -> tuple[str, ...]:
    return ("check what is assigned: tf.debugging.assert_all_finite(value, 'assigned')",)


def _update(_: _Names) -> tuple[str, ...]:
    return (
        "clip gradients: optimizer = tf.keras.optimizers.Adam(clipnorm=1.0)",
        "a smaller learning rate, a larger epsilon",
    )


def _explosion(_: _Names) -> tuple[str, ...]:
    return (
        "a smaller learning rate",
        "tf.clip_by_global_norm(gradients, 1.0)",
        "inputs of mean 0 and variance 1",
    )


def _nothing(_: _Names) -> tuple[str, ...]:
    return ()


_CURES: dict[Rule, Callable[[_Names], tuple[str, ...]]] = {
    Rule.LOG_OF_ZERO: _log_of_zero,
    Rule.LOG_OF_NEGATIVE: _log_of_negative,
    Rule.SQRT_OF_NEGATIVE: _sqrt,
    Rule.RSQRT_OF_ZERO: _rsqrt,
    Rule.DIVISION_BY_ZERO: _division,
    Rule.ZERO_OVER_ZERO: _division,
    Rule.POW_DOMAIN: _power,
    Rule.DOMAIN: _domain,
    Rule.OVERFLOW: _overflow,
    Rule.HALF_OVERFLOW: _half,
    Rule.INF_MINUS_INF: _infinities,
    Rule.ZERO_TIMES_INF: _infinities,
    Rule.SOFTMAX_OF_INF: _masked,
    Rule.GRADIENT_AT_SINGULARITY: _singular_gradient,
    Rule.MEAN_OF_EMPTY: _empty,
    Rule.DATA: _data,
    Rule.CONSTANT: _constant,
    Rule.VARIABLE: _variable,
    Rule.OPTIMIZER_UPDATE: _update,
    Rule.EXPLOSION: _explosion,
    Rule.UNKNOWN: _nothing,
}
