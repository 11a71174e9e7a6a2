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


def bend(x: Tensor) -> Tensor:
    """Ops whose gradients are composed of plain ones, each of a tensor of its own."""
    with tf.name_scope("bend"):
        turned = tf.acos(x)
        grown = tf.math.log(x * x)
        return turned + grown


def both(x: Tensor) -> Tensor:
    """Two such ops of one tensor: which of them a part of the gradient is of, nobody can tell."""
    return tf.atan(x) + tf.sinh(x)


@tf.function
def composed_step(x: Tensor) -> Tensor:
    """Forward and backward in one graph."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(bend(x)) + tf.reduce_sum(both(x))
    return tape.gradient(loss, x)


def composed_gradients(logdir: Path) -> None:
    """At 1 the slope of acos is infinite, though acos is not."""
    start(logdir)
    for most in (0.5, 1.0):
        composed_step(tf.constant([0.25, most]))
