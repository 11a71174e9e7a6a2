"""What people type to find events: words and terms, all of which must hold.

A query is decided wherever that is cheapest: names by the site (thousands), kinds of bad
numbers by a column in memory, counts and element types by the record on disk.

An event with several tensors matches if one of them fits all terms about tensors; a negated term
must hold for none of them. A number that the recorder did not tell fits no comparison.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from tfdbg_tui.data.search.expressions import MAX_PROGRAM
from tfdbg_tui.data.search.query_parser import QueryError, Word, read_words, vocabulary
from tfdbg_tui.data.search.query_terms import (
    CountTest,
    DtypeTest,
    FilterTest,
    FlagTest,
    IndexTest,
    LineTest,
    QueryTest,
    StepTest,
    Term,
    TextTest,
)
from tfdbg_tui.frozen.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.search.bulk_health import HealthColumns
    from tfdbg_tui.data.search.query_parser import Find
    from tfdbg_tui.data.search.user_filters import UserFilter

    Mask = npt.NDArray[np.bool_]

__all__ = ["Query", "QueryError", "Word", "parse", "vocabulary"]

MAX_QUERY = 1000
"""Characters of a query; more was pasted by mistake."""

_QUOTED = re.compile(r"""(?P<head>[-!]?(?:[a-z]+(?::|!?=))?)(?P<quote>["'])""")

_Test = TypeVar("_Test")


class Query(Frozen):
    """What is looked for."""

    text: str
    terms: tuple[Term, ...]

    def _of(self, kind: type[_Test]) -> list[tuple[_Test, bool]]:
        return [(term.test, term.negated) for term in self.terms if isinstance(term.test, kind)]

    # ------------------------------------------------------------------ sites

    @property
    def size(self) -> int:
        """What it costs to test the names of a site, in instructions for each character."""
        return sum(test.pattern.size for test, _ in self._of(TextTest))

    @property
    def needs_sites(self) -> bool:
        """Whether the names of a site take part."""
        return any(isinstance(term.test, (TextTest, LineTest)) for term in self.terms)

    def site_test(self, facts: SiteFacts) -> bool:
        """Whether the names of a site, as far as they are known, fit."""
        texts = all(test.holds(facts) != negated for test, negated in self._of(TextTest))
        return texts and all(test.holds(facts) != negated for test, negated in self._of(LineTest))

    def is_open(self, facts: SiteFacts) -> bool:
        """Whether names that are not on disk yet could change what `site_test` says."""
        return any(test.is_open(facts) for test, _ in self._of(TextTest)) or any(
            test.is_open(facts) for test, _ in self._of(LineTest)
        )

    # ------------------------------------------------------------------ events

    def flags_fit(self, bad: npt.NDArray[np.uint8]) -> Mask | None:
        """Which events have the bad numbers asked for; None if the query does not care."""
        return _all_of([test.holds(bad) != negated for test, negated in self._of(FlagTest)])

    def indices_fit(self, start: int, stop: int) -> Mask | None:
        """Which of some consecutive events are asked for; None if the query does not care."""
        tests = self._of(IndexTest)
        indices = np.arange(start, stop) if tests else np.empty(0, np.int64)
        return _all_of([test.interval.holds(indices) != negated for test, negated in tests])

    @property
    def needs_steps(self) -> bool:
        """Whether the steps of events take part."""
        return bool(self._of(StepTest))

    def steps_fit(self, steps: npt.NDArray[np.float64]) -> Mask:
        """Which steps are asked for; NaN, an event in no step, fits neither way."""
        fits = ~np.isnan(steps)
        for test, negated in self._of(StepTest):
            fits &= test.interval.holds(steps) != negated
        return fits

    def tells_apart(self, earlier: int | None, later: int | None) -> bool:
        """Whether one of two steps may fit and another not, or one between them."""
        if earlier is None or later is None:
            return earlier is not later
        return any(
            test.interval.side(earlier) != test.interval.side(later)
            for test, _ in self._of(StepTest)
        )

    # ------------------------------------------------------------------ tensors

    @property
    def needs_health(self) -> bool:
        """Whether the records of events have to be read."""
        return any(isinstance(term.test, (CountTest, DtypeTest)) for term in self.terms)

    @property
    def joins_flags(self) -> bool:
        """Whether one tensor must hold several kinds of bad numbers."""
        return sum(not negated for _, negated in self._of(FlagTest)) > 1

    def tensors_fit(
        self, tensors: HealthColumns, events: int, told: Sequence[tuple[Mask, bool]] = ()
    ) -> Mask:
        """Which of some events have the tensors asked for.

        `told` is what filters say of each tensor, and whether their terms are negated.
        """
        fits = np.ones(len(tensors.event), np.bool_)
        excluded = np.zeros(events, np.bool_)
        asked = False
        for held, negated in (*self._tensor_masks(tensors), *told):
            if negated:
                excluded[tensors.event[held]] = True
            else:
                fits &= held
                asked = True
        found = np.full(events, not asked)
        found[tensors.event[fits]] = True
        return found & ~excluded

    def each_fits(self, tensors: HealthColumns) -> Mask:
        """Which tensors fit all terms about tensors, but for filters."""
        fits = np.ones(len(tensors.event), np.bool_)
        for held, negated in self._tensor_masks(tensors):
            fits &= held != negated
        return fits

    def _tensor_masks(self, tensors: HealthColumns) -> list[tuple[Mask, bool]]:
        flags = [(test.holds(tensors.bad), negated) for test, negated in self._of(FlagTest)]
        counts = [(test.holds(tensors), negated) for test, negated in self._of(CountTest)]
        types = [(test.holds(tensors), negated) for test, negated in self._of(DtypeTest)]
        return flags + counts + types

    # ------------------------------------------------------------------ one event at a time

    @property
    def filters(self) -> list[tuple[UserFilter, bool]]:
        """The functions that are asked about tensors, and whether they must not hold."""
        return [(test.function, negated) for test, negated in self._of(FilterTest)]

    @property
    def excluded(self) -> list[Query]:
        """The queries that an event must not fit."""
        return [Query(self.text, test.terms) for test, _ in self._of(QueryTest)]

    @property
    def asks_each(self) -> bool:
        """Whether what else fits has to be asked about event by event."""
        return bool(self.filters or self.excluded)

    # ------------------------------------------------------------------ modes

    def untold_by(self, mode: int) -> tuple[str, ...]:
        """The words that ask for what a mode of the recorder does not tell."""
        return tuple(
            term.word
            for term in self.terms
            if isinstance(term.test, (FlagTest, CountTest, DtypeTest))
            and not term.test.is_told_by(mode)
        )

    # ------------------------------------------------------------------ drawing

    def highlights(self, text: str, field: str | None = None) -> list[tuple[int, int]]:
        """Where a displayed text shows what is looked for; ascending, without overlap.

        A field restricts it to the words that look there.
        """
        found = [
            span
            for test, negated in self._of(TextTest)
            if not negated and (field is None or field in test.fields)
            for span in test.pattern.spans(text)
        ]
        spans: list[tuple[int, int]] = []
        for start, end in sorted(found):
            if spans and start <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
            else:
                spans.append((start, end))
        return spans


def _all_of(masks: list[Mask]) -> Mask | None:
    return np.logical_and.reduce(masks) if masks else None


def parse(text: str, find: Find | None = None) -> Query:
    """What a text asks for; raises QueryError, also for an empty one.

    `find` tells what the name of a filter means.
    """
    terms = tuple(term for word in words_of(text) for term in read_words(*word, find))
    if not terms:
        raise QueryError("Nothing to look for; write a name, or a term such as op:Log or nan>0.")
    query = Query(text, terms)
    if query.size > MAX_PROGRAM:
        raise QueryError("These expressions are too large together; write fewer, or shorter ones.")
    return query


def words_of(text: str, comment: str | None = None) -> list[tuple[str, str | None]]:
    """Each word, and what stands in quotes behind it; None if nothing does.

    Raises QueryError. A sign that is to begin a comment ends the words.
    """
    if len(text) > MAX_QUERY:
        raise QueryError(f"This is longer than {MAX_QUERY} characters; write a part of it.")
    found: list[tuple[str, str | None]] = []
    rest = text.lstrip()
    while rest and not (comment is not None and rest.startswith(comment)):
        quoted = _QUOTED.match(rest)
        if quoted is None:
            word, rest = (*rest.split(maxsplit=1), "")[:2]
            found.append((word, None))
        else:
            inside, closing, rest = rest[quoted.end() :].partition(quoted["quote"])
            if not closing:
                raise QueryError(f"A quote is open; write {quoted['quote']} where it ends.")
            found.append((quoted["head"], inside))
        rest = rest.lstrip()
    return found
