"""Graphs beyond a plain function: loops, branches, retracing, replicas, TF1 sessions."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tensorflow as tf

from tests.recordings.scenarios.recorder import Tensor, start, uniform

if TYPE_CHECKING:
    from pathlib import Path


@tf.function
def square(x: Tensor) -> Tensor:
    """Called from inside other functions and loops."""
    return x * x


@tf.function
def explode(x: Tensor) -> Tensor:
    """A ``tf.while_loop`` that calls a function until float32 overflows."""

    def body(i: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        return i + 1, square(value)

    _, result = tf.while_loop(lambda i, _: i < 9, body, [tf.constant(0), x])
    return result


@tf.function
def grow(x: Tensor, steps: Tensor) -> Tensor:
    """A Python ``for`` over ``tf.range`` with a branch and an inner loop."""
    for i in tf.range(steps):
        if tf.reduce_max(x) > 1e20:
            x = x * 1e18
        else:
            x = tf.cond(i % 2 == 0, lambda v=x: square(v) + 1.0, lambda v=x: v * 10.0)
        for _ in tf.range(2):
            x = x * 2.0
    return x


@tf.function
def remain(leaving: Tensor) -> Tensor:
    """A loop around a branch, in which log(1 - 1) is computed; what comes out is used."""
    total = tf.zeros([3])
    for month in tf.range(2):
        share = leaving[month]
        total += tf.cond(
            tf.reduce_max(share) < 0.1, lambda s=share: -s, lambda s=share: tf.math.log1p(-s)
        )
    return 0.5 * total


def branches(logdir: Path) -> None:
    """What a branch and a loop hand on is bad because of what they computed."""
    start(logdir)
    for most in (0.3, 1.0):
        remain(tf.constant([[0.05, 0.02, 0.05], [0.2, most, 0.1]]))


def while_loop(logdir: Path) -> None:
    """Loops, branches and nested functions that iterate until overflow."""
    start(logdir)
    for scale in (0.5, 2.0, 3.0):
        explode(uniform([4], seed=1, low=1.0, high=2.0) * scale)
        grow(uniform([3], seed=2, low=1.0, high=2.0) * scale, tf.constant(8))


@tf.function
def normalize(x: Tensor) -> Tensor:
    """0/0 where all entries are the same."""
    centred = x - tf.reduce_mean(x)
    return centred / tf.math.reduce_std(x)


def retraced(logdir: Path) -> None:
    """One function, one graph per input shape; every second shape is bad."""
    start(logdir)
    for size in range(2, 8):
        x = tf.ones([size]) if size % 2 else uniform([size], seed=size)
        for _ in range(3):
            normalize(x)
    normalize(uniform([2, 2], seed=9))


@tf.function
def weigh(x: Tensor, scale: float) -> Tensor:
    """Traced anew for every number of Python's that it is given."""
    return tf.reduce_sum(x * scale)


def always_retraced(logdir: Path) -> None:
    """A function that is traced anew in every step: no call has the name of another."""
    start(logdir)
    x = uniform([3], seed=1)
    for step in range(5):
        weigh(x, 2.0**step)


def mirrored(logdir: Path) -> None:
    """Two replicas on two logical CPUs; the second one takes the log of zero."""
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    start(logdir)
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    with strategy.scope():
        w = tf.Variable(uniform([3, 1], seed=1, low=0.1))

    def replica_step(x: Tensor) -> Tensor:
        y = tf.math.log(tf.matmul(x, w))
        total = tf.reduce_sum(y)
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", total)

    @tf.function
    def distributed_step(x: Any) -> Any:
        return strategy.run(replica_step, args=(x,))

    def batch(context: Any) -> Tensor:
        x = uniform([4, 3], seed=3, low=0.1)
        return x if context.replica_id_in_sync_group == 0 else tf.zeros_like(x)

    values = strategy.experimental_distribute_values_from_function(batch)
    for _ in range(4):
        distributed_step(values)


def tf1_session(logdir: Path) -> None:
    """A TF1 graph with a fed placeholder; the second feed holds a zero."""
    tf.compat.v1.disable_v2_behavior()
    start(logdir)
    x = tf.compat.v1.placeholder(tf.float32, [None], name="x")
    y = tf.math.log(x, name="log_x")
    z = tf.reduce_sum(y * 2.0, name="total")
    with tf.compat.v1.Session() as session:
        for feed in ([1.0, 2.0], [1.0, 0.0], [3.0, 4.0]):
            session.run(z, feed_dict={x: feed})
