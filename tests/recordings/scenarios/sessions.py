"""TF1 programs: sessions with loops, several fetches, several graphs; what each did is told.

Recorded by our recorder, which writes each run down. Without these records the recording is what
TensorFlow's own call makes: tests look at both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from tests.recordings.scenarios.told import Told
from tfdbg_tui import record

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.scenarios.recorder import Tensor

v1 = tf.compat.v1


def batch(number: int, rows: int = 8, columns: int = 4) -> Any:
    """The same numbers in every run."""
    return np.random.default_rng(number).normal(size=(rows, columns)).astype(np.float32)


def dense(x: Tensor, columns: int, name: str) -> Tensor:
    """A layer with variables."""
    with v1.variable_scope(name, use_resource=True):
        kernel = v1.get_variable("kernel", (x.shape[1], columns))
        bias = v1.get_variable("bias", (columns,), initializer=v1.zeros_initializer())
        return tf.matmul(x, kernel) + bias


def tf1_training(logdir: Path) -> None:
    """Trains with Adam; every third step validates, every fourth fetches a summary as well."""
    record.enable(logdir)
    told = Told(logdir)
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, (None, 4), name="x")
        rate = v1.train.exponential_decay(0.1, v1.train.get_or_create_global_step(), 10, 0.9)
        hidden = tf.nn.relu(dense(x, 6, "hidden"))
        loss = tf.reduce_mean(tf.square(dense(hidden, 1, "out") - 1.0))
        step = v1.train.get_global_step()
        train = v1.train.AdamOptimizer(rate).minimize(loss, global_step=step)
        summary = tf.reduce_sum(tf.square(hidden)) / 2.0
        session.run(v1.global_variables_initializer())
        told.run()
        for number in range(12):
            fetches = [train, loss, rate, summary] if number % 4 == 3 else [train, loss, rate]
            session.run(fetches, {x: batch(number)})
            told.step()
            if number % 3 == 2:
                session.run(loss, {x: batch(100)})
                loss.eval({x: batch(101)}, session=session)
                told.run()
                told.run()
    told.tell()


def tf1_loops(logdir: Path) -> None:
    """Control flow of TF1, loop and branch inside one graph, and gradients through it."""
    v1.disable_v2_behavior()
    record.enable(logdir)
    told = Told(logdir)
    x = v1.placeholder(tf.float32, (None, 4), name="x")
    with v1.variable_scope("cell", use_resource=True):
        kernel = v1.get_variable("kernel", (4, 4))

    def body(i: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        return i + 1, tf.tanh(tf.matmul(state, kernel) * 0.5 + 0.1)

    _, last = v1.while_loop(lambda i, _: i < 5, body, [tf.constant(0), x])
    total = tf.reduce_sum(tf.square(last))
    loss = v1.cond(total > 3.0, lambda: total / 2.0 + 1.0, lambda: total * 3.0)
    train = v1.train.GradientDescentOptimizer(0.01).minimize(loss)
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        told.run()
        for number in range(6):
            session.run(train, {x: batch(number)})
            told.step()
            if number % 2:
                session.run([loss, last], {x: batch(number, rows=1)})
                told.run()
    told.tell()


def tf1_functions(logdir: Path) -> None:
    """Loops as graphs of their own, a `tf.function` inside a session's graph."""
    record.enable(logdir)
    told = Told(logdir)
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, (None, 4), name="x")
        with v1.variable_scope("cell", use_resource=True):
            kernel = v1.get_variable("kernel", (4, 4))

        @tf.function  # type: ignore[untyped-decorator]
        def squash(state: Tensor) -> Tensor:
            return tf.tanh(state) * 0.9

        def body(i: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
            return i + 1, squash(tf.matmul(state, kernel))

        _, last = tf.while_loop(lambda i, _: i < 4, body, [tf.constant(0), squash(x)])
        loss = tf.reduce_mean(tf.square(last - 1.0))
        train = v1.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
        session.run(v1.global_variables_initializer())
        told.run()
        for number in range(7):
            session.run([train, loss], {x: batch(number)})
            told.step()
        session.run(loss, {x: batch(7)})
        told.run()
    told.tell()


def tf1_graphs(logdir: Path) -> None:
    """Two graphs with a session each, in turns: one trains, one applies."""
    record.enable(logdir)
    told = Told(logdir)
    sessions, losses, trains, inputs = [], [], [], []
    for columns in (3, 5):
        graph = tf.Graph()
        with graph.as_default():
            inputs.append(v1.placeholder(tf.float32, (None, 4), name="x"))
            losses.append(tf.reduce_mean(tf.abs(dense(inputs[-1], columns, "layer") - 1.0)))
            if columns == 3:
                trains.append(v1.train.GradientDescentOptimizer(0.1).minimize(losses[-1]))
            sessions.append(v1.Session(graph=graph))
            sessions[-1].run(v1.global_variables_initializer())
            told.run()
    for number in range(5):
        for part in range(2):
            sessions[0].run(trains[0], {inputs[0]: batch(10 * number + part)})
            told.step()
        sessions[1].run(losses[1], {inputs[1]: batch(number)})
        told.run()
    told.tell()


class NoSaver:
    """Stands in for a saver, with which TensorFlow's recorder does not get along."""

    def build(self) -> None:
        """There is nothing to save."""


def tf1_monitored(logdir: Path) -> None:
    """A monitored session with hooks that fetch more now and then."""
    record.enable(logdir)
    told = Told(logdir)
    with tf.Graph().as_default():
        step = v1.train.get_or_create_global_step()
        data = v1.data.make_one_shot_iterator(
            tf.data.Dataset.from_tensor_slices(batch(0, rows=64)).batch(4).repeat()
        )
        x = data.get_next()
        loss = tf.reduce_mean(tf.square(dense(tf.ensure_shape(x, (None, 4)), 2, "layer")))
        train = v1.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
        size = tf.reduce_max(tf.abs(x)) + 1.0
        hooks = [
            v1.train.StopAtStepHook(last_step=9),
            v1.train.LoggingTensorHook({"size": size}, every_n_iter=4),
            v1.train.NanTensorHook(loss),
        ]
        told.run()
        scaffold = v1.train.Scaffold(saver=NoSaver())
        with v1.train.MonitoredTrainingSession(hooks=hooks, scaffold=scaffold) as session:
            while not session.should_stop():
                session.run(train)
                told.step()
    told.tell()


def tf1_two_players(logdir: Path) -> None:
    """Two updates in turns that share the generator, as in a GAN."""
    record.enable(logdir)
    told = Told(logdir)
    with tf.Graph().as_default(), v1.Session() as session:
        noise = v1.placeholder(tf.float32, (None, 4), name="noise")
        real = v1.placeholder(tf.float32, (None, 4), name="real")
        fake = dense(noise, 4, "generator")
        with v1.variable_scope(v1.get_variable_scope(), reuse=v1.AUTO_REUSE):
            on_real, on_fake = dense(real, 1, "critic"), dense(fake, 1, "critic")
        critic_loss = tf.reduce_mean(on_fake) - tf.reduce_mean(on_real)
        generator_loss = -tf.reduce_mean(on_fake)

        def minimize(loss: Tensor, scope: str) -> Any:
            variables = v1.trainable_variables(scope)
            return v1.train.RMSPropOptimizer(0.01).minimize(loss, var_list=variables)

        train_critic = minimize(critic_loss, "critic")
        train_generator = minimize(generator_loss, "generator")
        session.run(v1.global_variables_initializer())
        told.run()
        for number in range(4):
            for part in range(3):
                feeds = {noise: batch(number), real: batch(50 + part)}
                session.run([train_critic, critic_loss], feeds)
                told.step()
            session.run(train_generator, {noise: batch(number)})
            told.step()
    told.tell()


def tf1_by_hand(logdir: Path) -> None:
    """Updates by assignments, a fed intermediate, callables, a copy of the weights now and then."""
    record.enable(logdir)
    told = Told(logdir)
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder_with_default(batch(0), (None, 4), name="x")
        with v1.variable_scope("own", use_resource=True):
            weights = v1.get_variable("weights", (4, 1))
            copy = v1.get_variable("copy", (4, 1), trainable=False)
        scaled = x * 2.0
        loss = tf.reduce_mean(tf.square(tf.matmul(scaled, weights) - 1.0))
        update = weights.assign_sub(0.01 * tf.gradients(loss, weights)[0], read_value=False)
        session.run(v1.global_variables_initializer())
        told.run()
        train = session.make_callable(update)
        for number in range(6):
            if number % 2:
                train()
            else:
                session.run(update, {x: batch(number)})
            told.step()
            if number % 3 == 1:
                session.run(loss, {scaled: batch(number)})
                told.run()
                session.run(loss, {x: batch(number)})
                told.run()
        session.run(copy.assign(batch(9, rows=1).T).op)
        told.run()
    told.tell()
