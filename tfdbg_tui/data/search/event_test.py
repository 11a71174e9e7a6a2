"""Whether single events fit a query that asks for filters: what cannot be asked in bulk.

A function of the user's own is asked about one tensor at a time, and about those only that all
other terms leave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.health import Health, read_health
from tfdbg_tui.data.records.modes import tells_values
from tfdbg_tui.data.records.tensor_spans import MAX_TENSORS
from tfdbg_tui.data.records.tensors import to_array
from tfdbg_tui.data.search.bulk_health import columns_of
from tfdbg_tui.data.search.user_filters import FilteredTensor
from tfdbg_tui.data.stores.executions import ExecutionStore
from tfdbg_tui.data.stores.layer_names import layer_and_op

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.search.query import Query
    from tfdbg_tui.data.search.user_filters import UserFilter
    from tfdbg_tui.data.stores.traces import TraceStore

    Mask = npt.NDArray[np.bool_]
    StepOf = Callable[[float], int | None]


class EventTest:
    """Asks about the events of one store."""

    def __init__(
        self,
        store: TraceStore | ExecutionStore,
        facts: Callable[[int], SiteFacts],
        query: Query,
        step_of: StepOf,
    ) -> None:
        self._store = store
        self._facts = facts
        self._query = query
        self._step_of = step_of

    def holds(self, event: int) -> bool:
        """Whether an event fits that fits all terms but those about filters."""
        return self._tensors_fit(self._query, event, self._read(event))

    def tensors_that_fit(self, event: int) -> Mask:
        """Which of the tensors of an event fit all terms about tensors."""
        tensors = self._read(event)
        fits = self._query.each_fits(tensors.columns)
        for held, negated in self._told_by_filters(self._query, event, tensors):
            fits &= held != negated
        return fits

    def _fits(self, query: Query, event: int, tensors: _Tensors) -> bool:
        """Whether an event fits all terms of a query."""
        store, row = self._store, slice(event, event + 1)
        if not query.site_test(self._facts(store.site_number(event))):
            return False
        masks = query.flags_fit(store.bad_flags[row]), query.indices_fit(event, event + 1)
        if any(mask is not None and not mask[0] for mask in masks):
            return False
        if query.needs_steps:
            step = self._step_of(store.wall_time(event))
            if not query.steps_fit(np.array([np.nan if step is None else float(step)]))[0]:
                return False
        return self._tensors_fit(query, event, tensors)

    def _tensors_fit(self, query: Query, event: int, tensors: _Tensors) -> bool:
        told = self._told_by_filters(query, event, tensors)
        if not query.tensors_fit(tensors.columns, 1, told)[0]:
            return False
        return not any(self._fits(excluded, event, tensors) for excluded in query.excluded)

    def _told_by_filters(
        self, query: Query, event: int, tensors: _Tensors
    ) -> list[tuple[Mask, bool]]:
        """What functions say of each tensor; of those only that all before them leave."""
        possible, told = query.each_fits(tensors.columns), []
        for function, negated in sorted(query.filters, key=_is_negated):
            asked = np.ones(len(tensors), np.bool_) if negated else possible
            held = self._asked_of(function, event, tensors, asked)
            possible = possible & (held != negated)
            told.append((held, negated))
        return told

    def _asked_of(self, function: UserFilter, event: int, tensors: _Tensors, asked: Mask) -> Mask:
        held = np.zeros(len(tensors), np.bool_)
        for output in np.flatnonzero(asked).tolist():
            told = self._told(event, output, tensors.healths[output])
            held[output] = function.holds(told, tensors.value(output))
        return held

    def _told(self, event: int, output: int, health: Health | None) -> FilteredTensor:
        store = self._store
        facts, health = self._facts(store.site_number(event)), health or Health()
        bad, line, wall_time = store.bad_outputs(event), facts.line, store.wall_time(event)
        is_eager = isinstance(store, ExecutionStore)
        name, op_name = facts.tensor, facts.tensor
        if isinstance(store, ExecutionStore):
            name = store.site_of(event).tensor_name(output)
        else:
            op_name = store.site_of(event).op_name
        return FilteredTensor(
            name=name,
            op_name=op_name,
            op_type=facts.op_type,
            function=facts.function,
            layer="" if facts.is_call else layer_and_op(facts.tensor)[0],
            device=facts.device,
            file=None if line is None else line.path,
            line=None if line is None else line.line,
            step=self._step_of(wall_time),
            time=wall_time,
            event=event,
            output=output,
            is_eager=is_eager,
            is_bad=bool(bad.get(output, health.bad)),
            **{name: getattr(health, name) for name in COUNTS},
        )

    def _read(self, event: int) -> _Tensors:
        """What is recorded of the tensors of an event; of a trace always one."""
        store = self._store
        is_run = isinstance(store, ExecutionStore) and not store.is_recorded
        decoded = None if is_run else store.event(event)
        protos: Sequence[Any] = ()
        if not isinstance(store, ExecutionStore):
            protos = (None if decoded is None else decoded.graph_execution_trace.tensor_proto,)
        elif decoded is not None:
            protos = decoded.execution.tensor_protos[:MAX_TENSORS]
        mode = self._store.site_of(event).mode
        return _Tensors(mode, protos)


COUNTS = (
    "dtype", "rank", "shape", "size", "nan", "pos_inf", "neg_inf", "zero", "negative", "positive",
)  # fmt: skip
"""What a filter is told of a tensor's health, by the same names."""


def _is_negated(asked: tuple[UserFilter, bool]) -> bool:
    return asked[1]


class _Tensors:
    """The tensors of one event."""

    def __init__(self, mode: int, protos: Sequence[Any]) -> None:
        self._protos = protos
        self._tells_values = tells_values(mode)
        self.healths = [None if proto is None else read_health(mode, proto) for proto in protos]
        self.columns = columns_of(self.healths)

    def __len__(self) -> int:
        return len(self.healths)

    def value(self, output: int) -> npt.NDArray[Any] | None:
        proto = self._protos[output]
        return to_array(proto) if self._tells_values and proto is not None else None
