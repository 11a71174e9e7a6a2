"""Bad numbers that nobody computed: they came in with the data, or stand in the program."""

# mypy: allow-untyped-decorators
from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING

import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from tests.recordings.scenarios.recorder import Tensor

MEASURED = """\
1.0,2.0,3.1
2.0,1.0,2.9
0.5,,1.2
1.5,1.0,2.4
"""


class Line(tf.Module):  # type: ignore[misc]
    """A linear model."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.weights = tf.Variable(tf.fill([inputs], 0.1), name="weights")

    @tf.function
    def train(self, x: Tensor, y: Tensor) -> Tensor:
        """One step on one row or a batch of them."""
        with tf.GradientTape() as tape:
            products = x * self.weights  # also: hole_in_the_table, row_of_step_seven
            error = tf.reduce_sum(products, axis=-1) - y
            loss = tf.reduce_mean(tf.square(error))
        self.weights.assign_sub(0.05 * tape.gradient(loss, self.weights))
        return loss


def hole_in_the_table() -> None:
    """A field of a table is empty, NumPy reads it as NaN and hands it to a function."""
    table = np.genfromtxt(io.StringIO(MEASURED), delimiter=",", dtype=np.float32)
    model = Line(2)
    for row in table:
        model.train(row[:2], row[2])  # guilty: hole_in_the_table


def pipeline_of_readings() -> None:
    """The array behind a `tf.data` pipeline holds an infinity."""
    readings = np.random.default_rng(2).normal(size=(12, 2)).astype(np.float32)
    readings[7, 1] = np.inf
    dataset = tf.data.Dataset.from_tensor_slices((readings, np.ones(12, np.float32))).batch(3)
    model = Line(2)
    for x, y in dataset.prefetch(1):  # guilty: pipeline_of_readings
        model.train(x, y)


def _batches(count: int) -> list[np.ndarray]:
    random = np.random.default_rng(6)
    batches = [random.normal(size=(5, 3)).astype(np.float32) for _ in range(count)]
    batches[6][3, 1] = np.nan
    return batches


def row_of_step_seven() -> None:
    """The fourth row of the seventh batch holds a NaN; the batches become constants first."""
    model = Line(3)
    for batch in _batches(9):
        model.train(tf.constant(batch), tf.zeros([5]))  # guilty: row_of_step_seven


def nan_in_a_file() -> None:
    """A line of a file says `nan`, and the parser of the pipeline takes it at its word."""

    def parse(line: Tensor) -> tuple[Tensor, Tensor]:
        first, second, target = tf.io.decode_csv(line, [0.0, 0.0, 0.0])  # guilty: nan_in_a_file
        return tf.stack([first, second]), target

    lines = ["1.0,2.0,3.0", "0.5,1.0,1.5", "2.0,nan,2.0", "1.0,1.0,2.0"]
    model = Line(2)
    for x, y in tf.data.Dataset.from_tensor_slices(lines).map(parse):
        model.train(x, y)


def _centred(window: Tensor) -> Tensor:
    centred = window - tf.reduce_mean(window)
    return centred / tf.math.reduce_std(window)  # guilty: flat_window


def flat_window() -> None:
    """A function of the pipeline scales each window by its deviation; one window is flat."""
    signal = np.array([[1, 3, 2], [0, 4, 1], [5, 5, 5], [2, 0, 1]], np.float32)
    model = Line(3)
    for x in tf.data.Dataset.from_tensor_slices(signal).map(_centred).batch(2):
        model.train(x, tf.constant([1.0, -1.0]))


def _class_weights(counts: list[int]) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return (1.0 / np.array(counts, np.float32)).astype(np.float32)


class Weighted(tf.Module):  # type: ignore[misc]
    """A classifier in which rare classes count for more."""

    def __init__(self, counts: list[int]) -> None:
        super().__init__()
        self.kernel = tf.Variable(tf.ones([2, len(counts)]) * 0.1, name="kernel")
        self.by_class = _class_weights(counts)

    @tf.function
    def train(self, x: Tensor, labels: Tensor) -> Tensor:
        """One step."""
        by_class = tf.constant(self.by_class)  # guilty: unseen_class
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x @ self.kernel)
            loss = tf.reduce_mean(losses * tf.gather(by_class, labels))
        self.kernel.assign_sub(0.1 * tape.gradient(loss, self.kernel))
        return loss


def unseen_class() -> None:
    """The weight of a class that was never counted is infinite; step 3 is the first to need it."""
    model = Weighted([40, 25, 0])
    x = tf.constant([[1.0, 0.5], [-0.5, 1.0]])
    for labels in ([0, 1], [1, 1], [0, 2], [1, 0]):
        model.train(x, tf.constant(labels))


def not_yet_known() -> None:
    """Eager: an average starts as NaN for "not yet known", and nobody replaces it."""
    average = tf.fill([2], np.float32(np.nan))  # guilty: not_yet_known
    weight = tf.Variable([0.5, 0.5], name="weight")
    for batch in ([1.0, 2.0], [2.0, 3.0]):
        x = tf.constant(batch)
        average = 0.9 * average + 0.1 * x
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(weight * x - average))
        weight.assign_sub(0.1 * tape.gradient(loss, weight))


def deviation_of_one() -> None:
    """NumPy's deviation of a single number is NaN; as a Python number it gets into a graph."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spread = float(np.std([1.7], ddof=1))
    gain = tf.Variable(1.0, name="gain")

    @tf.function
    def step(x: Tensor) -> Tensor:
        with tf.GradientTape() as tape:
            scaled = gain * x / spread  # guilty: deviation_of_one
            loss = tf.reduce_mean(tf.square(scaled - 1.0))
        gain.assign_sub(0.1 * tape.gradient(loss, gain))
        return loss

    for _ in range(2):
        step(tf.constant([1.0, 2.0]))


def scaled_by_nothing() -> None:
    """The same with eager ops: a Python number leaves nothing in a recording but the product."""
    weight = tf.Variable(0.5, name="weight")
    shift = float("nan")
    for batch in ([1.0, 2.0], [0.5, 1.5]):
        with tf.GradientTape() as tape:
            predicted = weight * tf.constant(batch)
            loss = tf.reduce_sum(tf.abs(predicted - shift))  # guilty: scaled_by_nothing
        weight.assign_sub(0.1 * tape.gradient(loss, weight))
