"""The verdict on a cause in one sentence, and its other sentences: plain text, not yet cleaned.

What is not recorded is not said, or said to be so: a sentence never dresses a guess as a fact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.operations import DOMAINS, plain
from tfdbg_tui.data.cause.reach import Reach
from tfdbg_tui.data.cause.rules import Rule
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.words import counted, first_few, listed, with_its_end

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.cause.explanation import Explanation, ToldTensor
    from tfdbg_tui.data.records.bad_rows import BadRows
    from tfdbg_tui.data.records.health import Health

MAX_NAMED = 3
"""Variables that are named in a sentence."""

LONGEST_NAME = 60
"""Characters of a name in a sentence."""


def verdict(cause: Explanation) -> str:
    """What broke, with its evidence, and what it came to."""
    return f"{broke(cause)}{_consequence(cause)}"


def meant(cause: Explanation) -> str:
    """What holds bad numbers on purpose, and where."""
    held = bad_words(cause.output)
    line = cause.location
    where = "" if line is None else f" at {line.file.rpartition('/')[2]}:{line.line}"
    return f"{_short(cause.short_name or cause.name)} holds {held} on purpose{where}"


def broke(cause: Explanation) -> str:
    """What broke, with its evidence."""
    return _TOLD[cause.rule](cause).sentence(cause)


def reason(cause: Explanation) -> str:
    """The same for where it stands already which op made how many bad numbers."""
    return _TOLD[cause.rule](cause).reason


def reasons(cause: Explanation) -> tuple[str, ...]:
    """Why, with what it came to; the same without, where there is less room."""
    why = reason(cause)
    return f"{why}{_consequence(cause)}", why


def held_on_purpose(cause: Explanation) -> str:
    """Why numbers that are bad are no cause."""
    return f"{bad_words(cause.output)} on purpose: nothing computed from it is bad"


def _consequence(cause: Explanation) -> str:
    return {
        Reach.VARIABLE: _into_variables(cause),
        Reach.LOSS: "; it became the loss",
        Reach.OUTPUT: "; it was put out",
        Reach.ABSORBED: "; nothing computed from it is bad",
    }[cause.reach]


def _into_variables(cause: Explanation) -> str:
    names = first_few([*map(_short, cause.variables)], MAX_NAMED)
    if cause.rule in (Rule.OPTIMIZER_UPDATE, Rule.VARIABLE):
        return ""
    return f"; it is in {listed(names)} now" if names else "; it is in the variables now"


# What came out, and what went in.


def bad_words(told: ToldTensor) -> str:
    """The bad numbers of a tensor: `-inf`, `NaN and +inf`."""
    kinds = ((Bad.NAN, "NaN"), (Bad.NEG_INF, "-inf"), (Bad.POS_INF, "+inf"))
    names = [name for kind, name in kinds if told.bad & kind]
    return listed(names) if names else "NaN or inf"


def _made(cause: Explanation) -> str:
    """`made -inf in 1,312 of 5,000`."""
    return f"made {bad_words(cause.output)}{_share(cause.output.health)}"


def _share(health: Health | None) -> str:
    numbers = () if health is None else (health.nan, health.neg_inf, health.pos_inf)
    bad = sum(number or 0 for number in numbers)
    if health is None or not bad or not health.size or health.size == 1:
        return ""
    return f" in all {bad:,}" if bad == health.size else f" in {bad:,} of {health.size:,}"


def _zeros(told: ToldTensor | None, what: str = "zero") -> str:
    """How many zeros, or others, an input holds: `1,312 zeros`; `a zero` if it is not told."""
    health = None if told is None else told.health
    number = None if health is None else getattr(health, what)
    word = {"zero": "zero", "negative": "negative number"}[what]
    return f"a {word}" if not number else counted(number, word)


def _from(told: ToldTensor | None) -> str:
    return f" of {_short(told.name)}" if told is not None and told.name else ""


def _short(name: str) -> str:
    return with_its_end(name, LONGEST_NAME)


def _who(cause: Explanation) -> str:
    """The op: its type or, where its name says more, that."""
    name, op_type = cause.short_name, cause.op_type
    last = name.rpartition("/")[2]
    if last.rstrip("0123456789_") == op_type or not name:
        return _short(op_type)
    return f"{_short(op_type)} ({_short(name)})"


class Told(NamedTuple):
    """What an op did, and why that is bad."""

    did: str
    """`took 1,312 zeros of Softmax`."""
    law: str = ""
    """`log(0) is -inf`."""
    whole: str = ""
    """The whole sentence, where it is not about an op that made bad numbers."""

    def sentence(self, cause: Explanation) -> str:
        """Who did it, what came out, and why."""
        if self.whole:
            return self.whole
        did = f"{self.did} and " if self.did else ""
        law = f": {self.law}" if self.law else ""
        return f"{_who(cause)} {did}{_made(cause)}{law}"

    @property
    def reason(self) -> str:
        """What it did, and why that is bad."""
        return self.whole or ": ".join(part for part in (self.did, self.law) if part)


def _taking(cause: Explanation, what: str, law: str) -> Told:
    told = cause.culprit_input
    return Told(f"took {_zeros(told, what)}{_from(told)}", law)


def _out_of(cause: Explanation) -> str:
    """What went in, with its range where that was recorded."""
    told = cause.culprit_input
    if told is None or told.highest is None or told.lowest is None:
        return f"took finite numbers{_from(told)}"
    return f"took {told.lowest:.4g} … {told.highest:.4g}{_from(told)}"


# What is told by each rule.


def _log_of_zero(cause: Explanation) -> Told:
    return _taking(cause, "zero", "log(0) is -inf")


def _log_of_negative(cause: Explanation) -> Told:
    return _taking(cause, "negative", "the logarithm of a negative number is NaN")


def _sqrt_of_negative(cause: Explanation) -> Told:
    return _taking(cause, "negative", "the root of a negative number is NaN")


def _rsqrt_of_zero(cause: Explanation) -> Told:
    return _taking(cause, "zero", "1 / sqrt(0) is inf")


def _division_by_zero(cause: Explanation) -> Told:
    told = cause.culprit_input
    return Told(f"divided by {_zeros(told)}{_from(told)}", "a number over 0 is inf")


def _zero_over_zero(cause: Explanation) -> Told:
    told = cause.culprit_input
    return Told(f"divided 0 by {_zeros(told)}{_from(told)}", "0 / 0 is NaN")


def _pow_domain(cause: Explanation) -> Told:
    if cause.output.bad & Bad.NAN:
        return _taking(cause, "negative", "a negative number to a fractional power is NaN")
    return _taking(cause, "zero", "0 to a negative power is inf")


def _domain(cause: Explanation) -> Told:
    where = DOMAINS.get(plain(cause.op_type), "outside its domain")
    return Told(f"took numbers{_from(cause.culprit_input)} {where}", "it is not defined there")


def _overflow(cause: Explanation) -> Told:
    return Told(_out_of(cause), f"the result is too large for {_type(cause)}")


def _half_overflow(cause: Explanation) -> Told:
    return Told(_out_of(cause), "float16 ends at 65,504")


def _inf_minus_inf(cause: Explanation) -> Told:
    return Told(f"took inf{_from(cause.culprit_input)}", "inf - inf is NaN")


def _zero_times_inf(cause: Explanation) -> Told:
    return Told(f"took inf{_from(cause.culprit_input)}", "0 * inf is NaN")


def _softmax_of_inf(cause: Explanation) -> Told:
    told = _from(cause.culprit_input)
    return Told(f"took a row of nothing but -inf{told}", "that has no softmax")


def _gradient(cause: Explanation) -> Told:
    told = cause.culprit_input
    health = None if told is None else told.health
    at = f"{_zeros(told)}{_from(told)}" if health is not None and health.zero else "such a number"
    of = f" of {_short(cause.is_gradient_of)}" if cause.is_gradient_of else ""
    law = f"the slope{of} is infinite at the edge of its domain"
    return Told(f"took {at}, for a gradient", law)


def _mean_of_empty(cause: Explanation) -> Told:
    what = "mean" if "Mean" in cause.op_type else "largest or smallest number"
    return Told(f"took the {what} of nothing", "there was no number left to take it of")


def _data(cause: Explanation) -> Told:
    held = bad_words(cause.output)
    whole = f"{held} came in with the data: {_who(cause)} is the first to hold it"
    return Told("", whole=whole + _share(cause.output.health) + _rows(cause.bad_rows))


def _rows(bad: BadRows | None) -> str:
    """In which rows: `, in row 3 of 32`, counted from 0 as the program does."""
    if bad is None or bad.rows == 1:
        return ""
    if bad.bad == bad.rows:
        return ", in every row"
    if bad.bad == 1:
        return f", in row {bad.first[0]:,} of {bad.rows:,} (from 0)"
    told = [f"{row:,}" for row in bad.first]
    more = bad.bad - len(told)
    names = listed([*told, f"{more:,} more"] if more else told)
    return f", in rows {names} of {bad.rows:,} (from 0)"


def _constant(cause: Explanation) -> Told:
    held = bad_words(cause.output)
    return Told("", whole=f"{_who(cause)} is a constant that holds {held}, and it was used")


def _variable(cause: Explanation) -> Told:
    name = f" {_short(cause.variables[0])}" if cause.variables else ""
    if cause.name != cause.output.name and cause.location is not None:
        return Told("", whole=f"The variable{name} was assigned {bad_words(cause.output)}")
    whole = (
        f"A variable held {bad_words(cause.output)} when it was read first: it was bad before the "
        "recording began; record from the start"
    )
    return Told("", whole=whole)


def _update(cause: Explanation) -> Told:
    if not cause.is_update:
        return Told("took finite numbers", "the update itself became too large")
    name = f" {_short(cause.variables[0])}" if cause.variables else ""
    held = f"{bad_words(cause.output)}{_share(cause.output.health)}"
    whole = f"{_who(cause)} took finite numbers, and the variable{name} held {held} when read next"
    return Told("", whole=whole)


def _explosion(cause: Explanation) -> Told:
    step = f" by step {cause.step:,}" if cause.step else ""
    return Told(_out_of(cause), f"numbers grew{step} until they were too large")


def _unknown(cause: Explanation) -> Told:
    seen = "its recorded inputs are clean" if cause.inputs else "nothing of its inputs is recorded"
    return Told("", f"{seen}; the recording does not tell why")


def _type(cause: Explanation) -> str:
    health = cause.output.health
    return health.dtype if health is not None and health.dtype else "its type"


_TOLD: dict[Rule, Callable[[Explanation], Told]] = {
    Rule.LOG_OF_ZERO: _log_of_zero,
    Rule.LOG_OF_NEGATIVE: _log_of_negative,
    Rule.SQRT_OF_NEGATIVE: _sqrt_of_negative,
    Rule.RSQRT_OF_ZERO: _rsqrt_of_zero,
    Rule.DIVISION_BY_ZERO: _division_by_zero,
    Rule.ZERO_OVER_ZERO: _zero_over_zero,
    Rule.POW_DOMAIN: _pow_domain,
    Rule.DOMAIN: _domain,
    Rule.OVERFLOW: _overflow,
    Rule.HALF_OVERFLOW: _half_overflow,
    Rule.INF_MINUS_INF: _inf_minus_inf,
    Rule.ZERO_TIMES_INF: _zero_times_inf,
    Rule.SOFTMAX_OF_INF: _softmax_of_inf,
    Rule.GRADIENT_AT_SINGULARITY: _gradient,
    Rule.MEAN_OF_EMPTY: _mean_of_empty,
    Rule.DATA: _data,
    Rule.CONSTANT: _constant,
    Rule.VARIABLE: _variable,
    Rule.OPTIMIZER_UPDATE: _update,
    Rule.EXPLOSION: _explosion,
    Rule.UNKNOWN: _unknown,
}
