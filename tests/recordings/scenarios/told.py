"""What a program did, told by itself beside its recording."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FILE = "told.json"


class Told:
    """Counts what a program does, and tells it beside its recording."""

    def __init__(self, logdir: Path) -> None:
        self._file = logdir / FILE
        self.steps = self.runs = 0

    def step(self) -> None:
        """One update of variables, in a run."""
        self.steps += 1
        self.run()

    def run(self) -> None:
        """A run that trains nothing but computes floats."""
        self.runs += 1

    def tell(self) -> None:
        """Write it down."""
        self._file.write_text(json.dumps({"steps": self.steps, "runs": self.runs}))
