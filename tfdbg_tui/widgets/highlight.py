"""Python source in pieces, by the lexer that everyone uses, no further than is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.widgets.pieces import Piece, Pieces, clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

RUN_UP = 200
"""Lines lexed before the first one shown when that is far down: enough for most long strings."""

FAR = 2_000
"""Lines from which on lexing does not begin at the top of the file."""


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

        far = number > self._lexed_to + FAR or number < self._lexed_to
        if self._tokens is None or far:
            self._lexed_to = 0 if number < FAR else max(0, number - RUN_UP)
            text = "\n".join(self._lines[self._lexed_to :])
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


def _one_line(line: str) -> str:
    """A recorded line without what would end it."""
    return line.rstrip("\r\n").replace("\n", " ")


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
