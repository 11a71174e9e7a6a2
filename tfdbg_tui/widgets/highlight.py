"""Python source in pieces, by the lexer that everyone uses, no further than is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.sanitise import MAX_LENGTH
from tfdbg_tui.widgets.pieces import Piece, Pieces, clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

RUN_UP = 200
"""Lines lexed before the first one shown when that is far down: enough for most long strings."""

FAR = 2_000
"""Lines from which on lexing does not begin at the top of the file."""

MAX_RUN_UP = 200_000
"""Characters lexed before the first line shown, at most: the lexer takes a second for a million."""


class HighlightedSource:
    """The lines of one file; each is lexed when it is first asked for."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = [_one_line(line) for line in lines]
        self._done: dict[int, Pieces] = {}
        self._lexed_to = 0
        self._tokens: Iterator[tuple[int, object, str]] | None = None

    def __len__(self) -> int:
        return len(self._lines)

    def code_at(self, line: int) -> str | None:
        """The code of a line as frames count them, from 1; None if the file has no such line."""
        return self._lines[line - 1].strip() if 1 <= line <= len(self._lines) else None

    def line(self, number: int) -> Pieces:
        """The pieces of a line, counted from 0."""
        if number not in self._done:
            self._lex(number)
        return self._done.get(number) or [Piece(clean(self._lines[number]))]

    def _lex(self, number: int) -> None:
        from pygments.lexers.python import PythonLexer

        if self._tokens is None or not self._is_near(number):
            begin = 0 if number < FAR else number - RUN_UP
            self._lexed_to = begin if self._characters(begin, number) <= MAX_RUN_UP else number
            text = "\n".join(map(_cut, self._lines[self._lexed_to :]))
            self._tokens = PythonLexer().get_tokens_unprocessed(text)
        pieces: Pieces = []
        for _, kind, text in self._tokens:
            first, *others = text.split("\n")
            pieces.append(Piece(clean(first), _role(kind)))
            for part in others:
                self._done[self._lexed_to] = pieces
                self._lexed_to += 1
                pieces = [Piece(clean(part), _role(kind))] if part else []
            if self._lexed_to > number and not pieces:
                return
        self._done[self._lexed_to] = pieces
        self._tokens = None

    def _is_near(self, number: int) -> bool:
        """Whether lexing can go on to a line from where it is."""
        is_ahead = self._lexed_to <= number <= self._lexed_to + FAR
        return is_ahead and self._characters(self._lexed_to, number) <= MAX_RUN_UP

    def _characters(self, first: int, end: int) -> int:
        return sum(min(len(line), MAX_LENGTH) for line in self._lines[first:end])


def _one_line(line: str) -> str:
    """A recorded line without what would end it."""
    return line.rstrip("\r\n").replace("\n", " ")


def _cut(line: str) -> str:
    """As much of a line as is shown."""
    return line if len(line) <= MAX_LENGTH else line[: MAX_LENGTH - 1] + "…"


def _role(kind: object) -> str:
    name = str(kind)
    for part, role in (
        ("Comment", "comment"),
        ("Keyword", "keyword"),
        ("String", "string"),
        ("Number", "number"),
        ("Decorator", "keyword"),
        ("Operator.Word", "keyword"),
    ):
        if part in name:
            return role
    return ""
