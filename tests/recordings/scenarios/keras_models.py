"""Keras models under ``fit``, and such as are tried out."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import TYPE_CHECKING

import tensorflow as tf
from tensorflow import keras

from tests.recordings.scenarios.recorder import Tensor, start, uniform

if TYPE_CHECKING:
    from pathlib import Path


def keras_fit(logdir: Path) -> None:
    """Two epochs with a learning rate that makes the loss explode to NaN."""
    start(logdir)
    x = uniform([32, 6], seed=1)
    y = uniform([32, 1], seed=2)
    model = keras.Sequential(
        [
            keras.layers.Input((6,)),
            keras.layers.Dense(8, activation="relu"),
            keras.layers.Dense(1),
        ]
    )
    model.compile(optimizer=keras.optimizers.SGD(learning_rate=1e6), loss="mse")
    model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0)


def lstm(logdir: Path) -> None:
    """A forward pass and two training steps of an LSTM: a while loop in Keras's own code."""
    start(logdir)
    x = uniform([8, 5, 3], seed=1)
    y = uniform([8, 1], seed=2)
    model = keras.Sequential(
        [keras.layers.Input((5, 3)), keras.layers.LSTM(4), keras.layers.Dense(1)]
    )
    model(x)
    model.compile(optimizer="sgd", loss="mse")
    model.fit(x, y, batch_size=4, epochs=1, shuffle=False, verbose=0)


class Scaled(keras.layers.Layer):  # type: ignore[misc]
    """A layer whose output shape Keras has to find out."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = keras.layers.Dense(4)

    def call(self, x: Tensor) -> Tensor:
        """Twice what the inner layer makes."""
        return self.inner(x) * 2.0


def keras_shapes(logdir: Path) -> None:
    """Models whose shapes Keras infers in graphs that nobody runs: at once, and in a function."""
    start(logdir)
    made: list[keras.Model] = []

    @tf.function
    def step(x: Tensor) -> Tensor:
        if not made:
            with tf.init_scope():
                inputs = keras.layers.Input((3,))
                made.append(keras.Model(inputs, Scaled()(inputs)))
        return made[0](x)

    x = uniform([2, 3], seed=1)
    Scaled()(x)
    step(x)
