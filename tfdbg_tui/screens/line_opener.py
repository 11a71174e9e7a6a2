"""Opens recorded lines in the user's editor; what is not the recorded file, only when asked twice.

Looking at the file may take as long as its file system likes; the screen does not wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import App

    from tfdbg_tui.screens.session.source_location import SourceLocation

    Read = Callable[[], Sequence[str] | None]

SAID_AFTER = 0.3
"""Seconds after which it is said that a file is still looked at."""

WAITING = "Waiting for the file system."


class Difference(Protocol):
    """Why a file on disk is not known to be the recorded one."""

    @property
    def sentence(self) -> str:
        """For people."""

    @property
    def can_be_opened(self) -> bool:
        """Whether there is a file of text at all."""


class LineOpener:
    """Which line is to be opened, and which file the user was asked about."""

    def __init__(
        self,
        app: App[int],
        tell: Callable[[str], None],
        examine: Callable[[str, Read, Callable[[Difference | None], None]], None],
        edit: Callable[[str, int], str | None],
    ) -> None:
        self._app = app
        self._tell = tell
        self._examine = examine
        """Reads what was recorded of a file and tells, in another thread, how the file differs."""
        self._edit = edit
        """Runs the editor; says what went wrong."""
        self._is_waiting = False
        self._wanted: SourceLocation | None = None
        self._asked: str | None = None
        self._confirmed: str | None = None

    def begin_key(self) -> None:
        """A key is about to act: it answers the question, or something else is wanted now."""
        self._confirmed, self._asked, self._wanted = self._asked, None, None

    def open(self, location: SourceLocation, key: str) -> None:
        """Have a line opened once its file has been looked at; `key` is what asks for that."""
        if self._is_waiting:
            self._tell(WAITING)  # for another file; what becomes of that nobody wants to know
            return
        self._is_waiting, self._wanted = True, location

        def hear(difference: Difference | None) -> None:
            self._app.call_later(self._decide, location, difference, key)

        self._examine(location.path, location.read_recorded, hear)
        self._app.set_timer(SAID_AFTER, lambda: self._say_if_waiting(location))

    def _say_if_waiting(self, location: SourceLocation) -> None:
        if self._wanted is location and self._is_waiting:
            self._tell(WAITING)

    def _decide(self, location: SourceLocation, difference: Difference | None, key: str) -> None:
        """Open the file or say what speaks against it; no editor comes up out of the blue."""
        self._is_waiting = False
        if self._wanted is not location:
            return
        remark = self._objection(location.path, difference, key)
        if remark is None:
            remark = self._edit(location.path, location.line)
        self._tell(remark or "")

    def _objection(self, path: str, difference: Difference | None, key: str) -> str | None:
        if difference is None:
            return None
        if not difference.can_be_opened:
            return difference.sentence
        if self._confirmed == path:
            return None
        self._asked = path
        return f"{difference.sentence} {key} again opens it."
