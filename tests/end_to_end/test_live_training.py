"""The story the project exists for: training runs in one process, and the app finds its NaN."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.support.command_under_test import app, is_chosen
from tests.support.training import START_TIMEOUT, Training, trained

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.terminal import Terminal

GUILTY_LINE = "diff = -labels * tf.math.log(probs)"

# Healthy for the first steps; then the softmax saturates, log(0) is -inf and 0 * inf is NaN.
# Begins when told to, and trains until it is ended.
PROGRAM = f"""\
import sys
import time

import tensorflow as tf

sys.stdin.readline()
writer = tf.debugging.experimental.enable_dump_debug_info(
    sys.argv[1], tensor_debug_mode="FULL_HEALTH", circular_buffer_size=-1
)


@tf.function
def model(x, weights):
    return tf.nn.softmax(tf.matmul(x, weights))


@tf.function
def loss(probs, labels):
    {GUILTY_LINE}
    return tf.reduce_mean(diff)


x = tf.random.stateless_uniform([20, 8], seed=[1, 1], minval=-1.0)
labels = tf.one_hot(tf.range(20) % 5, 5)
weights = tf.Variable(tf.random.stateless_uniform([8, 5], seed=[2, 1]))
while True:
    loss(model(x, weights), labels)
    weights.assign(weights * 2.0)
    writer.FlushNonExecutionFiles()
    writer.FlushExecutionFiles()
    time.sleep(0.1)
"""


@pytest.fixture
def training(tmp_path: Path) -> Iterator[Training]:
    """Ends with the test."""
    with trained(PROGRAM, tmp_path) as program:
        yield program


@contextmanager
def watching(training: Training) -> Iterator[Terminal]:
    """The app, started before there is a logdir, at the moment the first NaN is counted."""
    with app(training.logdir) as terminal:
        terminal.wait_for("WAITING")
        terminal.wait_for("It does not exist yet.")
        assert not training.logdir.exists()
        training.begin()
        terminal.wait_for("LIVE", START_TIMEOUT)
        terminal.wait_for(re.compile(r"LIVE.* ! \d"), START_TIMEOUT)
        yield terminal
        assert "LIVE" in terminal.text()[0]
        assert training.is_running


def test_the_first_nan_of_a_running_training_is_one_key_away(training: Training) -> None:
    with watching(training) as terminal:
        terminal.press("!")
        terminal.wait_for(is_chosen("loss", "Log ", "! -inf "))
        terminal.wait_for(is_chosen(GUILTY_LINE))
        terminal.press("4")
        terminal.wait_for(re.compile(r"! Log .*step \d"))
        terminal.wait_for(re.compile(r"! -inf +\d+ .*\d+%"))


def test_the_first_nan_of_a_running_training_is_found_by_mouse_alone(training: Training) -> None:
    with watching(training) as terminal:
        terminal.click(*terminal.find("1 Alerts"))
        terminal.wait_for("!Log ")
        terminal.click(*terminal.find("!Log "))
        terminal.wait_for(is_chosen("!Log ", "-inf"))
        terminal.wait_for(is_chosen(GUILTY_LINE))
        terminal.click(*terminal.find("4 Health"))
        terminal.wait_for(re.compile(r"! -inf +\d+ .*\d+%"))
        terminal.click(*terminal.find("3 Graph tensors"))
        terminal.wait_for(is_chosen("loss", "Log ", "! -inf "))
