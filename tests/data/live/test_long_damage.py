"""Damage that takes long is passed in turns, between which everything else gets its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.recordings.fabricate import frame
from tests.support.damage import BAD_VECTOR, PREFIX, header_of, note_reads, trace
from tests.support.false_headers import sparse, write_long_damage
from tests.support.feeding import Bench
from tfdbg_tui.data.files.tfrecord import LARGE

if TYPE_CHECKING:
    from pathlib import Path

BAD = frame(trace(tensor_proto=BAD_VECTOR))


@pytest.mark.parametrize("kind", ["headers", "claim"])
def test_no_turn_takes_much_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    logdir = tmp_path / "logdir"
    write_long_damage(logdir, 4 << 20)
    path = logdir / f"{PREFIX}.graph_execution_traces"
    if kind == "claim":
        sparse(path, (0, BAD + header_of((1 << 31) - 1)), (3 << 30, BAD))
    bench, reads = Bench(logdir), note_reads(monkeypatch)
    turns = []
    while bench.feed.advance() == 0:
        turns.append(sum(reads))
        reads.clear()
    assert len(turns) > 10
    assert max(turns) <= LARGE
    told = bench.told[-1].runs[0]
    assert told.traces == (2 if kind == "claim" else 1)
