"""Healthy programs with much that looks like trouble: zeros, one sign, shapes that change."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

Tensor = Any

v1 = tf.compat.v1


def numbers(shape: list[int], seed: int, low: float = -1.0, high: float = 1.0) -> Tensor:
    """The same numbers on every machine."""
    return tf.constant(np.random.default_rng(seed).uniform(low, high, shape).astype("float32"))


def hinge() -> None:
    """Hinge and absolute losses, learned until each of their gradients is zero."""
    x = numbers([32, 6], 1)
    y = tf.sign(x[:, :1])
    w = tf.Variable(tf.zeros([6, 1]))
    b = tf.Variable(tf.zeros([1]))

    @tf.function  # type: ignore[untyped-decorator]
    def train_step() -> Tensor:
        with tf.GradientTape() as tape:
            margins = 1.0 - y * (tf.matmul(x, w) + b)
            loss = tf.reduce_sum(tf.nn.relu(margins))
        gradients = tape.gradient(loss, [w, b])
        w.assign_sub(gradients[0])
        b.assign_sub(gradients[1])
        return loss

    for _ in range(90):
        train_step()
    v = tf.Variable(tf.ones([6]))
    target = tf.ones([6])
    for step in range(16):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.nn.relu(tf.abs(v - target) - 0.5)) + 0.0 * float(step)
        v.assign_sub(0.1 * tape.gradient(loss, v))


def sparse_rewards() -> None:
    """Policy gradients where most episodes bring no reward, hence no gradient."""
    random = np.random.default_rng(4)
    layer, head = tf.Variable(numbers([5, 16], 1)), tf.Variable(numbers([16, 3], 2))
    optimizer = keras.optimizers.Adam(0.01)

    @tf.function(reduce_retracing=True)  # type: ignore[untyped-decorator]
    def update(states: Tensor, actions: Tensor, rewards: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            logits = tf.matmul(tf.nn.relu(tf.matmul(states, layer)), head)
            taken = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=logits)
            loss = tf.reduce_mean(taken * rewards)
        optimizer.apply_gradients(
            zip(tape.gradient(loss, [layer, head]), [layer, head], strict=True)
        )
        return loss

    for episode in range(18):
        length = int(random.integers(4, 9))
        states = tf.constant(random.normal(size=(length, 5)).astype("float32"))
        rewards = np.zeros(length, "float32")
        rewards[-1] = 1.0 if episode in (2, 7) else 0.0
        update(states, tf.constant(random.integers(0, 3, length)), tf.constant(rewards))


def actor_and_critic() -> None:
    """Of two heads on one body one learns from rewards, which are rare, and one in each step."""
    random = np.random.default_rng(12)
    body, actor = tf.Variable(numbers([5, 8], 1)), tf.Variable(numbers([8, 3], 2))
    critic = tf.Variable(numbers([8, 1], 3))
    variables = [body, actor, critic]

    @tf.function  # type: ignore[untyped-decorator]
    def update(states: Tensor, actions: Tensor, rewards: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            hidden = tf.tanh(tf.matmul(states, body))
            taken = tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=actions, logits=tf.matmul(hidden, actor)
            )
            missed = tf.matmul(hidden, critic)[:, 0] - rewards
            loss = tf.reduce_mean(taken * rewards) + tf.reduce_mean(tf.square(missed))
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(0.01 * gradient)
        return loss

    for episode in range(24):
        states = tf.constant(random.normal(size=(6, 5)).astype("float32"))
        rewards = np.zeros(6, "float32")
        rewards[-1] = 1.0 if episode in (0, 7, 16) else 0.0
        update(states, tf.constant(random.integers(0, 3, 6)), tf.constant(rewards))


def adversaries() -> None:
    """A generator and a critic that train in turns."""
    generator = keras.Sequential(
        [keras.Input((4,)), keras.layers.Dense(12, activation="relu"), keras.layers.Dense(6)]
    )
    critic = keras.Sequential(
        [keras.Input((6,)), keras.layers.Dense(12), keras.layers.LeakyReLU(), keras.layers.Dense(1)]
    )
    optimizers = keras.optimizers.Adam(0.01), keras.optimizers.Adam(0.01)
    entropy = keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function  # type: ignore[untyped-decorator]
    def train_step(real: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
        with tf.GradientTape() as one, tf.GradientTape() as other:
            fake = generator(noise)
            says_real, says_fake = critic(real), critic(fake)
            of_generator = entropy(tf.ones_like(says_fake), says_fake)
            of_critic = entropy(tf.ones_like(says_real), says_real)
            of_critic += entropy(tf.zeros_like(says_fake), says_fake)
        for model, tape, loss, optimizer in (
            (generator, one, of_generator, optimizers[0]),
            (critic, other, of_critic, optimizers[1]),
        ):
            variables = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return of_generator, of_critic

    for step in range(12):
        train_step(numbers([8, 6], step, 1.0, 2.0), numbers([8, 4], 100 + step))


def attention() -> None:
    """A small transformer with causal and padding masks, over sentences of several lengths."""
    random = np.random.default_rng(5)
    table = tf.Variable(numbers([20, 8], 1))
    weights = [tf.Variable(numbers([8, 8], seed)) for seed in range(2, 7)]
    head = tf.Variable(numbers([8, 20], 9))
    variables = [table, *weights, head]
    optimizer = keras.optimizers.Adam(0.01)

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32)])  # type: ignore[untyped-decorator]
    def train_step(tokens: Tensor) -> Tensor:
        padding = tf.cast(tf.equal(tokens, 0), tf.float32)
        length = tf.shape(tokens)[1]
        causal = 1.0 - tf.linalg.band_part(tf.ones([length, length]), -1, 0)
        with tf.GradientTape() as tape:
            x = tf.gather(table, tokens)
            query, key, value = (tf.einsum("bld,de->ble", x, w) for w in weights[:3])
            scores = tf.matmul(query, key, transpose_b=True)
            scores += -1e9 * (causal[tf.newaxis] + padding[:, tf.newaxis])
            x += tf.matmul(tf.nn.softmax(scores), value)
            hidden = tf.nn.relu(tf.einsum("bld,de->ble", x, weights[3]))
            x += tf.einsum("bld,de->ble", hidden, weights[4])
            logits = tf.einsum("bld,de->ble", x, head)[:, :-1]
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(tokens[:, 1:], logits)
            kept = 1.0 - padding[:, 1:]
            loss = tf.reduce_sum(losses * kept) / tf.reduce_sum(kept)
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return loss

    for _ in range(12):
        tokens = random.integers(1, 20, size=(4, int(random.integers(5, 10))))
        tokens[1, 3:] = 0
        train_step(tf.constant(tokens, tf.int32))


def rare_class() -> None:
    """Few are positive and all prices are: logits and outputs come to have one sign."""
    random = np.random.default_rng(6)
    x = random.normal(size=(128, 6)).astype("float32")
    rare = np.zeros((128, 1), "float32")
    rare[:2] = 1.0
    price = (5.0 + np.abs(x[:, :1])).astype("float32")
    inputs = keras.Input((6,))
    hidden = keras.layers.Dense(16, activation="tanh")(inputs)
    outputs = [
        keras.layers.Dense(1, activation="sigmoid", name="rare")(hidden),
        keras.layers.Dense(1, activation="softplus", name="price")(hidden),
        keras.layers.Dense(1, name="logits")(hidden),
    ]
    model = keras.Model(inputs, outputs)
    losses = [
        "binary_crossentropy",
        "mse",
        keras.losses.BinaryCrossentropy(from_logits=True),
    ]
    model.compile(keras.optimizers.Adam(0.05), loss=losses)
    model.fit(x, [rare, price, rare], batch_size=32, epochs=8, verbose=2)


def pictures() -> None:
    """A convolutional network with batch normalisation, dropout, a last batch that is smaller."""
    random = np.random.default_rng(7)
    x = random.normal(size=(44, 8, 8, 1)).astype("float32")
    y = random.integers(0, 3, size=44)
    model = keras.Sequential(
        [
            keras.Input((8, 8, 1)),
            keras.layers.Conv2D(4, 3, use_bias=False),
            keras.layers.BatchNormalization(),
            keras.layers.ReLU(),
            keras.layers.MaxPooling2D(),
            keras.layers.Conv2D(6, 2, activation="relu"),
            keras.layers.GlobalAveragePooling2D(),
            keras.layers.Dropout(0.5),
            keras.layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile("sgd", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(x, y, batch_size=10, epochs=3, validation_split=0.25, verbose=2)
    model.predict(x[:3], verbose=0)


def experts() -> None:
    """Few of several experts work for a batch; a loss that begins later; embeddings, by `cond`."""
    random = np.random.default_rng(8)
    gate = tf.Variable(numbers([6, 3], 1))
    layers = [tf.Variable(numbers([6, 4], seed)) for seed in (2, 3, 4)]
    table = tf.Variable(numbers([50, 6], 5))
    late = tf.Variable(numbers([4, 1], 6))
    variables = [gate, *layers, table, late]
    optimizer = keras.optimizers.SGD(0.05)

    @tf.function  # type: ignore[untyped-decorator]
    def train_step(words: Tensor, step: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            x = tf.reduce_mean(tf.nn.embedding_lookup(table, words), 1)
            scores = tf.nn.softmax(tf.matmul(x, gate))
            best = tf.one_hot(tf.argmax(scores, 1), 3)
            parts = [
                tf.nn.relu(tf.matmul(x, layer)) * (scores * best)[:, n : n + 1]
                for n, layer in enumerate(layers)
            ]
            mixed = tf.add_n(parts)
            loss = tf.reduce_mean(tf.square(mixed - 0.3))
            loss += tf.cond(
                step >= 8, lambda: tf.reduce_mean(tf.square(tf.matmul(mixed, late))), lambda: 0.0
            )
        gradients = tape.gradient(loss, variables)
        optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return loss

    for step in range(14):
        words = tf.constant(random.integers(0, 50, size=(8, 5)))
        train_step(words, tf.constant(step))


def by_hand() -> None:
    """Eagerly: layers in a loop over one line, batches of several sizes, a sentence that grows."""
    random = np.random.default_rng(9)
    weights = [tf.Variable(numbers([4, 8], 1)), tf.Variable(numbers([8, 8], 2))]
    weights.append(tf.Variable(numbers([8, 1], 3)))
    for step in range(12):
        x = tf.constant(random.normal(size=(6 + step % 3, 4)).astype("float32"))
        with tf.GradientTape() as tape:
            h = x
            for w in weights[:2]:
                h = tf.nn.relu(tf.matmul(h, w))
            loss = tf.reduce_mean(tf.square(tf.matmul(h, weights[2]) - 1.0))
        for w, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
            w.assign_sub(0.01 * gradient)
        sentence = tf.zeros([1, 4])
        for _ in range(6):
            following = tf.tanh(tf.matmul(sentence[-1:], weights[0])[:, :4])
            sentence = tf.concat([sentence, following], 0)


def buckets() -> None:
    """A function that is traced for each of six lengths, and then for none."""
    w = tf.Variable(numbers([3, 1], 1))

    @tf.function  # type: ignore[untyped-decorator]
    def train_step(x: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    for epoch in range(4):
        for length in range(2, 8):
            train_step(numbers([length, 3], epoch))


def folds() -> None:
    """A model of Keras for each of six folds, trained and evaluated for a step."""
    random = np.random.default_rng(13)
    x = random.normal(size=(24, 4)).astype("float32")
    y = (x[:, 0] > 0).astype("float32")
    for _ in range(6):
        model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
        model.compile("adam", "mse")
        model.fit(x[:16], y[:16], batch_size=16, epochs=1, verbose=2)
        model.evaluate(x[16:], y[16:], verbose=2)


def unrolled() -> None:
    """A recurrent cell in a Python loop that begins with zeros: a part of its gradient is zero."""
    weights = [tf.Variable(numbers(shape, n)) for n, shape in enumerate(([3, 8], [8, 8], [8, 1]))]

    @tf.function  # type: ignore[untyped-decorator]
    def train_step(x: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            state = tf.zeros([4, 8])
            for time in range(3):
                state = tf.tanh(tf.matmul(x[:, time], weights[0]) + tf.matmul(state, weights[1]))
            loss = tf.reduce_mean(tf.square(tf.matmul(state, weights[2]) - 1.0))
        for w, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
            w.assign_sub(0.05 * gradient)
        return loss

    for step in range(12):
        train_step(numbers([4, 3, 3], step))


def half() -> None:
    """Mixed precision by Keras, with a scale of the loss that is too large at first."""
    keras.mixed_precision.set_global_policy("mixed_float16")
    random = np.random.default_rng(10)
    x = random.normal(size=(96, 8)).astype("float32")
    y = random.normal(size=(96, 1)).astype("float32")
    model = keras.Sequential(
        [
            keras.Input((8,)),
            keras.layers.Dense(16, activation="relu"),
            keras.layers.Dense(1, dtype="float32"),
        ]
    )
    optimizer = keras.optimizers.LossScaleOptimizer(
        keras.optimizers.SGD(0.01), initial_scale=2.0**20, dynamic_growth_steps=50
    )
    model.compile(optimizer, loss="mse", jit_compile=False)
    model.fit(x, y, batch_size=8, epochs=3, verbose=2)


def session() -> None:
    """A TF1 session: a rectified layer, dropout by placeholder, evaluated now and then."""
    random = np.random.default_rng(11)
    with tf.Graph().as_default(), v1.Session() as run:
        x, y = v1.placeholder(tf.float32, [None, 5]), v1.placeholder(tf.float32, [None, 1])
        rate = v1.placeholder_with_default(0.0, [])
        first = v1.get_variable("first", [5, 8], initializer=v1.glorot_uniform_initializer(1))
        second = v1.get_variable("second", [8, 1], initializer=v1.glorot_uniform_initializer(2))
        hidden = v1.nn.dropout(tf.nn.relu(tf.matmul(x, first)), rate=rate)
        loss = tf.reduce_mean(tf.square(tf.matmul(hidden, second) - y))
        train = v1.train.MomentumOptimizer(0.05, 0.9).minimize(loss)
        run.run(v1.global_variables_initializer())
        for step in range(12):
            rows = 8 if step % 4 else 5
            values = random.normal(size=(rows, 5)).astype("float32")
            feed = {x: values, y: values[:, :1], rate: 0.4}
            run.run([train, loss], feed)
            if step % 4 == 3:
                run.run(loss, {x: values, y: values[:, :1]})
