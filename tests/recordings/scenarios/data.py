"""Programs whose input decides: all good, bad on arrival, made bad by a ``tf.data`` map."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import tensorflow as tf

from tests.recordings.scenarios.recorder import Tensor, start, uniform

if TYPE_CHECKING:
    from pathlib import Path


@tf.function
def score(x: Tensor, w: Tensor) -> Tensor:
    """Healthy as long as its input is."""
    return tf.reduce_sum(tf.sigmoid(tf.matmul(x, w)))


def healthy(logdir: Path) -> None:
    """Nothing goes wrong."""
    start(logdir)
    w = tf.Variable(uniform([4, 2], seed=1))
    for step in range(12):
        with tf.GradientTape() as tape:
            value = score(uniform([8, 4], seed=step), w)
        w.assign_sub(tape.gradient(value, w) * 0.1)


def nan_input(logdir: Path) -> None:
    """The third batch holds a NaN before any op has run."""
    start(logdir)
    w = tf.Variable(uniform([4, 2], seed=1))
    batches = np.ones([6, 8, 4], np.float32)
    batches[2, 5, 1] = np.nan
    for batch in tf.data.Dataset.from_tensor_slices(batches):
        score(batch, w)


def tf_data(logdir: Path) -> None:
    """The map function divides by zero for the fourth element."""
    start(logdir)
    w = tf.Variable(uniform([1, 2], seed=1))

    def invert(i: Tensor) -> Tensor:
        distance = tf.cast(i, tf.float32) - 3.0
        return tf.reshape(1.0 / distance, [1])

    dataset = tf.data.Dataset.range(12).map(invert, num_parallel_calls=2).batch(2).prefetch(2)
    for batch in dataset:
        score(batch, w)


@tf.function
def attention(scores: Tensor, seen: Tensor) -> Tensor:
    """What must not be seen gets -inf, which the softmax turns into 0."""
    hidden = tf.where(seen, 0.0, tf.math.log(tf.zeros_like(scores)))
    return tf.nn.softmax(scores + hidden)


@tf.function
def causal_attention(scores: Tensor, seen: Tensor) -> Tensor:
    """The same with -inf as a constant."""
    return tf.nn.softmax(tf.where(seen, scores, -np.inf))


def masked(logdir: Path) -> None:
    """The mask of an attention is -inf on purpose, and nothing comes of it."""
    start(logdir)
    seen = tf.constant(np.tri(4, dtype=bool))
    for step in range(4):
        attention(uniform([4, 4], seed=step), seen)
        causal_attention(uniform([4, 4], seed=step), seen)
