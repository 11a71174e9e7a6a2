"""A recording with a great many long names: the frozen one, its traces told of ever more ops."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from tests.recordings.fabricate import frame, split
from tests.recordings.freeze import FROZEN
from tfdbg_tui.data.records.debug_event_schema import parse

if TYPE_CHECKING:
    from pathlib import Path

LENGTH = 2000
"""Characters of a name: as many as are looked at."""


def long_names(target: Path, count: int, letter: str = "a") -> Path:
    """Behind the frozen traces, so many more, each of an op with a long name of its own."""
    shutil.copytree(FROZEN, target, dirs_exist_ok=True)
    (path,) = target.glob("*.graph_execution_traces")
    with open(path, "ab") as file:
        event = parse(split(path)[-1][1])
        assert event is not None
        for number in range(count):
            event.graph_execution_trace.op_name = name_of(number, letter).encode()
            file.write(frame(event.SerializeToString()))
    return target


def name_of(number: int, letter: str = "a") -> str:
    """The long name of one op; all are made of the letter but for the number at the end."""
    end = f"/{number}"
    return letter * (LENGTH - len(end)) + end
