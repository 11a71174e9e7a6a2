"""Bugs whose numbers go ways that the recorder does not write down."""

# mypy: allow-untyped-decorators, allow-subclassing-any
from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

Tensor = Any


def angle_by_keras_optimizer() -> None:
    """Eager: Keras copies the gradients, which leaves no op."""
    goal = tf.constant([[1.0, 2.0, 3.0]] * 4)
    pose = tf.Variable(tf.random.stateless_normal((4, 3), (8, 8)))
    optimizer = tf.keras.optimizers.Adam(0.3)
    for _ in range(12):
        with tf.GradientTape() as tape:
            along = tf.reduce_sum(pose * goal, -1)
            cosine = along / (tf.norm(pose, axis=-1) * tf.norm(goal, axis=-1)) * 1.01
            apart = tf.reduce_mean(tf.acos(cosine))  # guilty: angle_by_keras_optimizer
        optimizer.apply_gradients([(tape.gradient(apart, pose), pose)])


def two_sided_logs() -> None:
    """Eager: a variable that is handed to an op is read without an op."""
    random = np.random.default_rng(3)
    x = tf.constant(random.normal(size=(32, 3)) * 10.0, tf.float32)
    yes = tf.cast(x[:, 0] > 0, tf.float32)
    weights = tf.Variable(tf.zeros(3))
    bias = tf.Variable(0.0)
    for _ in range(4):
        with tf.GradientTape() as tape:
            p = tf.sigmoid(tf.linalg.matvec(x, weights) + bias)
            gain = yes * tf.math.log(p) + (1 - yes) * tf.math.log(1 - p)  # guilty: two_sided_logs
            loss = -tf.reduce_mean(gain)
        for variable, slope in zip(
            [weights, bias], tape.gradient(loss, [weights, bias]), strict=True
        ):
            variable.assign_sub(5.0 * slope)


def logs_of_a_table() -> None:
    """A dataset takes logs, far ahead of the step that is given them."""
    table = np.abs(np.random.default_rng(0).normal(size=(40, 3))).astype("float32")
    table[21, 1] = 0.0

    def prepared(row: Tensor, label: Tensor) -> tuple[Tensor, Tensor]:
        logs = tf.math.log(row)  # guilty: logs_of_a_table
        return logs, label

    data = tf.data.Dataset.from_tensor_slices((table, np.ones((40, 1), "float32")))
    model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(data.map(prepared).batch(10), verbose=0)


def determinant_of_a_flow() -> None:
    """The gradient of a function is a call inside which nothing is recorded."""
    mixing = tf.Variable([[1.0, 2.0], [2.0, 4.0]])
    x = tf.random.stateless_normal((10, 2), (0, 3))

    @tf.function
    def log_density(x: Tensor) -> Tensor:
        z = x @ mixing
        volume = mixing[0, 0] * mixing[1, 1] - mixing[0, 1] * mixing[1, 0]
        stretch = tf.math.log(tf.abs(volume))  # guilty: determinant_of_a_flow
        return stretch - 0.5 * tf.reduce_sum(z * z, -1)

    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(log_density(x))
        mixing.assign_sub(0.01 * tape.gradient(loss, mixing))


def likelihood_of_all() -> None:
    """The gradient of a function inside a function."""
    middle = tf.Variable(0.0)
    seen = tf.random.stateless_normal((300,), (1, 1)) + 4.0

    @tf.function
    def likelihood(m: Tensor) -> Tensor:
        return tf.reduce_prod(tf.exp(-0.5 * (seen - m) ** 2) / 2.5066)

    @tf.function
    def fit() -> Tensor:
        with tf.GradientTape() as tape:
            loss = -tf.math.log(likelihood(middle))  # guilty: likelihood_of_all
        middle.assign_sub(0.01 * tape.gradient(loss, middle))
        return loss

    for _ in range(2):
        fit()


def units_of_length() -> None:
    """Forward all is finite; only a gradient inside a function's gradient overflows."""
    length = tf.Variable(1.0)

    @tf.function
    def loss_of(x: Tensor) -> Tensor:
        metres = x * tf.constant(1e-35)
        tiny = metres * tf.constant(1e25)  # guilty: units_of_length
        return tiny * tf.constant(1e20)

    @tf.function
    def step() -> Tensor:
        with tf.GradientTape() as tape:
            loss = loss_of(length)
        length.assign_sub(tape.gradient(loss, length))
        return loss

    step()
    step()


def jacobian_of_roots() -> None:
    """TensorFlow vectorises a Jacobian by ops that it does not tell of."""
    squares = tf.Variable([0.0, 1.0, 2.0])

    @tf.function
    def jacobian() -> Tensor:
        with tf.GradientTape() as tape:
            roots = tf.sqrt(squares) * tf.constant([1.0, 2.0, 3.0])  # guilty: jacobian_of_roots
        return tape.jacobian(roots, squares)

    squares.assign_sub(0.1 * tf.linalg.diag_part(jacobian()))


def weights_of_a_colleague() -> None:
    """A Keras model reads its variables two functions deep."""
    model = tf.keras.Sequential(
        [tf.keras.Input((3,)), tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)]
    )
    weights = model.get_weights()
    weights[0][1, 1] = np.nan
    model.set_weights(weights)  # guilty: weights_of_a_colleague
    model.compile("sgd", "mse")
    model.fit(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"), batch_size=4, verbose=0)


def correlation_beside_the_tape() -> None:
    """A number that is only looked at, between a loss and its gradient."""
    slope = tf.Variable([[0.0]])
    x, y = tf.constant([[1.0], [2.0], [3.0]]), tf.constant([[2.0], [4.0], [6.0]])
    for _ in range(3):
        with tf.GradientTape() as tape:
            guess = x @ slope
            loss = tf.reduce_mean((guess - y) ** 2)
        a, b = guess - tf.reduce_mean(guess), y - tf.reduce_mean(y)
        size = tf.norm(a) * tf.norm(b)
        alike = tf.reduce_sum(a * b) / size  # guilty: correlation_beside_the_tape
        print(float(alike))
        slope.assign_sub(0.01 * tape.gradient(loss, slope))


def generalised_mean() -> None:
    """Small values are built into a graph, so that what a call was given is not plain."""
    weights = tf.Variable([[0.3], [0.0], [0.8]])
    x = tf.constant([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]])

    @tf.function
    def step() -> Tensor:
        with tf.GradientTape() as tape:
            pooled = tf.matmul(x, weights)
            loss = tf.reduce_sum(tf.pow(pooled, 0.4))  # guilty: generalised_mean
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    step()
    step()


class Spread(tf.keras.layers.Layer):
    """How much a batch differs, as a GAN's critic is told."""

    def call(self, x: Tensor) -> Tensor:
        """Append the mean deviation of all features to each row."""
        spread = tf.math.reduce_std(x, axis=0, keepdims=True)  # guilty: spread_of_a_batch
        mean = tf.reduce_mean(spread, axis=-1, keepdims=True)
        return tf.concat([x, tf.repeat(mean, tf.shape(x)[0], axis=0)], -1)


def spread_of_a_batch() -> None:
    """A feature that never differs, in a layer that a user has named."""
    bias = tf.keras.initializers.Constant([1.0, -99.0, 1.0])
    model = tf.keras.Sequential(
        [
            tf.keras.Input((4,)),
            tf.keras.layers.Dense(3, activation="relu", name="features", bias_initializer=bias),
            Spread(name="spread"),
            tf.keras.layers.Dense(1, name="verdict"),
        ]
    )
    model.compile("adam", "mse")
    random = np.random.default_rng(0)
    model.fit(random.normal(size=(8, 4)), random.normal(size=(8, 1)), batch_size=4, verbose=0)


def temperature_in_half() -> None:
    """The function that overflows was traced for a step that was never run: it made variables."""
    random = np.random.default_rng(7)
    visits = random.normal(size=(6, 4, 3)).astype("float32")
    visits[3] *= 3_000.0
    tower = tf.Variable([[1.0], [0.5], [-0.5]])
    optimizer = tf.keras.optimizers.Adam(0.01)

    @tf.function
    def match(x: Tensor) -> Tensor:
        left = tf.matmul(tf.cast(x, tf.float16), tf.cast(tower, tf.float16))
        scaled = left / tf.constant(0.05, tf.float16)  # guilty: temperature_in_half
        return tf.cast(scaled, tf.float32)

    @tf.function
    def train(x: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(
                tf.nn.softmax_cross_entropy_with_logits(labels=tf.eye(4)[0], logits=match(x)[:, 0])
            )
        optimizer.apply_gradients([(tape.gradient(loss, tower), tower)])
        return loss

    for x in visits:
        train(tf.constant(x))
