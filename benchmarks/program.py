"""The training program that the benchmarks record: a loss that turns to NaN.

    python -m benchmarks.program LOGDIR [eager]

With `eager`, functions run eagerly and only executions are recorded.
"""

from __future__ import annotations

import sys

STEPS = 18


def main(logdir: str, eager: bool) -> None:
    """Record a few training steps."""
    import tensorflow as tf

    tf.config.run_functions_eagerly(eager)
    tf.debugging.experimental.enable_dump_debug_info(
        logdir, tensor_debug_mode="FULL_HEALTH", circular_buffer_size=-1
    )

    @tf.function  # type: ignore[untyped-decorator]
    def model(x: tf.Tensor, weights: tf.Tensor) -> tf.Tensor:
        return tf.nn.softmax(tf.matmul(x, weights) * 1e3)

    @tf.function  # type: ignore[untyped-decorator]
    def loss(probs: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        return tf.reduce_mean(-labels * tf.math.log(probs))

    x = tf.random.stateless_normal((500, 8), (1, 2))
    weights = tf.Variable(tf.random.stateless_normal((8, 10), (3, 4)))
    labels = tf.one_hot(tf.range(500) % 10, 10)
    for _ in range(STEPS):
        with tf.GradientTape() as tape:
            value = loss(model(x, weights), labels)
        weights.assign_sub(0.1 * tape.gradient(value, weights))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] == ["eager"])
