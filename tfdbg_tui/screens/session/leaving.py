"""Leaving the app: while a script runs, only when asked for twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.screens.session.change import Change, say

if TYPE_CHECKING:
    from tfdbg_tui.program.process import ScriptState


class Leaving:
    """Whether the user was asked, and whether the key at hand may be the answer."""

    def __init__(self) -> None:
        self._asked = self._may_leave = False

    def question(self, script: ScriptState | None) -> Change | None:
        """A script that runs ends with the app, so ask first; None if it may be left."""
        has_ended = script is None or script.exit_code is not None
        if script is None or has_ended or self._may_leave or self._asked:
            return None
        self._asked = True
        return say(f"{script.name} still runs: q again stops it and leaves.", "warn")

    def begin_key(self) -> None:
        """A key is about to act: it answers the question, or takes it back."""
        self._may_leave, self._asked = self._asked, False
