"""Which programs have left notes in which folders of a logdir; read again when they change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfdbg_tui.data.files.paths import folder_of, inside

if TYPE_CHECKING:
    import os

    from tfdbg_tui.data.stores.program_notes import Program

    Version = tuple[int, int, int]

NOTES_BEGIN = "tfdbg_program"
NOTES_NAME = rf"{NOTES_BEGIN}(-\d{{1,6}})?\.json"

MAX_FILES = 1_000
"""Notes in all that are read; more are nobody's."""


class NotedPrograms:
    """The notes that a search of a logdir met; for the feed's thread."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Version, Program | None]] = {}
        self._met: dict[str, tuple[Version, Program | None]] = {}
        self._by_folder: dict[str, list[Program]] = {}
        self.damaged: tuple[str, ...] = ()
        """Files of notes that hold none: a program writes all of them or leaves the old ones."""

    def meet(self, folder: str, entry: os.DirEntry[str]) -> bool:
        """Read a file of notes that is new or has changed; False if it is no such file."""
        # Most logdirs have no notes, and to compile a pattern takes longer than to look at them.
        may_be = entry.name.startswith(NOTES_BEGIN)
        if not may_be or re.fullmatch(NOTES_NAME, entry.name) is None:
            return False
        path, version = inside(folder, entry.name), _version(entry)
        if version is not None and len(self._met) < MAX_FILES:
            known = self._known.get(path)
            is_same = known is not None and known[0] == version
            self._met[path] = known if known and is_same else (version, _read(path))
        return True

    def end_search(self) -> None:
        """Know those that were met since the last time, and forget the others."""
        self._by_folder = {}
        for path, (_, program) in self._met.items():
            if program is not None:
                self._by_folder.setdefault(folder_of(path), []).append(program)
        self.damaged = tuple(path for path, (_, program) in self._met.items() if program is None)
        self._known, self._met = self._met, {}

    def of_folder(self, folder: str) -> Program | None:
        """The newest notes of a program that was to record to a folder."""
        return _newest(self._by_folder.get(folder, []))

    def of_run(self, folder: str, run_id: str | None) -> Program | None:
        """The notes about a run or, where none name it, about what was run in its folder."""
        here = self._by_folder.get(folder, [])
        about = [program for program in here if run_id and program.run_id == run_id]
        return _newest(about or [program for program in here if program.run_id is None])


def _read(path: str) -> Program | None:
    # Most logdirs have no notes, and commands start sooner without.
    from tfdbg_tui.data.stores.program_notes import read_notes

    return read_notes(path)


def _newest(programs: list[Program]) -> Program | None:
    return max(programs, key=lambda program: program.started or 0.0, default=None)


def _version(entry: os.DirEntry[str]) -> Version | None:
    """What changes when a file does."""
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size
