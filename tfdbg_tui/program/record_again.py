"""How to record a script again with the values of one tensor and of its inputs alone.

The command comes from the notes beside a recording, which may be anybody's: nothing is run here,
and what is to be run is told word for word, or not at all.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput, GraphTensor
from tfdbg_tui.data.flow.op_inputs import OpInputs
from tfdbg_tui.data.index.same_place import step_of
from tfdbg_tui.data.records.modes import Mode
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import read_call, without_trace_numbers
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.program.changed_sources import compared
from tfdbg_tui.sanitise import one_line
from tfdbg_tui.words import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.stores.program_notes import Program
    from tfdbg_tui.data.stores.run import Run

MODE = "FULL_TENSOR"
"""The one mode that records values."""

FOLDER = "values"
"""Of the new recording: below the logdir, or behind the name of a folder in it."""

MAX_COMMAND = 2_000
"""Characters of a command that can be read before it is run; a longer one is not offered."""

_OP_TYPE = re.compile(r"\w{1,200}")
_OP_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]{0,999}")
"""What TensorFlow takes for a type, and for a name."""

_RUN = "run"
_RECORD = "record"


class Wanted(NamedTuple):
    """Whose values are wanted, as the recorder tells ops from each other."""

    op_regex: str
    """Types of ops."""
    op_names: tuple[str, ...]
    """Of ops inside graphs; what is executed outside has no name."""


class Request(NamedTuple):
    """A script that can be recorded again."""

    folder: str
    """Where it is to be started."""
    words: tuple[str, ...]
    """What stands behind `tfdbg-tui`."""
    step: int | None
    """The last step that is needed; None for all."""
    remarks: tuple[str, ...] = ()
    """What is other than at the first time, in sentences."""

    @property
    def lines(self) -> tuple[str, str]:
        """The commands that do it, as a shell takes them."""
        return f"cd {shlex.quote(self.folder)}", shlex.join(["tfdbg-tui", *self.words])


class Refusal(NamedTuple):
    """Why a program cannot be recorded again from here, and what to do instead."""

    sentence: str
    code: tuple[str, ...] = ()
    """Lines for the program."""


def request(run: Run, index: HostIndex, event: EventRef, logdir: str) -> Request | Refusal:
    """How to record an event's program again; `logdir` is the one that is looked at."""
    wanted = wanted_of(index, event)
    if wanted is None:
        return Refusal("This tensor bears no name that TensorFlow gives: no recorder can find it.")
    program = run.program
    if program is None or program.started_by != _RUN or not program.command:
        return _by_hand(program, wanted, new_folder(run, logdir))
    step = step_of(index, event)
    words = _words(program, wanted, step, new_folder(run, logdir))
    folder = program.folder or os.getcwd()  # noqa: PTH109 - a text
    made = Request(folder, words, step or None)
    obstacle = _obstacle(program, made)
    if obstacle:
        return Refusal(obstacle)
    return made._replace(remarks=tuple(_remarks(program, index, made)))


def has_values(index: HostIndex, event: EventRef) -> bool:
    """Whether the values of an event are recorded already."""
    if event.kind is EventKind.TRACE:
        return index.host.traces.site_of(event.event).mode == Mode.FULL_TENSOR
    site = index.host.executions.site_of(event.event)
    return site.mode == Mode.FULL_TENSOR and site.tensors > 0


def new_folder(run: Run, logdir: str) -> Path:
    """Where the second recording of a run goes: beside the first, within the logdir."""
    directory = Path(run.directory).absolute()
    if directory == Path(logdir).absolute():
        return directory / FOLDER
    return directory.with_name(f"{directory.name}-{FOLDER}")


def wanted_of(index: HostIndex, event: EventRef) -> Wanted | None:
    """The op of an event and those that it takes; None if its own cannot be told."""
    inputs = OpInputs(index, event)
    subject = _op_of(index, inputs.subject)
    if subject is None:
        return None
    ops = {subject: None}
    for given in inputs.of_subject():
        ops.update(dict.fromkeys(_ops_of_input(index, given.vertex, given.event)))
    types = sorted({_type_pattern(op_type) for op_type, _ in ops})
    names = tuple(name for _, name in ops if name)
    return Wanted(f"^(?:{'|'.join(types)})$", names)


def _ops_of_input(
    index: HostIndex, vertex: object, recorded: EventRef | None
) -> Iterator[tuple[str, str]]:
    """The op that an input comes from, and the recorded one that stands for it."""
    if (op := _op_of(index, vertex)) is not None:
        # All that a call puts out for its gradient would be recorded with what it returns.
        is_call = not op[1] and read_call(op[0]) is not None
        if not is_call or recorded is None:
            yield op
    if recorded is None:
        return
    if recorded.kind is EventKind.TRACE:
        site = index.host.traces.site_of(recorded.event)
        stands_for = _graph_op(index, site.graph_id, site.op_name)
    else:
        op_type = index.host.executions.site_of(recorded.event).op_type
        stands_for = None if read_call(op_type) else _executed(op_type)
    if stands_for is not None:
        yield stands_for


def _op_of(index: HostIndex, vertex: object) -> tuple[str, str] | None:
    """Type and name of the op behind a tensor; of what was executed the type alone."""
    if isinstance(vertex, GraphTensor):
        return _graph_op(index, vertex.graph_id, vertex.op_name)
    if isinstance(vertex, ExecutionOutput):
        return _executed(index.host.executions.site_of(vertex.execution).op_type)
    return None


def _executed(op_type: str) -> tuple[str, str] | None:
    return (op_type, "") if _OP_TYPE.fullmatch(op_type) else None


def _graph_op(index: HostIndex, graph_id: str, name: str) -> tuple[str, str] | None:
    op = index.host.graphs.op(graph_id, name)
    if op is None or not _OP_TYPE.fullmatch(op.type) or not _OP_NAME.fullmatch(name):
        return None
    return op.type, name


def _type_pattern(op_type: str) -> str:
    """What matches a type of op; that of a call bears a number that counts what came before."""
    if read_call(op_type) is None:
        return op_type
    return f"{without_trace_numbers(op_type)}(?:_[0-9]+)+"


def _words(program: Program, wanted: Wanted, step: int | None, logdir: Path) -> tuple[str, ...]:
    command = program.command
    return (
        "run",
        *("--mode", MODE, "--op-regex", wanted.op_regex),
        *("--op-names", ",".join(wanted.op_names)),
        *(("--until-step", str(step)) if step else ()),
        *(("--jit",) if program.jit else ()),
        *("--logdir", str(logdir)),
        *(("--",) if command[0].startswith("-") and command[0] != "-m" else ()),
        *command,
    )


def _obstacle(program: Program, made: Request) -> str:
    """Why a command is not offered; empty if it can be."""
    text = " ".join((*made.lines, *program.command))
    if not text.isprintable() or one_line(text) != text:
        return "Its command line holds characters that cannot be shown, so it is not run again."
    if len(text) > MAX_COMMAND:
        return f"Its command line is too long to be read: {len(text):,} characters."
    if not os.path.isabs(made.folder) or not os.path.isdir(made.folder):  # noqa: PTH112, PTH117
        return f"The folder in which it was started is not there: {made.folder}."
    script = program.command[0]
    if script == "-m":
        return "" if len(program.command) > 1 else "Its command line names no script."
    there = os.path.exists(os.path.join(made.folder, script))  # noqa: PTH110, PTH118
    return "" if there else f"There is no script {script} in {made.folder} any more."


def _remarks(program: Program, index: HostIndex, made: Request) -> Iterator[str]:
    """What a second run may do otherwise than the first."""
    sources = compared(index.host.sources)
    if sources.changed:
        are = "is" if len(sources.changed) == 1 else "are"
        yield f"{_names_of(sources.changed)} {are} not as recorded: steps may differ."
    script = os.path.realpath(os.path.join(made.folder, program.command[0]))  # noqa: PTH118
    known = map(os.path.realpath, (*sources.same, *sources.changed))
    if program.command[0] != "-m" and script not in known:
        yield f"The recording has no source of {one_line(program.name)} to compare it with."
    if program.folder is None:
        yield "The recording does not tell where it was started."
    if program.python is not None and _folder_of(program.python) != _folder_of(sys.executable):
        yield f"It ran with {one_line(program.python)}; this is {sys.executable}."
    if made.step is None:
        yield "No step is known here at which it could stop: it runs to its end."


def _folder_of(python: str) -> str:
    return python.rpartition("/")[0]  # there it has several names, all of one environment


def _names_of(paths: Iterable[str]) -> str:
    names = [one_line(path.replace("\\", "/").rpartition("/")[2]) for path in paths]
    return listed(names) if len(names) <= 3 else counted(len(names), "source file")


def _by_hand(program: Program | None, wanted: Wanted, logdir: Path) -> Refusal:
    """What to change in a program that `run` did not start."""
    pattern, where = wanted.op_regex, _quoted(str(logdir))
    if program is not None and program.started_by == _RECORD:
        names = [*wanted.op_names]
        code = (
            "record.enable(",
            f"    {where},",
            f'    mode="{MODE}",',
            f"    op_regex={pattern!r},",
            f"    op_names={names!r})",
        )
        return Refusal("Its own line records it. Change the call in it to:", code)
    code = (
        "tf.debugging.experimental.enable_dump_debug_info(",
        f"    {where},",
        f'    tensor_debug_mode="{MODE}",',
        f"    op_regex={pattern!r},",
        "    circular_buffer_size=-1)",
    )
    return Refusal("`tfdbg-tui run` did not start it. Change the call in it to:", code)


def _quoted(text: str) -> str:
    return '"' + one_line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
