"""`tfdbg-tui run` over a script that a test wrote, with the app or without a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.recordings.programs import ENVIRONMENT
from tests.support.command_under_test import app, quick_command, run_headless

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from tests.support.terminal import Starter, Terminal

TRAINS = """
import sys, time
import tensorflow as tf

@tf.function
def loss(x):
    return tf.math.log(x)

print("training", flush=True)
for step in range(int(sys.argv[1]) if sys.argv[1:] else 600):
    loss(tf.constant([1.0, 0.0 if step >= 3 else 1.0]))
    time.sleep(0.1)
print("trained")
"""


def script(folder: Path, text: str) -> Path:
    path = folder / "train.py"
    path.write_text(text)
    return path


def running(folder: Path, *words: str | Path, starter: Starter | None = None) -> Terminal:
    """The app over a script, to be entered."""
    return app("run", "--logdir", folder / "logdir", *words, env=ENVIRONMENT, starter=starter)


def headless(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return run_headless("--logdir", folder / "logdir", *words, cwd=folder)


def quick_headless(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """As `headless`, where it does not matter how TensorFlow gets into the script's process."""
    logdir = folder / "logdir"
    return run_headless("--logdir", logdir, *words, cwd=folder, command=quick_command())
