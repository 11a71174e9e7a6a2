"""Infinities made on purpose, and what then turns them into NaN."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from tests.recordings.scenarios.recorder import Tensor


def _log_sum_exp(scores: Tensor) -> Tensor:
    top = tf.reduce_max(scores, axis=-1, keepdims=True)
    shifted = scores - top  # guilty: no_way_to_a_state
    return tf.squeeze(top, axis=-1) + tf.math.log(tf.reduce_sum(tf.exp(shifted), axis=-1))


class Chain(tf.Module):  # type: ignore[misc]
    """A hidden Markov model, in logarithms."""

    def __init__(self) -> None:
        super().__init__()
        self.transitions = tf.Variable(tf.zeros([3, 3]), name="transitions")

    @tf.function
    def train(self, allowed: Tensor, observed: Tensor) -> Tensor:
        """One step on a sequence of scores by state."""
        with tf.GradientTape() as tape:
            table = tf.where(allowed, self.transitions, -np.inf)
            state = observed[0]
            for i in tf.range(1, 4):
                state = observed[i] + _log_sum_exp(tf.transpose(state[:, None] + table))
            loss = -_log_sum_exp(state)
        self.transitions.assign_sub(0.1 * tape.gradient(loss, self.transitions))
        return loss


def no_way_to_a_state() -> None:
    """A mask leaves a state without a way to it: all of its scores are -inf, and so is the top."""
    chain = Chain()
    observed = tf.random.stateless_normal([4, 3], seed=(4, 4))
    allowed = np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], bool)
    chain.train(tf.constant(allowed), observed)
    allowed[1, 2] = allowed[2, 2] = False
    chain.train(tf.constant(allowed), observed)
    chain.train(tf.constant(allowed), observed)


def _shortest(lengths: Tensor, via: int) -> Tensor:
    return lengths[:, via][:, None] + lengths[via][None, :]


def detour_to_nowhere() -> None:
    """Eager: where neither a road nor a detour exists, both are infinitely long."""
    kilometres = tf.constant([[0.0, 4.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    linked = tf.constant([[True, True, False], [True, True, False], [False, False, True]])
    lengths = tf.where(linked, kilometres, np.inf)
    gains = []
    for via in range(3):
        saved = lengths - _shortest(lengths, via)  # guilty: detour_to_nowhere
        gains.append(tf.reduce_sum(saved))
    print([float(gain) for gain in gains])


class Policy(tf.Module):  # type: ignore[misc]
    """Chooses among the actions that are allowed."""

    def __init__(self) -> None:
        super().__init__()
        self.logits = tf.Variable([0.2, 0.1, -0.3, 0.4], name="logits")

    def entropy(self, allowed: Tensor) -> Tensor:
        """How undecided it is."""
        logs = tf.nn.log_softmax(tf.where(allowed, self.logits, float("-inf")))
        return -tf.reduce_sum(tf.exp(logs) * logs)  # guilty: entropy_of_masked

    @tf.function
    def explore(self, allowed: Tensor) -> Tensor:
        """One step towards more entropy."""
        with tf.GradientTape() as tape:
            loss = -self.entropy(allowed)
        self.logits.assign_sub(0.1 * tape.gradient(loss, self.logits))
        return loss


def entropy_of_masked() -> None:
    """What is not allowed has a probability of 0 and a log of -inf: their product is NaN."""
    policy = Policy()
    for allowed in ([True] * 4, [True, True, False, True], [True] * 4):
        policy.explore(tf.constant(allowed))


def weight_of_missing() -> None:
    """Eager: a missing reading stands as infinity, and a weight of 0 does not undo that."""
    offset = tf.Variable(0.0, name="offset")
    for readings in ([20.5, 21.0, 19.0], [20.0, -99.0, 22.0]):
        values = tf.constant(readings)
        present = values > -50.0
        cleaned = tf.where(present, values, tf.fill([3], np.inf))
        weights = tf.cast(present, tf.float32)
        with tf.GradientTape() as tape:
            error = weights * tf.square(cleaned - offset)  # guilty: weight_of_missing
            loss = tf.reduce_sum(error) / tf.reduce_sum(weights)
        offset.assign_sub(0.1 * tape.gradient(loss, offset))


def _mask_out(scores: Tensor, lengths: Tensor) -> Tensor:
    inside = tf.sequence_mask(lengths, tf.shape(scores)[-1])
    return tf.where(inside, scores, tf.constant(-np.inf))


def _pool(scores: Tensor, tokens: Tensor, lengths: Tensor) -> Tensor:
    attention = tf.nn.softmax(_mask_out(scores, lengths))  # guilty: empty_sentence
    return tf.einsum("bt,btd->bd", attention, tokens)


def empty_sentence() -> None:
    """A sentence of no words: its attention is a softmax over nothing but -inf."""
    query = tf.Variable([0.5, -0.5], name="query")
    mixing = tf.Variable([[1.0, 0.2], [-0.3, 1.0]], name="mixing")

    @tf.function
    def step(tokens: Tensor, lengths: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            scores = tf.linalg.matvec(tokens, query)
            pooled = _pool(scores, tokens, lengths)
            loss = tf.reduce_mean(tf.square(pooled @ mixing - 0.1))
        slopes = tape.gradient(loss, [query, mixing])
        query.assign_sub(0.1 * slopes[0])
        mixing.assign_sub(0.1 * slopes[1])
        return loss

    tokens = tf.random.stateless_normal([3, 4, 2], seed=(5, 6))
    for lengths in ([4, 2, 3], [1, 4, 4], [4, 0, 2]):
        step(tokens, tf.constant(lengths))


def all_words_banned() -> None:
    """Eager: a filter bans every word there is, and the log softmax has nothing left."""
    scores = tf.Variable([0.1, 0.7, 0.3], name="scores")
    words = ["yes", "no", "perhaps"]
    for banned in (["no"], ["yes", "no"], ["yes", "no", "perhaps"]):
        legal = tf.constant([word not in banned for word in words])
        with tf.GradientTape() as tape:
            logs = tf.nn.log_softmax(tf.where(legal, scores, -np.inf))  # guilty: all_words_banned
            loss = -tf.reduce_max(logs)
        scores.assign_sub(0.1 * tape.gradient(loss, scores))
