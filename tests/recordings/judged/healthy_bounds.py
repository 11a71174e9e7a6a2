"""Healthy programs in which something begins at an infinity, or is bounded by one."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

Tensor = Any


def best_loss() -> None:
    """The best loss so far, in a variable that begins at infinity, kept in the graph."""
    random = np.random.default_rng(1)
    weights = tf.Variable(0.3 * random.normal(size=(4, 1)), dtype=tf.float32)
    best = tf.Variable(np.inf, dtype=tf.float32, trainable=False)
    waited = tf.Variable(0)

    @tf.function
    def train(x: Tensor, y: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ weights - y))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        waited.assign(tf.where(loss < best, 0, waited + 1))
        best.assign(tf.minimum(best, loss))
        return loss

    for step in range(10):
        x = random.normal(size=(16, 4)).astype("float32")
        loss = train(x, x.sum(axis=1, keepdims=True))
        print(f"step {step}: loss {loss:.4f}, best {best.numpy():.4f}, waited {waited.numpy()}")


def best_loss_eagerly() -> None:
    """The same op by op: a number of Python's, and a tensor of the smallest inputs so far."""
    random = np.random.default_rng(2)
    weights = tf.Variable(0.3 * random.normal(size=(4, 1)), dtype=tf.float32)
    best, smallest = float("inf"), tf.fill([4], np.inf)
    for step in range(8):
        x = tf.constant(random.normal(size=(16, 4)), tf.float32)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ weights - 1.0))
        if loss < best:
            best = loss
        smallest = tf.minimum(smallest, tf.reduce_min(x, axis=0))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        print(f"step {step}: loss {loss:.4f}, best {best:.4f}, from {smallest.numpy()}")


def running_range() -> None:
    """The range of each input so far, from -inf and inf on; it is widened before it is used."""
    random = np.random.default_rng(3)
    weights = tf.Variable(0.3 * random.normal(size=(3, 1)), dtype=tf.float32)
    low = tf.Variable(tf.fill([3], np.float32(np.inf)), trainable=False)
    high = tf.Variable(tf.fill([3], np.float32(-np.inf)), trainable=False)

    @tf.function
    def train(x: Tensor, y: Tensor) -> Tensor:
        low.assign(tf.minimum(low, tf.reduce_min(x, axis=0)))
        high.assign(tf.maximum(high, tf.reduce_max(x, axis=0)))
        scaled = (x - low) / (high - low + 1e-6)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(scaled @ weights - y))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for step in range(8):
        x = random.normal(size=(12, 3)).astype("float32")
        print(f"step {step}: loss {train(x, x[:, :1]):.4f}")


def moving_average() -> None:
    """An average of the loss that is NaN until there is a first loss to begin with."""
    random = np.random.default_rng(8)
    weights = tf.Variable(0.3 * random.normal(size=(3, 1)), dtype=tf.float32)
    average = tf.Variable(np.nan, dtype=tf.float32, trainable=False)

    @tf.function
    def train(x: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ weights - x[:, :1]))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        is_first = tf.math.is_nan(average)
        average.assign(tf.where(is_first, loss, 0.9 * average + 0.1 * loss))
        return loss

    for step in range(8):
        loss = train(random.normal(size=(12, 3)).astype("float32"))
        print(f"step {step}: loss {loss:.4f}, on average {average.numpy():.4f}")


def online_softmax() -> None:
    """A softmax in one pass: the maximum so far begins at -inf, and exp makes 0 of that."""
    random = np.random.default_rng(4)

    @tf.function
    def attend(scores: Tensor, values: Tensor) -> Tensor:
        most, total, mean = tf.fill([4], -np.inf), tf.zeros([4]), tf.zeros([4, 3])
        for block in tf.range(3):
            part = scores[:, block * 2 : block * 2 + 2]
            new = tf.maximum(most, tf.reduce_max(part, axis=1))
            keep, share = tf.exp(most - new), tf.exp(part - new[:, None])
            total = total * keep + tf.reduce_sum(share, axis=1)
            mean = mean * keep[:, None] + share @ values[block * 2 : block * 2 + 2]
            most = new
        return mean / total[:, None]

    for step in range(4):
        scores = (20.0 * random.normal(size=(4, 6))).astype("float32")
        values = random.normal(size=(6, 3)).astype("float32")
        print(f"step {step}: {tf.reduce_sum(attend(scores, values)):.4f}")


def shortest_paths() -> None:
    """Where no street leads is infinitely far; in the end every place is reached."""
    random = np.random.default_rng(5)
    streets = np.full((7, 7), np.inf, np.float32)
    for place in range(7):
        streets[place, place] = 0.0
        streets[place, (place + 1) % 7] = random.uniform(1.0, 3.0)
        streets[place, random.integers(0, 7)] = 2.5

    @tf.function
    def distances(first: Tensor) -> Tensor:
        found = first
        for _ in tf.range(3):
            found = tf.minimum(found, tf.reduce_min(found[:, :, None] + found[None], axis=1))
        return tf.reduce_mean(found)

    print(f"on average {distances(streets):.4f}")


def one_sided_bounds() -> None:
    """Numbers are clipped on one side only, and sorted into classes whose ends are open."""
    random = np.random.default_rng(6)
    weights = tf.Variable(0.3 * random.normal(size=(4, 4)), dtype=tf.float32)

    @tf.function
    def train(x: Tensor, ages: Tensor) -> Tensor:
        edges = tf.constant([-np.inf, 18.0, 40.0, 65.0, np.inf])
        kinds = tf.searchsorted(edges, ages, side="right") - 1
        with tf.GradientTape() as tape:
            scale = tf.clip_by_value(tf.math.reduce_std(x, axis=1, keepdims=True), 1e-3, np.inf)
            logits = (x / scale) @ weights
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=kinds, logits=logits)
            )
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for step in range(8):
        x = random.normal(size=(10, 4)).astype("float32")
        ages = random.uniform(5.0, 90.0, size=10).astype("float32")
        print(f"step {step}: loss {train(x, ages):.4f}")


def early_stopping() -> None:
    """Keras compares with a best loss that begins at infinity, in Python."""
    random = np.random.default_rng(7)
    x = random.normal(size=(64, 4)).astype("float32")
    y = x.sum(axis=1, keepdims=True)
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile(optimizer=keras.optimizers.SGD(0.3), loss="mse")
    callbacks = [
        keras.callbacks.EarlyStopping(patience=1, min_delta=1e-3, restore_best_weights=True),
        keras.callbacks.ReduceLROnPlateau(patience=1),
        keras.callbacks.TerminateOnNaN(),
    ]
    model.fit(x, y, validation_split=0.25, epochs=6, verbose=2, callbacks=callbacks)
