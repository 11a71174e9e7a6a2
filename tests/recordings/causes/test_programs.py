"""The programs that go wrong do so, and what is written of them can be looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.recordings.causes.program import (
    ALSO,
    GRADIENT_OF,
    GUILTY,
    HERE,
    REACHES,
    RULES,
    marked_lines,
)
from tests.recordings.causes.table import CAUSES, PROGRAMS, Program
from tests.recordings.programs import SCENARIOS
from tests.recordings.reference import events, expected_alerts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.recordings.record import Library


def named(program: Program) -> str:
    return program.name


def markers(kind: str) -> Iterator[str]:
    for path in sorted(HERE.glob("*.py")):
        for _, names in marked_lines(path, kind):
            yield from names


def test_every_guilty_line_is_marked_once() -> None:
    assert sorted(markers(GUILTY)) == sorted({program.line_marker for program in PROGRAMS})
    assert set(markers(ALSO)) <= set(markers(GUILTY))


def test_names_are_those_of_scenarios_and_of_functions() -> None:
    assert len(CAUSES) == len(PROGRAMS)
    assert not CAUSES.keys() & SCENARIOS.keys()
    for program in PROGRAMS:
        function = program.module_function.split(".")[1]
        assert f"\ndef {function}() -> None:\n" in program.file.read_text(encoding="utf-8")


def test_truth_is_told_in_words_of_the_issue() -> None:
    for program in PROGRAMS:
        assert program.rules <= RULES, program.name
        assert program.reaches <= REACHES, program.name
        assert program.op_types
        assert program.via in (None, GRADIENT_OF)


def test_every_rule_has_a_program_in_full_health() -> None:
    """But for one that says that nothing is known."""
    certain = {program.rule for program in PROGRAMS if program.mode == "FULL_HEALTH"}
    assert certain >= RULES - {"unknown"}


@pytest.mark.parametrize("program", PROGRAMS, ids=named)
def test_a_recording_holds_what_went_wrong_and_a_stack_through_the_guilty_line(
    library: Library, program: Program
) -> None:
    logdir = library.path(f"cause_{program.name}")
    assert expected_alerts(logdir)
    assert program.line in recorded_lines(logdir, program.file)


def recorded_lines(logdir: Path, file: Path) -> set[int]:
    """The lines of a file that stack frames stand in."""
    sources = [event.source_file.file_path for _, event in events(logdir, "source_files")]
    frames = [event.stack_frame_with_id for _, event in events(logdir, "stack_frames")]
    places = [frame.file_line_col for frame in frames]
    return {place.line for place in places if sources[place.file_index] == str(file)}
