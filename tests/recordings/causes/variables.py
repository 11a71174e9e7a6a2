"""Variables that are given bad values, and updates that make them bad."""

# mypy: allow-untyped-decorators
from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import tensorflow as tf
from tensorflow import keras

if TYPE_CHECKING:
    from tests.recordings.scenarios.recorder import Tensor

v1 = tf.compat.v1


@tf.function
def _fit(weights: Tensor, x: Tensor) -> Tensor:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.linalg.matvec(x, weights) - 1.0))
    weights.assign_sub(0.05 * tape.gradient(loss, weights))
    return loss


def weights_of_colleague() -> None:
    """Eager: somebody's weights, one of them NaN, are assigned after two healthy steps."""
    weights = tf.Variable([0.1, 0.2], name="weights")
    x = tf.constant([[1.0, 2.0], [2.0, 0.5]])
    theirs = np.array([0.4, np.nan], np.float32)
    for epoch in range(4):
        if epoch == 2:
            weights.assign(theirs)  # guilty: weights_of_colleague
        _fit(weights, x)


def spoilt_checkpoint() -> None:
    """A checkpoint was written after the loss had become NaN, and is restored."""
    weights = tf.Variable([0.1, 0.2], name="weights")
    x = tf.constant([[1.0, 2.0], [2.0, 0.5]])
    with tempfile.TemporaryDirectory() as folder:
        prefix = str(Path(folder) / "model")
        spoilt = tf.constant([np.nan, 0.3], tf.float32)
        tf.raw_ops.SaveV2(
            prefix=prefix, tensor_names=["w"], shape_and_slices=[""], tensors=[spoilt]
        )
        _fit(weights, x)
        names = {"tensor_names": ["w"], "shape_and_slices": [""], "dtypes": [tf.float32]}
        weights.assign(tf.raw_ops.RestoreV2(prefix=prefix, **names)[0])  # guilty: spoilt_checkpoint
    for _ in range(2):
        _fit(weights, x)


class Layer(tf.Module):  # type: ignore[misc]
    """Weights that are initialised from what was measured."""

    def __init__(self, measured: list[float]) -> None:
        super().__init__()
        initial = np.log(np.array(measured, np.float32))
        self.weights = tf.Variable(initial, name="weights")  # guilty: initialised_with_log


def initialised_with_log() -> None:
    """NumPy took the log of a negative number; the variable is NaN from the beginning."""
    with np.errstate(invalid="ignore"):
        layer = Layer([0.5, -0.5])
    for _ in range(2):
        _fit(layer.weights, tf.constant([[1.0, 2.0], [2.0, 0.5]]))


def forgotten_on_purpose() -> None:
    """In a function: a state is reset to NaN, and nothing looks whether it is set before use."""
    state = tf.Variable(0.5, name="state")

    @tf.function
    def step(x: Tensor, restart: Tensor) -> Tensor:
        if restart:
            state.assign(np.float32(np.nan))  # guilty: forgotten_on_purpose
        loss = tf.square(state * x - 1.0)
        state.assign_sub(0.1 * (state - x))
        return loss

    for number in range(4):
        step(tf.constant(1.0 + number), tf.constant(number == 2))


def adam_of_huge_gradients() -> None:
    """Two finite gradients of 1e34: their squares overflow inside the optimizer's own op."""
    weights = tf.Variable([1.0, -1.0], name="weights")
    first, second = (tf.Variable(tf.zeros([2]), name=name) for name in ("first", "second"))

    @tf.function
    def step(x: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(weights * x)
        gradient = tape.gradient(loss, weights)
        tf.raw_ops.ResourceApplyAdam(  # guilty: adam_of_huge_gradients
            var=weights.handle,
            m=first.handle,
            v=second.handle,
            beta1_power=0.9,
            beta2_power=0.999,
            lr=0.01,
            beta1=0.9,
            beta2=0.999,
            epsilon=1e-7,
            grad=gradient,
        )
        return loss

    for size in (1.0, 1e34, 1e34, 1.0, 1.0):
        step(tf.constant([1.0, 2.0]) * size)


def keras_adam_by_hand() -> None:
    """Keras's Adam under an eager tape: it squares gradients of 1e25 in ops of its own."""
    weights = keras.Variable([1.0, -1.0], name="weights")
    optimizer = keras.optimizers.Adam(0.01)
    optimizer.build([weights])
    for size in (1.0, 1e25, 1.0, 1.0):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(weights.value * size)
        slopes = tape.gradient(loss, [weights.value])
        optimizer.apply_gradients([(slopes[0], weights)])  # guilty: keras_adam_by_hand


def rate_times_gradient() -> None:
    """Eager, an old optimizer: rate and gradient are finite, their product in its op is not."""
    weights = tf.Variable([1.0, -1.0], name="weights")
    optimizer = v1.train.GradientDescentOptimizer(1e9)
    for size in (1e-9, 1e-9, 1e30, 1e-9):
        x = tf.constant([1.0, 2.0]) * size
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(weights * x)
        slope = tape.gradient(loss, weights)
        optimizer.apply_gradients([(slope, weights)])  # guilty: rate_times_gradient
