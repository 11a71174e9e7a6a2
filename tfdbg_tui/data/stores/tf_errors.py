"""What the messages of TensorFlow's errors say: which op failed, in which function, and why.

An op that failed stands in brackets and braces, `[[{{node loss/MatMul}}]]`, and what was called at
the end, `[Op:__inference_step_42]`; in braces alone stand ops that were never made. The error of
a function begins with the stack that created its op, that of tracing one with the user's lines.
"""

from __future__ import annotations

import re

from tfdbg_tui.data.stores.user_code import is_user_file
from tfdbg_tui.frozen.named_tuple import NamedTuple

MAX_NODES = 20
"""Ops that are read from one message."""

MAX_REASON = 500
"""Characters of the line that says what went wrong."""

# Without braces and with its line is how TensorFlow 2.0 had it.
_NODE = r"\[\[(?:\{\{node (?P<braced>[^{}\s]+)\}\}|node (?P<plain>\S+) \(defined at)"
_FUNCTION = r"\{\{function_node (?P<name>[^{}\s]+)\}\}"
_CALL = r"\[Op:(\w+)\](?: name: \S*)?"
_STACK_LINE = (
    r'File "(?P<file>[^"\n]+)", line (?P<line>\d{1,9})(?:, in (?P<function>\S+))?[^\n]*'
    r"(?:\n +(?!File )(?P<code>\S[^\n]*))?"
)
_TRACING = "in user code:"
"""Begins the message of an error that was raised while a function was traced."""

_ROOT_ERROR = r"(?m)^[^\S\n]*\(0\) [A-Z_]+: +(?P<reason>\S.*)$"
"""The first of several errors."""

_ATTRIBUTES = r"\[_Xla(?:(?!\[_Xla)[^\]])*\]"
"""What XLA adds to the name of a function."""

_PIPELINE = r"Error in user-defined function passed to \S+ transformation with iterator: \S+: "
"""Which part of a `tf.data` pipeline an error went through."""

_UNMADE = r"'\{\{node ([^{}\s]+)\}\} = [^'\n]*'"
"""An op that could not be made, with all its attributes."""

_ERROR_CLASS = r"\b[A-Z]\w*(?:Error|Exception): "
_WRAPPED = "__wrapped__"
"""Begins the function that TensorFlow makes around an eager op."""

_RECORDER_OPS = r"\bDebug(Identity|NumericSummary)(V\d)?\b|\btfdbg_identity"
_XLA = r"\bXLA|_Xla|\btf2xla\b"
_FULL_DISK = r"No space left on device|Disk quota exceeded"

_PREAMBLE = ("Graph execution error:", "Detected at node ", "<stack traces", "Node: ")
"""How lines begin that tell where an error came from, not what it is."""


class Blamed(NamedTuple):
    """What a message blames, as far as it says."""

    nodes: tuple[str, ...]
    """Ops of graphs, the first named first; none of them is the recorder's."""
    functions: tuple[str, ...]
    """The functions they are in, outermost first, where the message keeps them."""
    call: str | None
    """The eager op that failed, or the call of a function."""
    lines: frozenset[tuple[str, int]]
    """The user's lines in the stacks that the message tells."""


def blamed(message: str) -> Blamed:
    """What a message blames."""
    nodes = (match["braced"] or match["plain"] for match in re.finditer(_NODE, message))
    own = (name for name in nodes if not re.search(_RECORDER_OPS, name))
    tags = (match["name"] for match in re.finditer(_FUNCTION, message))
    call = re.search(_CALL, message)
    lines = ((match["file"], int(match["line"])) for match in re.finditer(_STACK_LINE, message))
    return Blamed(
        tuple(dict.fromkeys(own))[:MAX_NODES],
        tuple(dict.fromkeys(name for name in tags if not name.startswith(_WRAPPED))),
        call[1] if call else None,
        frozenset((file, line) for file, line in lines if is_user_file(file)),
    )


class ToldLine(NamedTuple):
    """A line of the user's in the stack that a message tells."""

    file: str
    line: int
    function: str
    code: str


def traced_line(message: str) -> ToldLine | None:
    """The innermost line of the user's, where a function could not be traced."""
    if not message.startswith(_TRACING):
        return None
    told = [match for match in re.finditer(_STACK_LINE, message) if is_user_file(match["file"])]
    if not told:
        return None
    last = told[-1]
    return ToldLine(last["file"], int(last["line"]), last["function"] or "", last["code"] or "")


def reason(message: str) -> str:
    """The line that says what went wrong, without tags; the first one, if none says it."""
    several = re.search(_ROOT_ERROR, message)
    for tag in (_FUNCTION, _CALL, _ATTRIBUTES, _PIPELINE):
        message = re.sub(tag, "", message)
    message = re.sub(_UNMADE, r"\1", message)
    lines = message.splitlines()
    written = [line.strip() for line in lines if line.strip()]
    if several is not None:
        found = several["reason"]
    elif message.startswith(_TRACING) and written:
        found = re.sub(_ERROR_CLASS, "", written[-1], count=1)
    else:
        found = next(filter(_tells, lines), written[0] if written else "")
    return found.strip()[:MAX_REASON]


def _tells(line: str) -> bool:
    """Whether a line is neither blank nor part of a stack."""
    start = line.lstrip()
    is_indented = line.startswith(("  ", "\t"))
    return bool(start) and not is_indented and not start.startswith(_PREAMBLE)


def names_recorder_ops(message: str) -> bool:
    """Whether a message speaks of the ops that the recorder weaves into graphs."""
    return re.search(_RECORDER_OPS, message) is not None


def speaks_of_xla(message: str) -> bool:
    """Whether a message says that XLA could not compile something."""
    return re.search(_XLA, message) is not None


def tells_full_disk(message: str) -> bool:
    """Whether a message says that there was no room to write."""
    return re.search(_FULL_DISK, message) is not None
