"""Learn which documents are alike, by the cosine of the angle between their vectors.

One document is empty: its vector is all zeros, its norm is 0, and 0 / 0 is NaN. The mean over the
batch carries it into the loss, the gradient and every weight.
"""

import argparse
import time

import tensorflow as tf

STEPS = 60
BATCH_WITH_AN_EMPTY_DOCUMENT = 8
LEARNING_RATE = 0.5
SECONDS_TO_LOAD = 0.07
"""Stands for counting the words of the next documents."""


@tf.function
def similarity(vectors, fixed):
    """The cosine between any two of the vectors."""
    if fixed:
        directions = tf.math.l2_normalize(vectors, axis=1, epsilon=1e-12)
    else:
        directions = vectors / tf.norm(vectors, axis=1, keepdims=True)  # <- the bug shows here
    return tf.matmul(directions, directions, transpose_b=True)


def documents(step):
    """How often each of 50 words occurs in 24 documents; which of them are about the same."""
    topics = tf.range(24) % 3
    often = tf.one_hot(topics, 3) @ tf.random.stateless_uniform((3, 50), seed=(6, 1), maxval=2.0)
    words = tf.random.stateless_poisson((24, 50), seed=(6, step), lam=often, dtype=tf.float32)
    if step == BATCH_WITH_AN_EMPTY_DOCUMENT:
        words *= tf.cast(tf.range(24) != 17, tf.float32)[:, None]
    return words, tf.cast(topics[:, None] == topics[None, :], tf.float32)


def main():
    """Train for some seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixed", action="store_true", help="keep the norm above 0")
    fixed = parser.parse_args().fixed

    weights = tf.Variable(0.1 * tf.random.stateless_normal((50, 8), seed=(6, 2)))
    for step in range(STEPS):
        time.sleep(SECONDS_TO_LOAD)
        words, alike = documents(step)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(similarity(words @ weights, fixed) - alike))
        weights.assign_sub(LEARNING_RATE * tape.gradient(loss, weights))
        if step % 5 == 0:
            print(f"step {step:2}  loss {loss:.4f}", flush=True)


if __name__ == "__main__":
    main()
