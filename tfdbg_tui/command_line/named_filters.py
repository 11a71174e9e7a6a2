"""Queries by name: tfdbg's own, the flags of bad numbers, and what the user has named."""

from __future__ import annotations

import re

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.words import listed

BUILT_IN = {
    "bad": "bad",
    "nan": "nan",
    "inf": "inf",
    "has_inf_or_nan": "bad",
}
"""Names that are always there: tfdbg's one, and the words of a query that need no value."""


class NamedFilters:
    """The named filters of a session."""

    def __init__(self, queries: dict[str, str] | None = None) -> None:
        self.queries = dict(queries or {})
        """The user's own."""

    @property
    def names(self) -> list[str]:
        """All names."""
        return [*BUILT_IN, *self.queries]

    def query_of(self, name: str) -> str:
        """The query that a name stands for; raises CommandError."""
        found = self.queries.get(name) or BUILT_IN.get(name)
        if found is None:
            raise CommandError(
                f"There is no filter {name[:40]}, only {listed(self.names)}; "
                "`filter NAME QUERY` makes one."
            )
        return found

    def name(self, name: str, query: str) -> None:
        """Have a name stand for a query; raises CommandError."""
        if name in BUILT_IN:
            raise CommandError(f"{name} is a filter of ours; take another name.")
        if not re.fullmatch(r"[A-Za-z_][\w.-]{0,59}", name):
            raise CommandError(
                "The name of a filter begins with a letter and has no signs, such as big_loss."
            )
        self.queries[name] = query
