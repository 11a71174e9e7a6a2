"""A function that is traced again and again: what TensorFlow warns of, with what changed.

By TensorFlow's own rule, at the end of what is recorded: of the last calls of a function from one
line, several traced it. A function that met some shapes and then no new ones is well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.early.warning import WarningKind
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import is_dataset_function, read_call
from tfdbg_tui.data.stores.user_code import is_user_file
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.early.looking import LookedAt
    from tfdbg_tui.data.early.warning import EarlyWarning, Number

KERAS_FOLDERS = ("/keras/", "/tf_keras/")

MAX_LOOKED_BACK = 1 << 20
"""Executions among which the last calls of a function are sought."""


class _Called(NamedTuple):
    """A function called from one line."""

    name: str
    where: tuple[object, ...]
    """The user's line; the whole stack where there is none. The first call of a function goes
    through other lines of TensorFlow's than later ones."""


def retraced(at: LookedAt) -> Iterator[EarlyWarning | None]:
    """Functions whose last calls were traces for the most part."""
    if at.executions is None:
        return
    for called, sites in _functions(at).items():
        traces = len({at.index.host.executions.sites[site].op_type for site in sites})
        if traces >= at.thresholds.retraces:
            found = _judged(at, called, sites)
            if found is not None:
                yield found
        yield None


def _functions(at: LookedAt) -> dict[_Called, list[int]]:
    """The sites of the calls of each function, in the order in which they were met."""
    found: dict[_Called, list[int]] = at.kept.setdefault(("functions",), {})
    seen: int = at.kept.get(("functions seen",), 0)
    sites = at.index.host.executions.sites
    for number in range(seen, len(sites)):
        call = read_call(sites[number].op_type)
        if call is None or call.is_gradient or is_dataset_function(call.graph):
            continue
        stack = sites[number].stack
        if _is_called_by_keras(at, stack):
            continue
        line = at.index.sites.line_of(stack)
        where = stack if line is None else line[1:]
        found.setdefault(_Called(call.graph, where), []).append(number)
    at.kept[("functions seen",)] = len(sites)
    return dict(found)


def _is_called_by_keras(at: LookedAt, stack: tuple[str, ...]) -> bool:
    """Whether Keras called a function of its own: it makes them anew for each model."""
    host = at.index.host
    for frame in reversed(host.frames.resolve(stack)):
        source = None if frame is None else host.sources.get(frame.file_index)
        if source is not None and is_user_file(source.path):
            return False
        path = "" if source is None else source.path.replace("\\", "/")
        if any(folder in path for folder in KERAS_FOLDERS):
            return True
    return False


def _judged(at: LookedAt, called: _Called, sites: list[int]) -> EarlyWarning | None:
    store, limits = at.index.host.executions, at.thresholds
    calls = _last_calls(at, sites, limits.retrace_calls)
    op_types = [store.site_of(call).op_type for call in calls]
    newest = {store.sites[site].op_type: site for site in reversed(sites)}
    firsts = {op_type: _first_call(at, newest[op_type]) for op_type in dict.fromkeys(op_types)}
    tracing = [call for call in calls if firsts[store.site_of(call).op_type] == call]
    if len(tracing) < limits.retraces:
        return None
    # Hardly any program traces a function again and again.
    from tfdbg_tui.data.early.argument_changes import what_changed

    changed = what_changed(at.index, tracing[-2], tracing[-1])
    by_type = dict.fromkeys(store.sites[site].op_type for site in sites)
    total = len(by_type)
    second = list(by_type)[1]
    first = EventRef(at.number, EventKind.EXECUTION, _first_call(at, newest[second]), 0)
    told = (
        f"traced {counted(total, 'time')}, in {len(tracing)} of its last {len(calls)} calls: "
        f"{changed.words}"
    )
    evidence: dict[str, Number] = {
        "traces": total,
        "of_last_calls": len(tracing),
        "changed": changed.words,
    }
    return at.warning(
        WarningKind.RETRACED,
        first,
        told,
        changed.means,
        evidence,
        name=called.name,
        key=(WarningKind.RETRACED, at.number, called),
    )


def _last_calls(at: LookedAt, sites: list[int], count: int) -> list[int]:
    numbers = at.index.host.executions.site_numbers
    wanted = np.zeros(len(at.index.host.executions.sites), np.bool_)
    wanted[sites] = True
    found, end, length = np.empty(0, np.int64), len(numbers), 1 << 12
    lowest = max(0, end - MAX_LOOKED_BACK)
    while end > lowest and len(found) < count:
        start = max(lowest, end - length)
        found = np.append(start + np.flatnonzero(wanted[numbers[start:end]]), found)
        end, length = start, length * 4
    return [int(call) for call in found[-count:]]


def _first_call(at: LookedAt, site: int) -> int:
    key = ("first call", site)
    if key not in at.kept:
        numbers = at.index.host.executions.site_numbers
        at.kept[key] = int(np.argmax(numbers == site))
    return int(at.kept[key])
