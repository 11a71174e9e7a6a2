"""Programs that are mostly or wholly eager, and one whose data come through a map."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

Tensor = Any


def log_partition() -> None:
    """Log of a sum of exp, as it is written on paper, and energies that are not scaled."""
    random = np.random.default_rng(1)
    weights = tf.Variable(random.normal(size=(4, 3)), dtype=tf.float32)
    for step in range(5):
        x = tf.constant(random.normal(size=(6, 4)), tf.float32) * (60.0 if step >= 2 else 1.0)
        with tf.GradientTape() as tape:
            energy = x @ weights
            parts = tf.exp(energy)  # guilty: log_partition
            loss = tf.reduce_mean(tf.math.log(tf.reduce_sum(parts, axis=1)) - energy[:, 0])
        weights.assign_sub(1e-3 * tape.gradient(loss, weights))
        print(f"step {step}: loss {loss:.4f}")


def strayed_norm() -> None:
    """A penalty on how far the weights have gone, with an eager tape; at first it is 0."""
    random = np.random.default_rng(2)
    weights = tf.Variable(random.normal(size=(4, 1)), dtype=tf.float32)
    origin = tf.constant(weights.numpy())
    for step in range(4):
        x = tf.constant(random.normal(size=(8, 4)), tf.float32)
        with tf.GradientTape() as tape:
            error = tf.reduce_mean(tf.square(x @ weights - 1.0))
            loss = error + 0.01 * tf.norm(weights - origin)  # guilty: strayed_norm
        gradient = tape.gradient(loss, weights)  # fair: strayed_norm
        weights.assign_sub(0.1 * gradient)
        print(f"step {step}: loss {loss:.4f}")


def averaged_checkpoint() -> None:
    """Rows of an embedding are averaged over the epochs in which they were used; one never was."""
    random = np.random.default_rng(3)
    table = tf.Variable(random.normal(size=(6, 3)), dtype=tf.float32)
    total, used = np.zeros((6, 3), np.float32), np.zeros((6, 1), np.float32)

    @tf.function
    def train(rows: Tensor, wanted: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.gather(table, rows) - wanted))
        table.assign_sub(0.1 * tf.convert_to_tensor(tape.gradient(loss, table)))
        return loss

    for step in range(8):
        rows = random.integers(0, 5, size=8)
        loss = train(rows, random.normal(size=(8, 3)).astype("float32"))
        total[rows] += table.numpy()[rows]
        used[rows] += 1
        print(f"step {step}: loss {loss:.4f}")
        if step == 4:
            with np.errstate(invalid="ignore"):
                average = total / used
            table.assign(average)  # guilty: averaged_checkpoint
    print("score", tf.reduce_sum(table * table).numpy())


def blank_tile() -> None:
    """Tiles of a map are standardised one by one, and some show nothing but sea."""
    random = np.random.default_rng(4)
    tiles = random.uniform(size=(48, 6, 6)).astype("float32")
    tiles[29] = 0.25
    labels = random.integers(0, 2, size=48)

    def standardise(tile: Tensor, label: Tensor) -> tuple[Tensor, Tensor]:
        deviation = tf.math.reduce_std(tile)
        return (tile - tf.reduce_mean(tile)) / deviation, label  # guilty: blank_tile

    data = tf.data.Dataset.from_tensor_slices((tiles, labels)).map(standardise).batch(8)
    model = keras.Sequential(
        [
            keras.Input((6, 6)),
            keras.layers.Flatten(),
            keras.layers.Dense(4, activation="tanh"),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(optimizer="adam", loss="binary_crossentropy")
    model.fit(data, epochs=1, verbose=2)


def global_norm() -> None:
    """Gradients are clipped by their common norm, whose squares do not fit in a float32."""
    random = np.random.default_rng(5)
    weights = tf.Variable(random.normal(size=(4, 2)), dtype=tf.float32)
    bias = tf.Variable(tf.zeros(2))

    @tf.function
    def train(x: Tensor, y: Tensor, price: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(price * tf.abs(x @ weights + bias - y))
        gradients = tape.gradient(loss, [weights, bias])
        clipped, _ = tf.clip_by_global_norm(gradients, 1.0)  # guilty: global_norm
        for variable, gradient in zip((weights, bias), clipped, strict=True):
            variable.assign_sub(0.01 * gradient)
        return loss

    for step in range(7):
        x = random.normal(size=(8, 4)).astype("float32")
        price = np.full((8, 1), 1e21 if step == 4 else 1.0, np.float32)
        print(f"step {step}: loss {train(x, x[:, :2], price):.4f}")


def singular_covariance() -> None:
    """The likelihood of points under a normal distribution; two columns are the same."""
    random = np.random.default_rng(6)

    @tf.function
    def log_likelihood(points: Tensor) -> Tensor:
        centred = points - tf.reduce_mean(points, axis=0)
        covariance = tf.matmul(centred, centred, transpose_a=True) / 8.0
        _, log_volume = tf.linalg.slogdet(covariance)  # guilty: singular_covariance
        return -0.5 * (log_volume + 3.0 * np.log(2.0 * np.pi))

    for column in range(3):
        points = random.integers(-4, 4, size=(8, 3)).astype("float32")
        if column == 2:
            points[:, 2] = points[:, 1]
        print(f"without column {column}: {log_likelihood(points):.4f}")
