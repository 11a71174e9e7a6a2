"""A training program in a process of its own, which waits to be told to begin."""

from __future__ import annotations

import os
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.recordings.programs import ENVIRONMENT
from tests.support.tensorflow_server import tensorflow_python

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

START_TIMEOUT = 60.0
"""Seconds for importing TensorFlow on a busy machine."""


class Training:
    """A program that reads a line before it trains."""

    def __init__(self, program: str, folder: Path) -> None:
        script = folder / "train.py"
        script.write_text(program)
        self.logdir = folder / "logdir"
        self.process = subprocess.Popen(
            [tensorflow_python(), str(script), str(self.logdir)],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **ENVIRONMENT},
        )

    def begin(self) -> None:
        """Train, as soon as TensorFlow is imported."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    @property
    def is_running(self) -> bool:
        """Whether the program has not ended."""
        return self.process.poll() is None


@contextmanager
def trained(program: str, folder: Path) -> Iterator[Training]:
    """A program that ends with the block."""
    training = Training(program, folder)
    try:
        yield training
    finally:
        training.process.kill()
        training.process.communicate()
