"""Text patterns as people type them: plain or regular, with smart case.

A pattern in lower case matches either case; a capital letter makes it exact, as in less and vim.
"""

from __future__ import annotations

import re
from typing import Protocol

from tfdbg_tui.data.search.expressions import expression
from tfdbg_tui.frozen.frozen import Frozen

MAX_SEARCHED = 2000
"""Characters of a recorded string that a pattern sees: as many as are ever shown."""

_METACHARACTERS = frozenset("^$*+?[](){}|\\")
"""What makes a word a regular expression; a dot does not, for `train.py` has one."""

_REGULAR = re.compile(r"/(?P<expression>.+)/", re.DOTALL)

_ENDS_WITH_NUMBER = re.compile(r":\d+\Z")


class Form(Protocol):
    """One way in which a pattern may stand in a text."""

    @property
    def size(self) -> int:
        """What it costs to look for it, in instructions for each character of a text."""

    def finds(self, text: str) -> bool:
        """Whether it is in a text."""

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where it is in a text."""


class _Literal(Frozen):
    """Characters as they stand: Python's engine has one way only to find them, and is at hand."""

    compiled: re.Pattern[str]
    size: int = 0

    def finds(self, text: str) -> bool:
        return self.compiled.search(text) is not None

    def spans(self, text: str) -> list[tuple[int, int]]:
        return [found.span() for found in self.compiled.finditer(text)]


class Pattern(Frozen):
    """One text to look for."""

    forms: tuple[Form, ...]
    """A string fits if any of them is found in it."""

    @property
    def size(self) -> int:
        """What it costs to look for it, in instructions for each character of a text."""
        return sum(form.size for form in self.forms)

    def fits(self, text: str) -> bool:
        """Whether it is found in a text."""
        return any(form.finds(text[:MAX_SEARCHED]) for form in self.forms)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where it is found in a text; the spans of several forms may overlap."""
        found = (span for form in self.forms for span in form.spans(text[:MAX_SEARCHED]))
        return [(start, end) for start, end in found if end > start]


def typed(word: str) -> Pattern:
    """The pattern of a word: regular between slashes or with metacharacters, else plain.

    A word with metacharacters still finds itself: a name may contain them.
    """
    between_slashes = _REGULAR.fullmatch(word)
    if between_slashes:
        return Pattern((expression(between_slashes["expression"]),))
    if is_regular(word):
        return Pattern((expression(word), *plain(word).forms))
    return plain(word)


def is_regular(word: str) -> bool:
    """Whether a word is meant as a regular expression."""
    return not _METACHARACTERS.isdisjoint(word) or _REGULAR.fullmatch(word) is not None


def plain(text: str) -> Pattern:
    """The pattern that finds a text as it stands.

    A number behind a colon ends there: `train.py:31` is not line 310, nor `mul:1` output 10.
    """
    behind = r"(?!\d)" if _ENDS_WITH_NUMBER.search(text) else ""
    return _literal(text, behind=behind)


def whole(text: str) -> Pattern:
    """The pattern that only the whole of a string fits."""
    return _literal(text, before=r"\A", behind=r"\Z")


def beginning(text: str) -> Pattern:
    """The pattern that the beginning of a string fits."""
    return _literal(text, before=r"\A")


def _literal(text: str, before: str = "", behind: str = "") -> Pattern:
    case = re.RegexFlag(0) if any(map(str.isupper, text)) else re.IGNORECASE
    return Pattern((_Literal(re.compile(f"{before}{re.escape(text)}{behind}", case)),))
