"""Fit a line with a loss scale, as one does for half precision, that grows for ever.

The scale is a Python float, so each new one traces the function anew; and nobody stops it: after
some steps the scaled loss is beyond float32.
"""

import argparse
import time

import tensorflow as tf

STEPS = 50
FIRST_SCALE = 2.0**15
GROWTH = 64.0
LARGEST_SCALE = 2.0**24
LEARNING_RATE = 0.05
SECONDS_TO_LOAD = 0.05
"""Stands for reading the next batch from a disk."""


@tf.function
def train_step(weights, x, y, scale):
    """One step down the gradient of the scaled loss, which is then scaled back."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
        scaled_loss = loss * scale  # <- the bug shows here
    gradient = tape.gradient(scaled_loss, weights) / scale
    weights.assign_sub(LEARNING_RATE * gradient)
    return scaled_loss / scale


def main():
    """Train for some seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixed", action="store_true", help="a tensor as scale, and an upper end")
    fixed = parser.parse_args().fixed

    x = tf.random.stateless_uniform((64, 3), seed=(8, 1), minval=-1.0)
    noise = 10.0 * tf.random.stateless_normal((64, 1), seed=(8, 2))
    y = x @ tf.constant([[3.0], [-2.0], [1.0]]) + noise
    weights = tf.Variable(tf.zeros((3, 1)))
    scale = tf.constant(FIRST_SCALE) if fixed else FIRST_SCALE
    for step in range(STEPS):
        time.sleep(SECONDS_TO_LOAD)
        loss = train_step(weights, x, y, scale)
        if step % 5 == 0:
            print(f"step {step:2}  scale {float(scale):.0e}  loss {loss:.4f}", flush=True)
        scale = tf.minimum(scale * GROWTH, LARGEST_SCALE) if fixed else scale * GROWTH


if __name__ == "__main__":
    main()
