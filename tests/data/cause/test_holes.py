"""What the recording does not prove is not told: where it is cut, filtered, or a sample."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.data.cause.test_programs import found_in
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.stores.program_notes import Program
from tfdbg_tui.verdict.finding_causes import causes_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library

TOLD_OF = {
    "judged_units_of_length": {"overflow"},
    "judged_logs_of_a_table": {"log_of_zero", "data"},
    "judged_weights_of_a_colleague": {"variable"},
    "judged_likelihood_of_all": {"log_of_zero"},
    "judged_spread_of_a_batch": {"gradient_at_singularity"},
}
"""Programs, and the rules that may be told of what is left of their recordings."""


def copied(library: Library, name: str, folder: Path) -> Path:
    shutil.copytree(library.path(name), folder)
    return folder


def rules_in(logdir: Path) -> list[str]:
    return [cause.rule for cause in found_in(logdir).ranked]


@pytest.mark.parametrize("name", TOLD_OF)
@pytest.mark.parametrize("suffix", ["graphs", "graph_execution_traces", "execution"])
def test_what_is_cut_off_is_not_guessed(
    library: Library, tmp_path: Path, name: str, suffix: str
) -> None:
    for tenth in (2, 5, 8):
        logdir = copied(library, name, tmp_path / str(tenth))
        (file,) = logdir.glob(f"*.{suffix}")
        content = file.read_bytes()
        file.write_bytes(content[: len(content) * tenth // 10])
        assert set(rules_in(logdir)) <= TOLD_OF[name] | {"unknown"}


@pytest.mark.parametrize("left_out", [Program(keep=100), Program(op_regex="Mul")])
def test_nothing_is_said_to_come_with_data_if_its_maker_may_be_left_out(
    library: Library, left_out: Program
) -> None:
    recorded = Logdir(library.path("cause_row_of_step_seven"))
    recorded.load()
    (run,) = recorded.runs
    assert causes_of(run).ranked[0].rule == "data"
    run.program = left_out
    assert causes_of(run).ranked[0].rule == "unknown"


def test_half_of_the_tensors_of_a_cause_are_enough_to_say_that_it_is_one(
    library: Library, tmp_path: Path
) -> None:
    logdir = copied(library, "judged_two_sided_logs", tmp_path / "half")
    first = found_in(logdir).ranked[0]
    (file,) = logdir.glob("*.execution")
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])
    cut = found_in(logdir).ranked
    assert not cut or cut[0].origin.op_type == first.origin.op_type
