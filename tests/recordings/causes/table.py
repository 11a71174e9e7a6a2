"""All programs that go wrong. This module does not import TensorFlow."""

from __future__ import annotations

from tests.recordings.causes.other_modes import IN_FULL_HEALTH, IN_OTHER_MODES
from tests.recordings.causes.program import Program

__all__ = ["CAUSES", "PROGRAMS", "Program"]

PROGRAMS: tuple[Program, ...] = (*IN_FULL_HEALTH, *IN_OTHER_MODES)

CAUSES: dict[str, Program] = {f"cause_{program.name}": program for program in PROGRAMS}
"""By the name of the scenario that records it."""
