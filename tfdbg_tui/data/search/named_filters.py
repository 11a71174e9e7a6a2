"""Filters that have a name: functions of the user's own, and queries that they have named.

`filter:NAME` in a query means one of them, and so does the bare name where only a filter can stand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from tfdbg_tui.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfdbg_tui.data.search.query import Query
    from tfdbg_tui.data.search.query_terms import Term
    from tfdbg_tui.data.search.user_filters import UserFilter

    AnyFilter: TypeAlias = UserFilter | tuple[Term, ...]

NAME = re.compile(r"[^\W\d][\w.-]{0,99}")
"""What a filter can be called."""


BUILT_IN = {"bad": "bad", "nan": "nan", "inf": "inf", "has_inf_or_nan": "bad"}
"""Queries that have names: words that are terms by themselves, and tfdbg's own filter."""


class NamedFilters:
    """What each name means."""

    def __init__(self, functions: Iterable[UserFilter] = ()) -> None:
        self._functions = {one.name: one for one in functions}
        self._queries: dict[str, str] = dict(BUILT_IN)
        self._terms: dict[str, tuple[Term, ...]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """All names: those that are always there, then the user's own, in the order given."""
        return (*self._queries, *self._functions)

    @property
    def function_names(self) -> tuple[str, ...]:
        """The names of functions."""
        return tuple(self._functions)

    def find(self, name: str) -> AnyFilter:
        """What a name means; raises QueryError where it means nothing."""
        from tfdbg_tui.data.search.query import QueryError, parse  # most commands ask for none

        found = self._functions.get(name) or self._terms.get(name)
        if found is None and name in BUILT_IN:
            found = self._terms[name] = parse(BUILT_IN[name]).terms
        if found is None:
            raise QueryError(
                f"There is no filter {name}, only {listed(self.names)}; "
                "--filters FILE.py gives functions of your own."
            )
        return found

    def text_of(self, name: str) -> str:
        """What a name stands for, for people; raises QueryError where it means nothing."""
        self.find(name)
        function = self._functions.get(name)
        return self._queries[name] if function is None else function.place

    def define(self, name: str, query: str) -> None:
        """Give a query a name, or another one to a name; raises QueryError."""
        from tfdbg_tui.data.search.query import QueryError, parse  # as in `find`

        if NAME.fullmatch(name) is None:
            raise QueryError(
                f"{name} is no name for a filter: it begins with a letter, as big_loss."
            )
        if name in self._functions:
            raise QueryError(f"{name} is a function of your file of filters; take another name.")
        if name in BUILT_IN:
            raise QueryError(f"{name} is a filter of ours; take another name.")
        self._terms[name] = parse(query, self.find).terms
        self._queries[name] = query

    def query(self, name: str) -> Query:
        """The query that asks for a filter alone; raises QueryError where there is none."""
        from tfdbg_tui.data.search.query import parse  # as in `find`

        return parse(f"filter:{name}", self.find)

    def take_complaints(self) -> tuple[str, ...]:
        """Sentences about what went wrong in functions, each given once."""
        functions = self._functions.values()
        return tuple(sentence for one in functions for sentence in one.take_complaints())
