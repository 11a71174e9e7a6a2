"""Recordings that are made to take long or much: the app stays usable, and `check` ends."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.recordings.fabricate import frame
from tests.support.command_under_test import COMMAND, SETTLED, app
from tests.support.damage import (
    BAD_VECTOR,
    PREFIX,
    event,
    header_of,
    hostile_recording,
    trace,
    write_files,
)
from tests.support.ending import ENDS, TIMEOUT, assert_left_in_order
from tests.support.false_headers import false_headers, sparse, write_long_damage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.ending import End

TRACES = f"{PREFIX}.graph_execution_traces"
BAD = frame(trace(tensor_proto=BAD_VECTOR))
GB = 1 << 30

MEASURED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""
"""Runs a command, and says last how many KiB of memory it took at most."""

LONG = 96 << 20
"""Bytes of damage that take ten seconds to search."""


@pytest.fixture(scope="module")
def long_damage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording whose damage is still being searched when the app ends."""
    logdir = tmp_path_factory.mktemp("damage") / "logdir"
    write_long_damage(logdir, LONG)
    return logdir


@pytest.mark.parametrize(("end", "code"), ENDS[1:4])
def test_it_ends_while_damage_is_searched(long_damage: Path, end: End, code: int) -> None:
    with app(long_damage) as terminal:
        terminal.wait_for("LOADING")
        terminal.wait_for("x:0")  # what is before the damage can be seen
        end(terminal)
        assert_left_in_order(terminal, code)


def write_headers(logdir: Path) -> None:
    (logdir / TRACES).write_bytes(BAD + b"\xff" * 5 + false_headers(1 << 20) + BAD)


def write_tail(logdir: Path) -> None:
    sparse(logdir / TRACES, (0, BAD), size=50 * GB)


def write_claim(logdir: Path) -> None:
    sparse(logdir / TRACES, (0, BAD + header_of((1 << 31) - 1)), (3 * GB, BAD))


def write_names(logdir: Path) -> None:
    hostile_recording(logdir, b"gradients/" * 100_000)


def write_scopes(logdir: Path) -> None:
    hostile_recording(logdir, b"gradient_tape/" + b"a/" * 500_000)


def write_inputs(logdir: Path) -> None:
    made = {"op_type": b"AddNGrad", "op_name": b"x", "graph_id": b"g", "num_outputs": 1}
    described = event(debugged_graph={"graph_id": b"g", "graph_name": b"f"})
    op = event(graph_op_creation={**made, "input_names": [b"y:0"] * 20_000})
    bad = trace(tensor_proto=BAD_VECTOR)
    write_files(logdir, graphs=[described, op, op], graph_execution_traces=[bad])


@pytest.mark.parametrize(
    "write", [write_headers, write_tail, write_claim, write_names, write_scopes, write_inputs]
)
def test_it_is_judged_and_shown_and_ends(tmp_path: Path, write: Callable[[Path], None]) -> None:
    write(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *COMMAND, "check", str(tmp_path)],
        capture_output=True,
        timeout=4 * TIMEOUT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert int(done.stdout.splitlines()[-1]) * 1024 < GB // 2
    with app(tmp_path) as terminal:
        terminal.wait_for(SETTLED)
        for key in "!4561":
            terminal.press(key)
        terminal.press("q")
        assert_left_in_order(terminal, 0)
