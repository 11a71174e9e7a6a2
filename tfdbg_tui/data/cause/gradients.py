"""Which ops compute gradients or update variables, and the forward op that a gradient belongs to.

In a graph, names tell. An eager gradient has no name, but TensorFlow's function that computes it
is on its stack, and is called after the op: `_LogGrad`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import (
    computes_gradient,
    is_of_gradient,
    read_call,
    without_version,
)

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.stacks import Functions
    from tfdbg_tui.data.stores.graph import Op

_OF_TAPE = "_gradient_function"
"""TensorFlow's function that calls that of an op, when a tape is played back."""

# Not compiled before they are asked for: that takes longer than most runs need them.
_OF_OP = r"_(?P<op>[A-Z]\w*?)(?:V\d+)?Grad(?:V\d+)?$"
_OPTIMIZER_FILE = (
    r"/(tf_)?keras/(src/)?(legacy/)?optimizers?/|/tensorflow(_core)?/python/training/"
    r"|/tensorflow(_core)?/python/keras/optimizer_v2/"
)
_UPDATE = r"_?update_step(_xla)?|_(resource_)?(sparse_)?apply\w*|_momentum_\w+"
"""Functions of optimizers that write variables, or work out what is written."""

_METRIC_FILE = r"/keras/(src/)?metrics/|/tensorflow(_core)?/python/ops/metrics_impl"

MAX_INPUTS = 16
"""Inputs of an eager gradient op that may be those of its forward op."""


def is_gradient(index: HostIndex, event: EventRef) -> bool:
    """Whether an event is part of a gradient."""
    if event.kind is EventKind.EXECUTION:
        call = read_call(index.host.executions.site_of(event.event).op_type)
        if call is not None and computes_gradient(call.graph):
            return True
        return any(name == _OF_TAPE for _, name in frames_of(index, event))
    op = op_of(index, event)
    if op is None:
        return False
    graph = index.host.graphs.name_of(op.graph_id) or ""
    if computes_gradient(graph) or is_of_gradient(op.name):
        return True
    return index.host.graphs.forward_of(op) is not None


def eager_forward(index: HostIndex, event: EventRef) -> int | None:
    """The execution whose gradient an eager op computes, where that can be told."""
    differentiated = eager_type(index, event)
    if differentiated is None:
        return None
    executions = index.host.executions
    for tensor_id in index.joins.inputs_of(event.event)[:MAX_INPUTS]:
        producer = index.joins.producer_of(tensor_id, event.event)
        users = index.joins.users_before(tensor_id, event.event)
        for execution in (*([] if producer is None else [producer[0]]), *users):
            if without_version(executions.site_of(execution).op_type) == differentiated:
                return execution
    return None


def eager_type(index: HostIndex, event: EventRef) -> str | None:
    """The type of the op whose gradient an eager op computes, where that can be told."""
    if event.kind is not EventKind.EXECUTION:
        return None
    names = [name for _, name in frames_of(index, event)]
    if _OF_TAPE not in names:
        return None
    # One gradient function may call another: that of a mean calls that of a sum.
    called = names[len(names) - names[::-1].index(_OF_TAPE) :]
    found = next(filter(None, (re.fullmatch(_OF_OP, name) for name in called)), None)
    return None if found is None else found["op"]


def in_optimizer(index: HostIndex, stack: tuple[str, ...]) -> bool:
    """Whether an optimizer made an op to update a variable."""
    functions = index.stacks.functions(stack)
    return any(_is_of_optimizer(path) and re.fullmatch(_UPDATE, name) for path, name in functions)


def in_metric(index: HostIndex, stack: tuple[str, ...]) -> bool:
    """Whether a metric of Keras or TensorFlow made an op."""
    return any(_is_of_metric(path) for path, _ in index.stacks.functions(stack))


@lru_cache(maxsize=4096)  # a program has hundreds of ops, and the same files on all their stacks
def _is_of_optimizer(path: str) -> bool:
    may_be = "optimizer" in path or "/training/" in path
    return may_be and re.search(_OPTIMIZER_FILE, path) is not None


@lru_cache(maxsize=4096)
def _is_of_metric(path: str) -> bool:
    return "metrics" in path and re.search(_METRIC_FILE, path) is not None


def op_of(index: HostIndex, event: EventRef) -> Op | None:
    """The op of a graph that an event is of."""
    if event.kind is EventKind.EXECUTION:
        return None
    return index.host.op_of(index.host.traces.site_of(event.event))


def stack_of(index: HostIndex, event: EventRef) -> tuple[str, ...]:
    """The stack that created the op of an event itself."""
    if event.kind is EventKind.EXECUTION:
        return index.host.executions.site_of(event.event).stack
    op = op_of(index, event)
    return () if op is None else op.stack


def frames_of(index: HostIndex, event: EventRef) -> Functions:
    """The file and the function of each frame that created the op of an event, outermost first."""
    return index.stacks.functions(stack_of(index, event))
