"""Numbers that somebody wrote down: ∞ and NaN that may be meant, as a mask or a beginning is.

Those are constants, the first values of variables, and what an op hands on out of numbers that
nothing recorded computed. Whether they are meant is told by what becomes of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.gradients import is_gradient
from tfdbg_tui.data.cause.operations import needs_large_numbers, only_hands_on
from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput
from tfdbg_tui.data.stores.data_ops import is_data
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.tf_names import ARGUMENT, is_read, takes_stored

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.judged import Judged
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.stores.event_kind import EventRef


def may_be_meant(index: HostIndex, cause: EventRef, judged: Judged) -> bool:
    """Whether a cause is a number that was written down, and that nothing computed."""
    if cause.kind is EventKind.TRACE:
        op = index.host.op_of(index.host.traces.site_of(cause.event))
        if op is None:
            return False
        if is_read(op.type):
            return _is_first_value(judged)
        if op.type == ARGUMENT and (index.is_partial or is_gradient(index, cause)):
            return False  # something computed it, and that is not recorded
        return not op.inputs and not index.host.graphs.came_with_data(op)
    op_type = index.host.executions.site_of(cause.event).op_type
    if takes_stored(op_type):
        return _is_first_value(judged)
    if is_data(op_type) or not (only_hands_on(op_type) or needs_large_numbers(op_type)):
        return False
    ids = index.joins.inputs_of(cause.event)
    return not ids or any(is_unrecorded(index, cause.event, number) for number in range(len(ids)))


def _is_first_value(judged: Judged) -> bool:
    """Whether a variable was given its value outside any graph, or before the recording began."""
    return judged.writer is None or (
        isinstance(judged.writer, ExecutionOutput) and not judged.writer_is_told
    )


def is_unrecorded(index: HostIndex, execution: int, number: int) -> bool:
    """Whether nothing recorded put out an input of an execution: it is a constant, or an array."""
    ids = index.joins.inputs_of(execution)
    return number < len(ids) and index.joins.producer_of(ids[number], execution) is None
