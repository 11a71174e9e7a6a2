"""A script that is recorded again, beside the recording that is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from tfdbg_tui.data.live.stopping import WatchedSteps
    from tfdbg_tui.program.process import Script


class SecondRun(NamedTuple):
    """One that was started."""

    script: Script
    logdir: Path
    """Where it is recorded."""
    watch: WatchedSteps
    """Sees when it has come far enough."""

    @property
    def where(self) -> str:
        """The same for people."""
        return str(self.logdir)
