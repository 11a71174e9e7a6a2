"""Programs that keep something out of their recording by the way they use functions."""

# mypy: allow-untyped-decorators
from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import tensorflow as tf
from tensorflow import keras

from tests.recordings.scenarios.recorder import Tensor, start, uniform

if TYPE_CHECKING:
    from pathlib import Path

BUFFER = 1000
"""TensorFlow's default size of the circular buffer."""


@tf.function(jit_compile=True)
def fused(x: Tensor) -> Tensor:
    """Compiled by XLA, which does not know the recorder's ops."""
    return tf.reduce_sum(tf.math.log(x) * 2.0)


@tf.function
def plain(x: Tensor) -> Tensor:
    """Runs as a graph like any other."""
    return tf.sqrt(x) + 1.0


@tf.function
def fussy(x: Tensor) -> Tensor:
    """Fails when it runs, not when it is traced."""
    with tf.control_dependencies([tf.debugging.assert_less(x, 0.0)]):
        return tf.exp(x)


def compiled(logdir: Path) -> None:
    """A compiled function fails each time; the program goes on."""
    start(logdir)
    for step in range(3):
        x = uniform([4], seed=step, low=1.0, high=2.0)
        with contextlib.suppress(tf.errors.InvalidArgumentError):
            fused(x)
        plain(x)


def compiled_by_keras(logdir: Path) -> None:
    """A Keras model that is compiled with XLA fails in its first step."""
    start(logdir)
    model = keras.Sequential([keras.layers.Input((6,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse", jit_compile=True)
    x, y = uniform([32, 6], seed=1), uniform([32, 1], seed=2)
    with contextlib.suppress(tf.errors.InvalidArgumentError):
        model.fit(x, y, batch_size=8, epochs=1, shuffle=False, verbose=0)


def first_call_fails(logdir: Path) -> None:
    """A function that no call comes back from, for a reason of its own."""
    start(logdir)
    x = uniform([4], seed=1, low=1.0, high=2.0)
    plain(x)
    with contextlib.suppress(tf.errors.InvalidArgumentError):
        fussy(x)
    plain(x)


def gradient_inside(logdir: Path) -> None:
    """The tape is inside the function: nothing is missing."""
    start(logdir)
    w = tf.Variable(uniform([4], seed=1, low=1.0, high=2.0))

    @tf.function
    def step() -> Tensor:
        with tf.GradientTape() as tape:
            value = tf.reduce_sum(tf.math.log(w))
        w.assign_sub(0.01 * tape.gradient(value, w))
        return value

    for _ in range(4):
        step()


def only_traced(logdir: Path) -> None:
    """A function of which only the graph is asked for."""
    start(logdir)
    plain.get_concrete_function(tf.TensorSpec([2], tf.float32))
    tf.sqrt(uniform([4], seed=1, low=1.0))


def no_functions(logdir: Path) -> None:
    """Eager ops and nothing else."""
    start(logdir)
    x = uniform([4], seed=1, low=1.0)
    for _ in range(5):
        x = tf.sqrt(x)


def nothing_computed(logdir: Path) -> None:
    """The recorder is switched on, and that is all."""
    start(logdir)


def newest_only(logdir: Path) -> None:
    """The default buffer in a program that ends in order: the first events are gone."""
    start(logdir, circular_buffer_size=BUFFER)
    x = tf.constant(1.0)
    for _ in range(BUFFER):
        x = plain(x) * 0.5


def traced_early(logdir: Path) -> None:
    """A function is called once before anybody records, as when a model is tried out."""
    x = uniform([4], seed=1, low=1.0, high=2.0)
    plain(x)
    start(logdir)
    for _ in range(3):
        plain(x)
