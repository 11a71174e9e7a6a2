"""Lines of recorded programs: the user's own, and whole stacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.index.stacks import FrameKind, frames_of
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.sanitise import one_line

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.sources import Location


class SourceLine(NamedTuple):
    """One line with its code, as it was when it was recorded."""

    file: str
    line: int
    function: str
    code: str
    """Empty where it was not recorded."""


class Frame(NamedTuple):
    """One frame of a stack; None is what is not on disk."""

    file: str | None
    line: int | None
    function: str | None
    is_user: bool
    """Whether it is in the user's own code."""


def source_line(location: Location | None) -> SourceLine | None:
    """A line as the library tells it."""
    if location is None:
        return None
    texts = (location.function, location.code or "")
    return SourceLine(one_line(location.file), location.line, *map(one_line, texts))


def frames(host: Host, stack: tuple[str, ...]) -> tuple[Frame, ...]:
    """The frames of a stack, the innermost last, as Python prints them."""
    return tuple(
        Frame(
            None if frame.path is None else one_line(frame.path),
            frame.line,
            None if frame.function is None else one_line(frame.function),
            frame.kind is FrameKind.USER,
        )
        for frame in reversed(frames_of(host, stack))
    )
