"""Read digits with a small network: the program of the TensorFlow debugger's tutorial.

The cross entropy is written by hand. Soon the network is so sure of itself that the softmax
underflows: the logarithm of 0 is -Inf, 0 * -Inf is NaN, and then every weight. Nothing is loaded.
"""

import argparse
import time

import tensorflow as tf

STEPS, BATCH, HIDDEN, SIDE = 60, 50, 50, 28
SECONDS_TO_LOAD = 0.07
"""Stands for reading the next batch from a disk."""
FONT = (
    "111101101101111 010010010010010 111001111100111 111001111001111 101101111001001 "
    "111100111001111 111100111101111 111001001001001 111101111101111 111101111001111"
)
"""Ten digits, 5 rows of 3 dots each."""


def draw(labels, step):
    """Pictures of some digits: large, each batch at another place, with noise."""
    dots = tf.constant([[float(dot) for dot in digit] for digit in FONT.split()])
    large = tf.repeat(tf.repeat(tf.reshape(dots, (10, 5, 3)), 5, axis=1), 5, axis=2)
    pictures = tf.gather(tf.pad(large, ((0, 0), (1, 2), (step % 3 + 5, 8 - step % 3))), labels)
    return 4.0 * (pictures + tf.random.stateless_uniform(pictures.shape, (step, 1), -0.3, 0.3))


def dense(name, x, weights, bias):
    """One layer, as the tutorial names its ops."""
    with tf.name_scope(name):
        return tf.add(tf.matmul(x, weights), bias)


def by_hand(labels, logits):
    """The cross entropy as the tutorial writes it."""
    logs = tf.math.log(tf.nn.softmax(logits, name="softmax"))  # <- the bug shows here
    return -tf.reduce_sum(labels * logs, axis=1)


def main():
    """Train for some seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixed", action="store_true", help="compute the loss from the logits")
    fixed = parser.parse_args().fixed
    cross_entropy = tf.nn.softmax_cross_entropy_with_logits if fixed else by_hand
    shapes = (SIDE * SIDE, HIDDEN), (HIDDEN,), (HIDDEN, 10), (10,)
    network = [tf.Variable(0.1 * tf.random.stateless_normal(shape, (1, 1))) for shape in shapes]
    optimizer = tf.keras.optimizers.Adam(0.05)
    optimizer.build(network)

    @tf.function
    def train(pictures, labels):
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(dense("hidden", tf.reshape(pictures, (BATCH, -1)), *network[:2]))
            logits = dense("logits", hidden, *network[2:])
            with tf.name_scope("cross_entropy"):
                loss = tf.reduce_mean(cross_entropy(tf.one_hot(labels, 10), logits))
        optimizer.apply_gradients(zip(tape.gradient(loss, network), network, strict=True))
        return tf.reduce_mean(tf.cast(tf.argmax(logits, 1) == labels, tf.float32))

    for step in range(STEPS):
        time.sleep(SECONDS_TO_LOAD)
        labels = tf.random.stateless_uniform([BATCH], (step, 2), 0, 10, tf.int64)
        print(f"Accuracy at step {step}: {train(draw(labels, step), labels):.3f}", flush=True)


if __name__ == "__main__":
    main()
