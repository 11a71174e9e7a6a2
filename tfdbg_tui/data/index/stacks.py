"""The stack that created an op, as rows: the user's frames, the library's, and the open ones.

A frame and the source file it names come from two files of the recording that grow independently.
Until both are on disk nobody knows whose code the frame is: it is shown as open.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.user_code import is_user_file
from tfdbg_tui.frozen.frozen import Frozen
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.stores.host import Host

    Functions = tuple[tuple[str, str], ...]
    """A file and a function for each frame."""


class FrameKind(Enum):
    """Whose code a frame is in."""

    USER = "user"
    LIBRARY = "library"
    OPEN = "open"
    """The frame or its source file is not on disk yet."""


class StackFrame(NamedTuple):
    """One frame of a stack; None is what is not on disk yet."""

    id: str
    function: str | None
    path: str | None
    file: int | None
    """Number of the file among the sources of the host."""
    line: int | None
    kind: FrameKind
    depth: int
    """In the stack, the innermost being 0: the same frame may occur twice."""


class Fold(Frozen):
    """Frames that are not shown: the library's, or those that are not on disk yet."""

    count: int
    is_open: bool = False


class Stacks:
    """The stacks of one host, by the ids of their frames; any thread may ask."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._whole: dict[tuple[str, ...], tuple[StackFrame, ...]] = {}
        """Those asked for that have no open frame: they never change."""
        self._functions: dict[tuple[str, ...], Functions] = {}
        """The same of the functions."""

    def frames(self, stack: tuple[str, ...]) -> tuple[StackFrame, ...]:
        """The frames of a stack, innermost first."""
        known = self._whole.get(stack)
        if known is None:
            known = frames_of(self._host, stack)
            if FrameKind.OPEN not in {frame.kind for frame in known}:
                self._whole[stack] = known
        return known

    def functions(self, stack: tuple[str, ...]) -> Functions:
        """The file and the function of each frame of a stack that is on disk, outermost first."""
        known = self._functions.get(stack)
        if known is None:
            known = _functions_of(self._host, stack)
            if len(known) == len(stack):
                self._functions[stack] = known
        return known


def _functions_of(host: Host, stack: tuple[str, ...]) -> Functions:
    found = []
    for frame in host.frames.resolve(stack):
        source = None if frame is None else host.sources.get(frame.file_index)
        if frame is not None and source is not None:
            found.append((source.path.replace("\\", "/"), frame.function))
    return tuple(found)


def frames_of(host: Host, stack: tuple[str, ...]) -> tuple[StackFrame, ...]:
    """The frames of a stack as the recorder lists them, but innermost first."""
    return tuple([_frame(host, frame_id, depth) for depth, frame_id in enumerate(stack[::-1])])


def _frame(host: Host, frame_id: str, depth: int) -> StackFrame:
    frame = host.frames.by_id.get(frame_id)
    if frame is None:
        return StackFrame(frame_id, None, None, None, None, FrameKind.OPEN, depth)
    source = host.sources.get(frame.file_index)
    path = None if source is None else source.path
    kind = FrameKind.OPEN
    if path is not None:
        kind = FrameKind.USER if is_user_file(path) else FrameKind.LIBRARY
    return StackFrame(frame_id, frame.function, path, frame.file_index, frame.line, kind, depth)


def chosen_frame(frames: Sequence[StackFrame], preferred_file: int | None = None) -> int | None:
    """The depth of the frame to show first; None if the stack is all library code.

    That is the innermost frame in the preferred file, which lets a reader walk from op to op
    within one file, else the innermost one that is not the library's. Where that one is not on
    disk yet it is chosen all the same: the line outside it is not the one that is looked for.
    """
    if preferred_file is not None:
        for frame in frames:
            if frame.file == preferred_file:
                return frame.depth
    return next((frame.depth for frame in frames if frame.kind is not FrameKind.LIBRARY), None)


def folded(frames: Sequence[StackFrame], unfolded: bool = False) -> tuple[StackFrame | Fold, ...]:
    """The rows of a stack: the user's frames and one row for the library's, or all in order.

    Several frames of which nothing is on disk yet are one row as well, where the first was.
    """
    if unfolded:
        return tuple(frames)
    unknown = [frame for frame in frames if frame.line is None]
    if len(unknown) > 1:
        known = folded([frame for frame in frames if frame.line is not None])
        at = sum(frame.kind is not FrameKind.LIBRARY for frame in frames[: unknown[0].depth])
        return (*known[:at], Fold(len(unknown), is_open=True), *known[at:])
    library = [frame for frame in frames if frame.kind is FrameKind.LIBRARY]
    others = [frame for frame in frames if frame.kind is not FrameKind.LIBRARY]
    return (*others, Fold(len(library))) if library else tuple(others)
