"""Steps seen as a whole, blocks read and recognised by another thread: events are the same."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from tests.recordings.fabricate import frame, split
from tfdbg_tui.data.files.read_ahead import ReadAhead
from tfdbg_tui.data.records import recognition
from tfdbg_tui.data.records.repetition import Repetition
from tfdbg_tui.data.stores.executions import ExecutionStore
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tfdbg_tui.data.stores.event_store import EventStore

SMALL_BLOCK = 50_000
SCENARIOS = ("full_health", "curt_health", "full_tensor", "half_types_full", "eager_only", "lstm")


def changed(payload: bytes, dice: random.Random) -> bytes:
    """A whole record, another one, none that makes sense, a damaged one or nothing at all."""
    octets = bytearray(payload)
    octets[dice.randrange(len(octets))] ^= 1 << dice.randrange(8)
    framed = bytearray(frame(payload))
    framed[dice.randrange(len(framed))] ^= 1 << dice.randrange(8)
    return dice.choice(
        [frame(payload) * 2, frame(bytes(octets)), frame(b"\xff"), bytes(framed), b""]
    )


def lengthen(folder: Path, dice: random.Random) -> None:
    """Repeat the events of a recording, with a change now and then."""
    for path in (*folder.glob("*.execution"), *folder.glob("*.graph_execution_traces")):
        payloads = [payload for _, payload in split(path)]
        if not payloads:
            continue
        times = max(4, 4000 // len(payloads))
        rare = dice.choice([0.0, 0.001, 0.01])
        path.write_bytes(
            b"".join(
                changed(payload, dice) if dice.random() < rare else frame(payload)
                for payload in payloads * times
            )
        )


def all_of(store: EventStore[Any]) -> dict[str, Any]:
    """All that a store says of its events."""
    sites = [repr(site) for site in store.sites]
    told = {name: store.alerts[name].tolist() for name in store.alerts.names}
    told |= {f"of {name}": store.events[name].tolist() for name in ("offset", "bad")}
    told["of wall_time"] = [repr(time) for time in store.wall_times.tolist()]  # NaN, too
    told["of site"] = [sites[number] for number in store.site_numbers.tolist()]
    told["by site"] = sorted(
        (sites[one.site], one.position, one.alerts, one.first_event, one.last_event)
        for one in store.site_alerts.all()
    )
    told["damage"] = (store.file.corrupt_records, store.unread_tensors)
    if isinstance(store, ExecutionStore):
        told["ids"] = store.first_output_ids.tolist()
    return told


def everything(logdir: Logdir) -> list[Any]:
    hosts = [host for run in logdir.runs for host in run.hosts]
    alerts = [repr(run.alerts[rank]) for run in logdir.runs for rank in range(len(run.alerts))]
    return [*(all_of(store) for host in hosts for store in (host.executions, host.traces)), alerts]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_events_are_those_that_are_read_one_after_the_other(
    copy_of: Callable[[str], Path], scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copy_of(scenario)
    lengthen(folder, random.Random(scenario))
    monkeypatch.setattr(recognition, "FEW", 64)
    swift = Logdir(folder)
    swift.scan()
    with ReadAhead() as ahead:
        while swift.refresh(SMALL_BLOCK, ahead):
            pass
    for run in swift.runs:
        run.settle()
    monkeypatch.setattr(Repetition, "recognise", lambda *_: 0)
    plain = Logdir(folder)
    plain.scan()
    while plain.refresh():
        pass
    assert everything(swift) == everything(plain)
    assert (
        sum(len(host.executions) for run in plain.runs for host in run.hosts) > SMALL_BLOCK / 1000
    )
