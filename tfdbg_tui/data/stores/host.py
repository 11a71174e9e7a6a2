"""One host's six files and what is read from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tfdbg_tui.data.files.growing_file import FileState
from tfdbg_tui.data.files.paths import inside, name_of
from tfdbg_tui.data.files.tfrecord import BLOCK_SIZE, Block, RecordFile
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.event_store import EventStore
from tfdbg_tui.data.stores.executions import ExecutionStore
from tfdbg_tui.data.stores.graphs import Graphs
from tfdbg_tui.data.stores.metadata import Metadata
from tfdbg_tui.data.stores.sources import (
    Line,
    Location,
    SourceFiles,
    StackFrames,
    locate,
    user_frame,
)
from tfdbg_tui.data.stores.traces import TraceSite, TraceStore
from tfdbg_tui.data.stores.user_code import is_user_file
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.data.files.read_ahead import ReadAhead
    from tfdbg_tui.data.stores.executions import ExecutionSite

    AnyEventStore = EventStore[TraceSite] | EventStore[ExecutionSite]
    """Events of either kind."""

    from tfdbg_tui.data.stores.graph import Op


class Store(Protocol):
    """What every reader of one file offers."""

    file: RecordFile

    def __init__(self, file: RecordFile) -> None: ...

    def extend(self, block: Block) -> None:
        """Append the records of a block."""


STORES = {
    "metadata": "metadata",
    "source_files": "sources",
    "stack_frames": "frames",
    "graphs": "graphs",
    "execution": "executions",
    "graph_execution_traces": "traces",
}
"""How the name of each file ends → the attribute of Host that reads it, in the order of reading.

Small files first: events can be shown in full once the things they name are there.
"""

EVENT_FILES = 2
"""How many of them, at the end, hold events and may be long."""


class Damage(NamedTuple):
    """What could not be read, and what is named but not there."""

    corrupt_records: int
    cut_bytes: int
    missing_files: tuple[str, ...]
    unreadable_files: tuple[tuple[str, str], ...]
    """File names with the operating system's reason."""
    restarted_files: int
    """Files that were replaced or cut short while open, and read again from the start."""
    open_references: int


class Host:
    """One file set: the recording of one process.

    `refresh` is for the feed's thread, everything else for any. Each store says by itself how it
    is read while it grows. A file that is another file now gets another store; all stores that
    are replaced are so in one step, and `as_now` keeps those of its moment.
    """

    def __init__(self, directory: str, prefix: str, name: str) -> None:
        self.directory = directory
        self.prefix = prefix
        """The part of the file names that the six have in common."""
        self.name = name
        self.restarted_files = 0
        self.metadata = Metadata(self._file("metadata"))
        self.sources = SourceFiles(self._file("source_files"))
        self.frames = StackFrames(self._file("stack_frames"))
        self.graphs = Graphs(self._file("graphs"))
        self.executions = ExecutionStore(self._file("execution"))
        self.traces = TraceStore(self._file("graph_execution_traces"))

    def as_now(self) -> Host:
        """A host that keeps the stores of this moment."""
        kept = Host.__new__(Host)
        vars(kept).update(vars(self))
        return kept

    def _file(self, suffix: str) -> RecordFile:
        return RecordFile(inside(self.directory, f"{self.prefix}.{suffix}"))

    @property
    def run_key(self) -> str:
        """What it has in common with the other file sets of its run: the run's id, once known."""
        return self.metadata.stated.run_id or self.prefix

    def files(self) -> list[RecordFile]:
        """The six files, there or not."""
        return [getattr(self, attribute).file for attribute in STORES.values()]

    def refresh(self, limit: int = BLOCK_SIZE, ahead: ReadAhead | None = None) -> bool:
        """Read the next slice of every file; False when nothing new was there to read.

        A file that is another file now is read again from the start, into a new store: readers
        that hold the old one keep what they have.
        """
        stores, replaced = self._looked_at(ahead)
        if ahead is not None:
            for store in stores[-EVENT_FILES:]:
                ahead.begin(store.file, limit, _prepare(store))
        progressed = False
        for store in stores:
            file, prepare = store.file, _prepare(store)
            block = file.read(limit) if ahead is None else ahead.read(file, limit, prepare)
            if block is not None:
                store.extend(block)
                progressed = True
        if replaced:
            self.restarted_files += len(replaced)
            vars(self).update(replaced)  # all at once, for readers in other threads
        return progressed or bool(replaced)

    def _looked_at(self, ahead: ReadAhead | None) -> tuple[list[Store], dict[str, Store]]:
        """The store of every file as it is now, and those of them that are new."""
        stores: list[Store] = []
        replaced: dict[str, Store] = {}
        for suffix, attribute in STORES.items():
            store: Store = getattr(self, attribute)
            if ahead is not None:
                ahead.wait_for(store.file)
            if store.file.look() is FileState.REPLACED:
                store = replaced[attribute] = type(store)(self._file(suffix))
                store.file.look()
            stores.append(store)
        return stores, replaced

    def store_of(self, kind: EventKind) -> TraceStore | ExecutionStore:
        """The events of a kind."""
        return self.traces if kind is EventKind.TRACE else self.executions

    def op_of(self, site: TraceSite) -> Op | None:
        """The op that makes a traced tensor, if it is on disk."""
        return self.graphs.op(site.graph_id, site.op_name)

    def line_of(self, stack: tuple[str, ...]) -> Line | None:
        """The user's line in a stack, as far as it is on disk."""
        frame = user_frame(self.frames.resolve(stack), self.sources)
        source = None if frame is None else self.sources.get(frame.file_index)
        if frame is None or source is None:
            return None
        return Line(frame.file_index, source.path, frame.line, frame.function)

    def location_of(self, stack: tuple[str, ...]) -> Location | None:
        """The same with the code of the line, read back from disk."""
        frame = user_frame(self.frames.resolve(stack), self.sources)
        return None if frame is None else locate(frame, self.sources)

    def own_frames(self, stack: tuple[str, ...]) -> tuple[str, ...]:
        """The frames of a stack that are the user's; all if none is, or some are not on disk."""
        frames = [frame for frame in self.frames.resolve(stack) if frame is not None]
        sources = [self.sources.get(frame.file_index) for frame in frames]
        known = [source for source in sources if source is not None]
        if len(known) < len(stack):
            return stack
        own = (f.id for f, source in zip(frames, known, strict=True) if is_user_file(source.path))
        return tuple(own) or stack

    def has_whole_stack(self, stack: tuple[str, ...]) -> bool:
        """Whether all frames of a stack are on disk, with the source files that they name."""
        frames = self.frames.resolve(stack)
        return all(f is not None and self.sources.get(f.file_index) for f in frames)

    def damage(self) -> Damage:
        """What is damaged, cut, missing or still open."""
        files = self.files()
        return Damage(
            corrupt_records=sum(file.corrupt_records for file in files),
            cut_bytes=sum(file.cut_bytes for file in files),
            missing_files=tuple(name_of(f.path) for f in files if f.state is FileState.ABSENT),
            unreadable_files=tuple(
                (name_of(f.path), f.reason) for f in files if f.state is FileState.UNREADABLE
            ),
            restarted_files=self.restarted_files,
            open_references=self._open_references(),
        )

    def _open_references(self) -> int:
        """Distinct frames, source files, graphs and ops that are named but not on disk."""
        graphs, frames = self.graphs, self.frames
        stacks = {*graphs.stacks(), *(site.stack for site in tuple(self.executions.sites))}
        missing_sources = {
            frame.file_index
            for frame in tuple(frames.by_id.values())
            if self.sources.get(frame.file_index) is None
        }
        traced = {(site.graph_id, site.op_name) for site in tuple(self.traces.sites)}
        missing_ops = {names for names in traced if graphs.op(*names) is None}
        missing_graphs = graphs.undescribed_graphs()
        missing_graphs |= {graph_id for graph_id, _ in missing_ops if not graphs.name_of(graph_id)}
        return (
            frames.open_references(stacks)
            + len(missing_sources)
            + len(missing_ops)
            + len(missing_graphs)
        )


def _prepare(store: Store) -> Callable[[Block], None] | None:
    """What can be done with a block of a store before it is appended, in another thread."""
    return store.prepare if isinstance(store, EventStore) else None
