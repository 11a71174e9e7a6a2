"""All that is kept of a logdir from one session to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.kept import mute_files, watch_files

if TYPE_CHECKING:
    from pathlib import Path

    from tfdbg_tui.data.cause.mutes import Mutes
    from tfdbg_tui.data.views.watched_names import WatchedName
    from tfdbg_tui.kept.keeper import Keeper
    from tfdbg_tui.kept.typed_lines import LineKeeper


class KeptOfSession(NamedTuple):
    """What keeps what; None where nothing is to be kept of it."""

    mutes: Keeper[Mutes] | None = None
    watched: Keeper[tuple[WatchedName, ...]] | None = None
    typed: LineKeeper | None = None

    def finish(self) -> list[str]:
        """Write what was to be kept last, unless it is; a sentence for all that fails."""
        told = (keeper.finish() for keeper in self if keeper is not None)
        return [sentence for sentence in told if sentence is not None]


def kept_of(logdir: Path, named_mutes: str | None = None) -> KeptOfSession:
    """What is kept of a logdir; what is muted in the file that the user names, if they do."""
    return KeptOfSession(mute_files.keeper_of(logdir, named_mutes), watch_files.keeper_of(logdir))
