"""Functions that are fine where they are asked, and have no slope there."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import TYPE_CHECKING

import tensorflow as tf

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.recordings.scenarios.recorder import Tensor


def already_at_home() -> None:
    """Eager: the distance to where one stands is 0, and a root has no slope at 0."""
    place = tf.Variable([2.0, 1.0], name="place")
    home = tf.constant([2.0, 1.0])
    for _ in range(3):
        with tf.GradientTape() as tape:
            squared = tf.reduce_sum((place - home) ** 2)
            distance = tf.sqrt(squared)  # guilty: already_at_home
        slope = tape.gradient(distance, place)  # also: already_at_home
        place.assign_sub(0.1 * slope)


class Twins(tf.Module):  # type: ignore[misc]
    """Learns which pairs are alike, by the distance of their embeddings."""

    def __init__(self) -> None:
        super().__init__()
        self.kernel = tf.Variable([[0.5, 0.1], [0.2, -0.4]], name="kernel")

    def distance(self, left: Tensor, right: Tensor) -> Tensor:
        """Of each pair."""
        return tf.norm(left @ self.kernel - right @ self.kernel, axis=1)  # guilty: identical_pair

    @tf.function
    def train(self, left: Tensor, right: Tensor, alike: Tensor) -> Tensor:
        """One step of the contrastive loss."""
        with tf.GradientTape() as tape:
            far = self.distance(left, right)
            loss = tf.reduce_mean(alike * far + (1.0 - alike) * tf.nn.relu(1.0 - far))
        self.kernel.assign_sub(0.1 * tape.gradient(loss, self.kernel))
        return loss


def identical_pair() -> None:
    """A pair of the second batch is twice the same: the slope of a norm at zero."""
    twins = Twins()
    left = tf.constant([[1.0, 2.0], [0.5, -1.0]])
    alike = tf.constant([1.0, 0.0])
    for right in ([[1.1, 1.9], [-0.5, 0.3]], [[1.0, 2.0], [-0.2, 0.4]], [[0.9, 1.8], [0.0, 0.1]]):
        twins.train(left, tf.constant(right), alike)


def where_trap() -> None:
    """`tf.where` keeps log(0) out of the loss, but not the slope of the log out of the gradient."""
    weights = tf.Variable([[0.5], [0.3]], name="weights")

    @tf.function
    def step(x: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            size = tf.nn.relu(x @ weights)
            logs = tf.math.log(size)  # guilty: where_trap
            loss = tf.reduce_mean(tf.square(tf.where(size > 0.0, logs, 0.0) - 1.0))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for row in ([1.0, 2.0], [2.0, 1.0], [-3.0, -1.0], [1.0, 1.0]):
        step(tf.constant([row, [0.5, 0.5]]))


def _mean_price(total: Tensor, sold: Tensor) -> Tensor:
    return tf.where(sold > 0.0, total / sold, 0.0)  # guilty: where_trap_of_division


def where_trap_of_division() -> None:
    """Eager: nothing was sold of one kind. The quotient is thrown away, its gradient is not."""
    markup = tf.Variable([1.0, 1.0, 1.0], name="markup")
    sold = tf.constant([4.0, 0.0, 10.0])
    for _ in range(2):
        with tf.GradientTape() as tape:
            price = _mean_price(markup * tf.constant([8.0, 0.0, 35.0]), sold)
            loss = tf.reduce_mean(tf.square(price - 3.0))
        slopes = tape.gradient(loss, markup)  # also: where_trap_of_division
        markup.assign_sub(0.01 * slopes)


@tf.function
def _drag_step(drag: Tensor, speed: Tensor, force: Tensor) -> Tensor:
    with tf.GradientTape() as tape:
        predicted = 1.0 + (drag * speed) ** 0.5  # guilty: drag_at_rest
        loss = tf.reduce_mean(tf.abs(predicted - force))
    drag.assign_sub(0.01 * tape.gradient(loss, drag))
    return loss


def drag_at_rest() -> None:
    """x ** 0.5 at 0: the slope is 0 ** -0.5."""
    drag = tf.Variable(0.8, name="drag")
    for speed in ([3.0, 2.0], [1.0, 0.5], [2.0, 0.0], [1.0, 1.0]):
        _drag_step(drag, tf.constant(speed), tf.constant([2.4, 2.0]))


def _angle_to(direction: Tensor, wanted: Tensor) -> Tensor:
    cosine = tf.reduce_sum(direction * wanted)
    cosine = tf.clip_by_value(cosine, -1.0, 1.0)
    return tf.acos(cosine)  # guilty: clipped_angle


def clipped_angle() -> None:
    """A cosine is clipped to what acos can do, and is 1: the value is 0, the slope is infinite."""
    direction = tf.Variable([0.6, 0.8], name="direction")

    def turn(wanted: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = _angle_to(direction, wanted)
        direction.assign_sub(0.1 * tape.gradient(loss, direction))
        return loss

    turn = tf.function(turn)
    turn(tf.constant([1.0, 0.0]))
    direction.assign([0.0, 1.0])
    turn(tf.constant([0.0, 1.0]))
    turn(tf.constant([1.0, 0.0]))


@tf.custom_gradient
def _unit_slope(x: Tensor) -> tuple[Tensor, Callable[[Tensor], Tensor]]:
    """The absolute value, with a slope of the author's own."""

    def slope(upstream: Tensor) -> Tensor:
        return upstream * (x / tf.abs(x))  # guilty: own_slope_of_zero

    return tf.abs(x), slope


def own_slope_of_zero() -> None:
    """The backward half of a `tf.custom_gradient` divides x by its absolute value."""
    weights = tf.Variable([0.5, -0.25, 1.0], name="weights")

    @tf.function
    def shrink() -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(_unit_slope(weights))
        weights.assign_sub(0.25 * tape.gradient(loss, weights))
        return loss

    for _ in range(4):
        shrink()


@tf.function
def _length(x: Tensor) -> Tensor:
    return tf.norm(x)  # guilty: tape_around_function


def tape_around_function() -> None:
    """The tape is outside the function, so the backward function leaves no tensors of its own."""
    weights = tf.Variable([0.0, 0.0], name="weights")
    for _ in range(3):
        with tf.GradientTape() as tape:
            penalty = _length(weights)
        slope = tape.gradient(penalty, weights)  # also: tape_around_function
        weights.assign_sub(0.1 * slope)
