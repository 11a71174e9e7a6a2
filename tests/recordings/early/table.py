"""The programs by name, and the warnings that each deserves. Does not import TensorFlow."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent


class Truth(NamedTuple):
    """A warning that a program deserves: its kind, and the mark of its line."""

    kind: str
    mark: str

    @property
    def line(self) -> int:
        """The number of the line, from 1."""
        lines = (FOLDER / "warned.py").read_text(encoding="utf-8").splitlines()
        (number,) = [n for n, line in enumerate(lines, 1) if line.endswith(f"  # {self.mark}")]
        return number


WARNED: dict[str, tuple[Truth, ...]] = {
    "three_layers": (
        Truth("all_zero", "dead"),
        Truth("zero_rising", "fading"),
        Truth("sign_collapse", "saturated"),
    ),
    "left_behind": (Truth("all_zero", "lost"),),
    "hoarder": (
        Truth("retraced", "python"),
        Truth("retraced", "shape"),
        Truth("shape_drift", "leak"),
    ),
    "exploding": (Truth("growing", "growing"),),
}
"""By program, in the order of their kinds."""

HEALTHY = (
    *("hinge", "sparse_rewards", "adversaries", "attention", "rare_class", "pictures", "experts"),
    *("by_hand", "buckets", "half", "session", "actor_and_critic", "folds"),
    "unrolled",
)

MODES = {"exploding": "FULL_TENSOR"}
"""Of programs that need another mode than FULL_HEALTH."""

EARLY = "early_"
"""What the names of these recordings begin with; a mode may follow, as in ``early_hinge.SHAPE``."""


def is_known(name: str) -> bool:
    """Whether there is such a program."""
    return name.partition(".")[0] in (*WARNED, *HEALTHY)
