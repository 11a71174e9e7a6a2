"""What was left out on purpose, or computed where the recorder is not, as the program noted it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.doctor.finding import Finding, Level, named
from tfdbg_tui.doctor.recipes import started_by_run
from tfdbg_tui.doctor.scripts import has_other_backend, other_backend
from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.stores.program_notes import Program

MAX_PATTERN = 30
"""Characters of a pattern in a headline."""


def limits_by_choice(program: Program | None) -> Iterator[Finding]:
    """What is not recorded because of how the program was recorded."""
    if program is None:
        return
    if has_other_backend(program):
        yield other_backend(program)
    if program.keep:
        yield _sample(program.keep)
    if program.other_threads > 0:
        yield _other_threads(program)
    if program.op_regex:
        yield _some_ops(program.op_regex)
    if program.op_names is not None:
        yield _named_ops(program.op_names)
    if program.dtypes:
        yield _some_types(program.dtypes)


def _sample(keep: int) -> Finding:
    return Finding(
        "sample",
        Level.WARNING,
        f"A sample: at most {counted(keep, 'event')} at a time were kept",
        (
            "Of what is computed between two writes to the disk only the newest events of each",
            "kind are there: the first NaN may be among the others. Without `keep` all are.",
        ),
    )


def _other_threads(program: Program) -> Finding:
    number = program.other_threads
    whose = "the main thread" if started_by_run(program) else "the thread that switched it on"
    return Finding(
        "other-threads",
        Level.WARNING,
        f"{counted(number, 'other thread')} used TensorFlow, and only one is recorded",
        (
            f"The recorder belongs to {whose}. Eager ops and calls of others leave nothing",
            "here; what is inside a function does, if the recorded thread called it first.",
        ),
    )


def _some_ops(pattern: str) -> Finding:
    clean = sanitise(pattern)
    short = clean if len(clean) <= MAX_PATTERN else f"{clean[: MAX_PATTERN - 1]}…"
    return Finding(
        "op-regex",
        Level.FACT,
        f"Only ops whose type matches {short} are recorded",
        (
            "op_regex says so. What other ops computed is not known: a NaN that is the first here",
            "may come from one of them.",
        ),
    )


def _named_ops(names: tuple[str, ...]) -> Finding:
    return Finding(
        "op-names",
        Level.FACT,
        f"Inside functions only ops called {named(names)} are recorded"
        if names
        else "Of what functions compute nothing is recorded",
        (
            "op_names says so. What other ops computed is not known: a NaN that is the first here",
            "may come from one of them.",
        ),
    )


def _some_types(dtypes: tuple[str, ...]) -> Finding:
    return Finding(
        "dtypes",
        Level.FACT,
        f"Only tensors of type {named(dtypes)} are recorded",
        (
            "dtypes says so. What tensors of other types held is not known: a NaN that is the",
            "first here may come from one of them.",
        ),
    )
