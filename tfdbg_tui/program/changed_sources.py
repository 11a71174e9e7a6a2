"""Which of a recording's own source files are others now than when it was recorded.

The recording names the files, and it may be anybody's: only regular files of a usual size are read.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.user_code import is_user_file
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.sources import SourceFiles

MAX_FILES = 64
"""Files that are compared."""

MAX_BYTES = 1 << 20
"""A source file that is longer is not looked at."""


class ComparedSources(NamedTuple):
    """What became of the source files of a recording."""

    same: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Others now, gone, or not to be read."""


def compared(sources: SourceFiles) -> ComparedSources:
    """The user's own files, compared with what is on this machine."""
    same: list[str] = []
    changed: list[str] = []
    own = [n for n, file in enumerate(sources.files) if file and is_user_file(file.path)]
    for number in own[:MAX_FILES]:
        source, recorded = sources.get(number), sources.lines(number)
        if source is not None and recorded is not None:
            is_same = _text_of(source.path) == "\n".join(recorded)
            (same if is_same else changed).append(source.path)
    return ComparedSources(tuple(same), tuple(changed))


def _text_of(path: str) -> str | None:
    """What is in a file; None if that cannot or should not be read."""
    try:
        # A named pipe would be waited for, a device might never end.
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
        with open(number, "rb") as file:
            is_file = stat.S_ISREG(os.fstat(number).st_mode)
            content = file.read(MAX_BYTES + 1) if is_file else None
    except (OSError, ValueError):
        return None
    if content is None or len(content) > MAX_BYTES:
        return None
    return content.decode("utf-8", "replace")
