"""Writes the runs of TF1 sessions down, which TensorFlow's recorder leaves out.

A session runs a graph in C++, and the recorder sees only the tensors that come out of it: where
one run ends and the next begins, and which line of the program asked for it, is told by nobody.
So each run gets a record as calls of functions have one: written when it has ended, with the
graph and the user's stack. Its op type says what the run was for: see `Purpose`.

Reaches into TensorFlow's sessions at their lowest step, which `Session.run`, `Tensor.eval`,
monitored sessions and callables all end in: each run passes there once.
"""

from __future__ import annotations

import contextlib
import re
import weakref
from enum import Enum
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

from tfdbg_tui.record import tf_internals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, MutableMapping

    from tfdbg_tui.record.recorder import Graph, Operation, Recorder, Session, Tensor

MAX_KNOWN = 1000
"""Different runs of one graph whose purpose is remembered."""

_OPTIMIZER = re.compile(r"(Resource)?(Sparse)?Apply[A-Z]\w*")
_ASSIGNMENT = re.compile(r"Assign(VariableOp)?")
_SETUP = re.compile(
    r"MakeIterator|InitializeTable\w*|LookupTableImport(V2)?|IsVariableInitialized"
    r"|VarIsInitializedOp|ReportUninitializedVariables"
)
_UPDATE = re.compile(r"Assign(Add|Sub)?(VariableOp)?|(Resource)?Scatter\w+")
_READ = re.compile(r"ReadVariableOp|ResourceGather(Nd)?|Variable(V2)?")

_FUNCTIONS_OF = {
    "PartitionedCall": ("f",),
    "StatefulPartitionedCall": ("f",),
    "While": ("cond", "body"),
    "StatelessWhile": ("cond", "body"),
    "If": ("then_branch", "else_branch"),
    "StatelessIf": ("then_branch", "else_branch"),
}
"""The attributes of ops that name functions."""


class Purpose(Enum):
    """What a run is for; the value is the op type of its record."""

    TRAINING = "Session.run/train"
    """It updates variables: by an optimizer or, in a graph without one, by assigning what was
    computed from variables."""
    SETTING_UP = "Session.run/init"
    """It gives variables their first values or asks whether they have some, and fetches none."""
    ANYTHING = "Session.run"


class Asked(NamedTuple):
    """What a run was asked for, by names."""

    targets: tuple[str, ...]
    """Ops to run."""
    fetches: tuple[str, ...]
    """Tensors to return: `op:slot`."""
    feeds: frozenset[str]
    """Tensors that are given, so that nothing behind them is computed."""


def note_runs() -> None:
    """Have every run of a session written down by the recorder that is on in its thread."""
    from tensorflow.python.client.session import BaseSession

    if hasattr(BaseSession._call_tf_sessionrun, "__wrapped__"):
        return
    _note_calls(BaseSession, "_call_tf_sessionrun", _of_run)
    _note_calls(BaseSession, "_call_tf_sessionprun", _of_partial_run)
    _note_calls(BaseSession._Callable, "__call__", _of_callable)
    create = BaseSession._Callable.__init__

    @wraps(create)
    def create_and_keep_names(made: Any, session: Session, options: Any) -> None:
        made.tfdbg_asked = Asked(
            tuple(options.target), tuple(options.fetch), frozenset(options.feed)
        )
        create(made, session, options)

    BaseSession._Callable.__init__ = create_and_keep_names


def _note_calls(owner: Any, name: str, asked_of: Callable[..., tuple[Graph, Asked]]) -> None:
    """Have calls of a method written down when they end, in whatever way."""
    from tensorflow.python.framework.errors_impl import OutOfRangeError

    method = getattr(owner, name)

    @wraps(method)
    def call_and_note(*arguments: Any, **options: Any) -> Any:
        has_run_dry = False
        try:
            return method(*arguments, **options)
        except OutOfRangeError:
            has_run_dry = True
            raise
        finally:
            recorder = tf_internals.running_recorder()
            if recorder is not None:
                # The program is worth more than its recording.
                with contextlib.suppress(Exception):
                    graph, asked = asked_of(*arguments)
                    _note(recorder, graph, None if has_run_dry else asked)

    setattr(owner, name, call_and_note)


def _note(recorder: Recorder, graph: Graph, asked: Asked | None) -> None:
    """Write down that a run has ended; without what it was asked for if it found no more data."""
    purpose = Purpose.ANYTHING
    with contextlib.suppress(Exception):
        purpose = purpose if asked is None else purpose_of(graph, asked)
    tf_internals.write_execution(recorder, purpose.value, graph)


# ---------------------------------------------------------------------- what is asked for


def _of_run(
    session: Session, _: object, feeds: Any, fetches: Any, targets: Any, *__: object
) -> tuple[Graph, Asked]:
    names = tuple(map(_op_name, targets))
    return session.graph, Asked(names, tuple(map(_name, fetches)), frozenset(map(_name, feeds)))


def _of_partial_run(session: Session, _: object, feeds: Any, fetches: Any) -> tuple[Graph, Asked]:
    return session.graph, Asked((), tuple(map(_name, fetches)), frozenset(map(_name, feeds)))


def _of_callable(made: Any, *_: object) -> tuple[Graph, Asked]:
    asked: Asked = made.tfdbg_asked
    return made._session.graph, asked


def _op_name(operation: Operation) -> str:
    from tensorflow.python.client import pywrap_tf_session

    name: str = pywrap_tf_session.TF_OperationName(operation)
    return name


def _name(output: Tensor) -> str:
    return f"{_op_name(output.oper)}:{output.index}"


# ---------------------------------------------------------------------- what it is for

_purposes: MutableMapping[Any, dict[Asked, Purpose]] = weakref.WeakKeyDictionary()
"""By graph. Ops are only added to a graph, so what one run computes the next one does, too."""


def purpose_of(graph: Graph, asked: Asked) -> Purpose:
    """What a run is for, by the ops that it runs."""
    known = _purposes.setdefault(graph, {})
    if asked not in known:
        if len(known) >= MAX_KNOWN:
            known.clear()
        known[asked] = _find_purpose(graph, asked)
    return known[asked]


def _find_purpose(graph: Graph, asked: Asked) -> Purpose:
    tensors = [graph.as_graph_element(name) for name in asked.fetches]
    wanted = [*map(graph.get_operation_by_name, asked.targets), *(t.op for t in tensors)]
    ran = _with_functions(graph, _computed_for(wanted, asked.feeds))
    if any(_OPTIMIZER.fullmatch(op.type) for op in ran):
        return Purpose.TRAINING
    updates = [op for op in ran if _UPDATE.fullmatch(op.type)]
    learns = any(_uses_variables(op, asked.feeds) for op in updates)
    others = _with_functions(graph, graph.get_operations())
    if learns and not any(_OPTIMIZER.fullmatch(op.type) for op in others):
        return Purpose.TRAINING
    is_first = all(_ASSIGNMENT.fullmatch(op.type) for op in updates) and not learns
    sets_up = bool(updates) or any(_SETUP.fullmatch(op.type) for op in ran)
    tells_numbers = any(tensor.dtype.is_floating or tensor.dtype.is_integer for tensor in tensors)
    is_setup = is_first and sets_up and not tells_numbers
    return Purpose.SETTING_UP if is_setup else Purpose.ANYTHING


def _with_functions(graph: Graph, ops: Iterable[Operation]) -> list[Operation]:
    """Some ops and those of the functions that they call."""
    found: dict[Any, None] = {}
    pending = list(ops)
    while pending:
        op = pending.pop()
        if op not in found:
            found[op] = None
            pending += _body(graph, op)
    return list(found)


def _body(graph: Graph, op: Operation) -> Iterator[Operation]:
    """The ops of the functions that an op calls."""
    for attribute in _FUNCTIONS_OF.get(op.type, ()):
        with contextlib.suppress(Exception):  # one that is not known has no ops
            function = graph._get_function(op.get_attr(attribute).name)
            yield from function.graph.get_operations()


def _uses_variables(update: Operation, feeds: frozenset[str]) -> bool:
    """Whether what is assigned is computed from variables."""
    values = [tensor.op for tensor in list(update.inputs)[1:]]
    return any(_READ.fullmatch(op.type) for op in _computed_for(values, feeds, controls=False))


def _computed_for(
    wanted: Iterable[Operation], feeds: frozenset[str], controls: bool = True
) -> list[Operation]:
    """All ops that have to run for some."""
    found = dict.fromkeys(wanted)
    pending = list(found)
    while pending:
        op = pending.pop()
        before = [tensor.op for tensor in op.inputs if tensor.name not in feeds]
        for other in [*before, *(op.control_inputs if controls else ())]:
            if other not in found:
                found[other] = None
                pending.append(other)
    return list(found)
