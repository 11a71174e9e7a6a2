"""How the program of a recording ended: with which error, at which line, in which op.

Known where the program was started by `run` or recorded by `record`, which leave notes; None is
what they do not tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.index.failing_op import failing_op
from tfdbg_tui.data.stores.sources import Location
from tfdbg_tui.data.stores.tf_names import read_call
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.program_notes import Failure, HowEnded, Program
    from tfdbg_tui.data.stores.sources import Line

Json = dict[str, object]


class FailedOp(NamedTuple):
    """The op that an error came from, as it is recorded."""

    name: str
    op_type: str
    graph: str | None
    location: Location | None
    """The user's line that created it."""

    def to_json(self) -> Json:
        """Flat, but for the line."""
        return {
            "name": self.name,
            "op_type": self.op_type,
            "graph": self.graph,
            "location": None if self.location is None else self.location._asdict(),
        }


class Ending(NamedTuple):
    """How a program ended."""

    script: str | None
    how: HowEnded
    exit_code: int | None = None
    signal: str | None = None
    """What ended it, if that was a signal."""
    error: str | None = None
    """The class of the error, with its module."""
    message: str | None = None
    """The line of its message that says what went wrong."""
    by_recorder: bool = False
    """Whether the recorder failed, not the program."""
    location: Location | None = None
    """The user's innermost line in its traceback."""
    op: FailedOp | None = None

    @property
    def error_name(self) -> str:
        """The class of the error, as a traceback names it last."""
        return (self.error or "").rpartition(".")[2]

    @property
    def line(self) -> Location | None:
        """The line to look at: the one that made the op, else that of the traceback."""
        made = None if self.op is None else self.op.location
        return made or self.location

    def to_json(self) -> Json:
        """As the README describes it."""
        return {
            "script": self.script,
            "how": self.how.value,
            "exit_code": self.exit_code,
            "error": self.error,
            "message": self.message,
            "by_recorder": self.by_recorder,
            "location": None if self.location is None else self.location._asdict(),
            "op": None if self.op is None else self.op.to_json(),
        }


def ending_of(
    program: Program | None, hosts: Sequence[Host] = (), with_code: bool = True
) -> Ending | None:
    """How a program ended, and the op of its hosts that an error came from; None if not noted.

    The code of the op's line is read back from disk.
    """
    how = None if program is None else program.how_ended
    if program is None or how is None:
        return None
    failure = program.failure
    signal = None if program.was_stopped else program.ending_signal
    return Ending(
        program.script,
        how,
        program.exit_code,
        None if signal is None else signal.name,
        None if failure is None else failure.type,
        None if failure is None else failure.reason,
        failure is not None and failure.is_of_recorder,
        None if failure is None else _location(failure),
        None if failure is None or not program.failed else _op(hosts, failure, with_code),
    )


def _location(failure: Failure) -> Location | None:
    frame = failure.line
    if frame is None:
        return None
    return Location(frame.file, frame.line, frame.function, frame.code or None)


def _op(hosts: Sequence[Host], failure: Failure, with_code: bool) -> FailedOp | None:
    found = failing_op(hosts, failure)
    if found is None:
        return _eager_op(failure)
    host, op = hosts[found.host], found.op
    graph, stack = host.graphs.name_of(op.graph_id), host.graphs.stack_of(op)
    location = host.location_of(stack) if with_code else _without_code(host.line_of(stack))
    return FailedOp(op.name, op.type, graph or None, location)


def _eager_op(failure: Failure) -> FailedOp | None:
    """An op that failed by itself: it leaves no record, its type and the user's line are known."""
    op_type = failure.blamed.call
    if op_type is None or read_call(op_type) is not None:
        return None
    return FailedOp(op_type, op_type, None, None)


def _without_code(line: Line | None) -> Location | None:
    return None if line is None else Location(line.path, line.line, line.function, None)
