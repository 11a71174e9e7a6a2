"""Healthy programs that compute infinities and go on with what is right of them."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import Any

import tensorflow as tf

Tensor = Any


def hidden_states() -> None:
    """Log probabilities of what cannot happen, summed by their exponentials."""
    moves = tf.constant([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.3, 0.0, 0.7]])
    shown = tf.Variable(tf.random.stateless_normal((3, 4), (1, 1)))

    @tf.function
    def step() -> Tensor:
        with tf.GradientTape() as tape:
            logs = tf.nn.log_softmax(shown)
            state = logs[:, 0]
            for letter in (1, 3, 2):
                ways = state[:, None] + tf.stop_gradient(tf.math.log(moves))
                state = tf.reduce_logsumexp(ways, 0) + logs[:, letter]
            loss = -tf.reduce_logsumexp(state)
        shown.assign_sub(0.1 * tape.gradient(loss, shown))
        return loss

    for _ in range(3):
        step()


def sigmoid_by_hand() -> None:
    """The exponential overflows, and 1 / inf is 0, which is right."""
    weights = tf.Variable([1.0, 1.0])
    x = tf.constant([[1.0, 2.0], [-300.0, 20.0]])
    for _ in range(3):
        p = 1.0 / (1.0 + tf.exp(-tf.linalg.matvec(x, weights)))
        wrong = p - tf.constant([1.0, 0.0])
        weights.assign_sub(0.01 * tf.linalg.matvec(x, wrong, transpose_a=True))


def shortest_ways() -> None:
    """What has no way yet is infinitely far; in the end all have one."""
    far = float("inf")
    ways = tf.constant(
        [[0.0, 1.0, far, far], [far, 0.0, 2.0, far], [far, far, 0.0, 1.0], [4.0, far, far, 0.0]]
    )

    @tf.function
    def shorter(ways: Tensor) -> Tensor:
        return tf.reduce_min(ways[:, :, None] + ways[None, :, :], axis=1)

    for _ in range(2):
        ways = shorter(ways)


def best_path() -> None:
    """Log probabilities outside the function that is handed them, of which it takes the largest."""
    moves = tf.math.log(tf.constant([[0.6, 0.4, 0.0], [0.0, 0.5, 0.5], [0.2, 0.0, 0.8]]))

    @tf.function
    def best(seen: Tensor) -> Tensor:
        state = seen[0]
        for time in range(1, 4):
            state = tf.reduce_max(state[:, None] + moves, 0) + seen[time]
        return tf.reduce_max(state)

    best(tf.nn.log_softmax(tf.random.stateless_normal((4, 3), (1, 1))))


def nearest_prototypes() -> None:
    """A minimum begins at inf, in a loop of a function that is traced twice for its optimizer."""
    points = tf.random.stateless_normal((12, 2), (5, 5))
    prototypes = tf.Variable(points[:3] + 0.5)
    optimizer = tf.keras.optimizers.Adam(0.1)

    @tf.function
    def nearest(x: Tensor) -> Tensor:
        smallest = tf.fill([tf.shape(x)[0]], tf.constant(float("inf")))
        for index in tf.range(3):
            distance = tf.reduce_sum(tf.square(x - prototypes[index]), axis=-1)
            smallest = tf.minimum(smallest, distance)
        return smallest

    @tf.function
    def train(x: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(nearest(x))
        optimizer.apply_gradients([(tape.gradient(loss, prototypes), prototypes)])
        return loss

    for _ in range(4):
        train(points)
