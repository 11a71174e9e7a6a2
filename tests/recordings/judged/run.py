"""Running a judged program, recorded as `tfdbg-tui run` records it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import tensorflow as tf

from tests.recordings.judged.table import BY_NAME
from tfdbg_tui import record

if TYPE_CHECKING:
    from pathlib import Path


def run(program: str, logdir: Path) -> None:
    """Record one program in this process: ``NAME``, or ``NAME.MODE`` for another debug mode."""
    name, _, mode = program.partition(".")
    module, _, function = BY_NAME[name].function.partition(".")
    programs = importlib.import_module(f"{__package__}.{module}")
    tf.keras.utils.set_random_seed(7)
    record.enable(logdir, mode or "FULL_HEALTH")
    getattr(programs, function)()
