"""Records the small training run that pictures of the screen are taken of, and makes it neutral.

    python -m tests.recordings.freeze

Writes `tests/recordings/frozen`: what the real TensorFlow recorded, but without traces of the
machine and the moment. Paths, host, ids and wall times are replaced; the lines of library files
are dropped. Pictures stay the same until somebody runs this again.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import uuid
from bisect import bisect_left
from itertools import count
from pathlib import Path
from typing import Any

from tests.recordings.fabricate import frame
from tests.recordings.programs import ENVIRONMENT
from tests.recordings.reference import SUFFIXES, events

FROZEN = Path(__file__).with_name("frozen")

PROGRAM = '''\
"""A classifier that learns well, until its learning rate has grown too far."""

import sys

import tensorflow as tf

tf.debugging.experimental.enable_dump_debug_info(
    sys.argv[1], tensor_debug_mode="FULL_HEALTH", circular_buffer_size=-1
)


@tf.function
def model(x, weights, bias):
    logits = tf.matmul(x, weights) + bias
    return tf.nn.softmax(logits)


@tf.function
def loss(probs, labels):
    diff = -labels * tf.math.log(probs)
    return tf.reduce_mean(diff)


x = tf.random.stateless_normal((500, 8), seed=(1, 2))
labels = tf.one_hot(tf.range(500) % 10, 10)
weights = tf.Variable(tf.random.stateless_normal((8, 10), seed=(3, 4)))
bias = tf.Variable(tf.zeros(10))

rate = 1.0
for step in range(12):
    with tf.GradientTape() as tape:
        probs = model(x, weights, bias)
        value = loss(probs, labels)
    slopes = tape.gradient(value, [weights, bias])
    weights.assign_sub(rate * slopes[0])
    bias.assign_sub(rate * slopes[1])
    rate *= 5.0  # warm up
    if step % 4 == 3:
        right = tf.argmax(probs, 1) == tf.argmax(labels, 1)
        accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
        print(f"step {step}: loss {value:.3f}, accuracy {accuracy:.2f}")
'''

ONE_THREAD = {"TF_NUM_INTEROP_THREADS": "1", "TF_NUM_INTRAOP_THREADS": "1"}
"""Ops run in the same order every time."""

PROGRAM_PATH = "/home/ada/train.py"
LIBRARY_ROOT = "/usr/lib/python3/dist-packages/"
HOST = "gpu-box"
RUN_ID = "b9a2519f"

FIRST_TIME = 1_700_000_000.0
"""When the frozen run began, in seconds."""

MILLISECONDS = 1000
"""In a second; each event comes a millisecond after the one before."""

Events = dict[str, list[Any]]
"""Suffix of a file -> its DebugEvents."""


def main() -> None:
    """Record and freeze."""
    with tempfile.TemporaryDirectory() as scratch:
        recording = read(record(Path(scratch)))
    retime(recording)
    neutralise(recording)
    size = write(recording, FROZEN)
    print(f"{sum(map(len, recording.values()))} records, {size:,} bytes in {FROZEN.name}")


def record(scratch: Path) -> Path:
    """Run the program in a process of its own; returns its logdir."""
    program, logdir = scratch / "train.py", scratch / "logdir"
    program.write_text(PROGRAM)
    environment = {**os.environ, **ENVIRONMENT, **ONE_THREAD}
    subprocess.run([sys.executable, str(program), str(logdir)], env=environment, check=True)
    return logdir


def read(logdir: Path) -> Events:
    """All records, in TensorFlow's own messages: they write what the recorder writes."""
    return {suffix: [event for _, event in events(logdir, suffix)] for suffix in SUFFIXES}


def retime(recording: Events) -> None:
    """Make wall times regular; what came before something else still does."""
    traced = [*recording["execution"], *recording["graph_execution_traces"]]
    traced.sort(key=lambda event: float(event.wall_time))
    moments = [event.wall_time for event in traced]
    for suffix in ("metadata", "source_files", "stack_frames", "graphs"):
        for event in recording[suffix]:
            event.wall_time = _moment(bisect_left(moments, event.wall_time))
    for rank, event in enumerate(traced):
        event.wall_time = _moment(rank)


def _moment(rank: int) -> float:
    return FIRST_TIME + rank / MILLISECONDS


def neutralise(recording: Events) -> None:
    """Replace what belongs to the machine and the moment."""
    recording["metadata"][0].debug_metadata.tfdbg_run_id = RUN_ID
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


def write(recording: Events, target: Path) -> int:
    """Write a file set with fresh checksums; returns its size in bytes."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    for suffix, records in recording.items():
        path = target / f"tfdbg_events.{FIRST_TIME:.0f}.{HOST}.{suffix}"
        path.write_bytes(b"".join(frame(event.SerializeToString()) for event in records))
    return sum(path.stat().st_size for path in target.iterdir())


if __name__ == "__main__":
    main()
