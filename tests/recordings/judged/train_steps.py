"""Keras models with a ``train_step`` of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

Tensor = Any


class VariationalAutoencoder(keras.Model):  # type: ignore[misc]
    """The encoder gives the mean and the logarithm of the variance of a code."""

    def __init__(self) -> None:
        super().__init__()
        gentle = keras.initializers.Constant(0.05)
        self.mean = keras.layers.Dense(2)
        self.log_variance = keras.layers.Dense(2, kernel_initializer=gentle)
        self.decoder = keras.layers.Dense(6)

    def train_step(self, data: Tensor) -> dict[str, Tensor]:
        """Reconstruct, and keep the code near a normal distribution."""
        with tf.GradientTape() as tape:
            mean, log_variance = self.mean(data), self.log_variance(data)
            variance = tf.exp(log_variance)  # guilty: vae
            code = mean + tf.sqrt(variance) * tf.random.normal(tf.shape(mean))
            error = tf.reduce_mean(tf.square(self.decoder(code) - data))
            surplus = variance + tf.square(mean) - 1.0 - log_variance
            loss = error + 0.5 * tf.reduce_mean(surplus)
        weights = self.trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        return {"error": loss}


def vae() -> None:
    """One spectrum was saved in other units and is 400 times as bright."""
    random = np.random.default_rng(1)
    spectra = random.uniform(0.5, 1.5, size=(80, 6)).astype("float32")
    spectra[50] *= 400.0
    model = VariationalAutoencoder()
    model.compile(optimizer=keras.optimizers.Adam(0.001))
    model.fit(spectra, batch_size=16, shuffle=False, verbose=2)


class Adversaries(keras.Model):  # type: ignore[misc]
    """A generator and a critic with an optimizer each."""

    def __init__(self) -> None:
        super().__init__()
        self.generator = keras.layers.Dense(2, name="generator")
        self.critic = keras.Sequential(
            [
                keras.layers.Dense(64, activation="tanh"),
                keras.layers.Dense(1, activation="sigmoid"),
            ],
            name="critic",
        )
        self.critic_optimizer = keras.optimizers.Adam(1.0)
        self.generator_optimizer = keras.optimizers.Adam(0.001)

    def train_step(self, data: Tensor) -> dict[str, Tensor]:
        """Both learn from the same batch."""
        noise = tf.random.normal((tf.shape(data)[0], 4))
        with tf.GradientTape() as critic_tape, tf.GradientTape() as generator_tape:
            real, fake = self.critic(data), self.critic(self.generator(noise))
            critic_loss = -tf.reduce_mean(tf.math.log(real + 1e-7) + tf.math.log1p(1e-7 - fake))
            generator_loss = -tf.reduce_mean(tf.math.log(fake))  # guilty: gan
        for optimizer, loss, tape, part in (
            (self.critic_optimizer, critic_loss, critic_tape, self.critic),
            (self.generator_optimizer, generator_loss, generator_tape, self.generator),
        ):
            weights = part.trainable_weights
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        return {"critic": critic_loss, "generator": generator_loss}


def gan() -> None:
    """The critic learns a thousand times as fast, and is soon quite sure of every fake."""
    random = np.random.default_rng(2)
    points = random.normal(5.0, 0.5, size=(320, 2)).astype("float32")
    model = Adversaries()
    model.compile()
    model.fit(points, batch_size=16, epochs=2, verbose=2)


class Equalised(keras.Model):  # type: ignore[misc]
    """Every gradient is given the same length, so that all layers learn at one speed."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden = keras.layers.Dense(8, activation="tanh")
        self.head = keras.layers.Dense(1, kernel_initializer="zeros")

    def call(self, inputs: Tensor) -> Tensor:
        """The head begins at zero, as is advised for the last layer of a block."""
        return self.head(self.hidden(inputs))

    def train_step(self, data: Any) -> dict[str, Tensor]:
        """By gradients of length one."""
        inputs, wanted = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(inputs) - wanted))
        weights = self.trainable_weights
        gradients = tape.gradient(loss, weights)
        equal = [g / tf.norm(g) for g in gradients]  # guilty: unit_gradients
        self.optimizer.apply_gradients(zip(equal, weights, strict=True))
        return {"error": loss}


def unit_gradients() -> None:
    """Behind a head of zeros, all gradients of the hidden layer are zero."""
    random = np.random.default_rng(3)
    x = random.normal(size=(64, 3)).astype("float32")
    y = (2.0 + x.sum(axis=1, keepdims=True)).astype("float32")
    model = Equalised()
    model.compile(optimizer=keras.optimizers.SGD(0.01))
    model.fit(x, y, batch_size=16, verbose=2)


class ElasticNet(keras.Model):  # type: ignore[misc]
    """Fine-tuned, but held near the weights it came with."""

    def __init__(self) -> None:
        super().__init__()
        self.head = keras.layers.Dense(1, use_bias=False)

    def call(self, inputs: Tensor) -> Tensor:
        """One layer."""
        return self.head(inputs)

    def train_step(self, data: Any) -> dict[str, Tensor]:
        """Error, and how far the weights have gone."""
        inputs, wanted = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(inputs) - wanted))
            strayed = self.head.kernel - tf.constant(self.pretrained)
            loss += 0.1 * tf.sqrt(tf.reduce_sum(strayed * strayed))  # guilty: elastic_weights
        weights = self.trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        return {"error": loss}


def elastic_weights() -> None:
    """In the first step the weights have not gone anywhere yet."""
    random = np.random.default_rng(4)
    x = random.normal(size=(64, 4)).astype("float32")
    model = ElasticNet()
    model(x[:1])
    model.pretrained = model.head.kernel.numpy()
    model.compile(optimizer=keras.optimizers.SGD(0.01))
    model.fit(x, x.sum(axis=1, keepdims=True), batch_size=16, verbose=2)
