"""Numbers that grow beyond what float32 and float16 can hold."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from tests.recordings.scenarios.recorder import Tensor


class Scorer(tf.Module):  # type: ignore[misc]
    """A linear classifier with a softmax of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.kernel = tf.Variable([[0.5, -0.4], [0.1, 0.6]], name="kernel")

    def shares(self, x: Tensor) -> Tensor:
        """The softmax, without the usual shift by the largest."""
        powers = tf.exp(x @ self.kernel)  # guilty: own_softmax
        return powers / tf.reduce_sum(powers, axis=-1, keepdims=True)

    @tf.function
    def train(self, x: Tensor, labels: Tensor) -> Tensor:
        """One step."""
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.shares(x) - labels))
        self.kernel.assign_sub(0.01 * tape.gradient(loss, self.kernel))
        return loss


def own_softmax() -> None:
    """The features of the second batch are not scaled, and exp of a logit overflows."""
    scorer = Scorer()
    labels = tf.constant([[1.0, 0.0], [0.0, 1.0]])
    for scale in (1.0, 200.0, 1.0):
        scorer.train(tf.constant([[1.0, 0.5], [-0.5, 2.0]]) * scale, labels)


def births_by_year() -> None:
    """Eager Poisson regression on the year itself: exp(0.05 * 2020) does not fit in a float32."""
    slope = tf.Variable(0.05, name="slope")
    for year, births in ((2019.0, 61.0), (2020.0, 58.0)):
        with tf.GradientTape() as tape:
            rate = tf.exp(slope * year)  # guilty: births_by_year
            loss = rate - births * tf.math.log(rate)
        slope.assign_sub(1e-6 * tape.gradient(loss, slope))


def compound_growth() -> None:
    """A cumulative product of sixty tenfold gains, in a function."""
    share = tf.Variable(1.0, name="share")

    @tf.function
    def invest(gains: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            wealth = tf.math.cumprod(1.0 + share * gains)  # guilty: compound_growth
            loss = -tf.reduce_mean(tf.math.log(wealth))
        share.assign_sub(0.01 * tape.gradient(loss, share))
        return loss

    invest(tf.fill([60], 0.1))
    invest(tf.fill([60], 9.0))
    invest(tf.fill([60], 0.1))


def metres_to_stars() -> None:
    """Eager: distances in metres fit in a float32, their squares do not. Gradients are finite."""
    nearest = tf.Variable(4.0e16, name="nearest")
    metres = tf.constant([4.0e16, 8.1e16, 2.4e20])
    for _ in range(2):
        with tf.GradientTape() as tape:
            error = metres - nearest
            loss = tf.reduce_mean(tf.square(error))  # guilty: metres_to_stars
        nearest.assign_sub(1e-4 * tape.gradient(loss, nearest))


def clipped_by_global_norm() -> None:
    """Finite gradients of 1e20 have no finite global norm, and clipping by it makes them NaN."""
    weights = [tf.Variable([1e-3, 2e-3], name="weights"), tf.Variable(0.0, name="bias")]
    loss_of = partial(_linear_loss, weights)

    @tf.function
    def step(x: Tensor, y: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = loss_of(x, y)
        slopes = tape.gradient(loss, weights)
        slopes, _ = tf.clip_by_global_norm(slopes, 1.0)  # guilty: clipped_by_global_norm
        for variable, slope in zip(weights, slopes, strict=True):
            variable.assign_sub(0.01 * slope)
        return loss

    for unit in (1.0, 1e10, 1.0):
        step(tf.constant([[1.0, 2.0], [3.0, 4.0]]) * unit, tf.constant([1.0, 2.0]) * unit)


def _linear_loss(weights: list[Tensor], x: Tensor, y: Tensor) -> Tensor:
    slope, bias = weights
    return tf.reduce_mean(tf.square(tf.linalg.matvec(x, slope) + bias - y))


@tf.function
def _factorial(n: Tensor) -> Tensor:
    result = tf.constant(1.0)
    for i in tf.range(1, n + 1):
        result *= tf.cast(i, tf.float32)  # guilty: forty_factorial
    return result


@tf.function
def _fit_coin(bias: Tensor, heads: Tensor, throws: Tensor) -> Tensor:
    ways = _factorial(throws) / (_factorial(heads) * _factorial(throws - heads))
    k, n = tf.cast(heads, tf.float32), tf.cast(throws, tf.float32)
    with tf.GradientTape() as tape:
        loss = -tf.math.log(ways * bias**k * (1.0 - bias) ** (n - k))
    bias.assign_sub(0.001 * tape.gradient(loss, bias))
    return loss


def forty_factorial() -> None:
    """A loop of AutoGraph multiplies up 40!, which overflows in its 35th round."""
    bias = tf.Variable(0.5, name="bias")
    for heads, throws in ((3, 5), (12, 20), (22, 40), (5, 8)):
        _fit_coin(bias, tf.constant(heads), tf.constant(throws))


def _attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    scores = tf.matmul(query, key, transpose_b=True)  # guilty: half_attention
    return tf.matmul(tf.nn.softmax(scores / 8.0), value)


def half_attention() -> None:
    """Scores of an attention are scaled behind the product, where float16 has overflowed."""
    scale = tf.Variable(1.0, name="scale")

    @tf.function
    def step(tokens: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            half = tf.cast(scale * tokens, tf.float16)
            attended = _attend(half, half, half)
            loss = tf.reduce_mean(tf.square(tf.cast(attended, tf.float32) - 1.0))
        scale.assign_sub(0.01 * tape.gradient(loss, scale))
        return loss

    for size in (1.0, 2.0, 40.0, 1.0):
        step(size * tf.sign(tf.random.stateless_normal([2, 3, 64], seed=(1, 2))))


def sixteen_bit_image() -> None:
    """Eager: 65535, white in an image of 16 bits, is no finite float16."""
    gain = tf.Variable(1.0, name="gain")
    images = np.array([[[120, 800], [40, 1000]], [[65535, 800], [40, 1000]]], np.uint16)
    for image in images:
        pixels = tf.cast(image, tf.float16)  # guilty: sixteen_bit_image
        pixels = tf.cast(pixels / tf.reduce_max(pixels), tf.float32)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(gain * pixels - 0.5))
        gain.assign_sub(0.1 * tape.gradient(loss, gain))


def steep_descent() -> None:
    """Plain gradient descent on inputs in the hundreds: each step overshoots by more."""
    weights = tf.Variable([[0.1], [0.2]], name="weights")
    x = tf.constant([[120.0, 30.0], [80.0, 70.0], [150.0, 10.0]])
    y = tf.constant([[400.0], [320.0], [470.0]])

    @tf.function
    def step() -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ weights - y))  # guilty: steep_descent
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for _ in range(20):
        step()


def ratings_run_away() -> None:
    """Eager descent with two factors: the larger one is, the steeper it is for the other."""
    user, film = tf.Variable([1.0, 2.0], name="user"), tf.Variable([0.5, 1.5], name="film")
    for _ in range(12):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(user * film - 4.0))  # guilty: ratings_run_away
        slopes = tape.gradient(loss, [user, film])
        user.assign_sub(slopes[0])
        film.assign_sub(slopes[1])


@tf.function
def _unroll(recurrent: Tensor, inputs: Tensor) -> Tensor:
    state = tf.zeros([2, 3])
    for i in tf.range(tf.shape(inputs)[0]):
        state = tf.nn.relu(inputs[i] + tf.matmul(state, recurrent))  # guilty: recurrent_growth
    return tf.reduce_mean(state)


def recurrent_growth() -> None:
    """A recurrent loop is trained uphill with a high rate until its states overflow."""
    recurrent = tf.Variable(0.3 * tf.eye(3), name="recurrent")
    inputs = tf.random.stateless_uniform([12, 2, 3], seed=(2, 3))

    @tf.function
    def step() -> Tensor:
        with tf.GradientTape() as tape:
            loss = -_unroll(recurrent, inputs)
        recurrent.assign_sub(0.5 * tape.gradient(loss, recurrent))
        return loss

    for _ in range(8):
        step()
