"""Damage that is made to take long: work grows with the bytes, in slices, and nothing is lost."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.recordings.fabricate import HEADER, frame, whole_record
from tests.support.damage import header_of, note_reads
from tests.support.false_headers import false_headers, headers_between, sparse
from tfdbg_tui.data.files import damage, slices, tfrecord
from tfdbg_tui.data.files.checksums import append_zeros, crc32c
from tfdbg_tui.data.files.growing_file import GrowingFile
from tfdbg_tui.data.files.record_framing import MAX_PAYLOAD, plausible_headers
from tfdbg_tui.data.files.tfrecord import LARGE, RecordFile

if TYPE_CHECKING:
    from pathlib import Path

GB = 1 << 30
ENOUGH = 4
"""How often a byte is read, at most, on the way through damage."""

MAX_TURNS = 100_000


def opened(path: Path) -> RecordFile:
    file = RecordFile(path)
    file.look()
    return file


def read_all(file: RecordFile, limit: int = 1 << 20) -> list[bytes]:
    found: list[bytes] = []
    for _ in range(MAX_TURNS):
        block = file.read(limit)
        if block is None:
            return found
        found += block.payloads()
    raise AssertionError("there is always more to read")


# ------------------------------------------------------------------ much to prove


@pytest.mark.parametrize("size", [1 << 14, 1 << 20])
def test_each_byte_of_damage_is_read_a_few_times_however_many_headers_claim_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    path = tmp_path / "events"
    path.write_bytes(frame(b"first") + b"\xff" * 5 + false_headers(size) + frame(b"last"))
    file, reads = opened(path), note_reads(monkeypatch)
    assert read_all(file) == [b"first", b"last"]
    assert (file.corrupt_records, file.cut_bytes) == (1, 0)
    assert sum(reads) < ENOUGH * file.size


def test_whole_records_between_false_headers_are_read_without_what_these_claim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, payload, records = tmp_path / "events", bytes(1000), 1000
    path.write_bytes(headers_between(records, payload))
    file, reads = opened(path), note_reads(monkeypatch)
    assert read_all(file) == [payload] * records
    # Behind each damage a slice is read; what the headers claim is 500 times the file.
    assert sum(reads) < records * 6 * tfrecord.SLICE_BEHIND_DAMAGE + ENOUGH * file.size


def test_a_damaged_record_full_of_false_headers_is_lost_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, size = tmp_path / "events", 1 << 20
    damaged = header_of(size) + false_headers(size) + b"none"
    path.write_bytes(damaged + frame(b"one") + frame(b"two"))
    file, reads = opened(path), note_reads(monkeypatch)
    blocks = list(iter(lambda: file.read(4 * size), None))
    assert [payload for block in blocks for payload in block.payloads()] == [b"one", b"two"]
    assert [loss.records for block in blocks for loss in block.losses] == [1]
    assert sum(reads) < ENOUGH * file.size


def test_records_with_damage_between_them_come_together(tmp_path: Path) -> None:
    payloads = [b"%d" % number * (number % 7 + 1) for number in range(1000)]
    path = tmp_path / "events"
    path.write_bytes(b"".join(frame(payload) + b"\xff" * 13 for payload in payloads))
    file = opened(path)
    blocks = list(iter(lambda: file.read(1 << 20), None))
    assert [payload for block in blocks for payload in block.payloads()] == payloads
    offsets = [offset for block in blocks for offset in block.offsets.tolist()]
    assert list(map(file.read_at, offsets)) == payloads
    losses = [(loss.row, loss.records) for block in blocks for loss in block.losses]
    assert len(losses) == len(payloads) - 1
    assert len(blocks) < len(payloads) / 10


def test_claims_that_all_others_wait_for_are_given_up_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(damage, "MAX_CLAIMS", 50)
    monkeypatch.setattr(damage, "FIRST_SEARCH_STEP", 256)
    monkeypatch.setattr(damage, "MAX_SEARCH_STEP", 256)
    path = tmp_path / "events"
    path.write_bytes(b"\xff" * 20 + false_headers(1 << 16) + frame(b"last") * 3)
    file = opened(path)
    assert read_all(file) == [b"last"] * 3
    assert file.corrupt_records > 1000


# ------------------------------------------------------------------ holes


def test_a_hole_behind_the_records_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "events"
    sparse(path, (0, frame(b"one")), size=50 * GB)
    file, reads = opened(path), note_reads(monkeypatch)
    assert read_all(file) == [b"one"]
    assert (file.corrupt_records, file.cut_bytes) == (1, 50 * GB - len(frame(b"one")))
    assert sum(reads) < 1 << 24


def test_a_record_behind_a_hole_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "events"
    sparse(path, (0, frame(b"one")), (50 * GB + 5, frame(b"two") + frame(b"three")))
    file, reads = opened(path), note_reads(monkeypatch)
    assert read_all(file) == [b"one", b"two", b"three"]
    assert sum(reads) < 1 << 29
    assert max(reads) <= LARGE


def test_where_the_system_tells_no_holes_they_are_read_as_zeros(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "SEEK_DATA")
    monkeypatch.delattr(os, "SEEK_HOLE")
    path = tmp_path / "events"
    sparse(path, (0, frame(b"one")), (1 << 24, frame(b"two")))
    file = opened(path)
    assert read_all(file) == [b"one", b"two"]
    assert (file.next_data(100), file.bytes_in_holes(0, file.size)) == (100, 0)


@pytest.mark.parametrize("size", [1 * GB, 3 * GB], ids=["past the end", "within the file"])
def test_a_record_of_2_gb_that_is_a_hole_takes_neither_time_nor_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    path, start = tmp_path / "events", frame(b"one") + header_of(MAX_PAYLOAD - 1)
    sparse(path, (0, start), (size, frame(b"two")))
    file, reads = opened(path), note_reads(monkeypatch)
    found = read_all(file)
    assert max(reads) <= LARGE
    assert sum(reads) < 1 << 29
    if size > MAX_PAYLOAD:
        assert found == [b"one", b"two"]
        assert (file.corrupt_records, file.cut_bytes) == (1, 0)
    else:  # it may yet become whole
        assert found == [b"one"]
        assert (file.corrupt_records, file.cut_bytes) == (0, file.size - len(frame(b"one")))


@pytest.mark.parametrize("allowed", [True, False])
def test_zeros_in_a_hole_are_a_record_as_long_as_memory_for_them_is_no_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    length = LARGE + (1 << 20)
    if not allowed:
        monkeypatch.setattr(damage, "MAX_HOLES", LARGE)
    footer = frame(bytes(length))[-4:]
    path = tmp_path / "events"
    sparse(path, (0, header_of(length)), (HEADER + length, footer + frame(b"next")))
    file = opened(path)
    assert list(map(len, read_all(file))) == ([length, 4] if allowed else [4])
    assert file.corrupt_records == (not allowed)


def test_no_turn_passes_more_holes_than_its_slice_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, far = tmp_path / "events", damage.MIN_HOLE + (1 << 17)
    pieces = [(far * number, b"x") for number in range(1, 200)]
    sparse(path, (0, frame(b"one") + b"\xff" * 13), *pieces, (far * 200, frame(b"two")))
    file, sought = opened(path), 0
    seek = os.lseek

    def noted(descriptor: int, offset: int, how: int) -> int:
        nonlocal sought
        sought += 1
        return seek(descriptor, offset, how)

    monkeypatch.setattr(os, "lseek", noted)
    found, turns = [], []
    while (block := file.read(1 << 20)) is not None:
        found += block.payloads()
        turns.append(sought)
        sought = 0
    assert found == [b"one", b"two"]
    assert max(turns) <= 3 * (1 + slices.COST_PER_SLICE // (damage.COST_OF_HOLE + (1 << 16)))


# ------------------------------------------------------------------ large records


@pytest.mark.parametrize("place", ["nowhere", "header", "payload", "footer"])
def test_a_large_record_is_read_whole_or_counted(tmp_path: Path, place: str) -> None:
    large = random.Random(1).randbytes(LARGE + 100)
    content = bytearray(frame(b"before") + frame(large) + frame(b"behind"))
    start = len(frame(b"before"))
    flipped = {"header": start + 9, "payload": start + 5000, "footer": start + 13 + len(large)}
    if place in flipped:
        content[flipped[place]] ^= 4
    path = tmp_path / "events"
    path.write_bytes(content)
    file = opened(path)
    survives = place in ("nowhere", "header")
    assert read_all(file) == [b"before", *([large] if survives else []), b"behind"]
    assert file.corrupt_records == (place != "nowhere")
    if survives:
        assert file.read_at(start + HEADER) == large


def test_no_turn_reads_much_more_than_its_slice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "events"
    path.write_bytes(frame(b"one") + b"\xff" * (LARGE + 5) + frame(b"two"))
    file, reads = opened(path), note_reads(monkeypatch)
    turns: list[int] = []
    for _ in range(MAX_TURNS):
        before = sum(reads)
        if file.read(1 << 20) is None:
            break
        turns.append(sum(reads) - before)
    assert len(turns) > LARGE // slices.COST_PER_SLICE
    assert max(turns) < 2 * slices.COST_PER_SLICE


# ------------------------------------------------------------------ the search by itself


def mixed(chance: random.Random) -> bytes:
    """Whole records, also inside each other, between headers of any kind, zeros and garbage."""
    pieces: list[bytes] = []
    for _ in range(chance.randint(1, 30)):
        inner = b"x" + b"".join(pieces[-3:]) if chance.random() < 0.2 else chance.randbytes(5)
        pieces.append(
            chance.choice(
                [
                    frame(inner),
                    header_of(chance.randint(1, 600)),
                    bytes(chance.randint(1, 300)),
                    chance.randbytes(chance.randint(1, 40)),
                    header_of(5) + chance.randbytes(9),
                ]
            )
        )
    return b"".join(pieces)


@pytest.mark.parametrize("seed", range(40))
def test_the_search_finds_what_trying_every_offset_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance = random.Random(seed)
    content = mixed(chance)
    monkeypatch.setattr(damage, "FIRST_SEARCH_STEP", chance.choice([16, 50]))
    monkeypatch.setattr(damage, "MAX_SEARCH_STEP", chance.choice([16, 300]))
    monkeypatch.setattr(slices, "COST_PER_SLICE", chance.choice([1, 10_000]))
    path = tmp_path / "events"
    file = GrowingFile(path)
    allowance = slices.Allowance()
    search = damage.Search(file, allowance)
    size = 0
    while size < len(content):
        size = min(len(content), size + chance.choice([100, 1000, 10_000]))
        path.write_bytes(content[:size])
        file.look()
        found = [search_on(search, allowance, 0, size)]
        while found[-1] is not None:
            found.append(search_on(search, allowance, found[-1] + 1, size))
        written = content[:size]
        whole = [start for start in range(size) if whole_record(written, start)]
        assert found == [*whole, None]


def search_on(
    search: damage.Search, allowance: slices.Allowance, start: int, stop: int
) -> int | None:
    """What a search finds in as many slices as it needs."""
    while True:
        allowance.refill()
        try:
            return search.first(start, stop)
        except slices.SliceEnded:
            continue


def test_zeros_are_appended_to_checksums() -> None:
    chance = random.Random(3)
    pieces = [chance.randbytes(chance.randint(0, 20)) for _ in range(50)]
    counts = [chance.choice([0, 1, chance.randint(0, 5000)]) for _ in pieces]
    registers = np.array([crc32c(piece) ^ 0xFFFFFFFF for piece in pieces])
    moved = append_zeros(registers, np.array(counts)) ^ 0xFFFFFFFF
    told = [crc32c(piece + bytes(count)) for piece, count in zip(pieces, counts, strict=True)]
    assert moved.tolist() == told


def test_headers_are_plausible_up_to_the_longest_payload() -> None:
    lengths = [0, 1, 255, 1 << 16, MAX_PAYLOAD - 1, MAX_PAYLOAD, 1 << 40]
    content = b"\xff".join(map(header_of, lengths))
    assert plausible_headers(content).tolist() == [13 * row for row in (1, 2, 3, 4)]
    assert plausible_headers(b"short").tolist() == []
