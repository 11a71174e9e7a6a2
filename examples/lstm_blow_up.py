"""Tell the mean of a sequence of numbers, with an LSTM cell written by hand.

Its activation is relu, which has no upper end: whatever the cell stores comes back larger at each
time step. The gradient grows the same way, and after a few updates the state overflows.
"""

import argparse
import time

import tensorflow as tf

UNITS = 16
TIME_STEPS = 20
STEPS = 40
LEARNING_RATE = 1.0
SECONDS_TO_LOAD = 0.08
"""Stands for reading the next sequences from a disk."""


@tf.function
def read(sequences, kernel, bounded):
    """The state of the cell after the last number of each sequence."""
    activation = tf.tanh if bounded else tf.nn.relu
    cell = hidden = tf.zeros((tf.shape(sequences)[0], UNITS))
    for t in tf.range(TIME_STEPS):
        inputs = tf.concat([sequences[:, t, None], hidden], axis=1)
        gates = inputs @ kernel  # <- the bug shows here
        new, write, keep, show = tf.split(gates, 4, axis=1)
        cell = tf.sigmoid(keep + 1.0) * cell + tf.sigmoid(write) * activation(new)
        hidden = tf.sigmoid(show) * activation(cell)
    return hidden


def main():
    """Train for some seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixed", action="store_true", help="tanh, as an LSTM has it")
    bounded = parser.parse_args().fixed

    kernel = tf.Variable(0.3 * tf.random.stateless_normal((1 + UNITS, 4 * UNITS), seed=(7, 1)))
    for step in range(STEPS):
        time.sleep(SECONDS_TO_LOAD)
        sequences = tf.random.stateless_uniform((32, TIME_STEPS), seed=(7, step))
        with tf.GradientTape() as tape:
            answer = tf.reduce_mean(read(sequences, kernel, bounded), axis=1)
            loss = tf.reduce_mean(tf.square(answer - tf.reduce_mean(sequences, axis=1)))
        kernel.assign_sub(LEARNING_RATE * tape.gradient(loss, kernel))
        if step % 5 == 0:
            print(f"step {step:2}  loss {loss:.4f}", flush=True)


if __name__ == "__main__":
    main()
