"""Gradients whose forward ops can be told: a tape inside a function, and a graph's own."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import TYPE_CHECKING

import tensorflow as tf

from tests.recordings.scenarios.recorder import Tensor, start

if TYPE_CHECKING:
    from pathlib import Path


def distance(x: Tensor) -> Tensor:
    """A norm, whose gradient at zero is infinite."""
    with tf.name_scope("distance"):
        squares = x * x
        total = tf.reduce_sum(squares, axis=1)
        return tf.sqrt(total)


def penalty(x: Tensor) -> Tensor:
    """Smooth, and a gradient op that takes what the forward op took."""
    return tf.nn.softsign(x)


@tf.function
def tape_step(x: Tensor) -> Tensor:
    """Forward and backward in one graph."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_mean(distance(x)) + tf.reduce_mean(penalty(x))
    return tape.gradient(loss, x)


@tf.function
def graph_step(x: Tensor) -> Tensor:
    """The same with the graph's own gradients, as sessions have it."""
    return tf.gradients(distance(x), x)[0]


def gradient_ops(logdir: Path) -> None:
    """A row of zeros among others."""
    start(logdir)
    x = tf.concat([tf.zeros((1, 3)), tf.ones((2, 3))], axis=0)
    tape_step(x)
    graph_step(x)
