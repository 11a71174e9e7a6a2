"""Data is noted batch by batch, never as a whole, and told to have come in bad; real TensorFlow."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.recordings.programs import ENVIRONMENT
from tests.support.tensorflow_server import tensorflow_python
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.verdict.judgement import verdict_on_run
from tfdbg_tui.verdict.text import first_bad

if TYPE_CHECKING:
    from pathlib import Path

    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.run import Run

START = """
import numpy as np
import tensorflow as tf
from tfdbg_tui import record
record.enable("logdir")
x = np.ones((64, 4), "f4")
x[40, 2] = np.nan
"""

FIT = """
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, x[:, :1], batch_size=16, verbose=0)
"""


def run(program: str, folder: Path) -> Run:
    (folder / "train.py").write_text(START + program)
    done = subprocess.run(
        [tensorflow_python(), "train.py"],
        cwd=folder,
        env={**os.environ, **ENVIRONMENT},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = Logdir(folder / "logdir")
    found.load()
    (recorded,) = found.runs
    return recorded


def noted(host: Host, function: str) -> set[tuple[str, str]]:
    """The ops that were noted in a function of `tf.data`: their names and types."""
    sites = [s for s in host.traces.sites if host.graphs.function_of(s.graph_id) == function]
    ops = [host.op_of(site) for site in sites]
    return {(op.name, op.type) for op in ops if op is not None}


def test_an_array_is_noted_batch_by_batch(tmp_path: Path) -> None:
    recorded = run(FIT, tmp_path)
    # Of each batch, x and y; the two whole arrays are what they are gathered from.
    assert noted(recorded.hosts[0], "Dataset_map_grab_batch") == {
        ("GatherV2", "GatherV2"),
        ("GatherV2_1", "GatherV2"),
    }
    bad = verdict_on_run(recorded).first_bad
    assert bad is not None
    assert (bad.op_type, bad.came_with_data) == ("GatherV2", True)
    assert bad.health.size == 64
    line = (START + FIT).splitlines().index("model.fit(x, x[:, :1], batch_size=16, verbose=0)") + 1
    assert first_bad(bad) == (
        "first NaN or Inf: GatherV2:0 (GatherV2), NaN 1 of 64 elements, float32 2-D, "
        f"came in with the data, {tmp_path / 'train.py'}:{line}"
    )


FUNCTIONS = """
whole = tf.constant(x)

def captured(i):
    return tf.gather(whole, i), whole[:2]

def used(row):
    return row[:2], row * 2.0

def sliced(row):
    return row[1:], row[0]

@tf.function
def inner(row):
    return tf.nn.relu(row)

def handed_on(row):
    return row

rows = tf.data.Dataset.from_tensor_slices(x[:3])
for dataset in (tf.data.Dataset.range(3).batch(3).map(captured), rows.map(used),
                rows.map(sliced), rows.map(inner), rows.map(handed_on)):
    list(dataset)
"""


def test_other_arguments_are_noted_unless_only_parts_of_them_are_used(tmp_path: Path) -> None:
    host = run(FUNCTIONS, tmp_path).hosts[0]
    parts = {("strided_slice", "StridedSlice")}
    argument = ("args_0", "Placeholder")
    assert noted(host, "Dataset_map_captured") == {("GatherV2", "GatherV2"), *parts}
    assert noted(host, "Dataset_map_sliced") == {("strided_slice_1", "StridedSlice"), *parts}
    used = noted(host, "Dataset_map_used")
    assert {argument, ("mul", "Mul"), *parts} <= used
    assert argument in noted(host, "Dataset_map_handed_on")
    assert {argument, ("row", "Placeholder"), ("Relu", "Relu")} <= noted(host, "Dataset_map_inner")
    (graph,) = [graph for graph in host.graphs.by_id.values() if graph.name == "inner"]
    came_in = {op.name for op in graph.ops.values() if host.graphs.came_with_data(op)}
    assert came_in == {"row"}, "the function around it does nothing but to call it"


@pytest.mark.parametrize(
    ("program", "op_type"),
    [
        ("list(tf.data.Dataset.from_tensor_slices(x).batch(16))", "IteratorGetNext"),
        ("list(tf.data.Dataset.from_generator(lambda: iter(x), 'float32'))", "EagerPyFunc"),
        ("tf.strings.to_number(['1', 'nan'])", "StringToNumber"),
    ],
)
def test_what_is_read_is_told_to_have_come_in(tmp_path: Path, program: str, op_type: str) -> None:
    bad = verdict_on_run(run(program, tmp_path)).first_bad
    assert bad is not None
    assert (bad.op_type, bad.came_with_data) == (op_type, True)


def test_what_a_map_function_computes_is_not(tmp_path: Path) -> None:
    program = "list(tf.data.Dataset.from_tensor_slices(x[:9]).map(lambda row: tf.math.log(-row)))"
    bad = verdict_on_run(run(program, tmp_path)).first_bad
    assert bad is not None
    assert (bad.op_type, bad.came_with_data) == ("Log", False)
