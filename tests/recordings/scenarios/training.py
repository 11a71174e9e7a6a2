"""A custom training loop that breaks after some steps, in every debug mode and under filters."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import TYPE_CHECKING

import tensorflow as tf

from tests.recordings.scenarios.recorder import Tensor, start, uniform

if TYPE_CHECKING:
    from pathlib import Path

STEPS = 12
LEARNING_RATE = 1e-6


@tf.function
def model(x: Tensor, w: Tensor) -> Tensor:
    """Class probabilities; the factor makes the softmax saturate to exact zeros."""
    logits = tf.matmul(x, w) * 1e3
    return tf.nn.softmax(logits)


@tf.function
def loss(probs: Tensor, labels: Tensor) -> Tensor:
    """Cross entropy without the usual guard against log(0)."""
    diff = -labels * tf.math.log(probs)
    return tf.reduce_mean(diff)


def inputs() -> tuple[Tensor, Tensor, Tensor]:
    """Samples, one-hot labels and the initial weights."""
    x = uniform([20, 8], seed=1)
    labels = tf.one_hot(tf.argmax(x[:, :5], axis=1), 5)
    return x, labels, tf.Variable(uniform([8, 5], seed=2) * 1e-3, name="w")


def train(steps: int = STEPS, data: tuple[Tensor, Tensor, Tensor] | None = None) -> None:
    """Some healthy steps; then -inf out of the log, NaN out of 0 * inf, NaN in the weights."""
    x, labels, w = data or inputs()
    for step in range(steps):
        with tf.GradientTape() as tape:
            value = loss(model(x, w), labels)
        gradient = tape.gradient(value, w)
        # The rate grows so that the first steps are healthy.
        w.assign_sub(gradient * (LEARNING_RATE * 4.0**step))


def mixed_outputs() -> None:
    """Eager ops with several outputs: floats only, and floats among ints and bools."""
    x = uniform([6, 4], seed=3)
    tf.linalg.qr(x)
    tf.nn.moments(x, axes=[0])
    tf.math.top_k(x / 0.0, k=2)
    tf.unique(tf.constant([1.0, 2.0, 2.0, float("inf")]))
    # Slots: int64, float32 with the NaN, bool, int64.
    tf.raw_ops.SparseFillEmptyRows(
        indices=tf.constant([[0, 0], [2, 1]], tf.int64),
        values=tf.constant([1.5, float("nan")]),
        dense_shape=tf.constant([3, 2], tf.int64),
        default_value=tf.constant(0.0),
    )
    boxes = tf.constant([[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 0.9, 1.0], [2.0, 2.0, 3.0, 3.0]])
    scores = tf.constant([0.9, 0.8, float("inf")])
    # Slots: int32, float32 with the +inf, int32.
    tf.raw_ops.NonMaxSuppressionV5(
        boxes=boxes,
        scores=scores,
        max_output_size=2,
        iou_threshold=0.5,
        score_threshold=0.0,
        soft_nms_sigma=0.0,
    )
    # Slots: float32, float32, float32, int32.
    tf.image.combined_non_max_suppression(
        boxes[None, :, None, :], scores[None, :, None], 2, 2, clip_boxes=False
    )
    tf.constant([1, 2, 3]) + 1
    tf.strings.join(["a", "b"])


def _run(logdir: Path, mode: str) -> None:
    start(logdir, mode)
    train()
    mixed_outputs()


def no_tensor(logdir: Path) -> None:
    """Only that something was computed."""
    _run(logdir, "NO_TENSOR")


def curt_health(logdir: Path) -> None:
    """One bad-or-not flag per tensor."""
    _run(logdir, "CURT_HEALTH")


def concise_health(logdir: Path) -> None:
    """Counts of -inf, +inf and NaN."""
    _run(logdir, "CONCISE_HEALTH")


def full_health(logdir: Path) -> None:
    """Counts of -inf, +inf, NaN, negative, zero and positive, with dtype and rank."""
    _run(logdir, "FULL_HEALTH")


def shape(logdir: Path) -> None:
    """Dtype, rank and dimensions."""
    _run(logdir, "SHAPE")


def full_tensor(logdir: Path) -> None:
    """The tensors themselves."""
    _run(logdir, "FULL_TENSOR")


def filter_op_regex(logdir: Path) -> None:
    """Only the tensors of four op types are recorded; the other executions keep empty lists."""
    # Made before the recorder starts: TensorFlow 2.21 hands some eager op types (random, string
    # and reduction ops) to its filter as bytes, and the str pattern then raises a TypeError.
    data = inputs()
    start(logdir, op_regex="^(MatMul|Softmax|Log|Mul)$")
    train(data=data)
    tf.math.log(tf.constant([1.0, 0.0])) * 2.0


def filter_dtypes(logdir: Path) -> None:
    """Only float32: an eager op's tensor list is shorter than its number of outputs."""
    start(logdir, tensor_dtypes=[tf.float32])
    train()
    mixed_outputs()


def eager_only(logdir: Path) -> None:
    """No tf.function runs as a graph: everything is an eager execution."""
    tf.config.run_functions_eagerly(True)
    start(logdir)
    train()
