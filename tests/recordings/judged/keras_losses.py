"""Keras models under ``fit`` with a loss, a metric or a regulariser of one's own, or bad units."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

Tensor = Any

AVOGADRO = 6.022e23


def percentage_error() -> None:
    """The error in per cent of sales, and on some days nothing was sold."""

    def mape(actual: Tensor, predicted: Tensor) -> Tensor:
        share = (actual - predicted) / actual  # guilty: percentage_error
        return 100.0 * tf.reduce_mean(tf.abs(share), axis=-1)

    random = np.random.default_rng(1)
    days = random.normal(size=(128, 5)).astype("float32")
    sales = random.integers(1, 9, size=(128, 1)).astype("float32")
    sales[90] = 0.0
    model = keras.Sequential(
        [keras.Input((5,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)]
    )
    model.compile(optimizer=keras.optimizers.Adam(0.001), loss=mape)
    model.fit(days, sales, batch_size=32, shuffle=False, verbose=2)


def euclidean_padding() -> None:
    """The last batch is filled up with zeros, which the model gets exactly right."""

    def distance(actual: Tensor, predicted: Tensor) -> Tensor:
        squares = tf.reduce_sum(tf.square(actual - predicted), axis=-1)
        return tf.sqrt(squares)  # guilty: euclidean_padding

    random = np.random.default_rng(2)
    poses = random.normal(size=(64, 6)).astype("float32")
    poses[58:] = 0.0
    model = keras.Sequential(
        [
            keras.Input((6,)),
            keras.layers.Dense(4, activation="tanh", use_bias=False),
            keras.layers.Dense(6, use_bias=False),
        ]
    )
    model.compile(optimizer="adam", loss=distance)
    model.fit(poses, poses, batch_size=16, shuffle=False, verbose=2)


def pixel_cross_entropy() -> None:
    """Pixels from 0 to 255, and the cross entropy from a textbook."""

    def cross_entropy(labels: Tensor, probabilities: Tensor) -> Tensor:
        logs = tf.math.log(probabilities)  # guilty: pixel_cross_entropy
        return -tf.reduce_sum(labels * logs, axis=-1)

    random = np.random.default_rng(3)
    images = random.integers(0, 256, size=(128, 64)).astype("float32")
    labels = keras.utils.to_categorical(random.integers(0, 10, size=128), 10)
    model = keras.Sequential(
        [
            keras.Input((64,)),
            keras.layers.Dense(32, activation="relu"),
            keras.layers.Dense(10),
            keras.layers.Softmax(),
        ]
    )
    model.compile(optimizer="adam", loss=cross_entropy)
    model.fit(images, labels, batch_size=32, verbose=2)


def negative_msle() -> None:
    """A logarithmic error for amounts, and a last layer that may say less than nothing."""

    def msle(actual: Tensor, predicted: Tensor) -> Tensor:
        wanted = tf.math.log(1.0 + actual)
        given = tf.math.log(1.0 + predicted)  # guilty: negative_msle
        return tf.reduce_mean(tf.square(given - wanted), axis=-1)

    random = np.random.default_rng(4)
    rides = (5.0 * random.normal(size=(96, 4))).astype("float32")
    fares = random.uniform(3, 60, size=(96, 1)).astype("float32")
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss=msle)
    model.fit(rides, fares, batch_size=32, verbose=2)


def two_heads() -> None:
    """One head learns a price, the other the rate of a Poisson process, which relu makes 0."""

    def poisson(counts: Tensor, rate: Tensor) -> Tensor:
        return tf.reduce_mean(rate - counts * tf.math.log(rate), axis=-1)  # guilty: two_heads

    random = np.random.default_rng(5)
    shops = random.normal(size=(96, 5)).astype("float32")
    targets = {
        "price": random.normal(size=(96, 1)).astype("float32"),
        "rate": random.poisson(2.0, size=(96, 1)).astype("float32"),
    }
    inputs = keras.Input((5,))
    trunk = keras.layers.Dense(16, activation="tanh")(inputs)
    price = keras.layers.Dense(1, name="price")(trunk)
    rate = keras.layers.Dense(1, activation="relu", name="rate")(trunk)
    model = keras.Model(inputs, {"price": price, "rate": rate})
    model.compile(optimizer="adam", loss={"price": "mse", "rate": poisson})
    model.fit(shops, targets, batch_size=32, verbose=2)


def sparse_autoencoder() -> None:
    """The penalty of a sparse autoencoder, made for sigmoid, and relu units that never fire."""

    def sparsity(activations: Tensor) -> Tensor:
        average = tf.reduce_mean(activations, axis=0)
        ratio = 0.05 / average  # guilty: sparse_autoencoder
        return 1e-3 * tf.reduce_sum(0.05 * tf.math.log(ratio))

    random = np.random.default_rng(6)
    spectra = random.uniform(size=(64, 4)).astype("float32")
    model = keras.Sequential(
        [
            keras.Input((4,)),
            keras.layers.Dense(96, activation="relu", activity_regularizer=sparsity, name="code"),
            keras.layers.Dense(4),
        ]
    )
    model.compile(optimizer="adam", loss="mse")
    model.fit(spectra, spectra, batch_size=16, verbose=2)


def f1_metric() -> None:
    """Training is well; the metric divides by the number of hits that were claimed, which is 0."""

    def f1(actual: Tensor, predicted: Tensor) -> Tensor:
        claimed = tf.round(predicted)
        hits = tf.reduce_sum(claimed * actual)
        precision = hits / tf.reduce_sum(claimed)  # guilty: f1_metric
        recall = hits / tf.reduce_sum(actual)
        return 2.0 * precision * recall / (precision + recall + 1e-7)

    random = np.random.default_rng(7)
    claims = random.normal(size=(96, 4)).astype("float32")
    fraud = np.zeros((96, 1), np.float32)
    fraud[::8] = 1.0
    rare = keras.initializers.Constant(-9.0)
    model = keras.Sequential(
        [keras.Input((4,)), keras.layers.Dense(1, activation="sigmoid", bias_initializer=rare)]
    )
    model.compile(optimizer="sgd", loss="binary_crossentropy", metrics=[f1])
    model.fit(claims, fraud, batch_size=32, shuffle=False, verbose=2)


def counted_in_molecules() -> None:
    """The loss counts molecules: its gradients fit in a float32, their squares in Adam do not."""

    def molecules(actual: Tensor, predicted: Tensor) -> Tensor:
        return AVOGADRO * tf.reduce_mean(tf.abs(actual - predicted), axis=-1)

    random = np.random.default_rng(8)
    samples = random.normal(size=(128, 3)).astype("float32")
    moles = samples.sum(axis=1, keepdims=True)
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss=molecules)
    model.fit(samples, moles, batch_size=32, verbose=2)  # guilty: counted_in_molecules
