"""What a half-typed line can go on with: commands, options, recorded names and files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tfdbg_tui.command_line.definition import Names
from tfdbg_tui.command_line.name_lists import FUNCTION, LAYER, OP_TYPE
from tfdbg_tui.command_line.table import COMMANDS, SORT_KEYS, definition_of
from tfdbg_tui.data.search.query_parser import vocabulary
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfdbg_tui.command_line.definition import CommandDefinition, OptionDefinition
    from tfdbg_tui.command_line.name_lists import NameLists
    from tfdbg_tui.data.search.named_filters import NamedFilters

MAX_CANDIDATES = 50
"""Candidates that are told."""

MAX_ENTRIES = 10_000
"""Entries of a folder that are looked at."""

_FIELDS: dict[str, object] = {
    "op": OP_TYPE,
    "fn": FUNCTION,
    "layer": LAYER,
    "tensor": Names.TENSOR,
    "file": Names.SOURCE,
}
"""The names that can stand behind a field of a query."""


class Completion(NamedTuple):
    """How a line can go on."""

    start: int
    """Where what is replaced begins in the line; it ends at the cursor."""
    candidates: tuple[str, ...] = ()
    """In order, at most `MAX_CANDIDATES`."""

    @property
    def common(self) -> str:
        """What all candidates begin with."""
        first, last = min(self.candidates, default=""), max(self.candidates, default="")
        pairs = zip(first, last, strict=False)
        return first[: next((n for n, (a, b) in enumerate(pairs) if a != b), len(first))]


class _Typed(NamedTuple):
    """The part of a line before the cursor."""

    words: list[str]
    """Whole words before the one that is being typed."""
    last: str
    """That one, without its quote."""
    start: int
    quote: str


def complete(
    line: str, names: NameLists, filters: NamedFilters, cursor: int | None = None
) -> Completion:
    """How a line can go on at the cursor, which is at its end if that is not told."""
    before = line if cursor is None else line[:cursor]
    typed = _typed(before)
    if typed.quote == "`":
        found = _recorded(names, Names.TENSOR, typed.last)
    elif not typed.words:
        found = _starting((one.name for one in COMMANDS), typed.last)
        aliases = (alias for one in COMMANDS for alias in one.aliases)
        found = found or _starting(aliases, typed.last)
    else:
        definition = definition_of(typed.words[0])
        found = [] if definition is None else _behind(definition, typed, names, filters)
    return Completion(typed.start, tuple(found[:MAX_CANDIDATES]))


def _typed(before: str) -> _Typed:
    """The words of a half-typed line; its last quote may be open."""
    words: list[str] = []
    start, quote, text = 0, "", ""
    in_word = False
    for position, character in enumerate(before):
        if quote:
            if character == quote:
                quote = ""
            else:
                text += character
        elif character in "\"'`":
            quote, in_word = character, True
            start, text = position + 1, "" if character == "`" else text
        elif character.isspace():
            if in_word:
                words.append(text)
            start, text, in_word = position + 1, "", False
        else:
            text, in_word = text + character, True
    return _Typed(words, text, start if in_word or quote else len(before), quote)


def _behind(
    definition: CommandDefinition, typed: _Typed, names: NameLists, filters: NamedFilters
) -> list[str]:
    """What can stand behind a command."""
    last = typed.words[-1]
    if last in (">", ">!"):
        return _paths(typed.last)
    option = definition.option(last)
    if option is not None and option.takes is not None:
        return _of_kind(option.names, typed.last, names, filters)
    if typed.last.startswith("-") and not typed.quote and ":" not in typed.last:
        return _starting((known.flag for known in definition.options), typed.last)
    position = _arguments_before(definition, typed.words[1:])
    arguments = definition.arguments
    if position >= len(arguments) and not (arguments and arguments[-1].takes_rest):
        return []
    return _of_kind(arguments[min(position, len(arguments) - 1)].names, typed.last, names, filters)


def _arguments_before(definition: CommandDefinition, words: list[str]) -> int:
    """How many of some words are no options and no values of options."""
    count, following = 0, iter(words)
    for word in following:
        option: OptionDefinition | None = definition.option(word)
        if option is None:
            count += 1
        elif option.takes is not None:
            next(following, None)
    return count


def _of_kind(kind: Names, typed: str, names: NameLists, filters: NamedFilters) -> list[str]:
    if kind is Names.COMMAND:
        return _starting((one.name for one in COMMANDS), typed)
    if kind is Names.FILTER:
        return _starting(filters.names, typed)
    if kind is Names.SORT_KEY:
        return _starting(SORT_KEYS, typed)
    if kind is Names.SWITCH:
        return _starting(("on", "off"), typed)
    if kind is Names.PATH:
        return _paths(typed)
    if kind is Names.QUERY:
        return _of_query(typed, names)
    if kind in (Names.NONE, Names.EXPRESSION):
        return []
    return _recorded(names, kind, typed)


def _of_query(typed: str, names: NameLists) -> list[str]:
    """Words of a query, and names behind its fields."""
    head, colon, value = typed.partition(":")
    field = head.lstrip("-!")
    if colon:
        kind = _FIELDS.get(field)
        return [] if kind is None else [f"{head}:{one}" for one in _recorded(names, kind, value)]
    sign = head[: len(head) - len(field)]
    words = [
        word.name for word in vocabulary() if word.name[-1:] != "-" and word.name[:1].isalpha()
    ]
    words.remove("text")
    return _starting((f"{sign}{word}" for word in words), typed)


def _recorded(names: NameLists, kind: object, typed: str) -> list[str]:
    """Recorded names that begin so or, without such, that hold that."""
    known = names.of(kind)
    found = known.starting(typed, MAX_CANDIDATES)
    return found or (known.holding(typed, MAX_CANDIDATES) if typed else [])


def _starting(names: Iterable[str], beginning: str) -> list[str]:
    return [name for name in names if name.startswith(beginning)]


def _paths(typed: str) -> list[str]:
    """Files and folders of this machine."""
    folder, name = os.path.split(typed)
    try:
        with os.scandir(os.path.expanduser(folder) or ".") as entries:  # noqa: PTH111
            found = []
            for number, entry in enumerate(entries):
                if number >= MAX_ENTRIES:
                    break
                if entry.name.startswith(name) and (name or not entry.name.startswith(".")):
                    is_folder = entry.is_dir(follow_symlinks=False)
                    found.append(os.path.join(folder, entry.name) + ("/" if is_folder else ""))  # noqa: PTH118
    except OSError:
        return []
    return sorted(found)[:MAX_CANDIDATES]
