"""All judged programs: ``record("judged_NAME", root)`` records one.

They are for judging an engine that its makers tuned to other programs, so nobody who works on it
looks at them. This module does not import TensorFlow.
"""

from __future__ import annotations

from tests.recordings.judged.truth import Judged
from tests.recordings.judged.truths_healthy import HEALTHY
from tests.recordings.judged.truths_hidden import HIDDEN
from tests.recordings.judged.truths_keras import KERAS
from tests.recordings.judged.truths_loops import LOOPS

__all__ = ["BY_NAME", "JUDGED", "Judged"]

JUDGED: tuple[Judged, ...] = (*KERAS, *LOOPS, *HIDDEN, *HEALTHY)

BY_NAME: dict[str, Judged] = {judged.name: judged for judged in JUDGED}
