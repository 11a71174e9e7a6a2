"""A program that records as TensorFlow does by default, and the app that says why nothing shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.command_under_test import SETTLED, app, is_free_of
from tests.support.training import START_TIMEOUT, Training, trained

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.recordings.record import Library

# TensorFlow's own defaults, but for the mode; trains until it is ended.
PROGRAM = """\
import sys
import time

import tensorflow as tf

sys.stdin.readline()
tf.debugging.experimental.enable_dump_debug_info(sys.argv[1], tensor_debug_mode="FULL_HEALTH")


@tf.function
def step(x):
    return tf.sqrt(x) + 1.0


x = tf.constant([1.0, 2.0])
while True:
    x = step(x)
    time.sleep(0.01)
"""

HELD_BACK = "Recording, but nothing reaches the disk"


@pytest.fixture
def training(tmp_path: Path) -> Iterator[Training]:
    """Ends with the test."""
    with trained(PROGRAM, tmp_path) as program:
        yield program


def test_a_default_recording_says_why_nothing_shows_and_what_to_change(training: Training) -> None:
    with app(training.logdir) as terminal:
        terminal.wait_for("It does not exist yet.")
        training.begin()
        terminal.wait_for(HELD_BACK, START_TIMEOUT)
        terminal.wait_for("LIVE")
        terminal.wait_for("circular_buffer_size=-1)")
        terminal.press("d")
        terminal.wait_for(f"! problem   {HELD_BACK}")
        terminal.press("q")
        with app(training.logdir) as another:  # opened while the program runs
            another.wait_for(HELD_BACK)
        training.process.kill()
        terminal.wait_for("The program ended without writing an event")


def test_a_line_tells_what_a_mode_lacks_until_the_doctor_was_seen(library: Library) -> None:
    with app(library.path("no_tensor")) as terminal:
        terminal.wait_for(SETTLED)
        terminal.wait_for("! NO_TENSOR: nothing tells NaN or Inf   d Doctor")
        terminal.click(*terminal.find("d Doctor"))
        terminal.wait_for("! problem   NO_TENSOR")
        terminal.wait_for(str(library.path("no_tensor")))
        terminal.press("escape")
        terminal.wait_for("1 Alerts")
        terminal.wait_for(is_free_of("d Doctor"))
