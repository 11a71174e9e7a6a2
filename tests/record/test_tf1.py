"""Programs for TensorFlow 1 compute and save the same, recorded or not; real TensorFlow."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.recordings.programs import ENVIRONMENT
from tests.support.tensorflow_server import tensorflow_python
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.verdict.judgement import verdict_on_run

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.verdict.bad_tensor import BadTensor

ROOT = Path(__file__).parents[2]
KINDS = ("references", "resources", "disable_v2_behavior")


def recorded(program: str, kind: str, logdir: Path, mode: str = "FULL_HEALTH") -> Host:
    """What was recorded of a program that was not changed by it."""
    done = subprocess.run(
        [
            *(tensorflow_python(), "-m", "tests.record.tf1_programs"),
            *(program, kind, str(logdir), "--mode", mode),
        ],
        cwd=ROOT,
        env={**os.environ, **ENVIRONMENT},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert len(said["recorded"]) == len(said["plain"]) > 0
    for one, other in zip(said["recorded"], said["plain"], strict=True):
        # TensorFlow rounds a little differently where ops are fused, which it does in plain graphs.
        assert_same(one, other)
    found = Logdir(logdir)
    found.load()
    (run,) = found.runs
    return run.hosts[0]


def assert_same(one: Any, other: Any) -> None:
    if isinstance(one, list):
        assert len(one) == len(other)
        for part, other_part in zip(one, other, strict=True):
            assert_same(part, other_part)
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=1e-4, abs=1e-6, nan_ok=True)
    else:
        assert one == other


def traced_types(host: Host) -> set[str]:
    ops = [host.op_of(site) for site in host.traces.sites]
    return {op.type for op in ops if op is not None}


def first_bad(logdir: Path) -> BadTensor:
    found = Logdir(logdir)
    found.load()
    bad = verdict_on_run(found.runs[0]).first_bad
    assert bad is not None
    return bad


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_trained_saved_and_restored_is_the_same(tmp_path: Path, kind: str) -> None:
    host = recorded("train", kind, tmp_path / "logdir")
    # What the variables held is there, in the name of the variable where it is a reference.
    of_variables = traced_types(host) & {"VariableV2", "ReadVariableOp"}
    assert of_variables == {"ReadVariableOp" if kind == "resources" else "VariableV2"}
    assert {"MatMul", "Tanh", "Mean"} <= traced_types(host)


@pytest.mark.parametrize("kind", KINDS)
def test_branches_loops_and_assignments_are_the_same(tmp_path: Path, kind: str) -> None:
    recorded("flow", kind, tmp_path / "logdir")


@pytest.mark.parametrize("mode", ["NO_TENSOR", "FULL_TENSOR"])
def test_they_are_so_in_modes_that_look_at_integers_too(tmp_path: Path, mode: str) -> None:
    recorded("flow", "resources", tmp_path / "logdir", mode)


@pytest.mark.parametrize("kind", KINDS[1:])
def test_sessions_that_save_by_themselves_are_the_same(tmp_path: Path, kind: str) -> None:
    recorded("monitored", kind, tmp_path / "logdir")


@pytest.mark.parametrize("kind", KINDS[1:])
def test_a_variable_that_turns_bad_is_found(tmp_path: Path, kind: str) -> None:
    recorded("overflow", kind, tmp_path / "logdir")
    bad = first_bad(tmp_path / "logdir")
    if kind == "resources":
        assert bad.op_type == "ReadVariableOp"
    else:
        assert (bad.tensor, bad.op_type) == ("weights:0", "VariableV2")
    assert bad.health.pos_inf == 2


@pytest.mark.parametrize("kind", KINDS[1:])
def test_an_op_that_turns_bad_is_found_at_its_line(tmp_path: Path, kind: str) -> None:
    recorded("logarithm", kind, tmp_path / "logdir")
    bad = first_bad(tmp_path / "logdir")
    assert bad.op_type == "Log"
    assert bad.location is not None
    assert bad.location.code == "loss = tf.reduce_mean(-tf.math.log(1.0 - p))"
