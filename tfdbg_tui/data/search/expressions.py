"""Regular expressions as people type them, by an engine that takes no longer on any name.

Python's own engine tries one way after another, which takes for ever with expressions as short as
`a*a*b` on a long name, cannot be stopped, and lets no other thread run meanwhile. RE2 follows all
ways at once: its time grows with the length of the text, and other threads go on. What it cannot
do that way it refuses: looking ahead or behind, and referring back to a group.

Its time and memory grow with the size of the expression as well, so that is bounded here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

MAX_PROGRAM = 3000
"""Instructions that the expressions of a query may take together; most take less than 50.

At the worst each of them is tried at each character: 3,000 take some 30 ms on the longest name.
"""

MAX_MEMORY = 1 << 20
"""Bytes that RE2 may take for an expression; with less than it would like, it gets slower."""

MAX_REPEAT = 1000
"""How often a part may be repeated, also by repeats inside repeats, where a number says it."""

MAX_HITS = 500
"""Places in a text that are shown as found: more than stand in a line on any screen."""

_PYTHONS_OWN = re.compile(
    r"""
      (?P<end> \\Z )
    | (?P<byte> \\C )
    | (?P<fixed> \\. | \[\^?\]?(?:\\.|[^\]\\])*\] )
    | (?P<remark> \(\?\#[^)]*\) )
    | \{ (?P<least>\d*) (?P<comma>,?) (?P<most>\d*) \}
    """,
    re.VERBOSE | re.DOTALL,
)
"""What Python writes differently, and what has to be told apart from it."""

_WITHOUT_CASE = re.compile(r"\\[pPx]\{[^}]*\}|\\.|\(\?P?<\w*>|\(\?[A-Za-z-]*[:)]", re.DOTALL)
"""Parts of an expression whose letters are not looked for."""

_REASONS = {
    "no argument for repetition operator": "there is nothing that {part} could repeat",
    "bad repetition operator": "{part} repeats a repeat",
    "invalid repetition size": f"{{part}} repeats too much: no part may come more than "
    f"{MAX_REPEAT:,} times, nor fewer than none",
    "invalid escape sequence": "{part} has no meaning here",
    "invalid character class range": "{part} is no range of characters",
    "invalid named capture group": "{part} is no name of a group",
    "invalid perl operator": "{part} has no meaning here",
    "missing ]": "a [ is not closed",
    "missing )": "a ( is not closed",
    "unexpected )": "a ) closes nothing",
    "trailing \\": "there is nothing behind the last \\",
    "pattern too large - compile failed": "it is too large",
}
"""What RE2 says is wrong → the same in our words, with the part that it names."""

_AROUND = ("(?=", "(?!", "(?<=", "(?<!")

_BACK = re.compile(r"\\[1-9]|\(\?P")


class PatternError(ValueError):
    """An expression that cannot be used; the message says why, in words that follow a colon."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A regular expression; any thread may ask."""

    text: str
    regexp: Any = field(compare=False, repr=False)
    """RE2's own object."""

    @property
    def size(self) -> int:
        """Instructions that it takes."""
        return int(self.regexp.programsize)

    def finds(self, text: str) -> bool:
        """Whether it is found in a text."""
        return self.regexp.search(text.encode("utf-8", "replace")) is not None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where it is found in a text, the first of many."""
        whole = text.encode("utf-8", "replace").decode()  # as long, without half characters
        return [found.span() for found in islice(self.regexp.finditer(whole), MAX_HITS)]


def expression(text: str) -> Expression:
    """The expression that a text means; a capital letter that is looked for makes it exact."""
    try:
        import re2  # only when somebody asks: it takes some milliseconds
    except ImportError:
        raise PatternError("that needs the package google-re2, which is not installed") from None
    options = re2.Options()
    options.log_errors = False  # they would be printed over the screen
    options.never_capture = True  # what a group has found is never asked for
    options.max_mem = MAX_MEMORY
    options.case_sensitive = any(map(str.isupper, _WITHOUT_CASE.sub("", text)))
    try:
        compiled = Expression(text, re2.compile(_as_re2(text), options))
    except re2.error as error:
        raise PatternError(_reason(error.args[0].decode("utf-8", "replace"))) from None
    re2.purge()  # it would keep the last 128, each with its memory
    if compiled.size > MAX_PROGRAM:
        raise PatternError(_REASONS["pattern too large - compile failed"])
    return compiled


def _as_re2(text: str) -> bytes:
    """An expression of Python's as RE2 has it, in bytes."""
    return _PYTHONS_OWN.sub(_translated, text).encode("utf-8", "surrogatepass")


def _translated(token: re.Match[str]) -> str:
    """One part of an expression; RE2 would take some of Python's for plain text."""
    whole = token[0]
    if token["end"]:
        return r"\z"
    if token["byte"]:  # half of a character
        raise PatternError(_REASONS["invalid escape sequence"].format(part=whole))
    if token["fixed"]:
        return whole
    if token["remark"]:
        return ""
    least, comma, most = token.group("least", "comma", "most")
    if max(map(len, (least, most))) > len(f"{MAX_REPEAT}"):
        raise PatternError(_REASONS["invalid repetition size"].format(part=whole))
    return f"{{0,{most}}}" if comma and not least else whole


def _reason(said: str) -> str:
    """Why RE2 does not take an expression."""
    what, _, part = said.partition(": ")
    if part in _AROUND:
        return f"{part} looks ahead or behind, which cannot be done here"
    if _BACK.fullmatch(part):
        return "it refers back to a group, which cannot be done here"
    return _REASONS.get(what, said).format(part=part)
