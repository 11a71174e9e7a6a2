"""What an execution is for: training, validation, prediction; setting up, in TF1.

Keras runs one and the same kind of function in `fit`, `evaluate` and `predict`, and gives it one
and the same name. What it is called for stands in the stack: the innermost of these methods is
the one that asked. Runs of TF1 sessions say it themselves, if our recorder wrote them down.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.host import Host


class Phase(Enum):
    """What an execution is for."""

    TRAIN = "train"
    VALIDATION = "validation"
    """Also an evaluation that stands by itself."""
    PREDICT = "predict"
    INIT = "init"
    """Variables get their first values: TF1 only."""


_METHODS = {
    "fit": Phase.TRAIN,
    "train_on_batch": Phase.TRAIN,
    "evaluate": Phase.VALIDATION,
    "test_on_batch": Phase.VALIDATION,
    "predict": Phase.PREDICT,
    "predict_on_batch": Phase.PREDICT,
}

# Keras 3; Keras 2 under the names that it had: in TensorFlow, by itself, as `tf_keras`.
_TRAINER = r"/(tf_)?keras/(src/)?(backend/tensorflow/trainer|engine/training(_v1)?)\.py$"


class FoundPhase(NamedTuple):
    """What a stack says."""

    phase: Phase | None
    is_open: bool
    """Whether more of the files could say something else."""


class Phases:
    """The phases of stacks of one host; any thread may ask."""

    def __init__(self, host: Host) -> None:
        self._frames = host.frames
        self._sources = host.sources
        self._of_frame: dict[str, Phase | None] = {}
        """Frames whose source file is on disk."""

    def of(self, stack: tuple[str, ...]) -> FoundPhase:
        """The phase that the innermost method of Keras stands for."""
        for frame_id in reversed(stack):
            if frame_id not in self._of_frame and not self._learn(frame_id):
                return FoundPhase(None, is_open=True)
            phase = self._of_frame[frame_id]
            if phase is not None:
                return FoundPhase(phase, is_open=False)
        return FoundPhase(None, is_open=False)

    def _learn(self, frame_id: str) -> bool:
        """Look a frame up; False if it is not on disk yet."""
        frame = self._frames.by_id.get(frame_id)
        source = None if frame is None else self._sources.get(frame.file_index)
        if frame is None or source is None:
            return False
        path = "/" + source.path.replace("\\", "/")
        is_trainer = "keras" in path and re.search(_TRAINER, path)
        self._of_frame[frame_id] = _METHODS.get(frame.function) if is_trainer else None
        return True
