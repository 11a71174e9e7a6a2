"""The recordings that are changed: of different kinds, kept small so that a case is quick."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.recordings.fabricate import frame, split
from tests.recordings.freeze import FROZEN
from tfdbg_tui.data.records.debug_event_schema import parse

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library

    Original = dict[str, bytes]
    """Name → content of every file of a logdir."""

SCENARIOS = (
    "half_types_full",  # whole tensors, of many types
    "eager_only",
    "while_loop",
    "op_fails",  # with notes of its program
    "tf1_session",
    "two_runs",
)

KEPT_RECORDS = {"execution": 40, "graph_execution_traces": 72, "graphs": 100, "stack_frames": 100}
"""Records that are kept of the files that have many."""

KEPT_LINES = 40
"""Lines that are kept of a source file."""


def originals(library: Library) -> list[Original]:
    """All recordings to change; the first is in the repository."""
    return [_small(path) for path in (FROZEN, *map(library.path, SCENARIOS))]


def _small(logdir: Path) -> Original:
    return {path.name: _small_file(path) for path in sorted(logdir.iterdir()) if path.is_file()}


def _small_file(path: Path) -> bytes:
    if not path.name.startswith("tfdbg_events."):
        return path.read_bytes()
    suffix = path.name.rpartition(".")[2]
    payloads = [payload for _, payload in split(path)][: KEPT_RECORDS.get(suffix)]
    if suffix == "source_files":
        payloads = [_short_source(parse(payload)) for payload in payloads]
    return b"".join(map(frame, payloads))


def _short_source(event: Any) -> bytes:
    del event.source_file.lines[KEPT_LINES:]
    short: bytes = event.SerializeToString()
    return short
