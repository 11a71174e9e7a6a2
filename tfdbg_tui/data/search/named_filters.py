"""Filters that have a name: functions of the user's own, and queries that they have named.

`filter:NAME` in a query means one of them, and so does the bare name where only a filter can stand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from tfdbg_tui.data.search.query import QueryError, parse
from tfdbg_tui.data.search.user_filters import UserFilter
from tfdbg_tui.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfdbg_tui.data.search.query import Query
    from tfdbg_tui.data.search.query_terms import Term

    AnyFilter: TypeAlias = UserFilter | tuple[Term, ...]

NAME = re.compile(r"[^\W\d][\w.-]{0,99}")
"""What a filter can be called."""


class NamedFilters:
    """What each name means."""

    def __init__(self, functions: Iterable[UserFilter] = ()) -> None:
        self._filters: dict[str, AnyFilter] = {one.name: one for one in functions}

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the order of the alphabet."""
        return tuple(sorted(self._filters))

    def find(self, name: str) -> AnyFilter:
        """What a name means; raises QueryError where it means nothing."""
        found = self._filters.get(name)
        if found is None:
            raise QueryError(f"There is no filter {name}; {self._known()}.")
        return found

    def define(self, name: str, query: str) -> None:
        """Give a query a name, or another one to a name; raises QueryError."""
        if NAME.fullmatch(name) is None:
            raise QueryError(f"{name} is no name for a filter; write letters, digits, _ . and -.")
        if isinstance(self._filters.get(name), UserFilter):
            raise QueryError(f"{name} is a function of your file of filters; choose another name.")
        self._filters[name] = parse(query, self.find).terms

    def query(self, name: str) -> Query:
        """The query that asks for a filter alone; raises QueryError where there is none."""
        return parse(f"filter:{name}", self.find)

    def take_complaints(self) -> tuple[str, ...]:
        """Sentences about what went wrong in functions, each given once."""
        functions = [one for one in self._filters.values() if isinstance(one, UserFilter)]
        return tuple(sentence for one in functions for sentence in one.take_complaints())

    def _known(self) -> str:
        if self._filters:
            return f"there is {listed(self.names)}"
        return "--filters FILE.py gives functions of your own"
