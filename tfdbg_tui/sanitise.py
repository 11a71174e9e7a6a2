"""Recorded text is hostile until it has passed here."""

from __future__ import annotations

import re

MAX_LENGTH = 2000
"""Characters shown of one recorded string; a name of 10,000 helps nobody."""

# Control characters reach the terminal as commands, bidi controls reorder what stands around
# them, and lone surrogates cannot be encoded at all.
_UNSAFE = (
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff]"
)


def sanitise(recorded: str) -> str:
    """Text that is safe to write to a terminal, on one line."""
    if len(recorded) > MAX_LENGTH:
        recorded = recorded[: MAX_LENGTH - 1] + "…"
    return one_line(recorded)


def one_line(recorded: str) -> str:
    """The same however long it is, for where it is taken along: half a name is none."""
    if recorded.isprintable():  # no printable character is unsafe, and most text is printable
        return recorded
    return re.sub(_UNSAFE, _visible, recorded)


def _visible(match: re.Match[str]) -> str:
    character = match.group()
    if character == "\t":
        return "    "
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
