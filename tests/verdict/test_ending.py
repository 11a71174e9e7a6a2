"""How the program ended, as `check` tells it: first, in words and in JSON; what it concludes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.doctor.test_findings import line_with
from tests.support.noting import SCRIPT, error_of, note
from tfdbg_tui.cli import main
from tfdbg_tui.commands.outcome import BAD, CANNOT_READ, CLEAN

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library

RAISED = error_of("def load():\n    raise ValueError('no data')\nload()")
FAILED = {"error": RAISED, "exit_code": 1}


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Runs the command; gives its exit code and what it printed."""

    def run(*words: object) -> tuple[int, str]:
        code = main(["check", *map(str, words)])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run


def only_run(text: str) -> dict[str, Any]:
    (run,) = json.loads(text)["runs"]
    assert isinstance(run, dict)
    return run


def test_the_op_that_failed_is_told_before_the_numbers(
    library: Library, check: Callable[..., tuple[int, str]]
) -> None:
    code, text = check(library.path("op_fails"))
    assert code == CLEAN, "the exit code is about the numbers"
    made, raised = (
        line_with("tf.matmul(tf.exp", "failures.py"),
        line_with("step(x, u", "failures.py"),
    )
    lines = [line.strip() for line in text.splitlines()]
    assert lines[1] == f"train.py ended with InvalidArgumentError at {made} in MatMul"
    assert lines[2].startswith("Matrix size-incompatible")
    assert lines[3].endswith(f"{made} in score")
    assert lines[4] == "return tf.matmul(tf.exp(x), w)"
    assert lines[5].startswith("raised at ")
    assert lines[5].endswith(raised)
    last = "FAILED: the program ended with an error; no NaN or Inf in what was recorded."
    assert lines[-1] == last


def test_machines_get_the_error_with_its_line_and_its_op(
    library: Library, check: Callable[..., tuple[int, str]]
) -> None:
    run = only_run(check("--json", library.path("op_fails"))[1])
    ending = run["ending"]
    assert run["verdict"] == "failed"
    assert list(ending) == [
        "script", "how", "exit_code", "error", "message", "by_recorder", "location", "op",
    ]  # fmt: skip
    assert (ending["script"], ending["how"], ending["exit_code"]) == ("train.py", "failed", 1)
    assert ending["error"].endswith(".InvalidArgumentError")
    assert ending["location"].keys() == {"file", "line", "function", "code"}
    op = ending["op"]
    assert [op[key] for key in ("name", "op_type", "graph")] == ["MatMul", "MatMul", "score"]
    assert op["location"]["code"] == "return tf.matmul(tf.exp(x), w)"


def test_damaged_notes_are_no_secret(
    copy_of: Callable[[str], Path], check: Callable[..., tuple[int, str]]
) -> None:
    logdir = copy_of("op_fails")
    (notes,) = logdir.glob("tfdbg_program*.json")
    notes.write_bytes(notes.read_bytes()[:-1])
    remark = f"tfdbg-tui: cannot be read: {notes}; how its program ended is not known.\n"
    code, text = check(logdir)
    assert code == CLEAN, "the exit code is about the numbers"
    assert text.endswith(f"CLEAN: no NaN or Inf in any recorded tensor.\n{remark}")


@pytest.mark.parametrize(
    ("scenario", "facts", "verdict", "words"),
    [
        ("healthy", FAILED, "failed", "FAILED: "),
        ("no_tensor", FAILED, "failed", "its mode tells no NaN or Inf."),
        ("nothing_computed", FAILED, "failed", "no tensor is on disk."),
        ("killed", {"exit_code": 137}, "bad", "BAD: "),
        ("full_health", FAILED, "bad", "BAD: "),
        ("healthy", {"exit_code": 130}, "clean", "CLEAN: "),
        ("healthy", {"exit_code": 1, "was_stopped": True}, "clean", "CLEAN: "),
        ("healthy", {"exit_code": 0}, "clean", "CLEAN: "),
        ("healthy", {}, "clean", "CLEAN: "),
    ],
)
def test_an_ending_changes_what_is_clean_and_nothing_else(
    copy_of: Callable[[str], Path],
    check: Callable[..., tuple[int, str]],
    scenario: str,
    facts: dict[str, Any],
    verdict: str,
    words: str,
) -> None:
    logdir = note(copy_of(scenario), **facts)
    code, text = check(logdir)
    assert code == (BAD if verdict == "bad" else CLEAN)
    assert words in text
    first, *others = text.splitlines()[1:]
    says_how = facts.get("exit_code", 0) != 0
    assert first.startswith("  train.py ") is says_how
    assert not [line for line in others if "train.py ended" in line], "once is enough"
    assert only_run(check("--json", logdir)[1])["verdict"] == verdict


def test_lost_events_stay_the_first_concern(
    copy_of: Callable[[str], Path], check: Callable[..., tuple[int, str]]
) -> None:
    logdir = note(copy_of("healthy"), **FAILED)
    next(logdir.glob("*.graph_execution_traces")).unlink()
    _, text = check(logdir)
    assert "train.py ended with ValueError at train.py:2" in text
    assert f"{SCRIPT}:2 in load" in text
    assert "INCOMPLETE: " in text


@pytest.mark.parametrize(
    ("facts", "how"),
    [
        ({"exit_code": 0}, "well"),
        ({"exit_code": 143}, "stopped"),
        ({"error": error_of("raise KeyboardInterrupt")}, "interrupted"),
    ],
)
def test_how_it_ended_is_a_word_of_its_own(
    copy_of: Callable[[str], Path],
    check: Callable[..., tuple[int, str]],
    facts: dict[str, Any],
    how: str,
) -> None:
    run = only_run(check("--json", note(copy_of("healthy"), **facts))[1])
    assert run["ending"]["how"] == how


def test_without_notes_or_before_the_end_nothing_is_told(
    copy_of: Callable[[str], Path], check: Callable[..., tuple[int, str]]
) -> None:
    logdir = copy_of("healthy")
    assert only_run(check("--json", logdir)[1])["ending"] is None
    assert only_run(check("--json", note(logdir))[1])["ending"] is None


def test_a_program_that_left_no_recording_is_told_of_with_the_reason(
    tmp_path: Path, check: Callable[..., tuple[int, str]]
) -> None:
    code, text = check(note(tmp_path, **FAILED))
    assert code == CANNOT_READ
    assert text.endswith(": train.py ended with ValueError at train.py:2.\n")
