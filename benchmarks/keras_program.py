"""A Keras program whose steps are timed, recorded or not; `benchmarks.recorder` runs it.

    python -m benchmarks.keras_program MODEL INPUT RECORDER LOGDIR

Prints the milliseconds that a step takes when everything is traced and warm.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

MODELS = ("convnet", "MLP")
INPUTS = ("numpy", "tf.data")
RECORDERS = ("none", "tensorflow", "tfdbg-tui")

IMAGES, SIDE, CLASSES = 60_000, 28, 10
"""As MNIST has them: 47 million numbers in one array."""

BATCH = 64
WARM_UP, STEPS = 10, 40


def main() -> None:
    """Train as long as the measurement needs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("input", choices=INPUTS)
    parser.add_argument("recorder", choices=RECORDERS)
    parser.add_argument("logdir")
    options = parser.parse_args()
    import tensorflow as tf

    start(tf, options.recorder, options.logdir)
    model = build(tf, options.model)
    clock = stopwatch(tf)
    fit(tf, model, options.input, clock)
    print(1000 * (clock.ended - clock.began) / STEPS)


def start(tf: Any, recorder: str, logdir: str) -> None:
    """Switch a recorder on, or none."""
    if recorder == "tensorflow":
        tf.debugging.experimental.enable_dump_debug_info(
            logdir, tensor_debug_mode="FULL_HEALTH", circular_buffer_size=-1
        )
    elif recorder == "tfdbg-tui":
        from tfdbg_tui import record

        record.enable(logdir)


def build(tf: Any, name: str) -> Any:
    """A small model for small pictures."""
    layers = tf.keras.layers
    inner = [layers.Flatten(), layers.Dense(128, "relu"), layers.Dense(128, "relu")]
    if name == "convnet":
        inner = [
            layers.Conv2D(16, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Conv2D(32, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
        ]
    model = tf.keras.Sequential([tf.keras.Input((SIDE, SIDE, 1)), *inner, layers.Dense(CLASSES)])
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("adam", loss)
    return model


def stopwatch(tf: Any) -> Any:
    """A callback that takes the time from the last step of the warm-up to the end."""

    class Stopwatch(tf.keras.callbacks.Callback):  # type: ignore[misc]
        began = ended = 0.0

        def on_train_batch_end(self, batch: int, logs: object = None) -> None:
            self.ended = time.perf_counter()
            if batch == WARM_UP - 1:
                self.began = self.ended

    return Stopwatch()


def fit(tf: Any, model: Any, kind: str, clock: Any) -> None:
    """Train on data that is an array, or a dataset of batches."""
    import numpy as np

    x = np.random.default_rng(0).random((IMAGES, SIDE, SIDE, 1), np.float32)
    y = np.arange(IMAGES) % CLASSES
    steps = WARM_UP + STEPS
    if kind == "numpy":
        options = {"x": x, "y": y, "batch_size": BATCH}
    else:
        dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH)
        options = {"x": dataset.repeat().prefetch(tf.data.AUTOTUNE)}
    model.fit(**options, steps_per_epoch=steps, verbose=0, callbacks=[clock])


if __name__ == "__main__":
    main()
