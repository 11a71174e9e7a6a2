"""The same element, or the same statistics, over the computations of a recorded tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.support.reading import hosts_of, load
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.values.over_time import OverTime
from tfdbg_tui.data.values.slices import parse_slice

if TYPE_CHECKING:
    from tests.recordings.record import Library


def finish(job: OverTime) -> None:
    while job.extend():
        pass


def test_over_the_computations_of_a_tensor(library: Library) -> None:
    (host,) = hosts_of(load(library.path("full_tensor")))
    traces = host.traces
    shapes = {n: traces.values(n) for n in range(len(traces))}
    site = next(
        traces.site_number(n)
        for n, values in shapes.items()
        if values is not None
        and values.ndim == 2
        and len(traces.events_of_site(traces.site_number(n))) > 3
    )
    events = traces.events_of_site(site).tolist()
    job = OverTime(host, EventKind.TRACE)
    job.want(events, index=(1, 0))
    assert job.of(events[0]) is None
    finish(job)
    for event in events:
        values, moment = traces.values(event), job.of(event)
        assert values is not None
        assert moment is not None
        assert moment.element == pytest.approx(values[1, 0], nan_ok=True)
    job.want(events, part=parse_slice("[:, 0]"))
    finish(job)
    for event in events:
        values, moment = traces.values(event), job.of(event)
        assert values is not None
        assert moment is not None
        assert moment.statistics is not None
        finite = values[:, 0][np.isfinite(values[:, 0])]
        assert moment.statistics.finite == len(finite)
        assert moment.statistics.mean == pytest.approx(finite.mean() if len(finite) else None)


def test_what_is_not_there_is_nothing(library: Library) -> None:
    (host,) = hosts_of(load(library.path("full_tensor")))
    job = OverTime(host, EventKind.TRACE)
    job.want([0, 10**6], index=(10**6,) * 9)
    finish(job)
    told = [job.of(event) for event in (0, 10**6)]
    assert [(moment.element, moment.statistics) for moment in told if moment] == [(None, None)] * 2
    job.want([0, 10**6], part=parse_slice("[0, 0, 0, 0, 0, 0, 0]"))
    finish(job)
    assert [moment.statistics for moment in map(job.of, (0, 10**6)) if moment] == [None, None]
