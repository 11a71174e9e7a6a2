"""Programs that tell what they did, as our recorder wrote them down and as TensorFlow's does."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from tests.recordings.scenarios.told import FILE

if TYPE_CHECKING:
    from pathlib import Path

KERAS = (
    "keras_plots", "keras_batches", "keras_evaluation", "keras_several", "keras_eagerly",
    "keras_own_loop",
)  # fmt: skip

SESSIONS = (
    "tf1_training", "tf1_loops", "tf1_functions", "tf1_graphs", "tf1_monitored",
    "tf1_two_players", "tf1_by_hand",
)  # fmt: skip


def told(path: Path) -> dict[str, int]:
    """What the program of a recording says that it did: `steps`, and `runs` that left traces."""
    facts: dict[str, int] = json.loads((path / FILE).read_text())
    return facts


def as_tensorflow_records(path: Path, target: Path) -> Path:
    """A copy of a recording of sessions without what only our recorder writes: their runs."""
    shutil.copytree(path, target)
    for file in target.glob("*.execution"):
        file.write_bytes(b"")
    return target
