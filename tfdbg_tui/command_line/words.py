"""A typed line as words: what quotes, backquotes and brackets hold together stays together."""

from __future__ import annotations

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.frozen.named_tuple import NamedTuple

MAX_LINE = 4_000
"""Characters of a line; more was pasted by mistake."""

QUOTES = "\"'"
BACKQUOTE = "`"


class TypedWord(NamedTuple):
    """One word of a line."""

    text: str
    """Without its quotes."""
    raw: str
    """As it was typed."""
    start: int
    """Where it begins in the line."""

    @property
    def is_quoted(self) -> bool:
        """Whether it begins with a quote: then it is no option and no redirect."""
        return self.raw[:1] in QUOTES


def words_of(line: str) -> list[TypedWord]:
    """The words of a line."""
    if len(line) > MAX_LINE:
        raise CommandError(f"This is longer than {MAX_LINE:,} characters; write a shorter command.")
    words = []
    position = 0
    while position < len(line):
        if line[position].isspace():
            position += 1
            continue
        word = _word_at(line, position)
        words.append(word)
        position += len(word.raw)
    return words


def _word_at(line: str, start: int) -> TypedWord:
    text: list[str] = []
    position = start
    while position < len(line) and not line[position].isspace():
        character = line[position]
        end = position
        if character in QUOTES or character == BACKQUOTE:
            end = line.find(character, position + 1)
            if end < 0:
                raise CommandError(f"A quote is open; write {character} where it ends.")
        elif character == "[":
            end = _closing(line, position)
        is_quote = character in QUOTES
        text.append(line[position + is_quote : end + (not is_quote)])
        position = end + 1
    return TypedWord("".join(text), line[start:position], start)


def _closing(line: str, start: int) -> int:
    """Where a bracket is closed; itself if it never is."""
    depth = 0
    for position in range(start, len(line)):
        depth += (line[position] == "[") - (line[position] == "]")
        if not depth:
            return position
    return start
