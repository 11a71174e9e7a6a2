"""A widget that draws once what several changes come to: a key moves a cursor and marks rows."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tfdbg_tui.widgets.titled import Titled

if TYPE_CHECKING:
    from collections.abc import Iterator


class DrawnOnce(Titled):
    """Draws what has changed at once, or when the changes at hand are over."""

    _changes = 0
    """How many changes are at hand, one inside another."""
    _is_outdated = False
    """Whether any of them changed something that is to be seen."""

    def repaint(self) -> None:
        """Something is to look other than it does."""
        if self._changes:
            self._is_outdated = True
        else:
            self.draw_changes()

    def draw_changes(self) -> None:
        """Draw what is to look other than it does; subclasses know how."""
        raise NotImplementedError

    @contextmanager
    def drawn_once(self) -> Iterator[None]:
        """Draw when this is over."""
        self._changes += 1
        try:
            yield
        finally:
            self._changes -= 1
            if not self._changes and self._is_outdated:
                self._is_outdated = False
                self.draw_changes()
