"""A deep network, whose training step computes many tensors in one call: as large models do.

    python -m benchmarks.deep_program LOGDIR

Records about 5,000 graph tensors in 200 executions; the last steps are NaN.
"""

from __future__ import annotations

import sys

STEPS = 25
LAYERS = 18
WIDTH = 16


def main(logdir: str) -> None:
    """Record a few training steps."""
    import tensorflow as tf

    tf.debugging.experimental.enable_dump_debug_info(
        logdir, tensor_debug_mode="FULL_HEALTH", circular_buffer_size=-1
    )
    weights = tf.Variable(tf.random.stateless_normal((LAYERS, WIDTH, WIDTH), (1, 2), stddev=0.1))

    def model(x: tf.Tensor) -> tf.Tensor:
        for layer in range(LAYERS):
            x = x + tf.nn.relu(tf.matmul(x, weights[layer]))
        return tf.nn.softmax(x)

    def loss(probs: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        return tf.reduce_mean(-labels * tf.math.log(probs))

    @tf.function  # type: ignore[untyped-decorator]
    def train_step(x: tf.Tensor, labels: tf.Tensor, rate: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            value = loss(model(x), labels)
        weights.assign_sub(rate * tape.gradient(value, weights))
        return value

    x = tf.random.stateless_normal((64, WIDTH), (3, 4))
    labels = tf.one_hot(tf.range(64) % WIDTH, WIDTH)
    rate, average = tf.constant(0.1), tf.constant(0.0)
    for _ in range(STEPS):
        value = train_step(x, labels, rate)
        average = 0.9 * average + 0.1 * value
        rate *= 1.4
        print(float(average), float(tf.reduce_mean(tf.abs(weights))))


if __name__ == "__main__":
    main(sys.argv[1])
