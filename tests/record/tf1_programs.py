"""Programs as people wrote them for TensorFlow 1, each run twice: plain, then recorded.

    python -m tests.record.tf1_programs PROGRAM KIND LOGDIR

PROGRAM is a function here. KIND is how the program wants its variables: references, resources,
or whatever `disable_v2_behavior` leaves. What each run computes and saves is printed as JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tfdbg_tui import record

v1 = tf.compat.v1

KINDS = ("references", "resources", "disable_v2_behavior")

Say = Callable[..., None]


def choose(kind: str) -> None:
    """What such programs begin with."""
    v1.logging.set_verbosity(v1.logging.ERROR)
    if kind == "disable_v2_behavior":
        v1.disable_v2_behavior()
        return
    v1.disable_eager_execution()
    if kind == "references":
        v1.disable_resource_variables()
        v1.disable_control_flow_v2()  # TensorFlow itself cannot do without


def say_checkpoint(say: Say, path: str) -> None:
    """Say all that a checkpoint holds."""
    reader = tf.train.load_checkpoint(path)
    for name in sorted(reader.get_variable_to_shape_map()):
        say(name, reader.get_tensor(name))


def model(optimizer: Any) -> tuple[Any, ...]:
    """Two layers in scopes, a decaying rate, a global step."""
    x = v1.placeholder(tf.float32, [None, 3], name="x")
    y = v1.placeholder(tf.float32, [None, 1], name="y")
    with v1.variable_scope("hidden"):
        w = v1.get_variable("w", [3, 4], initializer=v1.glorot_uniform_initializer())
        b = v1.get_variable("b", [4], initializer=v1.zeros_initializer())
        hidden = tf.nn.tanh(tf.matmul(x, w) + b)
    with v1.variable_scope("out"):
        out = v1.Variable(v1.random_normal([4, 1], stddev=0.1), name="w")
    loss = tf.reduce_mean(tf.square(tf.matmul(hidden, out) - y), name="loss")
    step = v1.train.get_or_create_global_step()
    rate = v1.train.exponential_decay(0.05, step, 10, 0.9)
    return x, y, loss, optimizer(rate).minimize(loss, global_step=step)


def train(say: Say, folder: Path) -> None:
    """Train, save, restore in another graph and train on; restore the saved graph as well."""
    data = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)
    feed = {"x:0": data, "y:0": data @ np.array([[1.0], [-2.0], [0.5]])}
    for name, optimizer in {
        "adam": v1.train.AdamOptimizer,
        "momentum": lambda rate: v1.train.MomentumOptimizer(rate, 0.9),
    }.items():
        with tf.Graph().as_default(), v1.Session() as session:
            v1.set_random_seed(7)
            *_, loss, update = model(optimizer)
            session.run(v1.global_variables_initializer())
            for _ in range(4):
                say(session.run([update, loss], feed)[1])
            step = v1.train.get_global_step()
            saved = v1.train.Saver(max_to_keep=2).save(session, str(folder / name), step)
        say_checkpoint(say, saved)
        with tf.Graph().as_default(), v1.Session() as session:
            *_, loss, update = model(optimizer)
            v1.train.Saver(v1.global_variables()).restore(session, saved)
            for _ in range(2):
                say(session.run([update, loss], feed)[1])
            say(session.run(v1.report_uninitialized_variables()).shape)
            say(*session.run(v1.trainable_variables()))
        with tf.Graph().as_default(), v1.Session() as session:
            v1.train.import_meta_graph(f"{saved}.meta").restore(session, saved)
            say(session.run("loss:0", feed), *session.run(v1.trainable_variables()))


def flow(say: Say, folder: Path) -> None:
    """Variables in branches and loops, and all that assigns to them."""
    with tf.Graph().as_default(), v1.Session() as session:
        v = v1.Variable(2.0, name="v")
        is_reference = v.dtype._is_ref_dtype
        u = v1.Variable((v.initialized_value() if is_reference else 2.0) * 3.0, name="u")
        w = v1.get_variable("w", initializer=tf.constant([1.0, 2.0, 3.0]))
        n = v1.get_variable("n", initializer=0)
        flag = v1.placeholder(tf.bool, [], name="flag")
        picked = tf.cond(flag, lambda: v * 2.0, lambda: u.read_value() + 1.0)
        put = tf.cond(flag, lambda: v1.assign(v, 10.0) * 1.0, lambda: v1.assign_add(v, 1.0) + 0.0)
        total = v1.while_loop(
            lambda i, _: i < 4,
            lambda i, t: (i + 1, t + v * tf.reduce_sum(w)),
            [tf.constant(0), tf.constant(0.0)],
        )[1]
        slopes = tf.gradients(total, [v, w])
        chain = v1.assign_sub(v1.assign(u, 4.0), 1.5)
        both = tf.group(v1.assign(v, v + 1.0), v1.assign_add(n, 5))
        average = tf.train.ExponentialMovingAverage(0.9)
        middle = tf.reduce_mean(w)  # its name is a part of the name in the checkpoint
        with tf.control_dependencies([average.apply([v, u, middle])]):
            averaged = tf.identity(average.average(v))
        table = v1.get_variable(
            "table", [5, 2], initializer=v1.random_uniform_initializer(seed=3),
            partitioner=v1.fixed_size_partitioner(2),
        )  # fmt: skip
        rows = tf.nn.embedding_lookup(table, [1, 3])
        loss = tf.reduce_sum(rows * rows)
        update = v1.train.AdamOptimizer(0.1).minimize(loss, var_list=list(table))
        shape = tf.reshape(rows, tf.stack([2, tf.shape(rows)[1]])).shape
        say(v.op.type, v.name, w.shape.as_list(), shape.as_list(), v.dtype.name)
        say(len(session.run(v1.report_uninitialized_variables())))
        session.run(v1.global_variables_initializer())
        say(*session.run([v, u, w, n, total, *slopes]))
        for fetched in (picked, put):
            say(*(session.run(fetched, {flag: told}) for told in (True, False)))
        for fetched in (chain, v1.scatter_update(w, [0, 2], [7.0, 8.0]), v, u, w, averaged):
            say(session.run(fetched))
        session.run(both)
        v.load(3.5, session)
        say(*session.run([v, n, v1.is_variable_initialized(v)]))
        for _ in range(3):
            say(session.run(loss))
            session.run(update)
        say_checkpoint(say, v1.train.Saver().save(session, str(folder / "model")))


def monitored(say: Say, folder: Path) -> None:
    """Sessions that save and restore by themselves, fed by a dataset and by a queue."""

    def build() -> tuple[Any, Any, Any]:
        numbers = np.arange(12, dtype=np.float32).reshape(6, 2) / 10
        rows = tf.data.Dataset.from_tensor_slices(numbers).repeat().batch(2)
        x = v1.data.make_one_shot_iterator(rows.map(lambda row: row * 2.0)).get_next()
        w = v1.get_variable("w", [2, 1], initializer=v1.ones_initializer())
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
        step = v1.train.get_or_create_global_step()
        return loss, v1.train.GradientDescentOptimizer(0.1).minimize(loss, step), step

    for last in (4, 6):
        with tf.Graph().as_default():
            loss, update, step = build()
            hooks = [v1.train.StopAtStepHook(last_step=last), v1.train.NanTensorHook(loss)]
            with v1.train.MonitoredTrainingSession(
                checkpoint_dir=str(folder), hooks=hooks, save_checkpoint_steps=2
            ) as session:
                while not session.should_stop():
                    say(session.run([loss, update])[0])
    say_checkpoint(say, v1.train.latest_checkpoint(str(folder)))
    with tf.Graph().as_default():
        loss, update, step = build()
        supervisor = v1.train.Supervisor(logdir=str(folder), save_model_secs=0)
        with supervisor.managed_session() as session:
            say(session.run(step), session.run([loss, update])[0])
            saved = supervisor.saver.save(session, str(folder / "supervised"))
    say_checkpoint(say, saved)
    with tf.Graph().as_default(), v1.Session() as session:
        row = v1.train.slice_input_producer([[1.0, 2.0, 3.0, 4.0]], num_epochs=1, shuffle=False)[0]
        pair = v1.train.batch([row], 2) * 2.0
        session.run(v1.local_variables_initializer())
        coordinator = v1.train.Coordinator()
        threads = v1.train.start_queue_runners(session, coordinator)
        say(session.run(pair), session.run(pair), pair.shape.as_list(), pair.op.name)
        coordinator.request_stop()
        coordinator.join(threads)


def overflow(say: Say, folder: Path) -> None:
    """A variable that its update makes infinite; no op has that among its outputs."""
    with tf.Graph().as_default(), v1.Session() as session:
        w = v1.get_variable("weights", [2], initializer=v1.ones_initializer())
        grow = tf.group(v1.assign_add(w, [2e38, 2e38]))
        total = tf.reduce_sum(w * 1e-30, name="total")
        saver = v1.train.Saver()
        session.run(v1.global_variables_initializer())
        for _ in range(3):
            say(session.run(total))
            session.run(grow)
        say_checkpoint(say, saver.save(session, str(folder / "model")))


def logarithm(say: Say, folder: Path) -> None:
    """A logarithm of zero, behind variables that are trained and saved."""
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        w = v1.get_variable("w", [2, 1], initializer=v1.ones_initializer())
        p = tf.sigmoid(tf.matmul(x, w))
        loss = tf.reduce_mean(-tf.math.log(1.0 - p))
        update = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(v1.global_variables_initializer())
        say(session.run([loss, update], {x: [[1.0, 2.0]]})[0])
        say_checkpoint(say, v1.train.Saver().save(session, str(folder / "model")))
        say(session.run(loss, {x: [[90.0, 90.0]]}))


def main() -> None:
    """Run a program twice."""
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("logdir", type=Path)
    parser.add_argument("--mode", default="FULL_HEALTH")
    options = parser.parse_args()
    run = globals()[options.program]
    said: dict[str, list[Any]] = {"plain": [], "recorded": []}
    choose(options.kind)
    for way, lines in said.items():
        folder = options.logdir.with_suffix(f".{way}")
        folder.mkdir(parents=True)
        if way == "recorded":
            record.enable(options.logdir, options.mode)
        run(lambda *values, to=lines: to.append([np.asarray(v).tolist() for v in values]), folder)
    sys.stdout.write(json.dumps(said))


if __name__ == "__main__":
    main()
