"""Predict the price of a flat from raw numbers: its size, its age and its way to the centre.

The inputs are in the hundreds and nobody scaled them, so the learning rate is far too large: each
step overshoots by more than the last, until the square of the error no longer fits in a float32.
"""

import argparse
import time

import numpy as np
import tensorflow as tf

EPOCHS = 20
LEARNING_RATE = 0.05
SECONDS_TO_LOAD = 0.18
"""Stands for shuffling and reading the data before each epoch."""


def flats():
    """Square metres, years and metres to the centre of 256 flats; their prices in thousands."""
    random = np.random.default_rng(seed=5)
    x = random.uniform((30, 0, 100), (200, 90, 900), size=(256, 3)).astype(np.float32)
    prices = x @ np.float32([[3.0], [-0.5], [-0.1]]) + 150.0
    return x, prices


def main():
    """Train for some seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixed", action="store_true", help="scale each input by its mean and std")
    fixed = parser.parse_args().fixed

    tf.keras.utils.set_random_seed(5)
    x, prices = flats()
    if fixed:
        x = (x - x.mean(axis=0)) / x.std(axis=0)
    model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(LEARNING_RATE), loss="mse")
    pause = tf.keras.callbacks.LambdaCallback(on_epoch_begin=lambda *_: time.sleep(SECONDS_TO_LOAD))
    model.fit(x, prices, 128, EPOCHS, verbose=2, callbacks=[pause])  # <- the bug shows here


if __name__ == "__main__":
    main()
