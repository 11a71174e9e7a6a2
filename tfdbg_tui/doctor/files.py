"""What became of the files: cut, damaged, missing, shared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.files.growing_file import FileState
from tfdbg_tui.data.files.paths import name_of
from tfdbg_tui.data.stores.run import TENSORFLOW_BUFFER
from tfdbg_tui.doctor.disk import is_full
from tfdbg_tui.doctor.finding import Finding, Level, named
from tfdbg_tui.doctor.presence import damaged
from tfdbg_tui.doctor.recipes import CHANGE, recipe
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.live.snapshot import RunState, Snapshot
    from tfdbg_tui.data.stores.host import Host

EVENT_FILES = (".execution", ".graph_execution_traces")

SHARED_FILES = 2
"""Damaged files of one process that make it likely that another process wrote into them."""


def keeps_only_the_newest(state: RunState) -> bool:
    """Whether a circular buffer has dropped the first events; growing runs pass any number.

    Where we switched the recorder on, there is none of that size.
    """
    is_of_tensorflow = state.program is None
    return (
        is_of_tensorflow
        and not state.growing
        and any(
            len(store) == TENSORFLOW_BUFFER
            for host in state.run.hosts
            for store in (host.executions, host.traces)
        )
    )


def state_of_files(snapshot: Snapshot, state: RunState, has_events: bool) -> Iterator[Finding]:
    """What is wrong with the files of a run."""
    if has_events and snapshot.gone:
        yield Finding(
            "logdir-gone",
            Level.WARNING,
            "The logdir was deleted; what was read is still shown",
            ("Numbers that are read back from disk may be missing.",),
        )
    if state.ended and state.cut_tail:
        yield Finding(
            "cut-tail",
            Level.WARNING,
            f"The last record is cut: {_why_cut(state)}",
            (
                "Its process is gone and its files do not grow. Up to 4,096 bytes of each file,",
                "the newest events and the lines they come from, never reached the disk.",
            ),
        )
    if keeps_only_the_newest(state):
        yield _newest_only(state)
    yield from _damage(snapshot, state, has_events)
    yield from _others(snapshot, state)


def _why_cut(state: RunState) -> str:
    """Why a recording ends in the middle, as far as that is known."""
    program = state.program
    if is_full(state):
        return "the disk is full"
    if program is not None and program.ending_signal is not None:
        return f"{program.ending_signal.name} ended the program"
    return "the program was killed, or its disk full"


def _newest_only(state: RunState) -> Finding:
    return Finding(
        "newest-only",
        Level.WARNING,
        f"Only the newest {TENSORFLOW_BUFFER:,} events of a kind were kept",
        (
            f"There are exactly {TENSORFLOW_BUFFER:,}, the size of TensorFlow's circular buffer:",
            "what was computed before, the first NaN perhaps, was dropped.",
            CHANGE,
        ),
        recipe(state.run.directory),
    )


def _damage(snapshot: Snapshot, state: RunState, has_events: bool) -> Iterator[Finding]:
    corrupt = sum(file.corrupt_records for host in state.run.hosts for file in host.files())
    if corrupt:
        by_host = map(_damaged_files, state.run.hosts)
        torn = sum(len(files) for files in by_host if _is_torn(files, state))
        yield _torn(state, corrupt, torn) if torn else _damaged_records(state, corrupt)
    restarted = sum(host.restarted_files for host in state.run.hosts)
    if restarted:
        yield Finding(
            "file-replaced",
            Level.FACT,
            "A file was replaced while open and read again",
            ("Its new content is shown. Something else than the recorder wrote it.",),
        )
    if (has_events or state.ended) and not snapshot.gone:
        yield from _missing(state)


def _damaged_files(host: Host) -> list[str]:
    return [name_of(file.path) for file in host.files() if file.corrupt_records]


def _is_torn(files: list[str], state: RunState) -> bool:
    """Whether damage looks like that of two processes that overwrite each other.

    It is in several files, or tensors are there of graphs that a whole file does not describe.
    """
    explained = any(name.endswith(".graphs") for name in files) or not state.ended
    foreign = state.functions.foreign_graphs and not explained
    return len(files) >= SHARED_FILES or bool(files and foreign)


def _torn(state: RunState, corrupt: int, files: int) -> Finding:
    literal = state.run.directory.replace("{", "{{").replace("}", "}}")
    call, path, *rest = recipe(f"{literal}/{{os.getpid()}}")
    return Finding(
        "torn-files",
        Level.PROBLEM,
        f"Damaged in {counted(files, 'file')}, as if two processes wrote into them",
        (
            f"{damaged(corrupt)} left out. Processes that begin to record in one second on one",
            "host get the same file names, and overwrite each other. Give each its own folder:",
        ),
        (call, path.replace('"', 'f"', 1), *rest),
    )


def _damaged_records(state: RunState, corrupt: int) -> Finding:
    files = [name for host in state.run.hosts for name in _damaged_files(host)]
    return Finding(
        "damaged-records",
        Level.WARNING,
        f"{damaged(corrupt)} left out",
        (
            f"Their checksums do not hold, in {named(files)}. All other records are shown; what",
            "was in these cannot be known.",
        ),
    )


def _missing(state: RunState) -> Iterator[Finding]:
    files = [file for host in state.run.hosts for file in host.files()]
    names = [name_of(file.path) for file in files if file.state is FileState.ABSENT]
    if names:
        events = [name for name in names if name.endswith(EVENT_FILES)]
        what = "events" if events else "names, stacks or sources"
        yield Finding(
            "missing-files",
            Level.PROBLEM if events else Level.WARNING,
            f"{counted(len(names), 'file')} of this recording {_is(names)} missing",
            (f"{named(names)}: the recorder writes six for each process. Without: no {what}.",),
        )


def _others(snapshot: Snapshot, state: RunState) -> Iterator[Finding]:
    here = [
        other.run.key
        for other in snapshot.runs
        if other.run is not state.run and other.run.directory == state.run.directory
    ]
    if here:
        yield Finding(
            "other-runs",
            Level.FACT,
            f"{counted(len(here), 'other run')} in the same directory",
            (
                f"{named(here)}: each is shown by itself, but TensorFlow's own reader and",
                "TensorBoard refuse such a directory. Record each run into its own.",
            ),
        )


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"
