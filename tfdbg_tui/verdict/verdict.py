"""The verdict on a logdir as frozen values, and as the JSON that `check --json` prints.

The keys of the JSON and their order are promised in the README. None is what is not known.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.verdict.cause import Causes
from tfdbg_tui.verdict.warnings import counts

if TYPE_CHECKING:
    from tfdbg_tui.verdict.bad_tensor import BadTensor, Json
    from tfdbg_tui.verdict.ending import Ending
    from tfdbg_tui.verdict.filtered import Filtered


class Conclusion(Enum):
    """What can be said of the numbers of a run."""

    BAD = "bad"
    """There is a NaN or Inf."""
    CLEAN = "clean"
    """All could be read, and there is none."""
    INCOMPLETE = "incomplete"
    """There is none in what could be read, and not all could be read."""
    NOT_JUDGED = "not_judged"
    """Nothing is recorded that would tell."""
    FAILED = "failed"
    """There is none in what was recorded, and the program ended with an error."""


class Counts(NamedTuple):
    """How many records of each kind a run has."""

    source_files: int
    stack_frames: int
    graphs: int
    graph_ops: int
    devices: int
    executions: int
    graph_executions: int

    @property
    def events(self) -> int:
        """All that was computed and recorded."""
        return self.executions + self.graph_executions

    def to_json(self) -> Json:
        """Number by number."""
        return self._asdict()


class Damage(NamedTuple):
    """What of a run could not be read."""

    corrupt_records: int
    cut_bytes: int
    missing_files: tuple[str, ...]
    """Names of files that are not there, or that the system denies."""
    open_references: int
    """Things that records name and that are not on disk."""
    unjudged_tensors: int = 0
    """Tensors that are there, and of which not all was looked at: there is too much of them."""

    def to_json(self) -> Json:
        """With the files as a list."""
        return {
            "corrupt_records": self.corrupt_records,
            "cut_bytes": self.cut_bytes,
            "missing_files": list(self.missing_files),
            "open_references": self.open_references,
            "unjudged_tensors": self.unjudged_tensors,
        }


class RunVerdict(NamedTuple):
    """The verdict on one run."""

    conclusion: Conclusion
    run_id: str | None
    directory: str
    tensorflow_version: str | None
    file_version: str | None
    started: float | None
    hosts: tuple[str, ...]
    counts: Counts
    modes: tuple[str, ...]
    alerts: int
    """Tensors with a NaN or Inf that are not muted."""
    first_bad: BadTensor | None
    """The first of them in time."""
    damage: Damage
    can_tell: bool = True
    """Whether any of its events tells NaN and Inf."""
    ending: Ending | None = None
    """How its program ended, where that is noted."""
    causes: Causes = Causes()
    """What made its bad numbers, and which of them are meant."""
    filtered: Filtered | None = None
    """What the filter holds for that was asked for."""

    @property
    def nothing_read(self) -> bool:
        """Whether there should be events, and not one of them could be read."""
        return self.conclusion is Conclusion.INCOMPLETE and not self.counts.events

    def to_json(self) -> Json:
        """As the README describes it."""
        cause = next(iter(self.causes.ranked), None)
        return {
            "verdict": self.conclusion.value,
            "run_id": self.run_id,
            "directory": self.directory,
            "tensorflow_version": self.tensorflow_version,
            "file_version": self.file_version,
            "started": self.started,
            "hosts": list(self.hosts),
            "counts": self.counts.to_json(),
            "tensor_debug_modes": list(self.modes),
            "steps": self.causes.steps,
            "alerts": {"inf_nan": self.alerts, **counts(self.causes.warnings)},
            "on_purpose": self.causes.on_purpose,
            "muted": 0 if self.causes.muted is None else self.causes.muted.tensors,
            "first_bad": None if self.first_bad is None else self.first_bad.to_json(),
            "cause": cause.to_json() if cause is not None else None,
            "other_causes": [other.to_short_json() for other in self.causes.ranked[1:]],
            "warnings": [warning.to_json() for warning in self.causes.warnings],
            "damage": self.damage.to_json(),
            "ending": None if self.ending is None else self.ending.to_json(),
            **({} if self.filtered is None else {"filter": self.filtered.to_json()}),
        }


class Verdict(NamedTuple):
    """The verdicts on the runs of a logdir."""

    logdir: str
    runs: tuple[RunVerdict, ...]

    def to_json(self) -> Json:
        """The one object that is printed."""
        return {"logdir": self.logdir, "runs": [run.to_json() for run in self.runs]}
