"""Steps of a training loop are recognised as a whole, and exactly: whatever differs is noticed."""

from __future__ import annotations

import random

import pytest

from tests.data.records.test_layouts import SENSELESS, Record, Teacher, block_of
from tfdbg_tui.data.files.tfrecord import Block
from tfdbg_tui.data.records import recognition, repetition
from tfdbg_tui.data.records.layout_table import SENSELESS as NO_SENSE
from tfdbg_tui.data.records.layouts import LayoutRegistry
from tfdbg_tui.data.records.recognition import Recogniser

KEYS = [b"", b"a", b"b" * 9, b"c" * 9, b"d" * 40]


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition, "FEW", 20)
    monkeypatch.setattr(repetition, "COMPARED_AT_ONCE", 500)


def a_record(dice: random.Random) -> Record:
    kind = dice.choice([0, 1, 2, 3, SENSELESS] if dice.random() < 0.02 else [0, 1, 2, 3])
    return Record(kind, dice.choice(KEYS), dice.randbytes(dice.choice([0, 8, 9])))


def again(record: Record, dice: random.Random) -> Record:
    """The same op in the next step: other numbers, as many."""
    return record._replace(numbers=dice.randbytes(len(record.numbers)))


def a_recording(dice: random.Random) -> list[Record]:
    """Many steps of a loop; in some a record is missing, another one, or twice."""
    step = [a_record(dice) for _ in range(dice.randrange(1, 30))]
    records: list[Record] = []
    for _ in range(dice.randrange(20, 60)):
        now = [again(record, dice) for record in step]
        if dice.random() < 0.15:
            place = dice.randrange(len(now))
            now[place : place + 1] = [a_record(dice) for _ in range(dice.randrange(3))]
        if dice.random() < 0.05:
            step = [a_record(dice) for _ in range(dice.randrange(1, 30))]
        records += now
    return records


def assert_recognised(records: list[Record], dice: random.Random) -> Teacher:
    """Feed records in blocks of any size and compare every site."""
    teacher = Teacher(records)
    recogniser = Recogniser(teacher.learn)
    rest = records
    while rest:
        size = dice.randrange(1, 300)
        batch, rest = rest[:size], rest[size:]
        found = recogniser.match(block_of([record.payload for record in batch]))
        makes_sense = [record.kind != SENSELESS for record in batch]
        assert (found.sites >= 0).tolist() == makes_sense
        assert (found.numbers != NO_SENSE).tolist() == makes_sense
        for record, number, site in zip(batch, found.numbers, found.sites.tolist(), strict=True):
            if number != NO_SENSE:
                assert record.site == teacher.sites[site]
                assert recogniser._table.layouts[number].length == len(record.payload)
    return teacher


@pytest.mark.parametrize("seed", range(60))
def test_every_record_is_recognised_as_what_it_is(seed: int) -> None:
    dice = random.Random(seed)
    assert_recognised(a_recording(dice), dice)


def test_what_repeats_is_not_looked_at_record_by_record(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    match_part = LayoutRegistry.match

    def counting(self: LayoutRegistry, block: Block, first: int, end: int) -> object:
        asked.append(end - first)
        return match_part(self, block, first, end)

    monkeypatch.setattr(LayoutRegistry, "match", counting)
    dice = random.Random(0)
    step = [Record(n % 4, KEYS[n % 5], bytes(8)) for n in range(17)]
    records = [again(record, dice) for _ in range(100) for record in step]
    assert_recognised(records, dice)
    assert sum(asked) < len(records) / 5


@pytest.mark.parametrize("bit", range(8))
def test_no_other_byte_passes_for_the_expected_one(bit: int) -> None:
    """All bytes of a step that do not vary are compared, those of its last record too."""
    step = [Record(n % 4, KEYS[2 + n % 3], bytes(8)) for n in range(12)]
    for place, record in enumerate(step):
        for byte in range(len(record.key)):
            key = bytearray(record.key)
            key[byte] ^= 1 << bit
            other = record._replace(key=bytes(key))
            records = step * 5 + [*step[:place], other, *step[place + 1 :]] + step
            assert_recognised(records, random.Random(byte))


def test_a_record_that_was_lost_between_others_takes_no_place() -> None:
    step = [Record(n % 4, KEYS[n % 5], bytes(8)) for n in range(10)]
    records = step * 30
    teacher = Teacher(records)
    recogniser = Recogniser(teacher.learn)
    whole = block_of([record.payload for record in records])
    kept = [n for n in range(len(records)) if n != 205]
    block = Block(whole.buffer, 0, whole.starts[kept], whole.lengths[kept])
    recogniser.match(whole)
    found = [teacher.sites[site] for site in recogniser.match(block).sites.tolist()]
    assert found == [records[number].site for number in kept]


def test_what_ends_before_a_whole_step_is_compared_as_far_as_it_goes() -> None:
    """The first record of a block need not have its header there, nor the last a place behind."""
    step = [Record(n % 4, KEYS[2 + n % 3], bytes(8)) for n in range(10)]
    short = [Record(1, b"", b"")] * 60
    records = step * 30 + short
    teacher = Teacher(records)
    recogniser = Recogniser(teacher.learn)
    recogniser.match(block_of([record.payload for record in step * 30]))
    for batch in (short, step * 9, step * 9 + short):
        whole = block_of([record.payload for record in batch])
        first = int(whole.starts[0])
        headless = Block(whole.buffer[first:], first, whole.starts - first, whole.lengths)
        for block in (whole, headless):
            found = [teacher.sites[site] for site in recogniser.match(block).sites.tolist()]
            assert found == [record.site for record in batch]
