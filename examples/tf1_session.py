"""Logistic regression as in TensorFlow 1: a graph, placeholders and a session.

The loss log(1 + exp(-margin)) is computed as it is read. A sensor that has nothing to say writes
-999; this puts a point far on the wrong side, and exp of more than 88 is beyond float32.
"""

import argparse
import time

import numpy as np
import tensorflow as tf

STEPS = 60
STEP_WITH_A_GAP = 8
NO_READING = -999.0
LEARNING_RATE = 0.3
SECONDS_TO_LOAD = 0.07
"""Stands for reading the next batch from a disk."""

v1 = tf.compat.v1


def build(fixed):
    """The placeholders, the loss and the op that trains."""
    x = v1.placeholder(tf.float32, (None, 4), name="x")
    sides = v1.placeholder(tf.float32, (None, 1), name="sides")
    weights = v1.get_variable("weights", (4, 1), initializer=v1.zeros_initializer())
    margin = sides * tf.matmul(x, weights)
    if fixed:
        losses = tf.nn.softplus(-margin)
    else:
        odds = tf.exp(-margin)  # <- the bug shows here
        losses = tf.math.log(1.0 + odds)
    loss = tf.reduce_mean(losses)
    return x, sides, loss, v1.train.GradientDescentOptimizer(LEARNING_RATE).minimize(loss)


def points(step):
    """What four sensors say, and on which side of the truth each point lies."""
    readings = np.random.default_rng(seed=step).normal(size=(64, 4))
    sides = np.sign(readings @ [[3.0], [1.0], [-2.0], [0.5]])
    if step == STEP_WITH_A_GAP:
        readings[sides[:, 0].argmax(), 0] = NO_READING
    return readings, sides


def main():
    """Train for some seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixed", action="store_true", help="softplus, which does not overflow")
    fixed = parser.parse_args().fixed

    with tf.Graph().as_default(), v1.Session() as session:
        x, sides, loss, train = build(fixed)
        session.run(v1.global_variables_initializer())
        for step in range(STEPS):
            time.sleep(SECONDS_TO_LOAD)
            value, _ = session.run([loss, train], dict(zip((x, sides), points(step), strict=True)))
            if step % 5 == 0:
                print(f"step {step:2}  loss {value:.4f}", flush=True)


if __name__ == "__main__":
    main()
