"""The language of queries, word by word."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.records.tensors import DTYPES
from tfdbg_tui.data.search import bulk_health as columns
from tfdbg_tui.data.search import text_patterns
from tfdbg_tui.data.search.expressions import PatternError
from tfdbg_tui.data.search.query_terms import (
    SITE_FIELDS,
    AnyTest,
    CountTest,
    DtypeTest,
    FilterTest,
    FlagTest,
    IndexTest,
    Interval,
    LineTest,
    QueryTest,
    StepTest,
    Term,
    TextTest,
)
from tfdbg_tui.data.search.user_filters import UserFilter
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.search.text_patterns import Pattern

    Find = Callable[[str], UserFilter | tuple[Term, ...]]
    """Gives what the name of a filter means; raises QueryError."""

FLAG_WORDS = {
    "bad": Bad.NEG_INF | Bad.POS_INF | Bad.NAN | Bad.UNTOLD,
    "nan": Bad.NAN | Bad.UNTOLD,
    "inf": Bad.NEG_INF | Bad.POS_INF | Bad.UNTOLD,
    "-inf": Bad.NEG_INF | Bad.UNTOLD,
    "+inf": Bad.POS_INF | Bad.UNTOLD,
}
"""Words that ask for bad numbers; CURT_HEALTH does not tell which, so it counts as any of them."""

COUNTS = {
    "nan": (columns.NAN,),
    "inf": (columns.NEG_INF, columns.POS_INF),
    "-inf": (columns.NEG_INF,),
    "+inf": (columns.POS_INF,),
    "zero": (columns.ZERO,),
    "neg": (columns.NEGATIVE,),
    "pos": (columns.POSITIVE,),
}
"""Counts of elements, which can be compared with a number or with a percentage of the size."""

MEASURES = {"size": (columns.SIZE,), "rank": (columns.RANK,)}

PLACES: dict[str, type[StepTest] | type[IndexTest] | type[LineTest]] = {
    "step": StepTest,
    "index": IndexTest,
    "line": LineTest,
}

FLAG_OF_COLUMN = {
    columns.NAN: Bad.NAN,
    columns.NEG_INF: Bad.NEG_INF,
    columns.POS_INF: Bad.POS_INF,
}

EXAMPLES = {
    "tensor": "mul_1:0",
    "op": "Log",
    "fn": "loss",
    "layer": "conv2d",
    "file": "train.py:31",
    "dev": "GPU",
    "phase": "train",
    "dtype": "float16",
    "line": "31",
    "step": "3..7",
    "index": "52",
}
"""A value of each field, for the sentences that ask for one."""

MAX_SHOWN = 24
"""Characters of a word that a sentence repeats: the reason behind it should be seen as well."""

_COMPARISON = re.compile(r"(?P<name>[-+]?[A-Za-z]+)(?P<operator>>=|<=|!=|==|=|>|<)(?P<value>.*)")
_FIELD = re.compile(r"(?P<name>[a-z]+)(?P<operator>:|==|=|!=)(?P<value>.*)", re.DOTALL)
_EVENT = re.compile(r"#(?P<value>(?:\.\.)?\d[\d,.]*)")
_FILTER = re.compile(r"[-!]?filter(?::|==|=|!=)(?P<name>.*)", re.DOTALL)
_NEGATIVE_INFINITY = re.compile(r"-inf(?![^<>=!])", re.IGNORECASE)


class QueryError(ValueError):
    """A query that makes no sense; the message is a sentence that says what to write instead."""


class Word(NamedTuple):
    """One kind of term, for help and completion."""

    name: str
    example: str
    meaning: str


def vocabulary() -> tuple[Word, ...]:
    """All kinds of terms."""
    return (
        Word("text", "Log", "anywhere in tensor, op type, function, graph, file:line, device"),
        Word(
            "/regex/", "/mul_\\d+:0$/", "regular expression of RE2; any of ^$*+?[](){}|\\ makes one"
        ),
        Word('"text"', '"nan"', "just this text, also where it would mean something"),
        Word("op:", "op:Log", "part of the op type; op=Log is the whole, as with every field"),
        Word("fn:", "fn:loss", "function or graph"),
        Word("layer:", "layer:conv2d", "layer of Keras, or a scope; layer=dense_1 is a whole name"),
        Word("tensor:", "tensor:mul_1:0", "name of the tensor"),
        Word("file:", "file:train.py:31", "your file, with or without the line"),
        Word("line:", "line:20..40", "number of your line; also line>=20"),
        Word("dev:", "dev:GPU", "device"),
        Word("phase:", "phase:validation", "train, validation or predict, as Keras has it"),
        Word("dtype:", "dtype:float16", "element type, or how its name begins"),
        Word("step:", "step:3..7", "training step; also step>=3"),
        Word("#", "#52", "number of the event; also index>=100"),
        Word("bad", "bad", "any NaN or ∞"),
        Word("nan", "nan>0", "any NaN; how many, or what share as in nan>50%"),
        Word("inf", "inf>0", "any ∞; how many, or what share"),
        Word("-inf", "-inf>0", "any -∞; how many, or what share"),
        Word("+inf", "+inf>=1", "any +∞; how many, or what share"),
        Word("zero", "zero>50%", "how many zeros, or what share"),
        Word("neg", "neg>0", "how many negative elements, or what share"),
        Word("pos", "pos=0", "how many positive elements, or what share"),
        Word("size", "size>=100", "number of elements"),
        Word("rank", "rank=2", "number of dimensions"),
        Word("filter:", "filter:mine", "a query you named, or a function of --filters FILE.py"),
        Word("-", "-op:Const", "not this term; ! does the same, and !inf is not inf"),
    )


def read_words(word: str, quoted: str | None, find: Find | None) -> tuple[Term, ...]:
    """The terms that a word means: a name may stand for several."""
    named = _FILTER.fullmatch(word)
    if named is None:
        return (read_word(word, quoted),)
    name = quoted if quoted is not None else named["name"]
    if not name:
        raise QueryError(f"{word} needs a name; write for example filter:mine.")
    if find is None:
        raise QueryError(f"There is no filter {name} here; write out what it asks for.")
    found, negated = find(name), word.startswith(("-", "!")) != ("!=" in word)
    if isinstance(found, UserFilter):
        return (Term(word, negated, FilterTest(found)),)
    if not negated:
        return found
    if len(found) == 1:
        return (Term(word, not found[0].negated, found[0].test),)
    return (Term(word, negated, QueryTest(found)),)


def read_word(word: str, quoted: str | None = None) -> Term:
    """The term that a word means, or a word with a text in quotes behind it."""
    negated = word.startswith("!") or (word.startswith("-") and not _NEGATIVE_INFINITY.match(word))
    body = word[negated:]
    if quoted is None:
        if not body:
            raise QueryError(f"{word} has nothing behind it; write a term such as {word}op:Const.")
        test, differs = _unquoted(body)
        return Term(word, negated != differs, test)
    if not quoted:
        raise QueryError("There is nothing between the quotes; write the text to look for.")
    test, differs = TextTest(SITE_FIELDS, text_patterns.plain(quoted)), False
    field = _FIELD.fullmatch(body)
    if field:
        test, differs = _field(field["name"], field["operator"], quoted, text_patterns.plain)
    return Term(f'{word}"{quoted}"', negated != differs, test)


def _unquoted(word: str) -> tuple[AnyTest, bool]:
    """What a word without quotes asks for, and whether it asks for the opposite."""
    if word.lower() in FLAG_WORDS:
        return FlagTest(FLAG_WORDS[word.lower()]), False
    event = _EVENT.fullmatch(word)
    if event:
        return IndexTest(_interval("index", "=", event["value"])), False
    field = _FIELD.fullmatch(word)
    if field and field["name"] in EXAMPLES:
        return _field(field["name"], field["operator"], field["value"], typed_pattern)
    comparison = _COMPARISON.fullmatch(word)
    test = _comparison(*comparison.group("name", "operator", "value")) if comparison else None
    return test or TextTest(SITE_FIELDS, typed_pattern(word)), False


def _field(
    name: str, operator: str, value: str, as_pattern: Callable[[str], Pattern]
) -> tuple[AnyTest, bool]:
    """A field and its value: the whole of it behind an equals sign, else a part."""
    if name not in EXAMPLES:
        known = ", ".join(EXAMPLES)
        raise QueryError(f"{name} is no field; write one of {known}.")
    if not value:
        example = f"{name}{operator}{EXAMPLES[name]}"
        raise QueryError(f"{name}{operator} needs a value; write for example {example}.")
    if name in PLACES:
        return PLACES[name](_interval(name, operator, value)), False
    differs = operator == "!="
    if operator != ":":
        pattern = text_patterns.whole(value)
    elif name == "dtype" and not text_patterns.is_regular(value):
        pattern = text_patterns.beginning(value)  # a part would find float16 in bfloat16
    else:
        pattern = as_pattern(value)
    if name == "dtype":
        return DtypeTest(_dtypes(value, pattern)), differs
    return TextTest((name,), pattern), differs


def _dtypes(value: str, pattern: Pattern) -> tuple[int, ...]:
    numbers = tuple(number for number, dtype in DTYPES.items() if pattern.fits(dtype.name))
    if not numbers:
        raise QueryError(f"There is no element type {value}; write for example dtype:float16.")
    return numbers


def _comparison(name: str, operator: str, value: str) -> AnyTest | None:
    """A number of the event or its tensors; None if it is a text that looks like one."""
    key = name.lower()
    if key in PLACES:
        return PLACES[key](_interval(key, operator, value))
    if key not in COUNTS and key not in MEASURES:
        if operator[0] in "<>" and value[:1].isdigit():
            known = ", ".join([*COUNTS, *MEASURES, *PLACES])
            raise QueryError(
                f"{name} is no number of a tensor; write one of {known}, "
                f'or "{name}{operator}{value}" to look for the text.'
            )
        return None
    percent = value.endswith("%")
    if percent and key not in COUNTS:
        raise QueryError(f"{key} has no share; write a number without % behind {key}{operator}.")
    interval = _interval(key, operator, value.removesuffix("%"))
    numbers = COUNTS.get(key) or MEASURES[key]
    if interval.means_any and not percent and FLAG_OF_COLUMN.keys() >= set(numbers):
        return FlagTest(Bad(sum(FLAG_OF_COLUMN[column] for column in numbers)))
    return CountTest(numbers, interval, percent)


def _interval(name: str, operator: str, value: str) -> Interval:
    """The numbers that a comparison means; a range is written with two dots."""
    low, dots, high = value.partition("..")
    if dots and operator in (":", "=", "==") and (low or high):
        ends = (
            _number(name, operator, low) if low else -math.inf,
            _number(name, operator, high) if high else math.inf,
        )
        return Interval(min(ends), max(ends))
    number = _number(name, operator, value)
    if operator in ("<", "<="):
        return Interval(-math.inf, number if operator == "<=" else _next(number, -math.inf))
    if operator in (">", ">="):
        return Interval(number if operator == ">=" else _next(number, math.inf), math.inf)
    return Interval(number, number, outside=operator == "!=")


def _number(name: str, operator: str, text: str) -> float:
    try:
        number = float(text.replace(",", ""))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        example = EXAMPLES.get(name, "100")
        what = f"{text} is no number" if text else f"{name}{operator} needs a number"
        raise QueryError(f"{what}; write for example {name}{operator}{example}.")
    return number


def _next(number: float, towards: float) -> float:
    """The next number there is."""
    return float(np.nextafter(number, towards))


def typed_pattern(word: str) -> Pattern:
    """A pattern as people type it; raises QueryError."""
    try:
        return text_patterns.typed(word)
    except PatternError as error:
        shown = word if len(word) <= MAX_SHOWN else f"{word[: MAX_SHOWN - 1]}…"
        raise QueryError(
            f"{shown} as a regular expression: {error}; write it in quotes to look for the text."
        ) from None
