"""Gathers what there is to tell of one cause; made when somebody asks, for one cause at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.cures import cures
from tfdbg_tui.data.cause.explanation import EarlierInput, Explanation
from tfdbg_tui.data.cause.finding_rule import broken_rule
from tfdbg_tui.data.cause.held import bad_rows_of
from tfdbg_tui.data.cause.keras_layers import layer_of
from tfdbg_tui.data.cause.origin_op import OriginOp
from tfdbg_tui.data.cause.rules import Rule
from tfdbg_tui.data.cause.variable_names import VariableNames
from tfdbg_tui.data.flow.graph_nodes import GraphTensor
from tfdbg_tui.data.records.modes import told_by
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.tf_names import is_dataset_function

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.data.cause.rules import Broken
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.event_kind import EventRef

MAX_EARLIER = 5
"""Earlier steps of the input that broke an op."""

MAX_CHAIN = 200
"""Tensors of a chain that are told."""

MAX_NAMES = 50
"""Variables that are named."""


def explain(run: RunIndex, cause: FoundCause) -> Explanation:
    """Everything there is to tell of a cause."""
    op = OriginOp(run.hosts[cause.tensor.host], cause)
    broken = broken_rule(op)
    stack, forward = op.line
    location = op.host.location_of(stack) if stack else None
    op_type, name, short = op.named(op.vertex)
    store, reached = op.host.store_of(cause.tensor.kind), cause.reached
    site = store.site_number(cause.tensor.event)
    return Explanation(
        rule=broken.rule,
        tensor=cause.tensor,
        op_type=op_type,
        name=name,
        short_name=short,
        function=op.index.sites.of(cause.tensor.kind, site).function,
        location=location,
        is_gradient_of=forward,
        layer=layer_of(op.index, stack, name) if isinstance(op.vertex, GraphTensor) else "",
        output=op.output,
        inputs=tuple(told for told in op.told_inputs if told is not None),
        culprit=_culprit(op, broken),
        reach=reached.reach,
        end=None if reached.end is None else op.told(reached.end),
        end_step=None if reached.end is None else _step(op, reached.end),
        variables=_variables(op, cause),
        chain=tuple(op.told(event, brief=True) for event in reached.chain[:MAX_CHAIN]),
        tensors=reached.tensors,
        step=_step(op, _in_loop(op, cause)),
        earlier=_earlier(op, broken),
        cures=_cures(op, broken, op_type),
        tells_counts=bool({"zero", "negative"} & told_by(store.sites[site].mode)),
        bad_rows=bad_rows_of(op.index, cause.tensor) if broken.rule is Rule.DATA else None,
    )


def _culprit(op: OriginOp, broken: Broken) -> int | None:
    """The number of the input that broke the rule, among those that are recorded."""
    recorded = [number for number, told in enumerate(op.told_inputs) if told is not None]
    return recorded.index(broken.culprit) if broken.culprit in recorded else None


def _in_loop(op: OriginOp, cause: FoundCause) -> EventRef:
    """Where the numbers of a cause came into the training loop: a dataset runs ahead of it."""
    site = op.host.store_of(cause.tensor.kind).site_number(cause.tensor.event)
    function = op.index.sites.of(cause.tensor.kind, site).function
    if cause.tensor.kind is EventKind.EXECUTION or not is_dataset_function(function or ""):
        return cause.tensor
    behind = (event for event in cause.reached.chain if not _is_of_dataset(op, event))
    return next(behind, cause.tensor)


def _is_of_dataset(op: OriginOp, event: EventRef) -> bool:
    site = op.host.store_of(event.kind).site_number(event.event)
    return is_dataset_function(op.index.sites.of(event.kind, site).function or "")


def _step(op: OriginOp, event: EventRef) -> int | None:
    time = op.host.store_of(event.kind).wall_time(event.event)
    return op.index.steps.step_of(time) or None


def _earlier(op: OriginOp, broken: Broken) -> tuple[EarlierInput, ...]:
    """The input that broke the rule, or else the first, in the steps before."""
    number = 0 if broken.culprit is None else broken.culprit
    event = op.inputs[number].event if number < len(op.inputs) else None
    found: list[EarlierInput] = []
    while event is not None and len(found) < MAX_EARLIER:
        event = _event_before(op, event)
        if event is not None:
            found.append(EarlierInput(event, _step(op, event), op.told(event)))
    return tuple(reversed(found))


def _event_before(op: OriginOp, event: EventRef) -> EventRef | None:
    site, joins = op.host.store_of(event.kind).site_number(event.event), op.index.joins
    nearest = joins.nearest if event.kind is EventKind.TRACE else joins.nearest_execution
    before = nearest(site, event.event - 1) if event.event else None
    return None if before is None or before >= event.event else event._replace(event=before)


def _variables(op: OriginOp, cause: FoundCause) -> tuple[str, ...]:
    """The names of the variables that were poisoned, as far as anything names them."""
    names = VariableNames(op.index)
    writes = [op.vertex] if op.is_write else []
    found = dict.fromkeys(map(names.of, [*writes, *cause.reached.writes[:MAX_NAMES]]))
    return tuple(name for name in found if name)


def _cures(op: OriginOp, broken: Broken, op_type: str) -> tuple[str, ...]:
    """What to write instead, on the names of the user's line."""
    stack, _ = op.line
    location = op.host.location_of(stack) if stack else None
    code = None if location is None else location.code
    number, taken = broken.culprit, op.told_inputs
    told = taken[number] if number is not None and number < len(taken) else None
    culprit = "" if told is None else told.op_type or ""
    return cures(broken.rule, op_type, code, op.forward_type, op.number_in_line, culprit)
