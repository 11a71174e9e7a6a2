"""`tfdbg-tui query`: exit codes, forms, stdin, runs."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from tests.commands.test_cli import command
from tests.recordings.hostile import HOSTILE, hostile_recording
from tests.test_sanitise import is_unsafe
from tfdbg_tui.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library

ANSWERED, EMPTY, WRONG = 0, 1, 2


@pytest.fixture
def health(library: Library) -> str:
    return str(library.path("full_health"))


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["ri"], ANSWERED),
        (["lt -t Log"], ANSWERED),
        (["lt -t Nope"], EMPTY),
        (["lt -t Nope", "ri"], EMPTY),
        (["ri", "lt -y"], WRONG),
        (["li Nope"], WRONG),
        (["ri", "li Nope", "ri"], WRONG),
        (["exit"], WRONG),
    ],
)
def test_the_exit_code_tells_whether_there_was_an_answer(
    health: str, capsys: pytest.CaptureFixture[str], lines: list[str], code: int
) -> None:
    assert main(["query", health, *lines]) == code
    said = capsys.readouterr()
    assert bool(said.err) == (code == WRONG)
    assert said.err.count("\n") == (code == WRONG)


def test_answers_stand_below_each_other(health: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["query", health, "lt -t Log nan", "filter"])
    first, second = capsys.readouterr().out.split("\n\n")
    assert first.startswith("4 tensors of 218 recorded ones, by time\n")
    assert second.startswith("name ")


def test_json_is_an_object_a_command(health: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["query", "--json", "--rows", "2", health, "lt -t Log", "ri"])
    listed, told = map(json.loads, capsys.readouterr().out.splitlines())
    assert [row["event"] for row in listed["rows"]] == [6, 15]
    assert listed["left_out"] == 10
    assert told["steps"] == 12


def test_csv_is_rows(health: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["query", "--csv", health, "lt -t Log nan"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["name"], row["health"], row["event"]) for row in rows] == [
        ("Log:0", "NaN 100", event) for event in ("78", "87", "96", "105")
    ]


def test_rows_are_bounded_and_the_rest_is_counted(
    health: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["query", "--rows", "3", health, "lt"])
    assert capsys.readouterr().out.splitlines()[-1] == "… 215 more of 218"
    main(["query", "--rows", "0", health, "lt"])
    assert len(capsys.readouterr().out.splitlines()) == 220


def test_commands_may_come_from_stdin(health: str) -> None:
    done = command("query", health, input="lt -t Log nan\n\nfilter\n")
    assert done.returncode == ANSWERED
    assert done.stdout.count("\n\n") == 1
    nothing = command("query", health, input="\n")
    assert nothing.returncode == WRONG
    assert nothing.stderr.count("\n") == 1


def test_the_newest_run_is_asked_unless_another_is_named(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(library.path("two_runs"))
    main(["query", path, "ri", "--json"])
    newest = json.loads(capsys.readouterr().out)["run_id"]
    main(["check", path, "--json"])
    runs = [run["run_id"] for run in json.loads(capsys.readouterr().out)["runs"]]
    assert newest == runs[-1]
    main(["query", path, "ri", "--json", "--run", runs[0]])
    assert json.loads(capsys.readouterr().out)["run_id"] == runs[0]


def test_what_cannot_be_read_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "nothing", tmp_path):
        assert main(["query", str(path), "ri"]) == WRONG
        assert capsys.readouterr().err.startswith("tfdbg-tui: ")


def test_a_wrong_command_is_told_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["query", str(tmp_path / "nothing"), "nope"]) == WRONG
    assert "There is no command nope" in capsys.readouterr().err


def test_damage_is_survived(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("full_health")
    for path in logdir.glob("*.graphs"):
        path.write_bytes(path.read_bytes()[:1000])
    lines = ["ri", "lt bad", "ni Log", "li -r Log", "why", "alerts", "steps", "ls", "pt Log"]
    for line in lines:
        done = main(["query", str(logdir), line])
        assert done in (ANSWERED, EMPTY, WRONG)


@pytest.mark.parametrize("form", [(), ("--csv",), ("--json",)])
def test_hostile_names_reach_nobodys_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: tuple[str, ...]
) -> None:
    logdir = str(hostile_recording(tmp_path / "logdir", *HOSTILE, together=True))
    lines = ["ri", "lt", "q bad", "alerts", "steps", "ls", "why", "lt -n Nope", "help"]
    lines += ["ni -d -t graph#1", "li -r graph#1", "lo -r -t graph#1", "pt graph#1"]
    main(["query", logdir, *form, *lines, "li eager#99999"])
    said = capsys.readouterr()
    shown = (said.out + said.err).replace("\n", "")
    assert len(shown) > 1_000
    assert not [ascii(one) for one in shown if is_unsafe(one)]


def test_a_session_as_tfdbgs_users_had_it_in_their_fingers(
    library: Library, tmp_path: Path
) -> None:
    written = tmp_path / "log.txt"
    session = [
        "lt -f has_inf_or_nan",
        "pt Log:0[0:2, :] -r [[-inf,-1],[1,inf]]",
        "ni -t Log",
        "li -r Log:0",
        "lo -r Log:0",
        "eval np.isinf(`Log:0`).mean()",
        f"lt -n Log -s timestamp > '{written}'",
    ]
    done = command("query", library.path("full_tensor"), "--json", input="\n".join(session))
    assert (done.returncode, done.stderr) == (ANSWERED, "")
    listed, value, info, inputs, outputs, share, told = map(json.loads, done.stdout.splitlines())
    first = listed["rows"][0]
    assert (first["op"], first["name"], first["health"]) == ("Log", "Log:0", "-inf 66")
    assert (value["event"], value["shape"]) == (first["event"], [2, 5])
    assert value["value"][0][:3] == ["-inf", "-inf", pytest.approx(-5.96e-8, rel=1e-3)]
    assert (info["type"], info["function"]) == ("Log", "loss")
    assert "Softmax:0" in [row["tensor"] for row in inputs["rows"]]
    assert [row["tensor"] for row in outputs["rows"]][:3] == ["Log:0", "mul:0", "Mean:0"]
    assert share["value"] == 0.66
    assert told["path"] == str(written)
    assert written.read_text().startswith("12 tensors of 230 recorded ones, by time\n")
