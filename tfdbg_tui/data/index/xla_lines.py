"""The lines of a recorded program that ask for XLA, under which nothing can be recorded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.user_code import is_user_file
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tfdbg_tui.data.stores.sources import SourceFile, SourceFiles

DECORATION = 10
"""Lines from a decorator to the function it decorates, at most."""

MAX_FILES = 50
"""Source files of the user's own that are searched."""

MAX_LINES = 20
"""Lines that are told."""

_COMPILED = re.compile(r"\bjit_compile\s*=\s*True\b")
_DEFINED = re.compile(r"\s*(?:async\s+)?def\s+(\w+)")
_WORD = re.compile(r"\w+")


class SourceLine(NamedTuple):
    """A line of the user's program."""

    path: str
    line: int
    code: str = ""


def compiled_lines(
    sources: SourceFiles, names: Collection[str], of_keras: bool
) -> tuple[SourceLine, ...]:
    """The lines that ask for XLA for functions with these names, or for any Keras model."""
    found = []
    for index in [i for i, file in enumerate(sources.files) if _is_own(file)][:MAX_FILES]:
        source, lines = sources.get(index), sources.lines(index) or ()
        for row in _compiled(lines):
            meant = _names_near(lines, row)
            if source is not None and (of_keras or not meant.isdisjoint(names)):
                found.append(SourceLine(source.path, row + 1, lines[row].strip()))
    return tuple(found[:MAX_LINES])


def _is_own(file: SourceFile | None) -> bool:
    return file is not None and is_user_file(file.path)


def _compiled(lines: Sequence[str]) -> Iterator[int]:
    return (n for n, code in enumerate(lines) if _COMPILED.search(code.partition("#")[0]))


def _names_near(lines: Sequence[str], row: int) -> set[str]:
    """The words of a line that may be a call, and the function that it may decorate."""
    names = set(_WORD.findall(lines[row]))
    for line in lines[row : row + DECORATION]:
        if defined := _DEFINED.match(line):
            return names | {defined[1]}
    return names
