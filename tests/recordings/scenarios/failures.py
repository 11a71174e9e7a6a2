"""Programs that end with an error, with the notes that `run` and `record` leave beside them."""

# mypy: allow-untyped-decorators
from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from tests.recordings.scenarios.recorder import Tensor, start, uniform
from tfdbg_tui.record.program_notes import ProgramNotes, facts_of_error

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

MATRIX = tf.TensorSpec([None, None], tf.float32)
FAILED = 1


class noted:  # noqa: N801 - reads as a phrase
    """Notes how the program in the block was recorded, and the error that ends it."""

    def __init__(self, logdir: Path, **facts: Any) -> None:
        self._notes = ProgramNotes.begin(logdir, command=["/home/me/train.py", "--fast"], **facts)

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if error is not None:
            self._notes.add(error=facts_of_error(error, trace))
        self._notes.add(exit_code=0 if error is None else FAILED)
        return True


@tf.function(input_signature=[MATRIX, MATRIX])
def score(x: Tensor, w: Tensor) -> Tensor:
    """Called by `step` alone; its product fails for other shapes."""
    return tf.matmul(tf.exp(x), w)


@tf.function(input_signature=[MATRIX, MATRIX])
def step(x: Tensor, w: Tensor) -> Tensor:
    """Has no product of its own."""
    return tf.reduce_sum(score(x, w)) * 0.5


@tf.function(input_signature=[MATRIX])
def gram(x: Tensor) -> Tensor:
    """Has an op of the same name that does not fail."""
    return tf.matmul(x, x, transpose_b=True)


def op_fails(logdir: Path) -> None:
    """An op of a function inside another fails in the third call, for its inputs do not fit."""
    with noted(logdir, started_by="run"):
        start(logdir)
        x = uniform([2, 3], seed=1)
        gram(x)
        for rows in (3, 3, 2):
            step(x, uniform([rows, 2], seed=rows))


@tf.function
def gather_all(x: Tensor, count: Tensor) -> Tensor:
    """Reads behind the end of a short vector."""
    total = 0.0
    for i in tf.range(count):
        total += tf.sqrt(tf.gather(x, i))
    return total


def loop_fails(logdir: Path) -> None:
    """A function is traced for another shape, and an op of its loop fails in the first call."""
    with noted(logdir, started_by="record"):
        start(logdir)
        gather_all(tf.ones([5]), tf.constant(5))
        gather_all(tf.ones([3]), tf.constant(5))


def data_fails(logdir: Path) -> None:
    """What feeds the program fails, in a function of `tf.data`."""

    def parse(line: Tensor) -> Tensor:
        return tf.strings.to_number(line)

    with noted(logdir, started_by="run"):
        start(logdir)
        for value in tf.data.Dataset.from_tensor_slices(["1", "2", "x"]).map(parse):
            tf.sqrt(value)


def eager_fails(logdir: Path) -> None:
    """An op fails that is in no graph."""
    with noted(logdir, started_by="run"):
        start(logdir)
        x = uniform([2, 3], seed=1)
        for rows in (3, 2):
            tf.matmul(x, uniform([rows, 2], seed=rows))


def tf1_fails(logdir: Path) -> None:
    """A session trains, then is fed what does not fit."""
    v1 = tf.compat.v1
    v1.disable_eager_execution()
    v1.enable_resource_variables()
    with noted(logdir, started_by="run"):
        start(logdir)
        x = v1.placeholder(tf.float32, [None, None], name="x")
        w = v1.get_variable("w", [3, 1], initializer=v1.ones_initializer())
        loss = tf.reduce_sum(tf.square(tf.matmul(x, w, name="product")))
        update = v1.train.AdamOptimizer(0.1).minimize(loss)
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            for columns in (3, 3, 4):
                session.run([update, loss], {x: [[1.0] * columns]})


def threads(logdir: Path) -> None:
    """Another thread computes, and is the first to call a function."""
    with noted(logdir, started_by="record", other_threads=1):
        start(logdir)
        x = uniform([2, 3], seed=1)
        worker = threading.Thread(target=gram, args=[x])
        worker.start()
        worker.join()
        gram(x)
