"""Bugs that come late, hide behind others, or lie far from where they are seen."""

# mypy: allow-untyped-decorators
from __future__ import annotations

from typing import TYPE_CHECKING

import tensorflow as tf

if TYPE_CHECKING:
    from tests.recordings.scenarios.recorder import Tensor

v1 = tf.compat.v1


def _temperature(step: Tensor) -> Tensor:
    """Falls from 1 in forty steps."""
    return 1.0 - step / 40.0


class Cooled(tf.Module):  # type: ignore[misc]
    """A classifier whose softmax is sharpened as time goes by."""

    def __init__(self) -> None:
        super().__init__()
        self.kernel = tf.Variable([[0.3, -0.2], [0.1, 0.4]], name="kernel")

    @tf.function
    def train(self, x: Tensor, labels: Tensor, step: Tensor) -> Tensor:
        """One step."""
        with tf.GradientTape() as tape:
            logits = tf.matmul(x, self.kernel)
            logits = logits / _temperature(step)  # guilty: cold_at_forty
            losses = tf.nn.softmax_cross_entropy_with_logits(labels, logits)
            loss = tf.reduce_mean(losses)
        self.kernel.assign_sub(0.001 * tape.gradient(loss, self.kernel))
        return loss


def cold_at_forty() -> None:
    """A temperature falls to 0 in step 40, and logits are divided by it."""
    model = Cooled()
    x, labels = tf.constant([[1.0, 0.5], [-0.5, 2.0]]), tf.constant([[1.0, 0.0], [0.0, 1.0]])
    for step in range(1, 43):
        model.train(x, labels, tf.constant(float(step)))


@tf.function
def _shares(importance: Tensor) -> Tensor:
    return importance / tf.reduce_sum(importance, axis=1, keepdims=True)  # guilty: three_calls_deep


@tf.function
def _pooled(values: Tensor, importance: Tensor) -> Tensor:
    return tf.reduce_sum(_shares(importance) * values, axis=1)


@tf.function
def _prediction(gain: Tensor, values: Tensor, seen: Tensor) -> Tensor:
    importance = tf.cast(seen, tf.float32)
    return gain * _pooled(values, importance)


@tf.function
def _train(gain: Tensor, values: Tensor, seen: Tensor, wanted: Tensor) -> Tensor:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(_prediction(gain, values, seen) - wanted))
    gain.assign_sub(0.1 * tape.gradient(loss, gain))
    return loss


def three_calls_deep() -> None:
    """A user has seen nothing: weights of a mean are 0/0, three functions below the loss."""
    gain = tf.Variable(1.0, name="gain")
    values = tf.constant([[3.0, 4.0, 5.0], [1.0, 2.0, 2.0]])
    first = [True, False, True]
    for second in ([True, True, False], [False, True, False], [False, False, False]):
        _train(gain, values, tf.constant([first, second]), tf.constant([4.0, 1.5]))


@tf.function
def _mimic(student: Tensor, x: Tensor, teacher: Tensor) -> Tensor:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(  # guilty: written_over_lines
            tf.reduce_sum(
                teacher
                * (
                    tf.math.log(teacher + 1e-9)
                    - tf.math.log(  # also: written_over_lines
                        tf.nn.softmax(
                            x @ student,
                        ),
                    )
                ),
                axis=1,
            )
        )
    student.assign_sub(0.1 * tape.gradient(loss, student))
    return loss


def written_over_lines() -> None:
    """A divergence as one expression of many lines; a softmax of 0 is in the middle of it."""
    student = tf.Variable([[0.5, -0.5], [0.0, 1.0]], name="student")
    for scale in (1.0, 3.0, 300.0):
        x = scale * tf.constant([[1.0, 0.0], [1.0, -1.0]])
        _mimic(student, x, tf.constant([[0.9, 0.1], [0.2, 0.8]]))


@tf.function
def _sensitivity(scores: Tensor, labels: Tensor) -> Tensor:
    hits = tf.reduce_sum(tf.cast(scores > 0.5, tf.float32) * labels)
    return hits / tf.reduce_sum(labels)


def metric_before_the_loss() -> None:
    """A recall of no positives is NaN from step 1, and printed only. In step 5 the real one."""
    tilt = tf.Variable(0.5, name="tilt")

    @tf.function
    def step(x: Tensor) -> tuple[Tensor, Tensor]:
        with tf.GradientTape() as tape:
            sine = tilt * x
            cosine = tf.sqrt(1.0 - sine * sine)  # guilty: metric_before_the_loss
            loss = tf.reduce_mean(tf.square(cosine - 0.9))
        tilt.assign_sub(0.01 * tape.gradient(loss, tilt))
        return loss, sine

    for number, largest in enumerate((0.9, 1.1, 0.8, 1.0, 2.5, 1.0), start=1):
        loss, sine = step(tf.constant([0.3, largest]))
        recall = _sensitivity(sine, tf.zeros([2]))
        print(f"step {number}: loss {float(loss):.3f}, recall {float(recall):.3f}")


def two_bugs_in_one_call() -> None:
    """One call, two bugs: a report that goes nowhere, and a log that spoils the weights."""
    weights = tf.Variable([[0.5], [0.5]], name="weights")

    @tf.function
    def step(x: Tensor) -> dict[str, Tensor]:
        with tf.GradientTape() as tape:
            odds = tf.nn.relu(x @ weights)
            loss = -tf.reduce_mean(tf.math.log(odds))  # guilty: two_bugs_in_one_call
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        margin = tf.sqrt(tf.reduce_min(x))  # the other bug: of a negative number, reported only
        return {"loss": loss, "margin": margin}

    for row in ([1.0, 0.5], [0.2, 0.3], [-1.0, -2.0]):
        report = step(tf.constant([row, [1.0, 2.0]]))
        print({name: float(value) for name, value in report.items()})


def session_of_old() -> None:
    """A program of TF1: the log of a product that a fed row makes negative."""
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        with v1.variable_scope("model", use_resource=True):
            weights = v1.get_variable("weights", initializer=tf.constant([[0.5], [0.5]]))
        logs = tf.math.log(tf.matmul(x, weights))  # guilty: session_of_old
        loss = tf.reduce_mean(tf.square(logs - 1.0), name="loss")
        train = v1.train.GradientDescentOptimizer(0.01).minimize(loss)
        session.run(v1.global_variables_initializer())
        for row in ([1.0, 0.5], [0.2, 0.3], [-1.0, -2.0], [1.0, 1.0]):
            session.run([train, loss], {x: [row, [1.0, 2.0]]})
