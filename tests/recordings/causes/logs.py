"""Logarithms of nothing and of less than nothing."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from tests.recordings.scenarios.recorder import Tensor


def _probabilities(weights: Tensor, pixels: Tensor) -> Tensor:
    return tf.nn.softmax(tf.matmul(pixels, weights))


def _log_likelihood(probabilities: Tensor, labels: Tensor) -> Tensor:
    logs = tf.math.log(probabilities)  # guilty: saturated_classifier
    return tf.reduce_sum(labels * logs, axis=1)


def _cross_entropy(weights: Tensor, pixels: Tensor, labels: Tensor) -> Tensor:
    return -tf.reduce_mean(_log_likelihood(_probabilities(weights, pixels), labels))


def saturated_classifier() -> None:
    """Nobody scaled the pixels: after one step a probability is 0, and 0 times its log is NaN."""
    weights = tf.Variable(tf.zeros([3, 2]), name="weights")

    @tf.function
    def train_step(pixels: Tensor, labels: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = _cross_entropy(weights, pixels, labels)
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return loss

    pixels = np.array([[255.0, 0.0, 30.0], [10.0, 240.0, 0.0]], np.float32)
    for _ in range(6):
        train_step(pixels, np.eye(2, dtype=np.float32))


def entropy_of_mixture() -> None:
    """Eager: a ReLU has shut off one part of a mixture, whose share is now 0."""
    raw = tf.Variable([1.0, 0.5, -0.2], name="raw")
    for epoch in range(3):
        with tf.GradientTape() as tape:
            shares = tf.nn.relu(raw)
            shares /= tf.reduce_sum(shares)
            terms = [-p * tf.math.log(p) for p in tf.unstack(shares)]  # guilty: entropy_of_mixture
            loss = -tf.add_n(terms)
        raw.assign_sub(0.1 * tape.gradient(loss, raw))
        print(f"epoch {epoch}: {float(loss):.4f}")


class Survival(tf.Module):  # type: ignore[misc]
    """How likely somebody is still there after each of several months."""

    def __init__(self) -> None:
        super().__init__()
        self.slope = tf.Variable(1.0, name="slope")

    def still_there(self, features: Tensor) -> Tensor:
        """Log of the probability, for each row by itself."""
        hazards = tf.sigmoid(self.slope * features)
        return tf.map_fn(self.log_of_row, hazards)

    @staticmethod
    def log_of_row(row: Tensor) -> Tensor:
        """The sum of log(1 - hazard)."""
        return tf.reduce_sum(tf.math.log1p(-row))  # guilty: certain_to_leave


@tf.function
def _fit_survival(model: Survival, features: Tensor) -> Tensor:
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(model.still_there(features))
    model.slope.assign_sub(0.01 * tape.gradient(loss, model.slope))
    return loss


def certain_to_leave() -> None:
    """A sigmoid rounds to 1 for one outlier of the third batch, in the body of a `tf.map_fn`."""
    model = Survival()
    for largest in (1.0, 2.0, 40.0, 1.0):
        _fit_survival(model, tf.constant([[0.5, -1.0], [0.2, largest], [-0.3, 0.1]]))


class Returns(tf.Module):  # type: ignore[misc]
    """Predicts the next return of a price from the last one."""

    def __init__(self) -> None:
        super().__init__()
        self.memory = tf.Variable(0.1, name="memory")

    @tf.function
    def of(self, prices: Tensor) -> Tensor:
        """Logarithmic returns."""
        ratios = prices[1:] / prices[:-1]
        return tf.math.log(ratios)  # guilty: negative_price

    @tf.function
    def train(self, prices: Tensor) -> Tensor:
        """One step."""
        with tf.GradientTape() as tape:
            returns = self.of(prices)
            loss = tf.reduce_mean(tf.square(returns[1:] - self.memory * returns[:-1]))
        self.memory.assign_sub(0.05 * tape.gradient(loss, self.memory))
        return loss


def negative_price() -> None:
    """The price of oil was negative on one day: the log is taken in a function inside another."""
    prices = np.array([25.0, 20.0, 18.0, 20.1, 18.3, -37.6, 10.0, 13.8, 16.5, 17.0], np.float32)
    model = Returns()
    for first in range(0, 5, 2):
        model.train(tf.constant(prices[first : first + 5]))


def _standardised(values: list[float]) -> Tensor:
    column = tf.constant(values)
    return (column - tf.reduce_mean(column)) / tf.math.reduce_std(column)


def logs_of_standardised() -> None:
    """Eager: columns are standardised before, not after, log1p; what is below -1 has no log."""
    table = {
        "income": [1200.0, 900.0, 15000.0, 1100.0],
        "age": [16.0, 52.0, 48.0, 55.0],
        "rooms": [2.0, 2.0, 2.0, 9.0],
    }
    weights = tf.Variable([0.1, 0.2, 0.3], name="weights")
    for _ in range(3):
        columns = []
        for name, values in table.items():
            print(name)
            columns.append(tf.math.log1p(_standardised(values)))  # guilty: logs_of_standardised
        features = tf.stack(columns, axis=1)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.linalg.matvec(features, weights) - 1.0))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
