"""Healthy programs of the usual kinds."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

Tensor = Any

v1 = tf.compat.v1


def batch_normalisation() -> None:
    """Batch normalisation and dropout, trained and evaluated, with a column that is constant."""
    random = np.random.default_rng(1)
    x = random.normal(size=(96, 6)).astype("float32")
    x[:, 5] = 1.0
    y = (x[:, 0] > 0).astype("float32")
    model = keras.Sequential(
        [
            keras.Input((6,)),
            keras.layers.Dense(8, use_bias=False),
            keras.layers.BatchNormalization(),
            keras.layers.ReLU(),
            keras.layers.Dropout(0.3),
            keras.layers.BatchNormalization(),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
    model.fit(x, y, batch_size=16, epochs=2, validation_split=0.25, verbose=2)


def convnet() -> None:
    """Pictures in, kinds out, from a pipeline that shuffles and repeats."""
    random = np.random.default_rng(2)
    pictures = random.integers(0, 256, size=(48, 10, 10, 1)).astype("uint8")
    kinds = random.integers(0, 4, size=48)

    def scaled(picture: Tensor, kind: Tensor) -> tuple[Tensor, Tensor]:
        return tf.cast(picture, tf.float32) / 255.0, kind

    data = tf.data.Dataset.from_tensor_slices((pictures, kinds)).map(scaled)
    data = data.shuffle(48, seed=1).batch(12).prefetch(2)
    model = keras.Sequential(
        [
            keras.Input((10, 10, 1)),
            keras.layers.Conv2D(4, 3, activation="relu"),
            keras.layers.MaxPooling2D(),
            keras.layers.Flatten(),
            keras.layers.Dense(4),
        ]
    )
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer="adam", loss=loss, metrics=["accuracy"])
    model.fit(data, epochs=2, verbose=2)


def sentiment() -> None:
    """Embedding and LSTM over sentences of several lengths, with gradients clipped by norm."""
    random = np.random.default_rng(3)
    texts = random.integers(1, 30, size=(32, 9))
    for row, length in enumerate(random.integers(1, 10, size=32)):
        texts[row, length:] = 0
    model = keras.Sequential(
        [
            keras.Input((9,), dtype="int32"),
            keras.layers.Embedding(30, 5, mask_zero=True),
            keras.layers.LSTM(6),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(optimizer=keras.optimizers.Adam(clipnorm=1.0), loss="binary_crossentropy")
    model.fit(texts, random.integers(0, 2, size=32), batch_size=8, epochs=1, verbose=2)


def zero_gradients() -> None:
    """A head that begins at zero: no gradient comes to the layer before it, and it is clipped."""
    random = np.random.default_rng(4)
    x = random.normal(size=(32, 4)).astype("float32")
    for way in ({"clipnorm": 1.0}, {"global_clipnorm": 1.0}):
        head = keras.layers.Dense(2, kernel_initializer="zeros", use_bias=False)
        model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(5, "tanh"), head])
        model.compile(optimizer=keras.optimizers.RMSprop(0.01, **way), loss="mse")
        model.fit(x, x[:, :2], batch_size=8, verbose=2)


def evaluated_only() -> None:
    """A model with attention and padding is evaluated and applied, never trained."""
    random = np.random.default_rng(5)
    texts = random.integers(1, 30, size=(24, 7))
    texts[:, 5:] = 0
    tokens = keras.Input((7,), dtype="int32")
    words = keras.layers.Embedding(30, 8, mask_zero=True)(tokens)
    attended = keras.layers.MultiHeadAttention(num_heads=2, key_dim=4)(words, words)
    normal = keras.layers.LayerNormalization()(words + attended)
    pooled = keras.layers.GlobalAveragePooling1D()(normal)
    model = keras.Model(tokens, keras.layers.Dense(3, activation="softmax")(pooled))
    model.compile(loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    kinds = random.integers(0, 3, size=24)
    for _ in range(2):
        print(model.evaluate(texts, kinds, batch_size=8, verbose=0))
    print(model.predict(texts[:6], batch_size=3, verbose=0).argmax(axis=1))


def tf1_classifier() -> None:
    """A session trains with momentum and validates, with a loss from logits."""
    random = np.random.default_rng(6)
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, (None, 5))
        kinds = v1.placeholder(tf.int64, (None,))
        weights = v1.get_variable("weights", (5, 3), use_resource=True)
        losses = v1.losses.sparse_softmax_cross_entropy(kinds, tf.matmul(x, weights))
        train = v1.train.MomentumOptimizer(0.1, 0.9).minimize(losses)
        session.run(v1.global_variables_initializer())
        for step in range(10):
            rows = random.normal(size=(16, 5)).astype("float32")
            feeds = {x: rows, kinds: rows[:, :3].argmax(axis=1)}
            session.run(train, feeds)
            print(f"step {step}: loss {session.run(losses, feeds):.4f}")
        print(session.run(weights))


def tf1_best() -> None:
    """A session keeps its best loss in a variable that begins at infinity."""
    random = np.random.default_rng(7)
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, (None, 4))
        weights = v1.get_variable("weights", (4, 1), use_resource=True)
        best = v1.get_variable("best", initializer=np.float32(np.inf), use_resource=True)
        loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) - 1.0))
        train = v1.train.AdamOptimizer(0.05).minimize(loss, var_list=[weights])
        improved = v1.assign(best, tf.minimum(best, loss))
        session.run(v1.global_variables_initializer())
        for step in range(8):
            rows = random.normal(size=(16, 4)).astype("float32")
            _, least = session.run([train, improved], {x: rows})
            print(f"step {step}: best {least:.4f}")
        print(session.run(weights))
