"""`check --fail-on FILTER`: a filter of one's own decides the exit code; nobody else's runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tfdbg_tui import config
from tfdbg_tui.cli import main
from tfdbg_tui.commands.outcome import BAD, CANNOT_READ, CLEAN

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library

NAMES = "bad, nan, inf, has_inf_or_nan"

FILTERS = """
def late_logs(tensor, value):
    print("asked about", tensor.name)
    return tensor.op_type == "Log" and (tensor.step or 0) >= 3

def nothing(tensor, value):
    return False

def wrong(tensor, value):
    return tensor.no_such_thing
"""


@pytest.fixture
def filters(tmp_path: Path) -> str:
    file = tmp_path / "mine.py"
    file.write_text(FILTERS)
    return str(file)


def test_the_exit_code_is_the_filters(
    library: Library, filters: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["check", str(library.path("full_health")), "--filters", filters, "--fail-on"]
    assert main([*command, "nothing"]) == CLEAN, "however bad the run is"
    assert "  filter nothing: holds for nothing here.\n" in capsys.readouterr().out
    assert main([*command, "late_logs"]) == BAD
    told = capsys.readouterr()
    first = told.out.partition("filter late_logs: holds for 10 events. The first:\n")[2]
    lines = [line.strip() for line in first.splitlines()]
    assert lines[0] == "Log:0 (Log)"
    assert lines[1].endswith("in function loss")
    assert "training.py:" in lines[2]
    assert "asked about" not in told.out, "what functions print is not the verdict"
    assert main([*command, "bad"]) == BAD
    assert "filter" not in capsys.readouterr().out


def test_it_is_in_the_json_where_it_was_asked_for(
    library: Library, filters: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["check", str(library.path("healthy")), "--filters", filters, "--json"]
    assert main([*command, "--fail-on", "nothing"]) == CLEAN
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["filter"] == {"name": "nothing", "events": 0, "first": None}
    assert main(command) == CLEAN
    assert "filter" not in json.loads(capsys.readouterr().out)["runs"][0]
    command[1] = str(library.path("full_health"))
    assert main([*command, "--fail-on", "late_logs"]) == BAD
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    first = run["filter"]["first"]
    assert (first["tensor"], first["op_type"], first["source"]) == (
        "Log:0",
        "Log",
        "graph_execution",
    )
    assert run["filter"]["events"] == 10


def test_what_goes_wrong_is_told_on_stderr(
    library: Library, filters: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["check", str(library.path("full_health")), "--filters", filters]
    assert main([*command, "--fail-on", "wrong"]) == CLEAN
    (sentence,) = [line for line in capsys.readouterr().err.splitlines() if "wrong" in line]
    assert sentence.startswith(f"tfdbg-tui: {filters}, line 10: wrong raised AttributeError: ")
    assert sentence.endswith("; that counts as False.")


def test_a_filter_that_is_not_there_is_told(
    library: Library,
    filters: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(config, "default_path", lambda: tmp_path / "config.toml")
    command = ["check", str(library.path("healthy")), "--fail-on", "mine"]
    for more, says in (
        ([], "--fail-on mine needs a filter of your own; name its file by --filters."),
        (
            ["--filters", filters],
            f"--fail-on mine: there is only {NAMES}, late_logs, nothing, wrong.",
        ),
        (["--filters", "none.py"], "there is no file of filters none.py."),
    ):
        assert main([*command, *more]) == CANNOT_READ
        assert capsys.readouterr().err == f"tfdbg-tui: {says}\n"
    (tmp_path / "config.toml").write_text('filters = "mine.py"')
    assert main([*command[:-1], "nothing"]) == CLEAN, "it is in the settings"


def test_the_command_line_knows_them(
    library: Library, filters: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["query", str(library.path("full_health")), "--filters", filters, "--json"]
    assert main([*command, "lt -f late_logs"]) == CLEAN
    assert len(json.loads(capsys.readouterr().out.splitlines()[-1])["rows"]) == 10
    assert main([*command, "q filter:wrong"]) == BAD, "the list is empty"
    assert "line 10: wrong raised AttributeError" in capsys.readouterr().err
    assert main([*command, "lt -f early_logs"]) == CANNOT_READ
    assert "There is no filter early_logs, only bad, nan," in capsys.readouterr().err


HOSTILE = """
import pathlib
pathlib.Path(__file__).with_name("RAN").touch()
def bad_one(tensor, value):
    return True
"""


def test_no_code_is_ever_loaded_from_a_logdir(
    copy_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    logdir = copy_of("full_health")
    for name in ("filters", "my_filters", "mine", "conftest", "sitecustomize", "numpy", "__main__"):
        (logdir / f"{name}.py").write_text(HOSTILE)
    (logdir / "config.toml").write_text('filters = "filters.py"')
    (logdir / "tfdbg-tui").mkdir()
    (logdir / "tfdbg-tui" / "config.toml").write_text('filters = "../filters.py"')
    monkeypatch.chdir(logdir)
    assert main(["check", "."]) == BAD
    assert main(["check", ".", "--fail-on", "bad_one"]) == CANNOT_READ
    assert main(["doctor", "."]) == CLEAN
    assert not (logdir / "RAN").exists()
    assert main(["check", ".", "--filters", "filters.py", "--fail-on", "bad_one"]) == BAD
    assert (logdir / "RAN").exists(), "the user gave it"
