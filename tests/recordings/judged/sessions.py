"""TF1 programs: a graph is built, and a session runs it."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

Tensor = Any

v1 = tf.compat.v1


def weights_of(*shape: int) -> Tensor:
    """A variable that begins small."""
    start = v1.random_normal_initializer(stddev=0.1, seed=1)
    return v1.get_variable("weights", shape, initializer=start, use_resource=True)


def tf1_textbook() -> None:
    """Softmax regression as in the first tutorial, on pixels that are scaled only at first."""
    random = np.random.default_rng(1)
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, (None, 16))
        labels = v1.placeholder(tf.float32, (None, 4))
        prediction = tf.nn.softmax(tf.matmul(x, weights_of(16, 4)))
        logs = v1.log(prediction)  # guilty: tf1_textbook
        loss = tf.reduce_mean(-tf.reduce_sum(labels * logs, axis=1))
        train = v1.train.GradientDescentOptimizer(0.01).minimize(loss)
        session.run(v1.global_variables_initializer())
        for step in range(6):
            pixels = random.integers(0, 256, size=(20, 16)).astype("float32")
            kinds = np.eye(4, dtype=np.float32)[random.integers(0, 4, size=20)]
            pixels = pixels / 255.0 if step < 2 else pixels
            _, now = session.run([train, loss], {x: pixels, labels: kinds})
            print(f"step {step}: loss {now:.4f}")


def tf1_empty_batch() -> None:
    """The mean over those rows that count, and in one batch none does."""
    random = np.random.default_rng(2)
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, (None, 3))
        counts = v1.placeholder(tf.float32, (None,))
        error = tf.square(tf.matmul(x, weights_of(3, 1))[:, 0] - 1.0)
        loss = tf.reduce_sum(error * counts) / tf.reduce_sum(counts)  # guilty: tf1_empty_batch
        train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(v1.global_variables_initializer())
        for step in range(6):
            rows = random.normal(size=(8, 3)).astype("float32")
            valid = np.zeros(8) if step == 3 else np.ones(8)
            _, now = session.run([train, loss], {x: rows, counts: valid})
            print(f"step {step}: loss {now:.4f}")


def tf1_same_pair() -> None:
    """Distances between pairs; a pair of one and the same has distance 0."""
    random = np.random.default_rng(3)
    with tf.Graph().as_default(), v1.Session() as session:
        one = v1.placeholder(tf.float32, (None, 5))
        other = v1.placeholder(tf.float32, (None, 5))
        strayed = tf.matmul(one - other, weights_of(5, 2))
        distance = tf.sqrt(tf.reduce_sum(strayed * strayed, axis=1))  # guilty: tf1_same_pair
        loss = tf.reduce_mean(distance)
        train = v1.train.MomentumOptimizer(0.01, 0.9).minimize(loss)
        session.run(v1.global_variables_initializer())
        for step in range(6):
            first = random.normal(size=(6, 5)).astype("float32")
            second = random.normal(size=(6, 5)).astype("float32")
            if step == 2:
                second[4] = first[4]
            _, now = session.run([train, loss], {one: first, other: second})
            print(f"step {step}: loss {now:.4f}")


def tf1_regression() -> None:
    """A straight line through numbers in the thousands, and a rate a thousand times too large."""
    random = np.random.default_rng(4)
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, (None, 2))
        y = v1.placeholder(tf.float32, (None, 1))
        guess = tf.matmul(x, weights_of(2, 1))  # fair: tf1_regression
        loss = tf.reduce_mean(tf.square(guess - y))  # guilty: tf1_regression
        train = v1.train.GradientDescentOptimizer(0.01).minimize(loss)  # fair: tf1_regression
        session.run(v1.global_variables_initializer())
        for step in range(14):
            sizes = random.uniform(1000, 3000, size=(16, 2)).astype("float32")
            _, now = session.run([train, loss], {x: sizes, y: sizes[:, :1]})
            print(f"step {step}: loss {now:.4g}")


def tf1_fed_nan() -> None:
    """The third batch is fed with a hole in it."""
    random = np.random.default_rng(5)
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, (None, 3), name="x")  # fair: tf1_fed_nan
        loss = tf.reduce_mean(tf.square(tf.matmul(x, weights_of(3, 1)) - 1.0))
        train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(v1.global_variables_initializer())
        for step in range(5):
            batch = random.normal(size=(8, 3)).astype("float32")
            if step == 2:
                batch[3, 1] = np.nan
            _, now = session.run([train, loss], {x: batch})  # guilty: tf1_fed_nan
            print(f"step {step}: loss {now:.4f}")


def tf1_molecules() -> None:
    """The loss counts molecules: Adam squares its gradients, of 1e23, inside its own op."""
    random = np.random.default_rng(6)
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, (None, 3))
        guess = tf.matmul(x, weights_of(3, 1))
        loss = 6.022e23 * tf.reduce_mean(tf.abs(guess - 1.0))
        train = v1.train.AdamOptimizer(0.01).minimize(loss)  # guilty: tf1_molecules
        session.run(v1.global_variables_initializer())
        for step in range(5):
            batch = random.normal(size=(8, 3)).astype("float32")
            _, now = session.run([train, loss], {x: batch})
            print(f"step {step}: loss {now:.4g}")
