"""Half precision without loss scaling."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

Tensor = Any


def half_activations() -> None:
    """Samples of sound as they come from the file, up to 32767, into a layer in half precision."""
    random = np.random.default_rng(1)
    keras.mixed_precision.set_global_policy("mixed_float16")
    model = keras.Sequential(
        [
            keras.Input((128,)),
            keras.layers.Dense(32, activation="relu", name="wide"),
            keras.layers.Dense(1, dtype="float32", name="head"),
        ]
    )
    optimizer = keras.optimizers.SGD(1e-6)

    @tf.function
    def train(sounds: Tensor, loudness: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            guess = model(sounds, training=True)  # guilty: half_activations
            loss = tf.reduce_mean(tf.abs(guess - loudness))
        weights = model.trainable_weights
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        return loss

    for step in range(5):
        peak = 30.0 if step < 3 else 32_767.0
        sounds = peak * np.clip(5.0 * random.normal(size=(16, 128)), -1.0, 1.0).astype("float32")
        print(f"step {step}: loss {train(sounds, np.ones((16, 1), np.float32)):.4f}")


def half_gradients() -> None:
    """The sum of squares over a batch: in half precision its gradients end at 65504."""
    random = np.random.default_rng(2)
    hidden = keras.layers.Dense(24, activation="tanh", dtype="mixed_float16", name="hidden")
    head = keras.layers.Dense(1, dtype="float32", name="head")
    model = keras.Sequential([keras.Input((10,)), hidden, head])
    optimizer = keras.optimizers.SGD(1e-5)

    @tf.function
    def train(x: Tensor, y: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            guess = model(x, training=True)  # guilty: half_gradients
            loss = tf.reduce_sum(tf.square(guess - y))
        gradients = tape.gradient(loss, model.trainable_weights)  # fair: half_gradients
        optimizer.apply_gradients(zip(gradients, model.trainable_weights, strict=True))
        return loss

    for step in range(5):
        x = random.uniform(0.2, 1.0, size=(256, 10)).astype("float32")
        y = x[:, :1] * (1.0 if step < 2 else 5000.0)
        print(f"step {step}: loss {train(x, y):.4f}")


def half_sum_of_squares() -> None:
    """Energies of frames, computed op by op in half precision."""
    random = np.random.default_rng(3)
    gain = tf.Variable(1.0)
    for step in range(4):
        frames = tf.constant(random.normal(size=(4, 512)) * (4.0 + 4.0 * step), tf.float16)
        with tf.GradientTape() as tape:
            scaled = tf.cast(gain, tf.float16) * frames
            energy = tf.reduce_sum(scaled * scaled, axis=1)  # guilty: half_sum_of_squares
            level = tf.cast(energy, tf.float32) / 512.0
            loss = tf.reduce_mean(tf.abs(level - 16.0))
        gain.assign_sub(1e-5 * tape.gradient(loss, gain))
        print(f"step {step}: loss {loss:.4f}")
