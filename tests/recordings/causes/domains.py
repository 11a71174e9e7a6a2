"""Functions that are asked for a value where they have none."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from tests.recordings.scenarios.recorder import Tensor


@tf.function
def _fit_gamma(gamma: Tensor, pixels: Tensor, seen: Tensor) -> Tensor:
    with tf.GradientTape() as tape:
        corrected = pixels**gamma  # guilty: gamma_of_noise
        loss = tf.reduce_mean(tf.square(corrected - seen))
    gamma.assign_sub(0.1 * tape.gradient(loss, gamma))
    return loss


def gamma_of_noise() -> None:
    """Noise was added to pictures: dark pixels fell below 0, and have no fractional power."""
    gamma = tf.Variable(0.45, name="gamma")
    random = np.random.default_rng(8)
    pictures = random.uniform(0.3, 1.0, size=(3, 8)).astype(np.float32)
    for number, picture in enumerate(pictures):
        noise = random.normal(scale=0.05 * (1 + 8 * number), size=8).astype(np.float32)
        _fit_gamma(gamma, tf.constant(picture + noise), tf.constant(np.sqrt(picture)))


def ranks_from_zero() -> None:
    """Eager: weights fall with a power of the rank, and ranks are counted from 0."""
    bias = tf.Variable(0.0, name="bias")
    errors = tf.constant([0.5, 0.2, 0.1, 0.4])
    for _ in range(2):
        ranks = tf.range(4.0)
        weights = tf.pow(ranks, -1.2)  # guilty: ranks_from_zero
        weights /= tf.reduce_sum(weights)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(weights * tf.square(errors - bias))
        bias.assign_sub(0.1 * tape.gradient(loss, bias))


def _cosine(left: Tensor, right: Tensor) -> Tensor:
    lengths = tf.norm(left, axis=-1) * tf.norm(right, axis=-1)
    return tf.reduce_sum(left * right, axis=-1) / lengths


def _angle(left: Tensor, right: Tensor) -> Tensor:
    return tf.acos(_cosine(left, right))  # guilty: rounded_cosine


def rounded_cosine() -> None:
    """Two vectors point the same way, and float32 rounds their cosine to a little over 1."""
    head = tf.Variable([[0.6, 0.7, 0.5]], name="head")

    @tf.function
    def align(wanted: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(_angle(head, wanted))
        head.assign_sub(0.01 * tape.gradient(loss, head))
        return loss

    for wanted in ([[1.2, 1.4, 1.0]], [[0.5, 0.1, 0.2]]):
        align(tf.constant(wanted))


def _correlation(x: Tensor, y: Tensor) -> Tensor:
    x, y = x - tf.reduce_mean(x), y - tf.reduce_mean(y)
    return tf.reduce_sum(x * y) / tf.sqrt(tf.reduce_sum(x * x) * tf.reduce_sum(y * y))


def perfectly_correlated() -> None:
    """Eager: Fisher's transform of a column's correlation with a copy of itself is infinite."""
    columns = [[1.0, 2.0, 4.0, 1.0], [2.0, 1.0, 3.0, 2.0], [2.0, 4.0, 8.0, 2.0]]
    first = tf.constant(columns[0])
    scores = [
        tf.atanh(_correlation(first, tf.constant(other)))  # guilty: perfectly_correlated
        for other in columns[1:]
    ]
    total = tf.add_n(scores) / len(scores)
    print(float(total))


@tf.function
def _count_loss(rate: Tensor, counts: Tensor) -> Tensor:
    """Of a Poisson distribution; the factorial of k is gamma(k + 1), not gamma(k)."""
    log_factorial = tf.math.lgamma(counts)  # guilty: factorial_off_by_one
    return tf.reduce_mean(rate - counts * tf.math.log(rate) + log_factorial)


def factorial_off_by_one() -> None:
    """Lgamma has a pole at a count of 0. The loss is infinite; the weight does not depend on it."""
    rate = tf.Variable(2.0, name="rate")

    @tf.function
    def step(counts: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = _count_loss(rate, counts)
        rate.assign_sub(0.1 * tape.gradient(loss, rate))
        return loss

    for counts in ([1.0, 3.0, 2.0], [2.0, 0.0, 4.0], [1.0, 1.0, 2.0]):
        step(tf.constant(counts))


def quantile_of_everything() -> None:
    """Eager: ranks become normal scores, and the last rank is mapped to the quantile of 1."""
    slope = tf.Variable(1.0, name="slope")
    for size in (3, 4):
        uniform = (tf.range(size, dtype=tf.float32) + 1.0) / float(size)
        normal = np.float32(np.sqrt(2.0)) * tf.math.erfinv(  # guilty: quantile_of_everything
            2.0 * uniform - 1.0
        )
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(slope * normal - 0.5))
        slope.assign_sub(0.1 * tape.gradient(loss, slope))
