"""Loops of one's own around a ``tf.function`` that trains."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

Tensor = Any


def gradient_accumulation() -> None:
    """Gradients of four small batches are averaged over their samples; once, all were padding."""
    random = np.random.default_rng(1)
    weights = tf.Variable(random.normal(size=(4, 1)), dtype=tf.float32)
    total = tf.Variable(tf.zeros((4, 1)))
    seen = tf.Variable(0.0)

    @tf.function
    def accumulate(x: Tensor, y: Tensor, valid: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(valid * tf.square(x @ weights - y))
        total.assign_add(tape.gradient(loss, weights))
        seen.assign_add(tf.reduce_sum(valid))
        return loss

    @tf.function
    def update() -> None:
        average = total / seen  # guilty: gradient_accumulation
        weights.assign_sub(0.05 * average)
        total.assign(tf.zeros_like(total))
        seen.assign(0.0)

    for step in range(20):
        x = random.normal(size=(8, 4)).astype("float32")
        valid = np.ones((8, 1), np.float32) * (not 8 <= step < 12)
        loss = accumulate(x, x.sum(axis=1, keepdims=True), valid)
        if step % 4 == 3:
            update()
            print(f"step {step}: loss {loss:.4f}")


def policy_entropy() -> None:
    """The entropy of a policy; what must not be done has probability 0, which a where guards."""
    random = np.random.default_rng(2)
    weights = tf.Variable(random.normal(size=(5, 4)), dtype=tf.float32)

    @tf.function
    def improve(state: Tensor, allowed: Tensor, gain: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            policy = tf.nn.softmax(state @ weights) * allowed
            logs = tf.math.log(policy)  # guilty: policy_entropy
            surprise = tf.where(policy > 0.0, policy * logs, 0.0)  # fair: policy_entropy
            loss = tf.reduce_mean(tf.reduce_sum(0.01 * surprise - gain * policy, axis=1))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for step in range(8):
        state = random.normal(size=(6, 5)).astype("float32")
        allowed = np.ones((6, 4), np.float32)
        if step >= 3:
            allowed[2, 1] = 0.0
        loss = improve(state, allowed, random.normal(size=(6, 4)).astype("float32"))
        print(f"step {step}: loss {loss:.4f}")


def no_boxes() -> None:
    """The error of boxes is averaged over those that hold something; one picture has none."""
    random = np.random.default_rng(3)
    weights = tf.Variable(0.1 * random.normal(size=(6, 5)), dtype=tf.float32)

    @tf.function
    def train(x: Tensor, holds: Tensor, boxes: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            out = x @ weights
            error = tf.boolean_mask(tf.abs(out[:, 1:] - boxes), holds)
            class_loss = tf.nn.sigmoid_cross_entropy_with_logits(
                logits=out[:, 0], labels=tf.cast(holds, tf.float32)
            )
            loss = tf.reduce_mean(class_loss)
            loss += tf.reduce_mean(error)  # guilty: no_boxes
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for step in range(7):
        holds = random.uniform(size=9) < (0.0 if step == 4 else 0.7)
        x = random.normal(size=(9, 6)).astype("float32")
        loss = train(x, holds, random.uniform(size=(9, 4)).astype("float32"))
        print(f"step {step}: loss {loss:.4f}")


def naive_likelihood() -> None:
    """The likelihood of a text is the product over its letters, and longer ones underflow."""
    random = np.random.default_rng(4)
    weights = tf.Variable(0.1 * random.normal(size=(8, 27)), dtype=tf.float32)

    @tf.function
    def letters(x: Tensor) -> Tensor:
        return tf.nn.softmax(tf.einsum("btf,fk->btk", x, weights))

    @tf.function
    def likelihood(x: Tensor, text: Tensor) -> Tensor:
        chosen = tf.reduce_sum(letters(x) * tf.one_hot(text, 27), axis=2)
        return tf.reduce_prod(chosen, axis=1)  # fair: naive_likelihood

    @tf.function
    def train(x: Tensor, text: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(tf.math.log(likelihood(x, text)))  # guilty: naive_likelihood
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for step, length in enumerate((10, 10, 10, 10, 80, 10)):
        x = random.normal(size=(4, length, 8)).astype("float32")
        loss = train(x, random.integers(0, 27, size=(4, length)))
        print(f"step {step}: loss {loss:.4f}")


def naive_variance() -> None:
    """The variance as mean of squares less square of mean, of numbers around ten thousand."""
    random = np.random.default_rng(5)
    weights = tf.Variable(random.normal(size=(32, 1)), dtype=tf.float32)

    @tf.function
    def train(x: Tensor, y: Tensor) -> Tensor:
        mean = tf.reduce_mean(x, axis=0)
        variance = tf.reduce_mean(x * x, axis=0) - mean * mean
        deviation = tf.sqrt(variance)  # guilty: naive_variance
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square((x - mean) / (deviation + 1e-3) @ weights - y))
        weights.assign_sub(1e-3 * tape.gradient(loss, weights))
        return loss

    for step in range(5):
        level = 1e4 if step == 3 else 1.0
        x = (level + 0.1 * random.normal(size=(50, 32))).astype("float32")
        loss = train(x, random.normal(size=(50, 1)).astype("float32"))
        print(f"step {step}: loss {loss:.4f}")


def turning_angle() -> None:
    """The angle between a direction and what the model says, which it forgot to normalise."""
    random = np.random.default_rng(6)
    weights = tf.Variable(0.4 * random.normal(size=(6, 3)), dtype=tf.float32)

    @tf.function
    def train(x: Tensor, direction: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            cosine = tf.reduce_sum((x @ weights) * direction, axis=1)
            loss = tf.reduce_mean(tf.acos(cosine))  # guilty: turning_angle
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return loss

    for step in range(6):
        x = (0.05 if step < 3 else 2.0) * random.normal(size=(16, 6)).astype("float32")
        direction = random.normal(size=(16, 3)).astype("float32")
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        print(f"step {step}: loss {train(x, direction):.4f}")


def gamma_correction() -> None:
    """A gamma is learnt; noise is added to the pictures, and some pixels fall below black."""
    random = np.random.default_rng(7)
    gamma = tf.Variable(0.7)

    @tf.function
    def train(picture: Tensor, wanted: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            corrected = picture**gamma  # guilty: gamma_correction
            loss = tf.reduce_mean(tf.square(corrected - wanted))
        gamma.assign_sub(0.1 * tape.gradient(loss, gamma))
        return loss

    for step in range(6):
        picture = random.uniform(0.05, 1.0, size=(4, 8, 8)).astype("float32")
        noise = 0.0 if step < 2 else 0.1
        noisy = picture + noise * random.normal(size=picture.shape).astype("float32")
        print(f"step {step}: loss {train(noisy, picture**0.45):.4f}, gamma {gamma.numpy():.3f}")


def distillation() -> None:
    """A small model learns from a large one, which sometimes is so sure that it says 0."""
    random = np.random.default_rng(8)
    weights = tf.Variable(random.normal(size=(5, 3)), dtype=tf.float32)

    @tf.function
    def train(x: Tensor, teacher: Tensor) -> Tensor:
        log_teacher = tf.math.log(teacher)  # guilty: distillation
        with tf.GradientTape() as tape:
            log_student = tf.nn.log_softmax(x @ weights)
            divergence = tf.reduce_sum(teacher * (log_teacher - log_student), axis=1)
            loss = tf.reduce_mean(divergence)
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for step in range(6):
        teacher = random.dirichlet(np.ones(3), size=7).astype("float32")
        if step == 2:
            teacher[4] = (1.0, 0.0, 0.0)
        loss = train(random.normal(size=(7, 5)).astype("float32"), teacher)
        print(f"step {step}: loss {loss:.4f}")


def blank_picture() -> None:
    """Pictures are compared by the cosine of their codes, and a blank one has a code of zeros."""
    random = np.random.default_rng(9)
    weights = tf.Variable(0.3 * random.normal(size=(9, 4)), dtype=tf.float32)

    @tf.function
    def similarity(one: Tensor, other: Tensor) -> Tensor:
        product = tf.reduce_sum(one * other, axis=1)
        lengths = tf.norm(one, axis=1) * tf.norm(other, axis=1)
        return product / lengths  # guilty: blank_picture

    @tf.function
    def train(one: Tensor, other: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(similarity(one @ weights, other @ weights))
        weights.assign_sub(0.05 * tape.gradient(loss, weights))
        return loss

    for step in range(6):
        one = random.normal(size=(8, 9)).astype("float32")
        other = one + 0.1 * random.normal(size=(8, 9)).astype("float32")
        if step == 4:
            one[3] = 0.0
        print(f"step {step}: loss {train(one, other):.4f}")


def annealed_temperature() -> None:
    """The temperature falls to 0 in twenty-five steps, and training goes on for thirty."""
    random = np.random.default_rng(10)
    weights = tf.Variable(random.normal(size=(5, 4)), dtype=tf.float32)

    @tf.function
    def train(x: Tensor, kinds: Tensor, temperature: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            logits = x @ weights
            sharp = tf.nn.softmax(logits / temperature)  # guilty: annealed_temperature
            loss = tf.reduce_mean(tf.square(sharp - tf.one_hot(kinds, 4)))
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return loss

    for step in range(30):
        temperature = tf.constant(max(0.0, (25 - step) / 25))
        x = random.normal(size=(6, 5)).astype("float32")
        loss = train(x, random.integers(0, 4, size=6), temperature)
        print(f"step {step}: loss {loss:.4f}")
