"""Classify points by a softmax, with a cross entropy written by hand.

As the weights grow the softmax saturates: exp underflows and a probability is exactly 0. Its
logarithm is -Inf, 0 * -Inf is NaN, and one step later every weight is NaN.
"""

import argparse
import time

import tensorflow as tf

STEPS = 60
LEARNING_RATE = 1.0
WARM_UP_STEPS = 10
SECONDS_TO_LOAD = 0.07
"""Stands for reading the next batch from a disk."""


@tf.function
def textbook_loss(logits, labels):
    """Cross entropy as the textbook writes it."""
    probabilities = tf.nn.softmax(logits)
    log_probabilities = tf.math.log(probabilities)  # <- the bug shows here
    return -tf.reduce_mean(tf.reduce_sum(labels * log_probabilities, axis=1))


@tf.function
def stable_loss(logits, labels):
    """The same from the logits: log and exp cancel before anything can underflow."""
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels, logits))


def main():
    """Train for some seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixed", action="store_true", help="compute the loss from the logits")
    loss_function = stable_loss if parser.parse_args().fixed else textbook_loss

    x = 10.0 * tf.random.stateless_normal((256, 8), seed=(1, 1))
    classes = tf.argmax(x @ tf.random.stateless_normal((8, 5), seed=(1, 2)), axis=1)
    labels = tf.one_hot(classes, 5)
    weights = tf.Variable(tf.zeros((8, 5)))
    for step in range(STEPS):
        time.sleep(SECONDS_TO_LOAD)
        with tf.GradientTape() as tape:
            loss = loss_function(x @ weights, labels)
        rate = LEARNING_RATE * min(1.0, (step + 1) / WARM_UP_STEPS)
        weights.assign_sub(rate * tape.gradient(loss, weights))
        if step % 5 == 0:
            print(f"step {step:2}  loss {loss:.4f}", flush=True)


if __name__ == "__main__":
    main()
