"""Healthy training in half precision: steps whose gradients overflow are skipped."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

Tensor = Any


def keras_loss_scaling() -> None:
    """Keras's optimizer begins with a scale that is too large and halves it."""
    random = np.random.default_rng(1)
    keras.mixed_precision.set_global_policy("mixed_float16")
    x = random.normal(size=(160, 6)).astype("float32")
    y = x.sum(axis=1, keepdims=True)
    model = keras.Sequential(
        [
            keras.Input((6,)),
            keras.layers.Dense(8, activation="relu"),
            keras.layers.Dense(1, dtype="float32"),
        ]
    )
    scaled = keras.optimizers.LossScaleOptimizer(keras.optimizers.Adam(0.01), initial_scale=2.0**19)
    model.compile(optimizer=scaled, loss="mse")
    model.fit(x, y, batch_size=16, epochs=2, verbose=2)


def scaling_in_graph() -> None:
    """By hand in a graph: a condition applies the gradients, or halves the scale."""
    random = np.random.default_rng(2)
    weights = tf.Variable(0.3 * random.normal(size=(5, 1)), dtype=tf.float32)
    scale = tf.Variable(2.0**18)

    @tf.function
    def train(x: Tensor, y: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            guess = tf.cast(x, tf.float16) @ tf.cast(weights, tf.float16)
            loss = tf.reduce_mean(tf.square(tf.cast(guess, tf.float32) - y))
            scaled = loss * scale
        gradient = tape.gradient(scaled, weights) / scale

        def apply() -> Tensor:
            weights.assign_sub(0.1 * gradient)
            return tf.constant(True)

        def skip() -> Tensor:
            scale.assign(scale / 2.0)
            return tf.constant(False)

        tf.cond(tf.reduce_all(tf.math.is_finite(gradient)), apply, skip)
        return loss

    for step in range(16):
        x = random.normal(size=(8, 5)).astype("float32")
        loss = train(x, 2.0 * x.sum(axis=1, keepdims=True))
        print(f"step {step}: loss {loss:.4f}, scale {scale.numpy():.0f}")


def scaling_eagerly() -> None:
    """By hand and op by op: an `if` of Python's skips the step."""
    random = np.random.default_rng(3)
    weights = tf.Variable(0.3 * random.normal(size=(5, 3)), dtype=tf.float32)
    bias = tf.Variable(tf.zeros(3))
    optimizer = keras.optimizers.SGD(0.05)
    scale, skipped = 2.0**18, 0
    for step in range(10):
        x = tf.constant(random.normal(size=(8, 5)), tf.float16)
        with tf.GradientTape() as tape:
            guess = x @ tf.cast(weights, tf.float16) + tf.cast(bias, tf.float16)
            loss = tf.reduce_mean(tf.square(tf.cast(guess, tf.float32) - 2.0))
            scaled = loss * scale
        gradients = [g / scale for g in tape.gradient(scaled, [weights, bias])]
        if all(tf.reduce_all(tf.math.is_finite(g)) for g in gradients):
            optimizer.apply_gradients(zip(gradients, [weights, bias], strict=True))
        else:
            scale, skipped = scale / 2.0, skipped + 1
        print(f"step {step}: loss {loss:.4f}, scale {scale:.0f}, skipped {skipped}")
