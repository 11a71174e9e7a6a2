"""A program that records one tensor whole: python -m benchmarks.large_tensor LOGDIR ELEMENTS

Its sine is recorded inside a graph; of all else nothing is, for each op of a tensor so large would
write as much again.
"""

from __future__ import annotations

import sys

WIDTH = 10_000
"""Elements of a row."""


def main(logdir: str, elements: str) -> None:
    """Record it."""
    import tensorflow as tf

    tf.debugging.experimental.enable_dump_debug_info(
        logdir, tensor_debug_mode="FULL_TENSOR", circular_buffer_size=-1, op_regex="^Sin$"
    )

    @tf.function  # type: ignore[untyped-decorator]
    def waves() -> tf.Tensor:
        numbers = tf.range(float(elements), dtype=tf.float32)
        return tf.reduce_sum(tf.math.sin(tf.reshape(numbers, (-1, WIDTH))))

    waves()
    tf.debugging.experimental.disable_dump_debug_info()


if __name__ == "__main__":
    main(*sys.argv[1:])
