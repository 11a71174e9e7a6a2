"""`check --mute FILE`: what is muted is left out of the verdict, counted, and said."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tfdbg_tui.cli import main

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library

METRIC_FIRST = "cause_metric_before_the_loss"


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs `check` with some rules; what came of it: exit code, stdout, stderr."""

    def run(logdir: Path, rules: str, *options: str) -> tuple[int, str, str]:
        file = tmp_path / "ci.mute"
        file.write_text(rules)
        code = main(["check", str(logdir), "--mute", str(file), *options])
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


def one_run(text: str) -> dict[str, Any]:
    (run,) = json.loads(text)["runs"]
    assert isinstance(run, dict)
    return run


def test_all_muted_is_clean_and_says_how_many_and_by_what(check: Any, frozen: Path) -> None:
    code, out, err = check(frozen, "op=Log  # meant\n")
    assert (code, err) == (0, "")
    assert "CLEAN: no NaN or Inf but what is muted." in out
    assert "note: 117 tensors are muted, by op=Log (117)" in out
    code, out, _ = check(frozen, "op=Log", "--json", "--strict")
    run = one_run(out)
    assert code == 0, "what is muted is not even counted by a strict check"
    assert (run["verdict"], run["muted"]) == ("clean", 117)
    assert not any(run["alerts"].values()), "nor is anything warned of that follows from it"
    assert (run["first_bad"], run["cause"], run["other_causes"]) == (None, None, [])


def test_what_is_not_muted_is_judged_as_if_it_were_alone(check: Any, library: Library) -> None:
    path = library.path(METRIC_FIRST)
    code, out, err = check(path, "fn=_sensitivity", "--json")
    run = one_run(out)
    assert (code, err) == (1, "")
    assert (run["verdict"], run["muted"], run["alerts"]["inf_nan"]) == ("bad", 12, 37)
    assert run["first_bad"]["tensor"] == run["cause"]["origin"]["tensor"] == "Sqrt:0"
    assert run["other_causes"] == []
    code, out, _ = check(path, "op=Sqrt")
    assert code == 1
    assert "BAD: 12 tensors with NaN or Inf. The first:" in out
    assert "37 tensors are muted, by op=Sqrt (37)" in out


def test_only_what_is_not_muted_counts_for_fail_on_nan(check: Any, library: Library) -> None:
    path = library.path("full_health")
    assert check(path, "op=Log", "--fail-on", "nan")[0] == 1
    assert check(path, "file:training.py", "--fail-on", "nan")[0] == 0


def test_lines_that_mute_nothing_are_told_and_change_nothing(check: Any, frozen: Path) -> None:
    code, _, err = check(frozen, "# c\nop=Log\nop=Exp\nfn=metric\n")
    assert (code, err) == (0, "tfdbg-tui: nothing here is muted by line 3 and line 4.\n")


def test_a_line_has_to_mute_something_in_one_run_only(
    check: Any, library: Library, frozen: Path, tmp_path: Path
) -> None:
    shutil.copytree(frozen, tmp_path / "runs" / "bad")
    shutil.copytree(library.path("healthy"), tmp_path / "runs" / "well")
    _, _, err = check(tmp_path / "runs", "op=Log\nop=Nothing")
    assert err == "tfdbg-tui: nothing here is muted by line 2.\n"


def test_a_healthy_run_stays_clean(check: Any, library: Library) -> None:
    code, out, err = check(library.path("healthy"), "op=Log\n")
    assert code == 0
    assert "CLEAN: no NaN or Inf in any recorded tensor." in out
    assert err == "tfdbg-tui: nothing here is muted by line 1.\n"


@pytest.mark.parametrize(
    ("rules", "said"),
    [("op=Log\n\nnan>0\n", "line 3: nan>0 asks about numbers"), ("op:\x1b[2J(", "line 1: ")],
)
def test_a_broken_file_is_a_sentence_and_exit_code_2(
    check: Any, frozen: Path, rules: str, said: str
) -> None:
    code, out, err = check(frozen, rules)
    assert (code, out) == (2, "")
    assert f"ci.mute, {said}" in err
    assert len(err.splitlines()) == 1
    assert "\x1b" not in err


@pytest.mark.parametrize("command", [["check", "."], ["."], ["run", "--headless", "x.py"]])
def test_a_file_that_is_not_there_is_said_before_anything_is_done(
    command: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    script = tmp_path / "x.py"
    script.write_text("raise SystemExit('it was run')")
    words = [str(script) if word == "x.py" else word for word in command]
    at = 1 if words[0] == "run" else len(words)
    code = main([*words[:at], "--mute", str(tmp_path / "none.mute"), *words[at:]])
    told = capsys.readouterr()
    assert code == 2
    assert "none.mute does not exist; give a file with a rule a line." in told.err
