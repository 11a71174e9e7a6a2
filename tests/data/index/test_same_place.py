"""The same computation in another run of the same program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.navigating import browsed
from tfdbg_tui.data.index.same_place import find, place_of
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("kind", EventKind)
def test_every_event_is_found_at_its_own_place(frozen: Path, kind: EventKind) -> None:
    run = browsed(frozen).run
    assert run is not None
    (index,) = run.hosts
    events = [EventRef(0, kind, n) for n in range(len(index.host.store_of(kind)))]
    assert events
    assert [find(run, place_of(index, event)) for event in events] == events


def test_a_run_that_did_not_come_so_far_has_no_such_place(frozen: Path) -> None:
    run = browsed(frozen).run
    assert run is not None
    place = place_of(run.hosts[0], EventRef(0, EventKind.TRACE, 60))
    assert (place.name, place.step, place.rank) == ("Log", 7, 0)
    assert find(run, place._replace(step=1_000)) is None
    assert find(run, place._replace(rank=1)) is None
    assert find(run, place._replace(names=("Lag:0", *place.names[1:]))) is None
