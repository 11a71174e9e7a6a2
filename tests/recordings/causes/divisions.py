"""Divisions by zero, of zero by zero, and means of nothing."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from tests.recordings.scenarios.recorder import Tensor


@tf.function
def _square_root(value: Tensor, guess: Tensor) -> Tensor:
    def better(i: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
        slope = 2.0 * x
        return i + 1, x - (x * x - value) / slope  # guilty: newton_from_zero

    _, root = tf.while_loop(lambda i, _: i < 5, better, [tf.constant(0), guess])
    return root


def newton_from_zero() -> None:
    """Newton's method starts where the slope is 0, in a `tf.while_loop`; a variable keeps it."""
    root = tf.Variable(0.0, name="root")
    for value in (2.0, 3.0):
        root.assign(_square_root(tf.constant(value), root))


def _clipped(gradient: Tensor, limit: float) -> Tensor:
    factor = limit / tf.norm(gradient)  # guilty: clipped_by_hand
    return gradient * factor


def clipped_by_hand() -> None:
    """Eager: gradients are scaled to a norm, and that of a dead ReLU has none."""
    weights = tf.Variable([[0.4], [0.3]], name="weights")
    batches = [[[1.0, 2.0], [2.0, 0.5]], [[0.5, 1.0], [1.0, 1.5]], [[-3.0, -1.0], [-1.0, -2.0]]]
    for batch in batches:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.relu(tf.constant(batch) @ weights))
        gradient = tape.gradient(loss, weights)
        weights.assign_sub(0.01 * _clipped(gradient, limit=1.0))


PADDING = 0
"""The token that fills up short sentences; its embedding is all zeros."""


class Similarity(tf.Module):  # type: ignore[misc]
    """Compares words by the angle between their embeddings."""

    def __init__(self) -> None:
        super().__init__()
        table = np.random.default_rng(1).normal(size=(6, 4)).astype(np.float32)
        table[PADDING] = 0.0
        self.table = tf.Variable(table, name="table")

    def unit(self, words: Tensor) -> Tensor:
        """Embeddings of length 1."""
        rows = tf.gather(self.table, words)
        return rows / tf.norm(rows, axis=1, keepdims=True)  # guilty: padded_cosine

    @tf.function
    def pull_together(self, left: Tensor, right: Tensor) -> Tensor:
        """One step that makes words more similar."""
        with tf.GradientTape() as tape:
            cosine = tf.reduce_sum(self.unit(left) * self.unit(right), axis=1)
            loss = tf.reduce_mean(1.0 - cosine)
        slope = tf.convert_to_tensor(tape.gradient(loss, self.table))
        self.table.assign_sub(0.1 * slope)
        return loss


def padded_cosine() -> None:
    """The vector of padding is divided by its length, which is 0."""
    model = Similarity()
    for left, right in (([1, 2], [3, 4]), ([2, 5], [4, 1]), ([3, 1], [5, PADDING])):
        model.pull_together(tf.constant(left), tf.constant(right))


def precision_of_nothing() -> None:
    """Eager metrics: no score is above the highest threshold, so nothing can be right."""
    scores = tf.constant([0.2, 0.6, 0.8, 0.4])
    truth = tf.constant([0.0, 1.0, 1.0, 0.0])
    for threshold in (0.5, 0.7, 0.9):
        chosen = tf.cast(scores > threshold, tf.float32)
        hits = tf.reduce_sum(chosen * truth)
        precision = hits / tf.reduce_sum(chosen)  # guilty: precision_of_nothing
        print(f"above {threshold}: {float(precision):.2f}")


def no_shares() -> None:
    """Rows are divided by their sums in a `tf.vectorized_map`, and one sum is 0."""
    logits = tf.Variable([[0.5, 0.2, 0.3], [0.1, 0.4, 0.2], [-1.0, -2.0, -0.5]], name="logits")

    @tf.function
    def step(target: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            counts = tf.nn.relu(logits)
            shares = tf.vectorized_map(lambda r: r / tf.reduce_sum(r), counts)  # guilty: no_shares
            loss = tf.reduce_mean(tf.square(shares - target))  # also: no_shares
        logits.assign_sub(0.1 * tape.gradient(loss, logits))
        return loss

    for _ in range(3):
        step(tf.fill([3, 3], 1.0 / 3.0))


@tf.function
def _fit_pace(effort: Tensor, kilometres: Tensor, hours: Tensor) -> Tensor:
    with tf.GradientTape() as tape:
        speed = effort * kilometres / hours  # guilty: pace_of_no_time
        loss = -tf.reduce_mean(speed)
    effort.assign_sub(0.01 * tape.gradient(loss, effort))
    return loss


def pace_of_no_time() -> None:
    """A run took no time: the forward division and that of its gradient have the same divisor."""
    effort = tf.Variable(1.0, name="effort")
    for hours in ([1.0, 2.0, 0.5], [1.5, 1.0, 0.7], [1.0, 0.0, 0.6], [1.0, 1.0, 1.0]):
        _fit_pace(effort, tf.constant([10.0, 21.0, 5.0]), tf.constant(hours))


@tf.function
def _masked_loss(predicted: Tensor, target: Tensor, known: Tensor) -> Tensor:
    errors = tf.boolean_mask(tf.square(predicted - target), known)
    return tf.reduce_mean(errors)  # guilty: nothing_known


def nothing_known() -> None:
    """No label of the third batch is known. The loss is NaN, the gradients of nothing are zeros."""
    weight = tf.Variable(0.3, name="weight")

    @tf.function
    def step(x: Tensor, y: Tensor, known: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = _masked_loss(weight * x, y, known)
        weight.assign_sub(0.1 * tape.gradient(loss, weight))
        return loss

    for known in ([True, False, True], [False, True, True], [False, False, False], [True] * 3):
        step(tf.constant([1.0, 2.0, 3.0]), tf.constant([2.0, 4.0, 6.0]), tf.constant(known))


def no_episode_ended() -> None:
    """Eager policy gradient: rewards are compared with the mean of ended episodes; none has."""
    policy = tf.Variable([0.1, -0.1, 0.2], name="policy")
    rewards = tf.constant([1.0, 0.0, 2.0, 1.0])
    actions = tf.constant([0, 2, 1, 2])
    for ended in ([True, True, False, True], [True, False, True, True], [False] * 4):
        baseline = tf.reduce_mean(tf.boolean_mask(rewards, ended))  # guilty: no_episode_ended
        advantages = rewards - baseline
        with tf.GradientTape() as tape:
            chances = tf.gather(tf.nn.log_softmax(policy), actions)
            loss = -tf.reduce_mean(chances * advantages)
        policy.assign_sub(0.5 * tf.convert_to_tensor(tape.gradient(loss, policy)))
