"""Keras models under ``fit`` whose data, or a layer, makes the numbers bad."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

Tensor = Any


def house_prices() -> None:
    """Square metres and years go in as they are, and the rate comes from a tutorial."""
    random = np.random.default_rng(1)
    flats = random.uniform((30, 1, 1900), (200, 9, 2020), size=(256, 3)).astype("float32")
    prices = (3000 * flats[:, :1] + 10_000 * flats[:, 1:2]).astype("float32")
    model = keras.Sequential(
        [
            keras.Input((3,)),
            keras.layers.Dense(16, activation="leaky_relu"),
            keras.layers.Dense(1),
        ]
    )
    model.compile(optimizer=keras.optimizers.SGD(0.01), loss="mse")
    model.fit(flats, prices, batch_size=32, epochs=2, verbose=2)  # guilty: house_prices


def sensor_sentinel() -> None:
    """The logger writes 1e30 where a sensor is silent, and nobody takes that out."""
    random = np.random.default_rng(2)
    readings = random.normal(size=(128, 6)).astype("float32")
    level = readings.mean(axis=1, keepdims=True)
    readings[70, 4] = 1e30
    model = keras.Sequential(
        [keras.Input((6,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)]
    )
    model.compile(optimizer="sgd", loss="mse")
    model.fit(readings, level, epochs=1, shuffle=False, verbose=2)  # guilty: sensor_sentinel


def log_counts() -> None:
    """Clicks are counted, and some have none."""
    random = np.random.default_rng(3)
    clicks = random.poisson(3.0, size=(128, 6)).astype("float32")
    bought = (clicks.sum(axis=1, keepdims=True) > 18).astype("float32")
    model = keras.Sequential(
        [
            keras.Input((6,)),
            keras.layers.Lambda(lambda n: tf.math.log(n), name="to_log"),  # guilty: log_counts
            keras.layers.Dense(8, activation="relu"),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(optimizer="adam", loss="binary_crossentropy")
    model.fit(clicks, bought, epochs=1, verbose=2)


def constant_rows() -> None:
    """The layer is to normalise exactly, and a recording of silence has no spread."""
    random = np.random.default_rng(4)
    sounds = random.normal(size=(96, 8)).astype("float32")
    sounds[40:42] = 0.5
    kinds = random.integers(0, 3, size=96)
    model = keras.Sequential(
        [
            keras.Input((8,)),
            keras.layers.LayerNormalization(epsilon=0, name="norm"),
            keras.layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
    model.fit(sounds, kinds, batch_size=16, shuffle=False, verbose=2)  # guilty: constant_rows


class UnitLength(keras.layers.Layer):  # type: ignore[misc]
    """Vectors of length one."""

    def call(self, inputs: Tensor) -> Tensor:
        """Divide each by its length."""
        length = tf.norm(inputs, axis=-1, keepdims=True)
        return inputs / length  # guilty: unit_vectors


def unit_vectors() -> None:
    """A word that no document holds has a vector of zeros."""
    random = np.random.default_rng(5)
    counts = random.poisson(1.0, size=(120, 12)).astype("float32")
    counts[75] = 0.0
    topics = random.integers(0, 4, size=120)
    model = keras.Sequential(
        [
            keras.Input((12,)),
            UnitLength(name="unit_length"),
            keras.layers.Dense(4, activation="softmax"),
        ]
    )
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
    model.fit(counts, topics, batch_size=30, shuffle=False, verbose=2)


class ByBatch(keras.layers.Layer):  # type: ignore[misc]
    """Batch normalisation as the paper has it, by hand."""

    def build(self, shape: Any) -> None:
        """One scale for each feature."""
        self.scale = self.add_weight(shape=(shape[-1],), initializer="ones")

    def call(self, inputs: Tensor) -> Tensor:
        """By mean and deviation of the batch."""
        mean, variance = tf.nn.moments(inputs, axes=[0])
        normal = (inputs - mean) / tf.sqrt(variance)  # guilty: constant_column
        return self.scale * normal


def constant_column() -> None:
    """One column of the table is the same in every row of a batch."""
    random = np.random.default_rng(6)
    table = random.normal(size=(128, 5)).astype("float32")
    table[64:96, 3] = 2.0
    model = keras.Sequential(
        [keras.Input((5,)), ByBatch(name="by_batch"), keras.layers.Dense(1)],
    )
    model.compile(optimizer="sgd", loss="mse")
    model.fit(table, table.sum(axis=1), batch_size=32, shuffle=False, verbose=2)


def nan_feature() -> None:
    """A hole in the table, as pandas reads it."""
    random = np.random.default_rng(7)
    table = random.normal(size=(128, 4)).astype("float32")
    label = (table[:, 0] > 0).astype("float32")
    table[45, 2] = np.nan
    model = keras.Sequential(
        [
            keras.Input((4,)),
            keras.layers.Dense(6, activation="tanh"),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(optimizer="adam", loss="binary_crossentropy")
    model.fit(table, label, batch_size=32, shuffle=False, verbose=2)  # guilty: nan_feature


def nan_target() -> None:
    """What is to be predicted was never measured for one row."""
    random = np.random.default_rng(8)
    table = random.normal(size=(128, 4)).astype("float32")
    yields = table.sum(axis=1, keepdims=True)
    yields[100] = np.nan
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mae")
    model.fit(table, yields, batch_size=32, shuffle=False, verbose=2)  # guilty: nan_target


def inverse_variance_weights() -> None:
    """Measurements weigh by their precision, and one has no error at all."""
    random = np.random.default_rng(9)
    points = random.normal(size=(96, 3)).astype("float32")
    errors = random.uniform(0.5, 2.0, size=96).astype("float32")
    errors[20] = 0.0
    with np.errstate(divide="ignore"):
        weights = 1.0 / errors**2
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    values = points.sum(axis=1)
    model.fit(points, values, sample_weight=weights, verbose=2)  # guilty: inverse_variance_weights


class MeanOfWords(keras.layers.Layer):  # type: ignore[misc]
    """The mean over those places that hold a word."""

    def call(self, states: Tensor, tokens: Tensor) -> Tensor:
        """Nought is no word."""
        holds = tf.cast(tokens > 0, tf.float32)[:, :, None]
        total = tf.reduce_sum(states * holds, axis=1)
        return total / tf.reduce_sum(holds, axis=1)  # guilty: empty_document


def empty_document() -> None:
    """One text had no word of the vocabulary."""
    random = np.random.default_rng(10)
    texts = random.integers(1, 40, size=(32, 7))
    texts[:, 5:] = 0
    texts[21] = 0
    tokens = keras.Input((7,), dtype="int32")
    states = keras.layers.Embedding(40, 6)(tokens)
    states = keras.layers.GRU(5, return_sequences=True)(states)
    pooled = MeanOfWords(name="mean_of_words")(states, tokens)
    model = keras.Model(tokens, keras.layers.Dense(1, activation="sigmoid")(pooled))
    model.compile(optimizer="adam", loss="binary_crossentropy")
    model.fit(texts, random.integers(0, 2, size=32), batch_size=8, shuffle=False, verbose=2)


def relu_lstm() -> None:
    """A recurrent layer with relu, which nothing holds back, after a step that was too large."""
    random = np.random.default_rng(11)
    drifts = random.normal(size=(32, 100, 2)).cumsum(axis=1).astype("float32")
    memory = keras.layers.LSTM(12, activation="relu", name="memory")
    model = keras.Sequential([keras.Input((100, 2)), memory, keras.layers.Dense(1)])
    model.compile(optimizer=keras.optimizers.Adam(1.0), loss="mse")
    model.fit(drifts, drifts[:, -1, :1], batch_size=8, verbose=2)  # guilty: relu_lstm
