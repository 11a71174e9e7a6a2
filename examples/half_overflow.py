"""Learn how loud a sound is felt to be from its energy, in half precision.

The samples fit in a float16 and so do their squares, but the sum of them does not once a clip is
loud: float16 ends at 65504.
"""

import argparse
import time

import tensorflow as tf

STEPS = 60
FIRST_LOUD_STEP = 9
LEARNING_RATE = 0.003
SECONDS_TO_LOAD = 0.07
"""Stands for reading the next clips from a disk."""


@tf.function
def train_step(weights, clips, felt, precision):
    """Fit a line to the logarithm of the energy, which is summed up in the given precision."""
    with tf.GradientTape() as tape:
        squares = tf.square(tf.cast(clips, precision))
        energy = tf.reduce_sum(squares, axis=1)  # <- the bug shows here
        level = tf.cast(tf.math.log(energy), tf.float32)
        loss = tf.reduce_mean(tf.square(weights[0] * level + weights[1] - felt))
    weights.assign_sub(LEARNING_RATE * tape.gradient(loss, weights))
    return loss


def clips_of(step):
    """A batch of recorded clips in float16, and how loud each one was felt to be."""
    volume = tf.random.stateless_uniform((16, 1), (4, step), 0.5, 4.0)
    if step >= FIRST_LOUD_STEP:
        volume *= 4.0
    clips = volume * tf.random.stateless_normal((16, 1000), (4, step))
    return tf.cast(clips, tf.float16), 2.0 * tf.math.log(volume[:, 0])


def main():
    """Train for some seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixed", action="store_true", help="sum up in float32")
    precision = tf.float32 if parser.parse_args().fixed else tf.float16

    weights = tf.Variable([0.1, 0.0])
    for step in range(STEPS):
        time.sleep(SECONDS_TO_LOAD)
        loss = train_step(weights, *clips_of(step), precision)
        if step % 5 == 0:
            print(f"step {step:2}  loss {loss:.4f}", flush=True)


if __name__ == "__main__":
    main()
