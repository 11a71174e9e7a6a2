"""The rules that would mute a site: by its tensor, op type, function, line or layer.

A rule is made of names that stay when the program is recorded again. A line is named by its text,
for its number moves with every edit; by its number only where its text is not recorded or stands
in the file more than once. Names that cannot be written in one line are named by their parts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.layer_names import layer_and_op
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.sanitise import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfdbg_tui.data.index.site_facts import SiteFacts

MAX_NAME = 300
"""Characters of a name in a rule; of a longer one its parts up to there."""

MAX_PARTS = 8
"""Parts by which a name is named that cannot be written as it is."""

_PLAIN = re.compile(r"[A-Za-z0-9_./:-]+")
"""A name that needs no quotes."""

_UNWRITABLE = re.compile(r"[^\w !#-~]+|\"")
"""Where a name is cut that cannot be quoted: at quotes, and at what is not safe to write."""


class Proposal(NamedTuple):
    """A rule that could be added."""

    what: str
    """What it mutes, in a word."""
    text: str


class RecordedLines(NamedTuple):
    """What the source files of a recording tell of a line."""

    paths: Sequence[str]
    """Of all files."""
    lines_of: Callable[[int], tuple[str, ...] | None]
    """The text of a file by its number."""


def proposals(facts: SiteFacts, sources: RecordedLines) -> tuple[Proposal, ...]:
    """The rules for a site, the narrowest first."""
    line = _line(facts, sources)
    op = None if facts.is_call or not facts.op_type else _term("op", facts.op_type)
    function = _term("fn", facts.function) if facts.function else None
    layer = "" if facts.is_call else layer_and_op(facts.tensor)[0]
    if facts.is_call or facts.tensor != facts.op_type:
        tensor = _both(_term("tensor", facts.tensor), None if facts.is_call else function)
    else:
        tensor = _both(op, line) if line else None  # an eager op has no name but its type
    found = (
        Proposal("this tensor", tensor or ""),
        Proposal("this line", line or ""),
        Proposal("this layer", (_term("layer", layer) if layer else None) or ""),
        Proposal("this function", function or ""),
        Proposal("this op type", op or ""),
    )
    return tuple(proposal for proposal in found if proposal.text)


def _both(one: str | None, other: str | None) -> str | None:
    return None if one is None else one if other is None else f"{one} {other}"


def _term(field: str, name: str) -> str | None:
    """A term that the name fits; None where nothing of it can be written."""
    is_writable = one_line(name) == name and len(name) <= MAX_NAME
    if is_writable and _PLAIN.fullmatch(name):
        return f"{field}={name}"
    for quote in "\"'":
        if is_writable and quote not in name:
            return f"{field}={quote}{name}{quote}"
    parts = [part for part in _UNWRITABLE.split(name[:MAX_NAME]) if part.strip()]
    return " ".join(f'{field}:"{part}"' for part in parts[:MAX_PARTS]) or None


def _line(facts: SiteFacts, sources: RecordedLines) -> str | None:
    """The terms for the user's line."""
    line = facts.line
    if line is None:
        return None
    lines = sources.lines_of(line.file) or ()
    code = lines[line.line - 1].strip() if 1 <= line.line <= len(lines) else ""
    is_unique = sum(other.strip() == code for other in lines) == 1
    told = _term("code", code) if code and is_unique else None
    number = "" if told else f":{line.line}"
    return _both(_file(line.path, number, sources.paths), told)


def _file(path: str, number: str, paths: Sequence[str]) -> str | None:
    """A term for a file: by its name, with folders before it where others are called the same."""
    folders = path.split("/")
    for first in range(len(folders) - 1, -1, -1):
        ending = "/".join(folders[first:])
        same = {other for other in paths if f"/{other}".endswith(f"/{ending}")}
        if len(same) <= 1 and first == len(folders) - 1:
            return _term("file", f"{ending}{number}")
        if len(same) <= 1:
            return _part("file", f"/{ending}{number}")
    return _term("file", f"{path}{number}")


def _part(field: str, text: str) -> str | None:
    """A term that a name fits which holds a text."""
    term = _term(field, text)
    return None if term is None else term.replace(f"{field}=", f"{field}:", 1)
