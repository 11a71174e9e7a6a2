"""What is printed when a run is over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.noting import error_of, note
from tests.support.reading import load
from tfdbg_tui.commands.closing import closing_words, nothing_recorded
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.recordings.record import Library

ENDED = "train.py ended with exit code 0."
OUTPUT = Path("/logs/output.txt")
IMPORT = error_of("import json\nraise ImportError('no such thing')")


def lines_of(logdir: Path) -> list[str]:
    return closing_words(load(logdir), ENDED, OUTPUT).splitlines()


def test_the_first_bad_line_is_printed_with_where_everything_is(library: Library) -> None:
    logdir = library.path("full_health")
    how, bad, recording, output = lines_of(logdir)
    assert how == ENDED
    assert bad.startswith("The first NaN or Inf: Log:0 (Log), -Inf 66 of 100 elements, ")
    assert bad.endswith("training.py:29")
    assert recording.endswith(f" MB): tfdbg-tui {logdir}")
    assert output == f"Its output: {OUTPUT}"


def test_a_healthy_run_has_no_such_line(library: Library) -> None:
    assert len(lines_of(library.path("healthy"))) == 3


def test_notes_that_come_last_say_how_it_ended(copy_of: Callable[[str], Path]) -> None:
    """They are written when the script has ended, and the app has ended by then."""
    logdir = copy_of("full_health")
    watched = load(logdir)
    note(logdir, error=IMPORT, exit_code=1)
    how, bad, *_ = closing_words(watched, ENDED, OUTPUT).splitlines()
    assert how == "train.py ended with ImportError at train.py:2."
    assert bad.startswith("The first NaN or Inf: ")


def test_the_op_that_failed_is_named(library: Library) -> None:
    assert lines_of(library.path("op_fails"))[0].endswith(" in MatMul.")


@pytest.mark.parametrize(
    ("facts", "lines"),
    [
        (None, [ENDED, "Nothing was recorded: TensorFlow was not imported."]),
        ({"error": IMPORT, "exit_code": 1}, ["train.py ended with ImportError at train.py:2."]),
        ({"exit_code": 0}, [ENDED, "Nothing was recorded: TensorFlow was not imported."]),
        (
            {"exit_code": 0, "keras_backend": "jax"},
            ["Keras computes with jax, which is not recorded."],
        ),
    ],
)
def test_a_script_that_recorded_nothing(
    tmp_path: Path, facts: dict[str, Any] | None, lines: list[str]
) -> None:
    if facts is not None:
        note(tmp_path, **facts)
    assert lines_of(tmp_path) == [*lines, f"Its output: {OUTPUT}"]


def test_without_a_screen_the_reason_stands_below(tmp_path: Path) -> None:
    empty = Logdir(tmp_path)
    empty.scan()
    assert nothing_recorded(empty) == f"tfdbg-tui: nothing is recorded in {tmp_path}.\n"
    note(tmp_path, error=IMPORT, exit_code=1)
    empty.scan()
    first, second, *_ = nothing_recorded(empty).splitlines()
    assert first == f"tfdbg-tui: nothing is recorded in {tmp_path}."
    assert second == "  ! problem   train.py ended with ImportError at train.py:2"


def test_a_logdir_that_is_gone_costs_nothing(tmp_path: Path) -> None:
    assert lines_of(tmp_path / "gone")[0] == ENDED
