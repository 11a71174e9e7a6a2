"""Tensors of every dtype and rank that the recorder accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import tensorflow as tf

from tests.recordings.scenarios.recorder import Tensor, start

if TYPE_CHECKING:
    from pathlib import Path

FLOATS = (tf.float16, tf.bfloat16, tf.float32, tf.float64)
INTS = (
    tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64,
)  # fmt: skip


def float_ops(x: Tensor) -> Tensor:
    """1e4 squared overflows in float16 only; 0/0 and -1/0 are bad in all dtypes."""
    squared = x * x
    zero = x - x
    return squared, -x / zero, zero / zero


def other_ops(x: Tensor) -> list[Tensor]:
    """Strings, bools, ints, complex numbers, empty tensors, scalars and four dimensions."""
    out = [tf.cast(x, dtype) + tf.cast(1, dtype) for dtype in INTS]
    # Negative and large values, so that sign and width matter.
    out += [-tf.cast(x, dtype) for dtype in INTS if not dtype.is_unsigned]
    out += [tf.bitwise.invert(tf.cast(x, dtype)) for dtype in INTS]
    out += [x > 1.0, tf.reduce_any(x > 2.0)]
    out += [tf.strings.as_string(x, precision=1), tf.strings.join(["grüße ", "\x00\n", ""])]
    for dtype in (tf.float32, tf.float64):
        part = tf.cast(x, dtype)
        out += [tf.complex(part, -part), tf.complex(part / (part - part), part)]
    for dtype in (*FLOATS, tf.int32, tf.bool, tf.string):
        out.append(tf.zeros([0, 3], dtype) if dtype != tf.string else tf.fill([0], "x"))
    out += [tf.reduce_sum(x), tf.reshape(x, [1, 3, 1, 1]) * tf.ones([2, 1, 1, 2])]
    out.append(tf.identity(tf.reshape(x, [1, 1, 1, 1, 1, 1, 3, 1])) * 2.0)
    return out


def _floats() -> None:
    in_graph = tf.function(float_ops)
    for dtype in FLOATS:
        x = tf.cast(tf.constant([1.0, 1e4, 0.5]), dtype)
        float_ops(x)
        in_graph(x)


def half_types(logdir: Path) -> None:
    """Counts for float16, bfloat16, float32 and float64."""
    start(logdir)
    _floats()


def half_types_full(logdir: Path) -> None:
    """The same as whole tensors, and every other dtype."""
    start(logdir, "FULL_TENSOR")
    _floats()
    x = tf.constant([1.0, 2.0, 3.0])
    other_ops(x)
    tf.function(other_ops)(x)
