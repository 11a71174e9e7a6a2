"""A variable that is bad before the recorder is switched on."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import TYPE_CHECKING

import tensorflow as tf

if TYPE_CHECKING:
    from tests.recordings.scenarios.recorder import Tensor

BIAS = tf.Variable([0.1, float("nan")], name="bias")
"""Made when this module is imported."""


@tf.function
def _with_bias(x: Tensor) -> Tensor:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(x + BIAS))  # guilty: bad_from_the_start
    BIAS.assign_sub(0.1 * tape.gradient(loss, BIAS))
    return loss


def bad_from_the_start() -> None:
    """The recording begins too late: it shows a NaN that is read, and not who made it."""
    for _ in range(3):
        _with_bias(tf.constant([1.0, 2.0]))
