"""Keras programs that do more than train: what is a step and what is not, each tells itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

from tests.recordings.scenarios.recorder import start
from tests.recordings.scenarios.told import Told

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.scenarios.recorder import Tensor


def numbers(rows: int, columns: int = 4) -> Any:
    """The same in every run."""
    return np.random.default_rng(rows).normal(size=(rows, columns)).astype(np.float32)


def network(outputs: int, name: str, **options: Any) -> Any:
    """A small model, ready to train."""
    layers = [keras.layers.Input((4,)), keras.layers.Dense(outputs)]
    model = keras.Sequential(layers, name=name)
    model.compile(optimizer=keras.optimizers.SGD(0.01), loss="mse", **options)
    return model


class Autoencoder(keras.Model):  # type: ignore[misc]
    """With a train step of its own, as a VAE or a GAN has."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder, self.decoder = network(2, "encoder"), network(4, "decoder")
        self.inner = keras.layers.Dense(4)

    def call(self, x: Tensor) -> Tensor:
        """There and back."""
        return self.inner(self.encoder(x))

    def train_step(self, data: Tensor) -> dict[str, Tensor]:
        """By hand."""
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(data) - data))
        self.optimizer.apply_gradients(
            zip(tape.gradient(loss, self.trainable_weights), self.trainable_weights, strict=True)
        )
        return {"loss": loss}

    def test_step(self, data: Tensor) -> dict[str, Tensor]:
        """The same without learning."""
        return {"loss": tf.reduce_mean(tf.square(self(data) - data))}


def keras_plots(logdir: Path) -> None:
    """A few steps, and many predictions for pictures in between and afterwards."""
    start(logdir)
    told = Told(logdir)
    model = Autoencoder()
    model.compile(optimizer=keras.optimizers.SGD(0.01))

    class Plots(keras.callbacks.Callback):  # type: ignore[misc]
        """Draws the latent space after each epoch."""

        def on_train_batch_end(self, batch: int, logs: object = None) -> None:
            """A step has been made."""
            told.step()

        def on_epoch_end(self, epoch: int, logs: object = None) -> None:
            """Predict point by point."""
            model.decoder.predict(numbers(20), batch_size=1, verbose=0)

    data = tf.data.Dataset.from_tensor_slices(numbers(12)).batch(4)
    model.fit(data, validation_data=data, epochs=2, verbose=0, callbacks=[Plots()])
    model.decoder.predict(numbers(200), batch_size=1, verbose=0)
    told.tell()


def keras_batches(logdir: Path) -> None:
    """Two models trained batch by batch, in turns, each tested and applied as well."""
    start(logdir)
    told = Told(logdir)
    critic, generator = network(1, "critic"), network(4, "generator")
    for _ in range(5):
        fake = generator.predict_on_batch(numbers(8))
        critic.train_on_batch(fake, np.zeros((8, 1)))
        told.step()
        critic.train_on_batch(numbers(8), np.ones((8, 1)))
        told.step()
        generator.train_on_batch(numbers(8), numbers(8))
        told.step()
        for _ in range(3):
            critic.test_on_batch(numbers(8), np.ones((8, 1)))
    told.tell()


def keras_evaluation(logdir: Path) -> None:
    """A model that is evaluated and applied, and never trained."""
    start(logdir)
    told = Told(logdir)
    model = network(1, "model")
    x = tf.concat([tf.constant(numbers(6)), tf.constant(numbers(6))], axis=0)
    for _ in range(3):
        model.evaluate(x, tf.zeros((12, 1)), batch_size=4, verbose=0)
        model.predict(x, batch_size=3, verbose=0)
    told.tell()


def keras_several(logdir: Path) -> None:
    """Several fits: of two models, one after the other, with several batches a call, one eager."""
    start(logdir)
    told = Told(logdir)

    def fit(model: Any, rows: int, batch: int) -> None:
        model.fit(
            numbers(rows), np.ones((rows, 1)), batch_size=batch, verbose=0,
            validation_data=(numbers(6), np.ones((6, 1))),
        )  # fmt: skip

    first, second = network(1, "first"), network(1, "second", steps_per_execution=2)
    for rows, batch in ((12, 4), (10, 5)):
        fit(first, rows, batch)
        for _ in range(rows // batch):
            told.step()
    fit(second, 16, 4)
    for _ in range(2):  # two batches a call
        told.step()
    first.evaluate(numbers(24), np.ones((24, 1)), batch_size=2, verbose=0)
    told.tell()


def keras_eagerly(logdir: Path) -> None:
    """All op by op: nothing that Keras calls has a name, but the stack tells what it is for."""
    start(logdir)
    told = Told(logdir)
    model = network(1, "model", run_eagerly=True)
    x, y = numbers(20), np.ones((20, 1))
    model.fit(x, y, batch_size=4, epochs=1, shuffle=False, verbose=0)
    for _ in range(5):
        told.step()
    for _ in range(6):
        model.predict(x, batch_size=2, verbose=0)
    told.tell()


def keras_own_loop(logdir: Path) -> None:
    """A loop of one's own around a model of Keras's that predicts far more often."""
    start(logdir)
    told = Told(logdir)
    model = network(1, "model")
    x, y = tf.constant(numbers(8)), tf.ones((8, 1))

    @tf.function  # type: ignore[untyped-decorator]
    def train_step() -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        weights = model.trainable_weights
        model.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        return loss

    for _ in range(6):
        train_step()
        told.step()
        for point in range(3):
            model.predict(numbers(1) + point, verbose=0)
    told.tell()
