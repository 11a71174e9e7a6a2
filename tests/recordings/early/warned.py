"""Programs each of which deserves warnings long before there is a NaN."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

Tensor = Any


def numbers(shape: list[int], seed: int, low: float = -1.0, high: float = 1.0) -> Tensor:
    """The same numbers on every machine."""
    return tf.constant(np.random.default_rng(seed).uniform(low, high, shape).astype("float32"))


def three_layers() -> None:
    """A layer that dies in step 7, beside one that dies slowly, and one that saturates."""
    x = numbers([32, 8], 1)
    y = numbers([32, 1], 2)
    layers = [tf.Variable(numbers([8, 16], seed)) for seed in (3, 4, 5)]
    offsets = [tf.Variable(tf.fill([16], start)) for start in (0.0, 1.0, 0.0)]
    heads = [tf.Variable(numbers([16, 1], seed)) for seed in (6, 7, 8)]
    variables = [*layers, *heads]

    @tf.function  # type: ignore[untyped-decorator]
    def train_step() -> Tensor:
        with tf.GradientTape() as tape:
            dying = tf.nn.relu(tf.matmul(x, layers[0]) + offsets[0])  # dead
            fading = tf.nn.relu(tf.matmul(x, layers[1]) + offsets[1])  # fading
            saturated = tf.nn.bias_add(tf.matmul(x, layers[2]), offsets[2])  # saturated
            hidden = (dying, fading, tf.tanh(saturated))
            outputs = [tf.matmul(h, head) for h, head in zip(hidden, heads, strict=True)]
            loss = tf.reduce_mean(tf.square(tf.add_n(outputs) - y))
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(0.01 * gradient)
        return loss

    for step in range(20):
        if step == 6:
            offsets[0].assign(tf.fill([16], -50.0))
        offsets[1].assign_sub(tf.fill([16], 0.18))
        offsets[2].assign_add(tf.fill([16], 0.0 if step < 6 else 2.0))
        train_step()


def left_behind() -> None:
    """A head whose share of the loss is 0 from step 6 on: only its gradients are zero."""
    x, y = numbers([16, 4], 1), numbers([16, 1], 2)
    body = tf.Variable(numbers([4, 6], 3))
    kept, lost = tf.Variable(numbers([6, 1], 4)), tf.Variable(numbers([6, 1], 5))
    share = tf.Variable(1.0)
    variables = [body, kept, lost]

    @tf.function  # type: ignore[untyped-decorator]
    def train_step() -> Tensor:
        with tf.GradientTape() as tape:
            hidden = tf.tanh(tf.matmul(x, body))
            loss = tf.reduce_mean(tf.square(tf.matmul(hidden, kept) - y))
            other = tf.matmul(hidden, lost)  # lost
            loss += share * tf.reduce_mean(tf.square(other - y))
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(0.01 * gradient)
        return loss

    for step in range(16):
        if step == 5:
            share.assign(0.0)
        train_step()


def hoarder() -> None:
    """An eager loop that keeps all losses in a tensor, and traces two functions in each step."""
    w = tf.Variable(numbers([4, 1], 3))
    x, y = numbers([16, 4], 1), numbers([16, 1], 2)
    kept = tf.zeros([1])

    @tf.function  # type: ignore[untyped-decorator]
    def scaled(value: Tensor, step: int) -> Tensor:
        return value * tf.cast(step, tf.float32)

    @tf.function  # type: ignore[untyped-decorator]
    def total(values: Tensor) -> Tensor:
        return tf.reduce_sum(values)

    for step in range(14):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
        w.assign_sub(0.1 * tape.gradient(loss, w))
        kept = tf.concat([kept, [loss]], 0)  # leak
        scaled(loss, step)  # python
        total(kept)  # shape


def exploding() -> None:
    """Gradient descent with far too large a rate, ended before there is an infinity."""
    x, y = numbers([16, 4], 1), numbers([16, 1], 2)
    w = tf.Variable(numbers([4, 1], 3))

    @tf.function  # type: ignore[untyped-decorator]
    def train_step() -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))  # growing
        w.assign_sub(20.0 * tape.gradient(loss, w))
        return loss

    for _ in range(14):
        train_step()
