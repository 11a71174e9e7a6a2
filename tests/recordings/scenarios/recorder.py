"""Switching the recorder on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tensorflow as tf

if TYPE_CHECKING:
    from pathlib import Path

Tensor = Any
"""An eager or symbolic tensor: TensorFlow ships no type stubs."""


def start(
    logdir: Path,
    mode: str = "FULL_HEALTH",
    *,
    circular_buffer_size: int = -1,
    op_regex: str | None = None,
    tensor_dtypes: list[Any] | None = None,
) -> Any:
    """Record the rest of this process into ``logdir``; returns the writer."""
    tf.keras.utils.set_random_seed(7)
    return tf.debugging.experimental.enable_dump_debug_info(
        str(logdir),
        tensor_debug_mode=mode,
        circular_buffer_size=circular_buffer_size,
        op_regex=op_regex,
        tensor_dtypes=tensor_dtypes,
    )


def uniform(shape: list[int], seed: int, low: float = -1.0, high: float = 1.0) -> Tensor:
    """Numbers that are the same in every run."""
    return tf.random.stateless_uniform(shape, seed=[seed, 1], minval=low, maxval=high)
