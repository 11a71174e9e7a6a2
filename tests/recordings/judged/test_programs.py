"""The judged programs are what their truths say, as far as that can be told without an engine."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.recordings.judged.table import BY_NAME, JUDGED
from tests.recordings.judged.truth import FOLDER
from tests.recordings.reference import expected_alerts

if TYPE_CHECKING:
    from tests.recordings.judged.table import Judged
    from tests.recordings.record import Library

RULES = {
    *("log_of_zero", "log_of_negative", "sqrt_of_negative", "rsqrt_of_zero", "division_by_zero"),
    *("zero_over_zero", "pow_domain", "domain", "overflow", "half_overflow", "inf_minus_inf"),
    *("zero_times_inf", "softmax_of_inf", "gradient_at_singularity", "mean_of_empty", "data"),
    *("constant", "variable", "optimizer_update", "explosion", "unknown"),
}
REACHES = {"variable", "loss", "output", "absorbed"}

BROKEN = [judged for judged in JUDGED if not judged.healthy]
HEALTHY = [judged for judged in JUDGED if judged.healthy]


def marks(word: str) -> list[tuple[str, str]]:
    """(file, marker) of every line of the programs that is marked with a word."""
    return [
        (path.name, line.partition(f"# {word}: ")[2])
        for path in sorted(FOLDER.glob("*.py"))
        if path.name not in ("truth.py", "test_programs.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if f"# {word}: " in line
    ]


def test_each_program_has_a_name_of_its_own() -> None:
    assert len(BY_NAME) == len(JUDGED)


def test_each_broken_program_has_one_guilty_line_and_no_other_line_is_marked() -> None:
    assert Counter(marks("guilty")) == Counter((j.source.name, j.line_marker) for j in BROKEN)
    assert set(marks("fair")) <= set(marks("guilty"))


@pytest.mark.parametrize("judged", BROKEN, ids=lambda judged: judged.name)
def test_a_broken_program_has_a_truth_in_the_words_of_the_engine(judged: Judged) -> None:
    assert judged.rule
    assert judged.rule <= RULES
    assert judged.reach
    assert judged.reach <= REACHES
    assert not judged.on_purpose


@pytest.mark.parametrize("judged", JUDGED, ids=lambda judged: judged.name)
def test_what_is_broken_or_bad_on_purpose_holds_bad_tensors_and_nothing_else_does(
    library: Library, judged: Judged
) -> None:
    alerts = expected_alerts(library.path(f"judged_{judged.name}"))
    assert bool(alerts) == (judged.on_purpose or not judged.healthy)
