"""How to record again with something changed, as whoever started the program would write it.

A script that `run` started is run again with other options; a program that calls `record.enable`
gets another call; of any other program nothing is known but TensorFlow's own call.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.live.snapshot import RunState
    from tfdbg_tui.data.stores.program_notes import Program

RECORD = (
    "tf.debugging.experimental.enable_dump_debug_info(",
    '    "{path}",',
    '    tensor_debug_mode="FULL_HEALTH",',
    "    circular_buffer_size=-1)",
)
"""The one call that makes a live recording; it needs nothing but TensorFlow."""

HOW = "Run it as `tfdbg-tui run train.py`, or add this before it builds anything:"
"""Stands before that call where there is none."""

CHANGE = "Run it as `tfdbg-tui run train.py`, or change the call in it to:"
"""Stands before that call where there is another one."""

RUN_AGAIN = "Run it again like this:"
ENABLE = "Change the call in it to:"

USUAL_MODE = "FULL_HEALTH"

RUN, ENABLED = "run", "record"
"""Who started a program that left notes."""

SOME_OPS, A_SAMPLE, LESS = "^(Log|MatMul)$", 1000, "CONCISE_HEALTH"
"""Examples of what saves disk."""


class Recipe(NamedTuple):
    """What to do, and the lines for it."""

    sentence: str
    """Introduces the code."""
    code: tuple[str, ...]


def recipe(directory: object) -> tuple[str, ...]:
    """TensorFlow's call that records into a directory."""
    return tuple(line.replace("{path}", _quoted(directory)) for line in RECORD)


def enable_line(directory: object) -> str:
    """The call of ours that records into a directory."""
    return f'record.enable("{_quoted(directory)}")'


def started_by_run(program: Program | None) -> bool:
    """Whether `run` started a program."""
    return program is not None and program.started_by == RUN


def in_mode(state: RunState, mode: str = USUAL_MODE) -> Recipe:
    """How to record again in another mode."""
    program = state.program
    if program is not None and program.started_by == RUN:
        return Recipe(RUN_AGAIN, (command(program, mode),))
    if program is not None and program.started_by == ENABLED:
        return Recipe(ENABLE, _enable_call(program, state.run.directory, mode))
    return Recipe(CHANGE, recipe(state.run.directory))


def without_jit(program: Program, mode: str = USUAL_MODE) -> str:
    """The command that records a script with XLA switched off."""
    return command(program._replace(jit=False), mode)


def command(program: Program, mode: str = USUAL_MODE, environment: str = "") -> str:
    """What to type to run a script again, with the options that it was run with."""
    options = [
        *(() if mode == USUAL_MODE else ("--mode", mode)),
        *(("--op-regex", program.op_regex) if program.op_regex else ()),
        *(("--dtypes", ",".join(program.dtypes)) if program.dtypes else ()),
        *(("--op-names", ",".join(program.op_names)) if program.op_names is not None else ()),
        *(("--keep", str(program.keep)) if program.keep else ()),
        *(("--jit",) if program.jit else ()),
    ]
    words = shlex.join(["tfdbg-tui", "run", *options, *(program.command or ("train.py",))])
    return f"{environment} {words}".strip()


def savings(program: Program | None) -> str:
    """A sentence: what to change in order to record less."""
    started = None if program is None else program.started_by
    if started == RUN:
        return (
            f"`--op-regex '{SOME_OPS}'` records some ops only, `--keep {A_SAMPLE}` a sample of "
            f"all, `--mode {LESS}` less of each."
        )
    call = "record.enable" if started == ENABLED else "the call that switches the recorder on"
    keep = f"keep={A_SAMPLE} a sample of all, " if started == ENABLED else ""
    mode = "mode" if started == ENABLED else "tensor_debug_mode"
    return (
        f'In {call}, op_regex="{SOME_OPS}" records some ops only, {keep}{mode}="{LESS}" less '
        "of each."
    )


def _enable_call(program: Program, directory: str, mode: str) -> tuple[str, ...]:
    options = [
        f'    "{_quoted(directory)}",',
        f'    mode="{mode}",',
        *([f"    op_regex={program.op_regex!r},"] if program.op_regex else ()),
        *([f"    dtypes={list(program.dtypes)!r},"] if program.dtypes else ()),
        *([f"    op_names={list(program.op_names)!r},"] if program.op_names is not None else ()),
        *([f"    keep={program.keep},"] if program.keep else ()),
        *(["    jit=True,"] if program.jit else ()),
    ]
    options[-1] = f"{options[-1][:-1]})"
    return ("record.enable(", *options)


def _quoted(directory: object) -> str:
    path = str(Path(str(directory)).absolute())
    return path.replace("\\", "\\\\").replace('"', '\\"')
