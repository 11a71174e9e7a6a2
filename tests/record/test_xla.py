"""Programs that ask for XLA, or for which Keras does, are recorded; real TensorFlow and Keras."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.recordings.programs import ENVIRONMENT
from tests.support.tensorflow_server import tensorflow_python
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from pathlib import Path

OFF = "XLA, which is off while recording (--jit or jit=True keeps it)."
TIMEOUT = 120
"""Seconds that a program may take."""


class Ran(NamedTuple):
    """What came of a program."""

    said: list[Any]
    """What it printed, line by line."""
    told: list[str]
    """What was told about it on stderr."""
    ops: set[str]
    """The types of the ops inside functions of which tensors were recorded."""


def run(program: str, folder: Path, *words: str, python: str | None = None) -> Ran:
    """Run a program in a folder of its own, where it is called `train.py`."""
    (folder / "train.py").write_text(program)
    done = subprocess.run(
        [python or tensorflow_python(), *words, "train.py"],
        cwd=folder,
        env={**os.environ, **ENVIRONMENT},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    told = [line for line in done.stderr.splitlines() if line.startswith("tfdbg-tui: ")]
    return Ran(said, [line.removeprefix("tfdbg-tui: ") for line in told], traced(folder))


def traced(folder: Path) -> set[str]:
    found = Logdir(folder / "logdir")
    found.load()
    hosts = [host for run in found.runs for host in run.hosts]
    ops = [host.op_of(site) for host in hosts for site in host.traces.sites]
    return {op.type for op in ops if op is not None}


FUNCTIONS = """
import json
import tensorflow as tf
from tfdbg_tui import record

@tf.function(jit_compile=True)
def early(x):
    return tf.math.log(x)

recording = record.enable("logdir"OPTIONS)

@tf.function
def helper(x):
    return tf.sqrt(x)

@tf.function(
    jit_compile=True
)
def late(x):
    return helper(x) * 3.0

class Model(tf.Module):
    @tf.function(jit_compile=True)
    def call(self, x):
        return tf.exp(x)

@tf.function
def outer(x):
    @tf.function(jit_compile=True)
    def inner(y):
        return y * y if tf.reduce_sum(y) > 0.0 else y
    with tf.GradientTape() as tape:
        tape.watch(x)
        total = tf.reduce_sum(inner(x) + late(x) + early(1.0))
    return tape.gradient(total, x)

def say(tensor):
    print(json.dumps(tensor.numpy().tolist()))

model, x = Model(), tf.constant([1.0, 4.0])
helper(x)  # traced as what is recorded before it is traced as what is compiled
for _ in range(2):
    for function in (early, late, model.call, outer, tf.function(tf.abs, jit_compile=True)):
        say(function(x))
variable = tf.Variable([1.0, 4.0])
with tf.GradientTape() as tape:
    total = tf.reduce_sum(late(variable))
say(tape.gradient(total, variable))
say(late.get_concrete_function(tf.TensorSpec([1]))(tf.constant([4.0])))
unused = tf.function(tf.abs, jit_compile=True)
recording.stop()
compiled = tf.function(lambda x: x + 1.0, jit_compile=True)
compiled(x)
print(json.dumps("HloModule" in compiled.experimental_get_compiler_ir(x)()))
"""

EXPECTED = [[0.0, 1.386294], [3.0, 6.0], [2.718282, 54.59815], [3.5, 8.75], [1.0, 4.0]]
"""The logarithm, three roots, the exponential, the gradient, the absolute values."""


def line_of(program: str, text: str, start: int = 0) -> int:
    lines = program.splitlines()
    return next(n for n, line in enumerate(lines, 1) if n > start and text in line)


def assert_right(said: list[Any]) -> None:
    *numbers, gradient, traced_alone, is_compiled = said
    assert traced_alone == pytest.approx([6.0])
    for value, expected in zip(numbers, EXPECTED * 2, strict=True):
        assert value == pytest.approx(expected, rel=1e-5)
    assert gradient == pytest.approx([1.5, 0.75], rel=1e-5)
    assert is_compiled, "nothing is recorded any more, so it may be compiled"


def test_functions_run_op_by_op_and_their_lines_are_told_once(tmp_path: Path) -> None:
    program = FUNCTIONS.replace("OPTIONS", "")
    ran = run(program, tmp_path)
    assert_right(ran.said)
    decorator = "@tf.function(jit_compile=True)"
    method = line_of(program, decorator, line_of(program, "class Model"))
    lines = [
        line_of(program, decorator),
        line_of(program, "@tf.function("[:13], line_of(program, "tf.sqrt")),
        method,
        line_of(program, decorator, method),
        line_of(program, "for function in"),
    ]
    assert sorted(ran.told) == sorted(f"train.py:{line} asks for {OFF}" for line in lines)
    assert {"Log", "Sqrt", "Mul", "Exp", "Abs"} <= ran.ops


def test_what_is_compiled_at_the_users_wish_runs_and_is_not_looked_into(tmp_path: Path) -> None:
    ran = run(FUNCTIONS.replace("OPTIONS", ", jit=True"), tmp_path)
    assert_right(ran.said)
    assert ran.told == []
    assert "Sqrt" in ran.ops  # of a call of its own
    assert not {"Log", "Exp", "Abs"} & ran.ops


def test_a_function_that_was_compiled_before_stays_compiled(tmp_path: Path) -> None:
    program = """
import json
import tensorflow as tf
from tfdbg_tui import record

@tf.function(jit_compile=True)
def loss(x):
    return tf.math.log(x)

loss(tf.ones([1]))
record.enable("logdir")
print(json.dumps([loss(tf.ones([size])).numpy().tolist() for size in (1, 2)]))
"""
    assert run(program, tmp_path) == ([[[0.0], [0.0, 0.0]]], [], set())


KERAS = """
import json, sys
IMPORTS
HOW = "HOW"
class Gpu:
    device_type = "GPU"

# All that Keras asks of a machine before it chooses XLA.
real = tf.config.list_physical_devices
if HOW != "without a GPU":
    tf.config.list_physical_devices = lambda kind=None: [*real(kind), Gpu()]
START
keras.utils.set_random_seed(1)
model = keras.Sequential(
    [keras.Input((4,)), keras.layers.Dense(3, activation="relu"), keras.layers.Dense(1)]
)
model.compile("adam", "mse"COMPILE)
x = np.random.default_rng(0).normal(size=(64, 4)).astype("f4")
history = model.fit(x, x[:, :1], verbose=0, epochs=2, shuffle=False, callbacks=CALLBACKS)
print(json.dumps([history.history["loss"], bool(model.jit_compile)]))
print(json.dumps(model.predict(x[:2], verbose=0).tolist()))
"""

ENABLE = 'record.enable("logdir")'
TENSORFLOW_FIRST = (
    "import numpy as np\nimport tensorflow as tf\nimport keras\nfrom tfdbg_tui import record\n"
)
KERAS_FIRST = "import keras\nimport numpy as np\nimport tensorflow as tf"


def keras_program(
    start: str = "",
    compile_options: str = "",
    callbacks: str = "None",
    imports: str = TENSORFLOW_FIRST,
    how: str = "with a GPU",
) -> str:
    program = KERAS.replace("IMPORTS", imports).replace("START", start)
    program = program.replace("COMPILE", compile_options).replace("CALLBACKS", callbacks)
    return program.replace('"HOW"', repr(how))


@pytest.fixture(scope="module")
def unrecorded(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What the program says on a machine without a GPU, recorded by nobody."""
    folder = tmp_path_factory.mktemp("unrecorded")
    (losses, is_compiled), predicted = run(keras_program(how="without a GPU"), folder).said
    assert not is_compiled
    return [losses, predicted]


def assert_trained(ran: Ran, unrecorded: list[Any], *told: str) -> None:
    (losses, is_compiled), predicted = ran.said
    assert [losses, predicted] == unrecorded
    assert is_compiled, "Keras finds its own choice as it was"
    assert ran.told == [f"{who} {OFF}" for who in told]
    assert {"MatMul", "Relu", "Square", "ReluGrad"} <= ran.ops


def test_what_keras_chooses_on_a_machine_with_a_gpu_is_off(
    tmp_path: Path, unrecorded: list[Any]
) -> None:
    assert_trained(run(keras_program(ENABLE), tmp_path), unrecorded, "Keras chooses")


def test_a_callback_switches_it_off_too(tmp_path: Path, unrecorded: list[Any]) -> None:
    program = keras_program(callbacks='[record.callback("logdir")]')
    assert_trained(run(program, tmp_path), unrecorded, "Keras chooses")


def test_the_line_that_compiles_a_model_with_xla_is_told(
    tmp_path: Path, unrecorded: list[Any]
) -> None:
    program = keras_program(ENABLE, ", jit_compile=True")
    line = line_of(program, "model.compile")
    assert_trained(run(program, tmp_path), unrecorded, f"train.py:{line} asks for")


def test_it_is_told_where_keras_imports_tensorflow(tmp_path: Path, unrecorded: list[Any]) -> None:
    # From the very start, as users have it: Keras is half imported when the recording begins.
    program = keras_program(compile_options=", jit_compile=True", imports=KERAS_FIRST)
    line = line_of(program, "model.compile")
    words = ("-m", "tfdbg_tui", "run", "--headless", "--logdir", "logdir")
    ran = run(program, tmp_path, *words, python=sys.executable)
    assert_trained(ran, unrecorded, f"train.py:{line} asks for")


def test_a_model_can_be_compiled_at_the_users_wish(tmp_path: Path, unrecorded: list[Any]) -> None:
    ran = run(keras_program('record.enable("logdir", jit=True)'), tmp_path)
    (losses, is_compiled), _ = ran.said
    assert losses == pytest.approx(unrecorded[0], rel=1e-5)
    assert is_compiled
    assert ran.told == []
    assert "Relu" not in ran.ops


GROUPS = """
import json
import numpy as np
import tensorflow as tf
from tfdbg_tui import record
for logdir in (None, "logdir"):
    if logdir:
        record.enable(logdir)
    tf.keras.utils.set_random_seed(1)
    model = tf.keras.Sequential([
        tf.keras.Input((6, 6, 4)), tf.keras.layers.Conv2D(4, 3, groups=2),
        tf.keras.layers.Flatten(), tf.keras.layers.Dense(1),
    ])
    model.compile("sgd", "mse")
    x = np.random.default_rng(0).normal(size=(16, 6, 6, 4)).astype("f4")
    print(json.dumps(model.fit(x, x[:, 0, 0, :1], verbose=0, shuffle=False).history["loss"]))
"""


def test_what_runs_by_xla_only_is_compiled_all_the_same(tmp_path: Path) -> None:
    plain, recorded = (ran := run(GROUPS, tmp_path)).said
    assert plain == pytest.approx(recorded, rel=1e-5)
    assert ran.told == []
    assert "BiasAdd" in ran.ops or "AddV2" in ran.ops
    assert "Conv2D" not in ran.ops
