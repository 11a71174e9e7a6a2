"""Healthy programs that hide things by an infinity or a NaN, made on purpose."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

Tensor = Any


def additive_mask() -> None:
    """Causal attention: a mask of 0 and -inf is added before the softmax."""
    random = np.random.default_rng(1)
    weights = tf.Variable(0.3 * random.normal(size=(4, 4)), dtype=tf.float32)
    mask = np.triu(np.full((6, 6), -np.inf, np.float32), 1)

    @tf.function
    def train(words: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            scores = tf.matmul(words @ weights, words, transpose_b=True)
            attended = tf.nn.softmax(scores + mask) @ words
            loss = tf.reduce_mean(tf.square(attended - tf.roll(words, 1, axis=0)))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for step in range(10):
        words = random.normal(size=(6, 4)).astype("float32")
        print(f"step {step}: loss {train(words):.4f}")


def masked_pooling() -> None:
    """What is padding becomes -inf before a softmax, and before a maximum over words."""
    random = np.random.default_rng(2)
    weights = tf.Variable(0.3 * random.normal(size=(3, 3)), dtype=tf.float32)

    @tf.function
    def train(words: Tensor, lengths: Tensor, wanted: Tensor) -> Tensor:
        holds = tf.sequence_mask(lengths, 5)
        with tf.GradientTape() as tape:
            states = tf.tanh(words @ weights)
            shares = tf.nn.softmax(tf.where(holds, states[:, :, 0], -np.inf))
            mean = tf.reduce_sum(states * shares[:, :, None], axis=1)
            most = tf.reduce_max(tf.where(holds[:, :, None], states, -np.inf), axis=1)
            loss = tf.reduce_mean(tf.square(mean + most - wanted))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for step in range(8):
        words = random.normal(size=(4, 5, 3)).astype("float32")
        lengths = random.integers(1, 6, size=4)
        loss = train(words, lengths, words.mean(axis=1))
        print(f"step {step}: loss {loss:.4f}")


def log_mask() -> None:
    """The mask as the logarithm of 0 and 1: it is an op that makes -inf, not a constant."""
    random = np.random.default_rng(3)
    weights = tf.Variable(0.3 * random.normal(size=(4, 5)), dtype=tf.float32)

    @tf.function
    def train(state: Tensor, allowed: Tensor, kinds: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            policy = tf.nn.softmax(state @ weights + tf.math.log(allowed))
            loss = tf.reduce_mean(tf.square(policy - tf.one_hot(kinds, 5)))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for step in range(8):
        allowed = random.integers(0, 2, size=(6, 5)).astype("float32")
        allowed[:, 0] = 1.0
        state = random.normal(size=(6, 4)).astype("float32")
        print(f"step {step}: loss {train(state, allowed, random.integers(0, 5, size=6)):.4f}")


def nan_default() -> None:
    """What was not found is NaN for as long as it takes to ask `is_nan`."""
    random = np.random.default_rng(4)
    weights = tf.Variable(0.3 * random.normal(size=(3, 1)), dtype=tf.float32)

    @tf.function
    def train(x: Tensor, prices: Tensor, known: Tensor) -> Tensor:
        found = tf.where(known, prices, np.nan)
        missing = tf.math.is_nan(found)
        filled = tf.where(missing, 0.0, found)
        weight = tf.where(missing, 0.0, 1.0)
        with tf.GradientTape() as tape:
            error = weight * tf.square((x @ weights)[:, 0] - filled)
            loss = tf.reduce_sum(error) / tf.maximum(tf.reduce_sum(weight), 1.0)
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for step in range(8):
        x = random.normal(size=(9, 3)).astype("float32")
        loss = train(x, x.sum(axis=1), random.uniform(size=9) < 0.7)
        print(f"step {step}: loss {loss:.4f}")


def missing_labels() -> None:
    """Several things are to be predicted, and what was not measured is NaN in the data."""
    random = np.random.default_rng(5)
    weights = tf.Variable(0.3 * random.normal(size=(4, 3)), dtype=tf.float32)

    @tf.function
    def train(x: Tensor, labels: Tensor) -> Tensor:
        measured = tf.math.is_finite(labels)
        wanted = tf.where(measured, labels, tf.zeros_like(labels))
        with tf.GradientTape() as tape:
            error = tf.where(measured, tf.abs(x @ weights - wanted), 0.0)
            loss = tf.math.divide_no_nan(
                tf.reduce_sum(error), tf.reduce_sum(tf.cast(measured, tf.float32))
            )
        weights.assign_sub(0.05 * tape.gradient(loss, weights))
        return loss

    x = random.normal(size=(48, 4)).astype("float32")
    labels = x[:, :3] * 2.0
    labels[random.uniform(size=labels.shape) < 0.2] = np.nan
    for batch in tf.data.Dataset.from_tensor_slices((x, labels)).batch(8):
        print(f"loss {train(*batch):.4f}")


def beam_search() -> None:
    """All beams but the first begin at -inf, so that they do not say the same in step one."""
    random = np.random.default_rng(6)
    chances = tf.constant(random.normal(size=(8, 8)), tf.float32)

    @tf.function
    def search(start: Tensor) -> tuple[Tensor, Tensor]:
        scores = tf.constant([0.0, -np.inf, -np.inf])
        last = tf.fill([3], start)
        for _ in tf.range(5):
            steps = tf.nn.log_softmax(tf.gather(chances, last))
            scores, best = tf.math.top_k(tf.reshape(scores[:, None] + steps, [-1]), k=3)
            last = best % 8
        return scores, last

    for start in range(3):
        scores, last = search(tf.constant(start))
        print(f"from {start}: {scores.numpy()} {last.numpy()}")


def safe_log() -> None:
    """An entropy that is guarded twice, so that its gradient is as well."""
    random = np.random.default_rng(7)
    weights = tf.Variable(0.3 * random.normal(size=(4, 5)), dtype=tf.float32)

    @tf.function
    def train(x: Tensor, allowed: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(x @ weights) * allowed
            parts = tf.where(p > 0, p * tf.math.log(tf.where(p > 0, p, 1.0)), 0.0)
            loss = tf.reduce_mean(tf.reduce_sum(parts, axis=1))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for step in range(8):
        allowed = random.integers(0, 2, size=(6, 5)).astype("float32")
        loss = train(random.normal(size=(6, 4)).astype("float32"), allowed)
        print(f"step {step}: loss {loss:.4f}")
