"""Which runs and file sets are in a directory: they appear, grow and vanish."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tfdbg_tui.data.files.paths import inside, plain
from tfdbg_tui.data.files.read_ahead import ReadAhead
from tfdbg_tui.data.files.read_buffers import READ_BUFFERS
from tfdbg_tui.data.files.tfrecord import BLOCK_SIZE
from tfdbg_tui.data.stores.host import STORES, Host
from tfdbg_tui.data.stores.noted_programs import NotedPrograms
from tfdbg_tui.data.stores.run import Run
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.words import reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tfdbg_tui.data.stores.program_notes import Program

MAX_DEPTH = 6
"""Levels of folders below the logdir that are searched for runs."""

MAX_DIRECTORIES = 20_000
"""Folders searched in all: someone will pass `/`."""


class FileSet(NamedTuple):
    """The files of one process, as far as their names tell."""

    directory: str
    prefix: str
    host: str


def file_set_of(name: str) -> tuple[str, str]:
    """What a file's name has in common with the others of its set, and its host; else nothing."""
    prefix, _, suffix = name.rpartition(".")
    begin, _, rest = prefix.partition(".")
    timestamp, _, host = rest.partition(".")
    is_one = begin == "tfdbg_events" and timestamp.isdecimal() and suffix in STORES
    return (prefix, host) if is_one and "\n" not in host else ("", "")


class Logdir:
    """A directory with runs in it or below it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = plain(path)
        self.unreadable: dict[str, str] = {}
        """Folders that could not be listed, and why."""
        self.search_was_cut = False
        """Whether there are more folders than are searched."""
        self.program: Program | None = None
        """What a program noted that was to record right here, whether it did or not."""
        self._notes = NotedPrograms()
        self._hosts: dict[FileSet, Host] = {}
        self._runs: dict[tuple[str, str], Run] = {}

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs found so far, oldest first."""
        runs = tuple(self._runs.values())
        return tuple(sorted(runs, key=lambda run: (run.hosts[0].prefix, run.directory)))

    @property
    def damaged_notes(self) -> tuple[str, ...]:
        """Files in which a program noted how it ended, and which cannot be read."""
        return self._notes.damaged

    def scan(self) -> None:
        """Look for file sets that are new."""
        self.unreadable = {}
        self.search_was_cut = False
        for found in self._file_sets():
            if found not in self._hosts:
                self._hosts[found] = Host(*found)
        self._notes.end_search()
        self.program = self._notes.of_folder(self.path)
        self._group()

    def refresh(self, limit: int = BLOCK_SIZE, ahead: ReadAhead | None = None) -> bool:
        """Read the next slice of every file of every run; False when all is read."""
        progressed = [run.refresh(limit, ahead) for run in self._runs.values()]
        self._group_if_needed()
        return any(progressed)

    def read_on(self, limit: int = BLOCK_SIZE, ahead: ReadAhead | None = None) -> bool:
        """The same of those file sets only that had something to read when last read."""
        unfinished = [run for run in self._runs.values() if run.is_unfinished]
        progressed = [run.read_on(limit, ahead) for run in unfinished]
        self._group_if_needed()
        return any(progressed)

    def progress(self) -> tuple[int, int]:
        """Bytes read so far, and bytes on disk when last looked at."""
        files = [file for host in tuple(self._hosts.values()) for file in host.files()]
        return sum(file.position for file in files), sum(file.size for file in files)

    def load(self, tell: Callable[[int, int], None] | None = None) -> None:
        """Read all that is there now, telling bytes read and bytes in all on the way.

        What is written meanwhile is left for later: a busy program would never let it end.
        """
        self.scan()
        with ReadAhead() as ahead:
            progressed = self.refresh(ahead=ahead)
            read, target = self.progress()
            while progressed and (read < target or ahead.is_any_coming):
                progressed = self.read_on(ahead=ahead)
                read, total = self.progress()
                if tell is not None:
                    tell(read, total)
        for run in self._runs.values():
            run.settle()
        self.rest()

    def rest(self) -> None:
        """Give back the memory that only helps to read much at once."""
        for host in self._hosts.values():
            host.traces.rest()
            host.executions.rest()
        READ_BUFFERS.release()

    def _group_if_needed(self) -> None:
        if any(run.has_new_id for run in self._runs.values()):
            self._group()

    def _group(self) -> None:
        """Put hosts with one run id together; ids become known as metadata is read."""
        groups: dict[tuple[str, str], list[Host]] = {}
        for host in self._hosts.values():
            groups.setdefault((host.directory, host.run_key), []).append(host)
        runs = {}
        for key, group in groups.items():
            hosts = tuple(sorted(group, key=lambda host: host.prefix))
            run = runs[key] = self._runs.get(key) or Run(*key)
            if run.hosts != hosts:
                run.consist_of(hosts)
            run.program = self._notes.of_run(run.directory, run.run_id)
        self._runs = runs  # at once: a reader never sees a run without hosts

    def _file_sets(self) -> Iterator[FileSet]:
        pending = [(self.path, 0)]
        visited = 0
        while pending:
            directory, depth = pending.pop()
            visited += 1
            if visited > MAX_DIRECTORIES:
                self.search_was_cut = True
                return
            try:
                entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
            except FileNotFoundError:
                continue
            except OSError as error:
                self.unreadable[directory] = reason_of(error)
                continue
            for entry in entries:
                prefix, host = file_set_of(entry.name)
                if host:
                    yield FileSet(directory, prefix, host)
                elif (
                    not self._notes.meet(directory, entry)
                    and depth < MAX_DEPTH
                    and entry.is_dir(follow_symlinks=False)
                ):
                    pending.append((inside(directory, entry.name), depth + 1))
