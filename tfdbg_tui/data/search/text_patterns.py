"""Text patterns as people type them: plain or regular, with smart case, and never running away.

A pattern in lower case matches either case; a capital letter makes it exact, as in less and vim.
Python's regular expressions have no time limit, so those that can take for ever are refused
before they run.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass

MAX_SEARCHED = 2000
"""Characters of a recorded string that a pattern sees: as many as are ever shown."""

MAX_SEARCHED_SLOWLY = 500
"""The same for an expression with so many repeats that it could take minutes on more."""

FEW_REPEATS, MAX_REPEATS = 2, 4
"""Repeats of an expression that may see everything, and that are accepted at all.

The worst case of a search takes the length to the power of one more than that.
"""

_METACHARACTERS = frozenset("^$*+?[](){}|\\")
"""What makes a word a regular expression; a dot does not, for `train.py` has one."""

_REGULAR = re.compile(r"/(?P<expression>.+)/", re.DOTALL)

_ENDS_WITH_NUMBER = re.compile(r":\d+\Z")

_TOKEN = re.compile(
    r"""
      (?P<fixed> \\. | \[\^?\]?(?:\\.|[^\]\\])*\] | \(\?[aiLmsux-]+\) | \(\?P=\w+\) | \(\?\#[^)]*\))
    | (?P<open> \(\?P<\w+> | \(\?<?[=!] | \(\?[aiLmsux-]*: | \(\?> | \( )
    | (?P<close> \) )
    | (?P<repeat> (?: [*+] | \{\d*,\d*\} ) [?+]? )
    | (?P<choice> \?[?+]? | \| )
    | (?P<plain> . )
    """,
    re.VERBOSE | re.DOTALL,
)


class PatternError(ValueError):
    """An expression that cannot be used; the message says why, in words that follow a colon."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One text to look for."""

    forms: tuple[re.Pattern[str], ...]
    """A string fits if any of them is found in it."""
    searched: int = MAX_SEARCHED
    """Characters of a string that are looked at."""

    def fits(self, text: str) -> bool:
        """Whether it is found in a text."""
        return any(form.search(text, 0, self.searched) for form in self.forms)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where it is found in a text; the spans of several forms may overlap."""
        return [
            found.span()
            for form in self.forms
            for found in form.finditer(text, 0, self.searched)
            if found.end() > found.start()
        ]


def typed(word: str) -> Pattern:
    """The pattern of a word: regular between slashes or with metacharacters, else plain.

    A word with metacharacters still finds itself: a name may contain them.
    """
    between_slashes = _REGULAR.fullmatch(word)
    if between_slashes:
        return _regular(between_slashes["expression"])
    if is_regular(word):
        regular = _regular(word)
        return Pattern((*regular.forms, *plain(word).forms), regular.searched)
    return plain(word)


def is_regular(word: str) -> bool:
    """Whether a word is meant as a regular expression."""
    return not _METACHARACTERS.isdisjoint(word) or _REGULAR.fullmatch(word) is not None


def plain(text: str) -> Pattern:
    """The pattern that finds a text as it stands.

    A number behind a colon ends there: `train.py:31` is not line 310, nor `mul:1` output 10.
    """
    behind = r"(?!\d)" if _ENDS_WITH_NUMBER.search(text) else ""
    return Pattern((re.compile(re.escape(text) + behind, _case(text)),))


def whole(text: str) -> Pattern:
    """The pattern that only the whole of a string fits."""
    return Pattern((re.compile(rf"\A{re.escape(text)}\Z", _case(text)),))


def beginning(text: str) -> Pattern:
    """The pattern that the beginning of a string fits."""
    return Pattern((re.compile(rf"\A{re.escape(text)}", _case(text)),))


def _regular(expression: str) -> Pattern:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they would be printed over the screen
            form = re.compile(expression, _case(re.sub(r"\\.", "", expression)))
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"{error}") from None
    repeats = _count_repeats(expression)
    return Pattern((form,), MAX_SEARCHED if repeats <= FEW_REPEATS else MAX_SEARCHED_SLOWLY)


def _case(text: str) -> re.RegexFlag:
    return re.RegexFlag(0) if any(map(str.isupper, text)) else re.IGNORECASE


def _count_repeats(expression: str) -> int:
    """How many parts are repeated any number of times; refuses repeats inside repeats.

    `(a+)+` and `(a|b.)*` try exponentially many ways to share a text between the rounds.
    """
    repeats = 0
    varies = [False]  # of each open group, whether it can match in several ways
    closed = False  # whether such a group has just ended
    for token in _TOKEN.finditer(expression):
        kind = token.lastgroup
        if kind == "repeat" and closed:
            raise PatternError("a repeat of a group with repeats or choices can take for ever")
        closed = False
        if kind == "open":
            varies.append(False)
        elif kind == "close" and len(varies) > 1:
            closed = varies.pop()
            varies[-1] |= closed
        elif kind in ("repeat", "choice"):
            repeats += kind == "repeat"
            varies[-1] = True
    if repeats > MAX_REPEATS:
        raise PatternError(f"more than {MAX_REPEATS} repeats can take for ever")
    return repeats
