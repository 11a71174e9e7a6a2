"""`ri`: the run, what wrote it, and how much of it there is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tfdbg_tui.command_line.result import Cell, FixedRows, Head, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer
    from tfdbg_tui.data.stores.program_notes import Program

HEADS = (Head("name", ""), Head("value", ""))

NAMES = {
    "run_id": "run",
    "tensorflow_version": "TensorFlow",
    "file_version": "format",
    "tensor_debug_modes": "modes",
    "session_runs": "session runs",
    "graph_ops": "ops",
    "graph_executions": "graph tensors",
    "source_files": "source files",
    "bad_tensors": "bad tensors",
    "exit_code": "exit code",
}
"""Facts that people know by another name."""


def run(context: Context, command: ParsedCommand) -> Answer:
    """All that is known of the run as a whole."""
    yield from context.with_steps()
    facts = dict(_facts(context))
    rows = tuple(
        (Cell(f"{NAMES.get(name, name)}:", name), Cell(_text(name, value), value, role=_role(name)))
        for name, value in facts.items()
        if value is not None and value != []
    )
    return Result("", heads=HEADS, rows=FixedRows(rows, HEADS), facts=facts, is_sortable=False)


def _facts(context: Context) -> Iterator[tuple[str, object]]:
    run, index = context.run.run, context.run
    yield "run_id", run.run_id
    yield "directory", str(run.directory)
    yield from _program(run.program)
    yield "tensorflow_version", run.tensorflow_version
    yield "file_version", run.file_version
    yield "started", run.started
    yield "tensor_debug_modes", list(run.mode_names())
    yield "hosts", list(run.host_names)
    yield "steps", index.steps
    runs = sum(len(host.session_runs or ()) for host in index.hosts)
    yield "session_runs", runs or None
    counts = run.counts()
    for name in ("executions", "graph_executions", "graphs", "graph_ops", "devices"):
        yield name, counts[name]
    yield "source_files", counts["source_files"]
    yield "bad_tensors", len(index.log)


def _program(program: Program | None) -> Iterator[tuple[str, object]]:
    if program is None:
        yield "command", None
        return
    import shlex  # most recordings have no notes

    yield "command", shlex.join(program.command) or None
    yield "ended", program.ended
    yield "exit_code", program.exit_code
    if program.failure is not None:
        yield "error", f"{program.failure.name}: {program.failure.message}"


def _text(name: str, value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if name in ("started", "ended") and isinstance(value, float):
        return _date(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def _date(seconds: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
    except (ValueError, OverflowError, OSError):  # damaged records may state any bits as a time
        return "?"


def _role(name: str) -> str:
    return "bad" if name == "error" else ""
