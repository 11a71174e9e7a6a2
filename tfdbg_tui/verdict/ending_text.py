"""How a program ended, in words: one line for those who watch, some more for those who read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.program_notes import NAMELESS, HowEnded
from tfdbg_tui.sanitise import sanitise

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.sources import Location
    from tfdbg_tui.verdict.ending import Ending, FailedOp

MAX_NAME = 80
"""Characters of a name in a headline; its end tells most."""

MAX_LINE = 120
"""Characters of an error's message in a line."""


def headlines(ending: Ending) -> tuple[str, ...]:
    """How it ended in one sentence without its period; then the same with less and less.

    Empty for a program that ended well: there is nothing to say.
    """
    script, what = _short(ending.script or NAMELESS), _what(ending)
    if not what:
        return ()
    line = None if ending.how is HowEnded.STOPPED else ending.line
    at = f" at {_file(line)}" if line else ""
    if ending.by_recorder:
        other = script if ending.script else script.lower()
        start = f"The recorder failed, not {other}: {_short(ending.error_name)}"
        return (f"{start}{at}", start)
    where = [f" in {op_with_type(ending.op)}", f" in {_op(ending.op)}"] if ending.op else []
    whole = [f"{script} {what}{at}{place}" for place in (*where, "")]
    brief = f"{_short(ending.error_name)}{at}" if ending.error_name else f"{script} {what}"
    return (*dict.fromkeys((*whole, brief)),)


def headline(ending: Ending) -> str:
    """How it ended, in one sentence without its period; empty if it ended well."""
    return next(iter(headlines(ending)), "")


def lines(ending: Ending) -> list[str]:
    """The same for people who read on: what went wrong, and the line with its code."""
    first = headline(ending)
    if not first:
        return []
    told = [first]
    if reason := message(ending):
        told.append(f"  {reason}")
    line = ending.line
    if line is not None:
        told.append(f"  {sanitise(line.file)}:{line.line} in {sanitise(line.function)}")
        if line.code:
            told.append(f"    {sanitise(line.code)}")
    if raised := raised_at(ending):
        told.append(f"  raised at {raised}")
    return told


def message(ending: Ending) -> str:
    """What the error says, cut; empty where it says nothing, or somebody ended the program."""
    if ending.how is not HowEnded.FAILED:
        return ""
    return _cut(sanitise(ending.message or ""), MAX_LINE)


def raised_at(ending: Ending) -> str:
    """Where the program got the error, if that is not the line to look at: mostly a call."""
    line, raised = ending.line, ending.location
    if line is None or raised is None or line[:2] == raised[:2]:
        return ""
    return f"{sanitise(raised.file)}:{raised.line}"


def _what(ending: Ending) -> str:
    """What happened, as a verb; empty if it ended well."""
    if ending.how is HowEnded.WELL:
        return ""
    if ending.how is HowEnded.INTERRUPTED:
        return "was interrupted"
    if ending.how is HowEnded.STOPPED:
        return f"was stopped by {ending.signal}" if ending.signal else "was stopped"
    if ending.error_name:
        return f"ended with {_short(ending.error_name)}"
    by = f" ({ending.signal})" if ending.signal else ""
    return f"ended with exit code {ending.exit_code}{by}"


def _file(line: Location) -> str:
    """A line as editors have it, without the folder."""
    name = line.file.replace("\\", "/").rpartition("/")[2] or line.file
    return f"{_short(name)}:{line.line}"


def op_with_type(op: FailedOp) -> str:
    """An op by its name, and by its type where that does not end the name."""
    is_told = op.name.rpartition("/")[2] == op.op_type
    return _short(op.name) if is_told else f"{_short(op.name)} ({_short(op.op_type)})"


def _op(op: FailedOp) -> str:
    """An op without the scopes that it is in."""
    return _short(op.name.rpartition("/")[2])


def _short(name: str) -> str:
    clean = sanitise(name)
    return clean if len(clean) <= MAX_NAME else f"…{clean[1 - MAX_NAME :]}"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"
