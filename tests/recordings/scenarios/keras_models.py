"""Keras models under ``fit``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tensorflow import keras

from tests.recordings.scenarios.recorder import start, uniform

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
