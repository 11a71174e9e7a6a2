"""The causes of programs that go wrong, against what their authors know; and of healthy ones.

The truth stands beside the programs: `tests/recordings/causes` and `tests/recordings/judged`,
written by people who had not seen the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.recordings.causes.table import PROGRAMS
from tests.recordings.judged.table import JUDGED
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.verdict.finding_causes import causes_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.causes.table import Program
    from tests.recordings.judged.table import Judged
    from tests.recordings.record import Library
    from tfdbg_tui.verdict.cause import Causes, CauseVerdict

BROKEN = [program for program in JUDGED if not program.healthy]
HEALTHY = [program for program in JUDGED if program.healthy]


def found_in(logdir: Path) -> Causes:
    recorded = Logdir(logdir)
    recorded.load()
    (run,) = recorded.runs
    return causes_of(run)


def first_in(logdir: Path) -> CauseVerdict:
    causes = found_in(logdir)
    assert causes.ranked, "there is a cause"
    return causes.ranked[0]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_cause_of_a_program_that_goes_wrong(library: Library, program: Program) -> None:
    cause = first_in(library.path(f"cause_{program.name}"))
    assert cause.rule in program.rules, cause.sentence
    assert program.may_be_of(cause.origin.op_type or "")
    assert cause.reach in program.reaches
    assert cause.origin.location is not None
    assert cause.origin.location.line in program.lines


@pytest.mark.parametrize("program", BROKEN, ids=lambda program: program.name)
def test_the_cause_of_a_real_looking_program(library: Library, program: Judged) -> None:
    cause = first_in(library.path(f"judged_{program.name}"))
    assert cause.rule in program.rule, cause.sentence
    assert not program.op_types or cause.origin.op_type in program.op_types
    assert cause.reach in program.reach
    assert cause.origin.location is not None
    assert cause.origin.location.line in program.lines("guilty") + program.lines("fair")
    assert program.layer is None or program.is_its_layer(cause.origin.tensor)


@pytest.mark.parametrize("program", HEALTHY, ids=lambda program: program.name)
def test_a_healthy_program_has_no_cause(library: Library, program: Judged) -> None:
    causes = found_in(library.path(f"judged_{program.name}"))
    assert causes.ranked == ()
    assert bool(causes.on_purpose) is program.on_purpose


@pytest.mark.parametrize(
    ("name", "row"), [("row_of_step_seven", "row 3 of 5"), ("pipeline_of_readings", "row 1 of 3")]
)
def test_values_tell_the_row_of_bad_data(library: Library, name: str, row: str) -> None:
    sentence = first_in(library.path(f"cause_{name}_full_tensor")).sentence
    assert f"in {row} (from 0)" in sentence
    assert "row" not in first_in(library.path(f"cause_{name}")).sentence
