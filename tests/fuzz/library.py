"""All that the library tells of a recording, as a notebook asks for it."""

from __future__ import annotations

import contextlib
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui import open_logdir

if TYPE_CHECKING:
    from pathlib import Path

    from tfdbg_tui.library.event import RecordedTensor
    from tfdbg_tui.library.run import RecordedRun

LOOKED_AT = 4
"""Tensors, and executions, that are looked at one by one."""


def read_with_library(path: Path, seed: int) -> None:
    """Tables, queries and causes of every run, and some tensors of each."""
    chance = Random(seed)
    logdir = open_logdir(path, filters={"any": lambda tensor, value: value is None})
    logdir._repr_html_()
    for run in logdir:
        _look_at(run, chance)


def _look_at(run: RecordedRun, chance: Random) -> None:
    tables = (run.tensors, run.executions, run.query("bad"), run.query("filter:any step>=0"))
    for table in tables:
        for name in table.columns:
            assert len(table[name]) == len(table)
        table._repr_html_()
    for execution in chance.sample(list(run.executions), min(LOOKED_AT, len(run.executions))):
        assert len(execution.tensors) == run.executions["outputs"][_row(run, execution.event)]
        execution._repr_html_()
    for number in chance.sample(range(len(run.tensors)), min(LOOKED_AT, len(run.tensors))):
        _look_at_tensor(run.tensors[number])
    run._repr_html_()
    for cause in run.causes:
        cause._repr_html_()


def _row(run: RecordedRun, event: int) -> int:
    return int(np.flatnonzero(run.executions["event"] == event)[0])


def _look_at_tensor(tensor: RecordedTensor) -> None:
    assert len(tensor.history())
    tensor._repr_html_()
    assert tensor.stack is not None
    tensor.cause()
    with contextlib.suppress(ValueError):  # there may be none
        tensor.value()
