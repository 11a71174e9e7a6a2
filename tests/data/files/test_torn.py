"""Two programs that write over each other, in many ways: nothing whole is lost, live or not."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.recordings.fabricate import frame
from tests.support.damage import BAD_VECTOR, GOOD_VECTOR, PREFIX, brute_force, trace
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from pathlib import Path

SEEDS = range(60)
HEADER = 12
MAX_ROUNDS = 5000


class State(NamedTuple):
    """All that two ways of reading a file must agree on."""

    offsets: list[int]
    wall_times: list[float]
    corrupt_records: int
    cut_bytes: int
    alerts: int


def state_of(logdir: Logdir) -> State:
    (run,) = logdir.runs
    (host,) = run.hosts
    events, damage = host.traces.events, host.damage()
    return State(
        events["offset"].tolist(),
        events["wall_time"].tolist(),
        damage.corrupt_records,
        damage.cut_bytes,
        len(run.alerts),
    )


def one_writer(chance: random.Random, first: int) -> bytes:
    lengths = [1, 5, 40, 300, 2000]
    return b"".join(
        frame(
            trace(
                float(first + number),
                op_name=b"n" * chance.choice(lengths),
                tensor_proto=chance.choice([BAD_VECTOR, GOOD_VECTOR]),
            )
        )
        for number in range(chance.randint(1, 60))
    )


def two_writers(chance: random.Random) -> bytes:
    """What two writers leave that flush in steps to one file, with flipped bits and a bad tail."""
    content, other = bytearray(one_writer(chance, 0)), one_writer(chance, 1000)
    step = chance.choice([64, 512, 1000, 4096])
    for start in range(0, len(other), step):
        if chance.random() < 0.4:
            content += bytes(max(0, start - len(content)))
            piece = other[start : start + step]
            content[start : start + len(piece)] = piece
    for _ in range(chance.randint(0, 3)):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    tails = (b"", chance.randbytes(chance.randint(1, 600)), bytes(chance.randint(1, 600)))
    return bytes(content) + chance.choice(tails)


def grown(path: Path, content: bytes, chance: random.Random) -> Logdir:
    """Read a file while it grows in steps of any size, in slices of any size."""
    logdir = Logdir(path.parent)
    position = 0
    while position < len(content):
        step = chance.choice([1, 7, 50, 500, 4096])
        with path.open("ab") as file:
            file.write(content[position : position + step])
        position += step
        logdir.scan()
        limit = chance.choice([64, 512, 1 << 22])
        rounds = 0
        while logdir.refresh(limit):
            rounds += 1
            assert rounds < MAX_ROUNDS
    return logdir


@pytest.mark.parametrize("seed", SEEDS)
def test_a_torn_file_reads_the_same_live_and_at_once(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    content = two_writers(chance)
    path = tmp_path / f"{PREFIX}.graph_execution_traces"
    live = grown(path, content, chance)
    at_once = Logdir(tmp_path)
    at_once.load()
    assert state_of(live) == state_of(at_once)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_whole_record_of_a_torn_file_is_read(tmp_path: Path, seed: int) -> None:
    content = two_writers(random.Random(seed))
    (tmp_path / f"{PREFIX}.graph_execution_traces").write_bytes(content)
    logdir = Logdir(tmp_path)
    logdir.load()
    whole = {offset + HEADER for offset in brute_force(content)}
    assert whole <= set(state_of(logdir).offsets)
