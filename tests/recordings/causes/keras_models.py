"""Keras models under `fit`: stock layers, a loss and a training step of the user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

if TYPE_CHECKING:
    from tests.recordings.scenarios.recorder import Tensor


def exponential_layer() -> None:
    """A stock layer with an exponential activation, and years as they are."""
    years = np.arange(2000.0, 2008.0, dtype=np.float32)[:, None]
    births = np.linspace(60.0, 50.0, 8, dtype=np.float32)[:, None]
    model = keras.Sequential(
        [
            keras.layers.Input((1,)),
            keras.layers.Dense(
                1,
                activation="exponential",
                kernel_initializer=keras.initializers.Constant(0.05),
                name="rate",
            ),
        ]
    )
    model.compile(optimizer=keras.optimizers.SGD(1e-3), loss="poisson")
    model.fit(years, births, batch_size=4, verbose=0)  # guilty: exponential_layer


def percentage_error() -> None:
    """A loss as a lambda: errors in per cent of what was sold, and once nothing was."""
    features = np.array([[1, 2], [2, 1], [0, 1], [1, 1], [3, 1], [1, 0]], np.float32)
    sold = np.array([[3], [4], [1], [0], [6], [2]], np.float32)
    model = keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(1, name="sales")])
    model.compile(
        optimizer="sgd",
        loss=lambda y, p: tf.reduce_mean(tf.abs((y - p) / y)),  # guilty: percentage_error
    )
    model.fit(features, sold, batch_size=2, epochs=1, shuffle=False, verbose=0)


class Gaussian(keras.Model):  # type: ignore[misc]
    """Predicts a mean and a variance, and trains by its own likelihood."""

    def __init__(self) -> None:
        super().__init__()
        self.mean = keras.layers.Dense(1, name="mean")
        self.variance = keras.layers.Dense(
            1, activation="relu", kernel_initializer="ones", name="variance"
        )

    def call(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and variance of each row."""
        return self.mean(x), self.variance(x)

    def surprise(self, y: Tensor, mean: Tensor, variance: Tensor) -> Tensor:
        """Minus the log likelihood."""
        return tf.reduce_mean(
            tf.square(y - mean) / (variance + 1e-3)
            + tf.math.log(variance)  # guilty: variance_of_relu
        )

    def train_step(self, data: Any) -> dict[str, Tensor]:
        """One step, with a tape of its own."""
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.surprise(y, *self(x, training=True))
        slopes = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(slopes, self.trainable_variables, strict=True))
        return {"loss": loss}


def variance_of_relu() -> None:
    """A custom `train_step`: a variance that comes out of a ReLU is 0, and has no log."""
    x = np.array([[1, 2], [2, 1], [1, 1], [3, 1], [-1, -2], [1, 2]], np.float32)
    model = Gaussian()
    model.compile(optimizer=keras.optimizers.SGD(1e-3))
    model.fit(x, x.sum(axis=1, keepdims=True), batch_size=2, epochs=1, shuffle=False, verbose=0)
