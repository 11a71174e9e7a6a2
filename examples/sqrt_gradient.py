"""Place towns on a map so that their distances match the time it takes to drive.

A batch of random pairs holds a town and itself. Their distance, 0, is fine; but the slope of a
square root at 0 is infinite, and so that town's gradient is Inf * 0 = NaN.
"""

import argparse
import time

import tensorflow as tf

TOWNS = 40
PAIRS_PER_STEP = 16
STEPS = 60
LEARNING_RATE = 1.0
TIME_TO_PARK = 0.2
SECONDS_TO_LOAD = 0.07
"""Stands for asking a server how long the next drives take."""


@tf.function
def train_step(places, pairs, drives, smallest):
    """Move the towns of some pairs; ``smallest`` is added to the squares of their distances."""
    with tf.GradientTape() as tape:
        ends = tf.gather(places, pairs)
        squares = tf.reduce_sum(tf.square(ends[:, 0] - ends[:, 1]), axis=1)
        distances = tf.sqrt(squares + smallest)  # <- the bug shows here
        loss = tf.reduce_mean(tf.square(distances - drives))
    gradient = tape.gradient(loss, places)
    places.scatter_sub(tf.IndexedSlices(LEARNING_RATE * gradient.values, gradient.indices))
    return loss


def main():
    """Train for some seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixed", action="store_true", help="keep the root's argument above 0")
    smallest = tf.constant(1e-12 if parser.parse_args().fixed else 0.0)

    truth = tf.random.stateless_normal((TOWNS, 2), seed=(3, 1))
    places = tf.Variable(tf.random.stateless_normal((TOWNS, 2), seed=(3, 2)))
    for step in range(STEPS):
        time.sleep(SECONDS_TO_LOAD)
        pairs = tf.random.stateless_uniform((PAIRS_PER_STEP, 2), (3, step), 0, TOWNS, tf.int32)
        ends = tf.gather(truth, pairs)
        drives = tf.norm(ends[:, 0] - ends[:, 1], axis=1) + TIME_TO_PARK
        loss = train_step(places, pairs, drives, smallest)
        if step % 5 == 0:
            print(f"step {step:2}  loss {loss:.4f}", flush=True)


if __name__ == "__main__":
    main()
