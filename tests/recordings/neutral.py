"""What real TensorFlow records of a program, without traces of the machine and the moment.

Paths, host, ids and wall times are replaced; the lines of library files are dropped, which are
most of a recording. What is left is small and the same on every screen, and can be published.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import uuid
from bisect import bisect_left
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.recordings.fabricate import frame
from tests.recordings.programs import ENVIRONMENT
from tests.recordings.reference import SUFFIXES, events

if TYPE_CHECKING:
    from collections.abc import Callable

ONE_THREAD = {"TF_NUM_INTEROP_THREADS": "1", "TF_NUM_INTRAOP_THREADS": "1"}
"""Ops run in the same order every time."""

PROGRAM_PATH = "/home/ada/train.py"
LIBRARY_ROOT = "/usr/lib/python3/dist-packages/"
HOST = "gpu-box"

FIRST_TIME = 1_700_000_000.0
"""When every neutral run began, in seconds."""

Events = dict[str, list[Any]]
"""Suffix of a file -> its DebugEvents."""


def record(program: str) -> Events:
    """Run a program in a process of its own; its logdir is its only argument."""
    with tempfile.TemporaryDirectory() as scratch:
        path, logdir = Path(scratch) / "train.py", Path(scratch) / "logdir"
        path.write_text(program)
        environment = {**os.environ, **ENVIRONMENT, **ONE_THREAD}
        subprocess.run([sys.executable, str(path), str(logdir)], env=environment, check=True)
        return _read(logdir)


def _read(logdir: Path) -> Events:
    """All records, in TensorFlow's own messages: they write what the recorder writes."""
    return {suffix: [event for _, event in events(logdir, suffix)] for suffix in SUFFIXES}


def computed(recording: Events) -> list[Any]:
    """All executions and traces, in the order of their wall times."""
    both = [*recording["execution"], *recording["graph_execution_traces"]]
    return sorted(both, key=lambda event: float(event.wall_time))


def retime(recording: Events, moment: Callable[[int], float]) -> None:
    """Give what was computed the wall times of its ranks; what came before something still does."""
    ranked = computed(recording)
    moments = [event.wall_time for event in ranked]
    for suffix in ("metadata", "source_files", "stack_frames", "graphs"):
        for event in recording[suffix]:
            event.wall_time = moment(bisect_left(moments, event.wall_time))
    for rank, event in enumerate(ranked):
        event.wall_time = moment(rank)


def neutralise(recording: Events, run_id: str) -> None:
    """Replace what belongs to the machine and the moment."""
    recording["metadata"][0].debug_metadata.tfdbg_run_id = run_id
    frame_ids, graph_ids = _frame_ids(recording), _graph_ids(recording)
    for event in recording["source_files"]:
        _neutralise_source(event.source_file)
    for event in recording["stack_frames"]:
        event.stack_frame_with_id.id = frame_ids[event.stack_frame_with_id.id]
    for event in recording["graphs"]:
        _neutralise_graph(event.debugged_graph, graph_ids)
        _neutralise_op(event.graph_op_creation, graph_ids, frame_ids)
    for event in recording["execution"]:
        _neutralise_op(event.execution, graph_ids, frame_ids)
    for event in recording["graph_execution_traces"]:
        trace = event.graph_execution_trace
        trace.tfdbg_context_id = graph_ids[trace.tfdbg_context_id]


def _frame_ids(recording: Events) -> dict[str, str]:
    """Short ids of stack frames, which are most of a recording."""
    numbers = count(1)
    frames = [event.stack_frame_with_id for event in recording["stack_frames"]]
    return {frame.id: f"frame-{next(numbers):03}" for frame in frames}


def _graph_ids(recording: Events) -> dict[str, str]:
    numbers = count(1)
    graphs = [event.debugged_graph for event in recording["graphs"]]
    ids = [graph.graph_id for graph in graphs if graph.graph_id]
    return {old: str(uuid.uuid5(uuid.NAMESPACE_OID, f"graph {next(numbers)}")) for old in ids}


def _neutralise_source(source: Any) -> None:
    library = re.search("/(site|dist)-packages/(?P<rest>.*)", source.file_path)
    source.host_name = HOST
    if library:
        source.file_path = LIBRARY_ROOT + library["rest"]
        del source.lines[:]
    elif source.file_path.endswith("/train.py"):
        source.file_path = PROGRAM_PATH
    else:
        raise ValueError(f"{source.file_path} is neither the program nor an installed library")


def _neutralise_graph(graph: Any, graph_ids: dict[str, str]) -> None:
    if graph.graph_id:
        graph.graph_id = graph_ids[graph.graph_id]
        if graph.outer_context_id:
            graph.outer_context_id = graph_ids[graph.outer_context_id]


def _neutralise_op(op: Any, graph_ids: dict[str, str], frame_ids: dict[str, str]) -> None:
    """For the creation of an op in a graph, and for its execution."""
    if op.graph_id:
        op.graph_id = graph_ids[op.graph_id]
    location = op.code_location
    if location.stack_frame_ids:
        location.host_name = HOST
        location.stack_frame_ids[:] = [frame_ids[old] for old in location.stack_frame_ids]


def files(recording: Events) -> dict[str, bytes]:
    """The file set by name, with fresh checksums."""
    return {
        f"tfdbg_events.{FIRST_TIME:.0f}.{HOST}.{suffix}": b"".join(
            frame(event.SerializeToString()) for event in records
        )
        for suffix, records in recording.items()
    }
