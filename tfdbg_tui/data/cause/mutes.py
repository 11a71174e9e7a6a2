"""What the user says is no alarm: a text with one rule a line, in the language of queries.

A rule names sites by what stays the same when the program is recorded again: `op=Log`,
`tensor=Log:0 fn=metric`, `layer=encoder`, `file=train.py code="x = 0 / y"`. Only `code` is no term
of a search: it is the text of the line, by which a line is found again that has moved. Whatever
else stands in the text, comments behind `#` and empty lines, is kept as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.search import text_patterns
from tfdbg_tui.data.search.query import Query, QueryError, parse, words_of
from tfdbg_tui.data.search.query_parser import read_words
from tfdbg_tui.data.search.query_terms import LineTest, Term, TextTest
from tfdbg_tui.frozen.frozen import Frozen
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.search.text_patterns import Pattern

MAX_RULES = 1000
"""Rules of one text; every bad site is asked about each."""

COMMENT = "#"

_CODE = ("code=", "code:")


class MuteError(ValueError):
    """A text that makes no sense; the message is a sentence that begins with the line."""


class Mute(Frozen):
    """One rule."""

    text: str
    """As it is written, without a comment."""
    query: Query
    code: tuple[Pattern, ...] = ()
    """What the text of the user's line has to hold."""

    def fits(self, facts: SiteFacts, code_of: Callable[[SiteFacts], str | None]) -> bool:
        """Whether a site is muted by it, as far as its names are known."""
        if not self.query.site_test(facts):
            return False
        code = code_of(facts) if self.code else None
        return not self.code or (
            code is not None and all(pattern.fits(code) for pattern in self.code)
        )

    def is_open(self, facts: SiteFacts) -> bool:
        """Whether names that are not on disk yet could change that."""
        return self.query.is_open(facts) or (bool(self.code) and facts.line is None)


class MuteLine(NamedTuple):
    """One line of the text."""

    text: str
    mute: Mute | None = None
    """The rule in it; None for a comment."""


class Mutes(Frozen):
    """All that is muted, in the order in which it is written."""

    lines: tuple[MuteLine, ...] = ()

    @property
    def rules(self) -> tuple[Mute, ...]:
        """The rules without what stands around them."""
        return tuple(line.mute for line in self.lines if line.mute is not None)

    def number_of(self, rule: int) -> int:
        """The number of the line that a rule stands in, from 1."""
        numbers = [number for number, line in enumerate(self.lines, 1) if line.mute is not None]
        return numbers[rule]

    def adding(self, text: str) -> Mutes:
        """With one rule more; the same if it is there."""
        if any(mute.text == text for mute in self.rules):
            return self
        return Mutes((*self.lines, MuteLine(text, read_mute(text))))

    def without(self, mute: Mute) -> Mutes:
        """Without a rule; what stands around it stays."""
        kept = (line for line in self.lines if line.mute is None or line.mute.text != mute.text)
        return Mutes(tuple(kept))

    def to_text(self) -> str:
        """The text that says so."""
        return "".join(f"{line.text}\n" for line in self.lines)


def read_mutes(text: str) -> Mutes:
    """The rules of a text; raises MuteError."""
    lines = []
    # Only what ends a line of a file does here: `splitlines` knows ten more characters.
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), 1):
        whole = line.removesuffix("\r")
        try:
            has_rule = whole.strip() and not whole.lstrip().startswith(COMMENT)
            lines.append(MuteLine(whole, read_mute(whole) if has_rule else None))
        except QueryError as error:
            raise MuteError(f"line {number}: {sanitise(str(error))}") from error
        if len(lines) > MAX_RULES and sum(line.mute is not None for line in lines) > MAX_RULES:
            raise MuteError(f"line {number}: there are more than {MAX_RULES:,} rules.")
    return Mutes(tuple(lines))


def read_mute(text: str) -> Mute:
    """One rule, perhaps with a comment behind it; raises QueryError."""
    rule = text.strip()
    words = words_of(rule, COMMENT)
    terms: list[Term] = []
    code = []
    for word, quoted in words:
        if word.startswith(_CODE):
            code.append(_code_pattern(word, quoted))
        else:
            terms += read_words(word, quoted, None)
    for term in terms:
        if not isinstance(term.test, (TextTest, LineTest)):
            raise QueryError(
                f"{term.word} asks about numbers or events, and what is muted is a place; "
                "write a term such as op=Log, tensor=Log:0, fn=loss or file=train.py:22."
            )
    if not words:
        parse("")  # raises, with its sentence
    return Mute(_without_comment(rule), Query(rule, tuple(terms)), tuple(code))


def _code_pattern(word: str, quoted: str | None) -> Pattern:
    head, value = word[:5], word[5:] if quoted is None else quoted
    if not value:
        raise QueryError(f'{head} needs a text behind it; write for example {head}"x = 1 / y".')
    return text_patterns.whole(value) if head.endswith("=") else text_patterns.plain(value)


def _without_comment(rule: str) -> str:
    """A rule up to its comment: a sign that begins a word and stands in no quotes."""
    words = words_of(rule, COMMENT)
    place = rule.find(COMMENT)
    while place >= 0:
        before = rule[:place]
        if before[-1:].isspace() and _is_whole(before, words):
            return before.rstrip()
        place = rule.find(COMMENT, place + 1)
    return rule


def _is_whole(text: str, words: list[tuple[str, str | None]]) -> bool:
    try:
        return words_of(text) == words
    except QueryError:  # the sign stands in quotes
        return False
