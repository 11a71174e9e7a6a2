"""A recording as another run of the same program might have written it.

Ops that run side by side are written as they end, so what took a tensor may stand before it.
"""

from __future__ import annotations

import random
import shutil
from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from tests.recordings.fabricate import frame, split
from tfdbg_tui.data.records.debug_event_schema import parse

if TYPE_CHECKING:
    from pathlib import Path

FARTHEST = 6.0
"""Tensors by which one is written later, at most, unless a test says otherwise."""

TRACES = "*.graph_execution_traces"


def reordered(source: Path, target: Path, seed: int, farthest: float = FARTHEST) -> Path:
    """A copy in which the tensors of each call come in another order, each of them as often."""
    shutil.copytree(source, target)
    ends = sorted(e.wall_time for path in target.glob("*.execution") for e in _events(path))
    for path in target.glob(TRACES):
        events = _events(path)
        calls = [bisect_left(ends, event.wall_time) for event in events]
        times = defaultdict(list)
        for call, event in zip(calls, events, strict=True):
            times[call].append(event.wall_time)
        later = {call: iter(sorted(own)) for call, own in times.items()}
        written = []
        for number in _order(events, calls, farthest, random.Random(seed)):
            events[number].wall_time = next(later[calls[number]])
            written.append(frame(events[number].SerializeToString()))
        path.write_bytes(b"".join(written))
    return target


def _events(path: Path) -> list[Any]:
    return [parse(payload) for _, payload in split(path)]


def _order(
    events: list[Any], calls: list[int], farthest: float, chance: random.Random
) -> list[int]:
    """Each event a little later, within its call; the computations of one tensor stay in turn."""
    places: list[tuple[int, float]] = []
    last: dict[tuple[str, str, int, str], tuple[int, float]] = {}
    for number, event in enumerate(events):
        trace = event.graph_execution_trace
        tensor = (trace.tfdbg_context_id, trace.op_name, trace.output_slot, trace.device_name)
        place = (calls[number], number + farthest * chance.random())
        places.append(max(place, last.get(tensor, place)))
        last[tensor] = places[-1]
    return sorted(range(len(events)), key=lambda number: (places[number], number))
