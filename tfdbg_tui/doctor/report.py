"""What `tfdbg-tui doctor` prints: findings for people and for machines, nothing hostile in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.doctor.finding import Level
from tfdbg_tui.doctor.findings import findings
from tfdbg_tui.doctor.page import page
from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.verdict.text import heading

if TYPE_CHECKING:
    from tfdbg_tui.data.live.snapshot import RunState, Snapshot
    from tfdbg_tui.doctor.finding import Finding

Json = dict[str, object]

WIDTH = 80
"""Columns of the text; code and paths may be longer."""


class Report:
    """The findings of some runs of a logdir, or of a logdir without any."""

    def __init__(self, snapshot: Snapshot, runs: tuple[RunState, ...]) -> None:
        self._snapshot = snapshot
        states: tuple[RunState | None, ...] = runs or (None,)
        self._parts = [(state, findings(snapshot, state)) for state in states]

    @property
    def has_problem(self) -> bool:
        """Whether anything is as bad as can be."""
        levels = {finding.level for _, found in self._parts for finding in found}
        return Level.PROBLEM in levels

    def as_text(self) -> str:
        """A paragraph for each run."""
        paragraphs = [
            "\n".join((*self._heading(state), *_finding_lines(found)))
            for state, found in self._parts
        ]
        return "\n\n".join(paragraphs) + "\n"

    def _heading(self, state: RunState | None) -> tuple[str, ...]:
        if state is None:
            return ()
        run = state.run
        folder = run.folder_in(self._snapshot.path)
        return (
            heading(run.run_id, run.tensorflow_version, run.mode_names(), len(run.host_names)),
            *([f"  in {sanitise(run.directory)}"] if folder else ()),
            "",
        )

    def to_json(self) -> Json:
        """The same for machines; what was recorded is as it was recorded."""
        return {
            "logdir": self._snapshot.path,
            "runs": [
                {
                    "run_id": None if state is None else state.run.run_id,
                    "directory": str(self._snapshot.path if state is None else state.run.directory),
                    "findings": [_finding_json(finding) for finding in found],
                }
                for state, found in self._parts
            ],
        }


def _finding_lines(found: tuple[Finding, ...]) -> list[str]:
    return [sanitise(f"{line.margin}{line.text}").rstrip() for line in page(found, WIDTH)]


def _finding_json(finding: Finding) -> Json:
    return {
        "id": finding.id,
        "level": finding.level.value,
        "headline": finding.headline,
        "text": " ".join(finding.text),
        "code": list(finding.code),
    }
