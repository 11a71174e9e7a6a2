"""Square roots of negative numbers, and one over the root of nothing."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from tests.recordings.scenarios.recorder import Tensor


def _variance(values: Tensor) -> Tensor:
    """The mean of the squares less the square of the mean: fine on paper."""
    return tf.reduce_mean(values * values) - tf.reduce_mean(values) ** 2


def _scaled(values: Tensor) -> Tensor:
    spread = tf.sqrt(_variance(values))  # guilty: cancelled_variance
    return (values - tf.reduce_mean(values)) / spread


def cancelled_variance() -> None:
    """Eager: in float32 the variance of large and similar numbers comes out below zero."""
    weight = tf.Variable(0.5, name="weight")
    altitudes = {
        "hills": [310.0, 420.0, 515.0],
        "plateau": [5232.04, 5232.03, 5232.01],
        "coast": [2.0, 9.0, 5.0],
    }
    for place, values in altitudes.items():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((weight * _scaled(tf.constant(values)) - 1.0) ** 2)
        weight.assign_sub(0.1 * tape.gradient(loss, weight))
        print(place, float(loss))


@tf.function
def _time_to_ground(height: Tensor, speed: Tensor, gravity: Tensor) -> Tensor:
    def falling() -> Tensor:
        discriminant = speed * speed + 2.0 * gravity * height
        return (speed + tf.sqrt(discriminant)) / gravity  # guilty: below_ground

    def floating() -> Tensor:
        return height / tf.abs(speed)

    return tf.cond(gravity > 0.01, falling, floating)


@tf.function
def _fit_gravity(gravity: Tensor, height: Tensor, seconds: Tensor) -> Tensor:
    with tf.GradientTape() as tape:
        predicted = _time_to_ground(height, tf.constant(3.0), gravity)
        loss = tf.square(predicted - seconds)
    gravity.assign_sub(0.01 * tape.gradient(loss, gravity))
    return loss


def below_ground() -> None:
    """A height was measured below ground: the root stands in one branch of a `tf.cond`."""
    gravity = tf.Variable(9.0, name="gravity")
    for height, seconds in ((10.0, 1.8), (4.0, 1.3), (-25.0, 0.1), (7.0, 1.5)):
        _fit_gravity(gravity, tf.constant(height), tf.constant(seconds))


class Normalise(tf.Module):  # type: ignore[misc]
    """Batch normalisation as one remembers it."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.scale = tf.Variable(tf.ones([features]), name="scale")
        self.offset = tf.Variable(tf.zeros([features]), name="offset")

    def __call__(self, x: Tensor) -> Tensor:
        """The columns of a batch, with mean 0 and variance 1."""
        mean, variance = tf.nn.moments(x, axes=[0])
        inverse = self.scale * tf.math.rsqrt(variance)  # guilty: norm_without_epsilon
        return (x - mean) * inverse + self.offset


def norm_without_epsilon() -> None:
    """One column of the second batch is constant; there is no epsilon under the root."""
    norm = Normalise(3)

    def step(x: Tensor, y: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.reduce_sum(norm(x), axis=1) - y))
        for variable, slope in zip(
            norm.trainable_variables, tape.gradient(loss, norm.trainable_variables), strict=True
        ):
            variable.assign_sub(0.1 * slope)
        return loss

    train = tf.function(step)
    x = np.random.default_rng(3).normal(size=(2, 4, 3)).astype(np.float32)
    x[1, :, 2] = 3.0
    for batch in x:
        train(tf.constant(batch), tf.ones([4]))


def _learning_rate(step: int) -> Tensor:
    return 0.1 * tf.math.rsqrt(tf.cast(step, tf.float32))  # guilty: rate_of_first_step


def rate_of_first_step() -> None:
    """Eager: the learning rate falls with the root of the step, and the first step is 0."""
    weights = tf.Variable([[0.3], [-0.2]], name="weights")
    x, y = tf.constant([[1.0, 2.0], [0.5, -1.0]]), tf.constant([[1.0], [0.0]])
    for step in range(4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ weights - y))
        weights.assign_sub(_learning_rate(step) * tape.gradient(loss, weights))
