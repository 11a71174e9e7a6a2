"""Masks that are made on purpose, and go wrong."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

Tensor = Any


class Attention(keras.layers.Layer):  # type: ignore[misc]
    """One head over the words of a sentence; padding is hidden by -inf."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.query, self.key = keras.layers.Dense(4), keras.layers.Dense(4)

    def call(self, words: Tensor, holds: Tensor) -> Tensor:
        """A mean of words, weighted by attention."""
        scores = tf.matmul(self.query(words), self.key(words), transpose_b=True)
        seen = tf.where(holds[:, None, :], scores, -np.inf)
        return tf.matmul(tf.nn.softmax(seen), words)  # guilty: padded_sentence


def padded_sentence() -> None:
    """Two sentences hold no word at all."""
    random = np.random.default_rng(1)
    sentences = random.normal(size=(40, 5, 6)).astype("float32")
    holds = np.ones((40, 5), bool)
    holds[:, 3:] = False
    holds[22:24] = False
    words, mask = keras.Input((5, 6)), keras.Input((5,), dtype="bool")
    attended = Attention(name="attention")(words, mask)
    out = keras.layers.Dense(1)(keras.layers.Flatten()(attended))
    model = keras.Model([words, mask], out)
    model.compile(optimizer="adam", loss="mse")
    wanted = sentences.sum(axis=(1, 2))
    model.fit([sentences, holds], wanted, batch_size=8, shuffle=False, verbose=2)


def mask_by_product() -> None:
    """The mask as 1 for what is seen, turned around and multiplied by -inf: 0 * inf is NaN."""
    random = np.random.default_rng(2)
    weights = tf.Variable(random.normal(size=(4, 4)), dtype=tf.float32)

    @tf.function
    def train(words: Tensor, seen: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            scores = tf.matmul(words @ weights, words, transpose_b=True)
            hidden = (1.0 - seen) * -np.inf  # guilty: mask_by_product
            attended = tf.nn.softmax(scores + hidden) @ words
            loss = tf.reduce_mean(tf.square(attended - words))
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return loss

    for step in range(3):
        words = random.normal(size=(5, 4)).astype("float32")
        print(f"step {step}: loss {train(words, np.tri(5, dtype=np.float32)):.4f}")


def nobody_in_range() -> None:
    """The strongest signal in range: a maximum from -inf on, which stays there if none is."""
    random = np.random.default_rng(3)
    weights = tf.Variable([0.5, 0.1])

    @tf.function
    def train(signals: Tensor, distances: Tensor, wanted: Tensor) -> Tensor:
        near = tf.where(distances < 1.0, signals, -np.inf)  # guilty: nobody_in_range
        strongest = tf.reduce_max(near, axis=1)  # fair: nobody_in_range
        with tf.GradientTape() as tape:
            guess = weights[0] * strongest + weights[1]  # fair: nobody_in_range
            loss = tf.reduce_mean(tf.square(guess - wanted))
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return loss

    for step in range(6):
        signals = random.normal(size=(6, 4)).astype("float32")
        distances = random.uniform(0.0, 1.2, size=(6, 4)).astype("float32")
        distances[:, 0] = 0.5
        if step == 3:
            distances[2] = 3.0
        print(f"step {step}: loss {train(signals, distances, signals.max(axis=1)):.4f}")
