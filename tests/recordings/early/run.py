"""Running a program, recorded as `tfdbg-tui run` records it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import tensorflow as tf

from tests.recordings.early.table import MODES, WARNED
from tfdbg_tui import record

if TYPE_CHECKING:
    from pathlib import Path


def run(program: str, logdir: Path) -> None:
    """Record one program in this process: ``NAME``, or ``NAME.MODE`` for another debug mode."""
    name, _, mode = program.partition(".")
    module = "warned" if name in WARNED else "healthy"
    programs = importlib.import_module(f"{__package__}.{module}")
    tf.keras.utils.set_random_seed(7)
    record.enable(logdir, mode or MODES.get(name, "FULL_HEALTH"))
    getattr(programs, name)()
