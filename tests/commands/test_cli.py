"""The command line as people and scripts meet it: exit codes, sentences, pipes."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.recordings.fabricate import frame, split
from tfdbg_tui import __version__, cli
from tfdbg_tui.cli import main
from tfdbg_tui.commands import arguments
from tfdbg_tui.data.records.debug_event_schema import parse
from tfdbg_tui.data.records.health import Bad, read_health
from tfdbg_tui.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.commands.outcome import Outcome

CLEAN, BAD, CANNOT_READ = 0, 1, 2
SCREEN_COLUMNS, SCREEN_LINES = 80, 24


def command(*arguments: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run the real command."""
    line = [sys.executable, "-m", "tfdbg_tui", *map(str, arguments)]
    options = {"capture_output": True, "text": True, "timeout": 60, "check": False, **more}
    return subprocess.run(line, **options)


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence of a command that could not read."""
    assert done.returncode == CANNOT_READ
    assert done.stdout == ""
    assert done.stderr.startswith("tfdbg-tui: ")
    assert done.stderr.endswith((".\n", "?\n"))
    assert done.stderr.count("\n") == 1
    return done.stderr


# ---------------------------------------------------------------------- commands


def test_every_command_has_a_module_with_a_function_of_one_shape() -> None:
    assert set(arguments.COMMANDS) < set(cli.COMMANDS)
    for name in cli.COMMANDS:
        assert list(inspect.signature(cli.command(name)).parameters) == ["options"]


def test_an_error_for_the_user_says_with_which_code_the_command_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(options: object) -> Outcome:
        raise UserError("there is no coffee; make some.", exit_code=7)

    monkeypatch.setattr(cli, "command", lambda name: fail)
    assert main(["demo"]) == 7
    assert capsys.readouterr().err == "tfdbg-tui: there is no coffee; make some.\n"


# ---------------------------------------------------------------------- exit codes


@pytest.mark.parametrize(
    ("scenario", "code"),
    [("full_health", BAD), ("healthy", CLEAN), ("no_tensor", CLEAN), ("circular", CLEAN)],
)
def test_the_exit_code_tells_whether_the_numbers_are_bad(
    library: Library, scenario: str, code: int
) -> None:
    done = command("check", library.path(scenario))
    assert (done.returncode, done.stderr) == (code, "")


def without_nan(logdir: Path) -> Path:
    """Leave only the events of a recording that hold no NaN."""
    for suffix in ("execution", "graph_execution_traces"):
        (path,) = logdir.glob(f"*.{suffix}")
        kept = [payload for _, payload in split(path) if not _has_nan(payload)]
        path.write_bytes(b"".join(map(frame, kept)))
    return logdir


def _has_nan(payload: bytes) -> bool:
    event = parse(payload)
    assert event is not None
    trace, execution = event.graph_execution_trace, event.execution
    tensors = [(trace.tensor_debug_mode, trace.tensor_proto)]
    tensors += [(execution.tensor_debug_mode, proto) for proto in execution.tensor_protos]
    found = [read_health(mode, proto) for mode, proto in tensors]
    return any(health is not None and Bad.NAN in health.bad for health in found)


@pytest.mark.parametrize(
    ("fail_on", "with_nan", "only_inf"),
    [("bad", BAD, BAD), ("nan", BAD, CLEAN), ("never", CLEAN, CLEAN)],
)
def test_fail_on_chooses_what_counts(
    copy_of: Callable[[str], Path], fail_on: str, with_nan: int, only_inf: int
) -> None:
    logdir = copy_of("full_health")
    assert main(["check", str(logdir), "--fail-on", fail_on]) == with_nan
    without_nan(logdir)
    assert main(["check", str(logdir), "--fail-on", fail_on]) == only_inf


@pytest.mark.parametrize(("fail_on", "code"), [("bad", BAD), ("nan", BAD), ("never", CLEAN)])
def test_what_may_be_nan_counts_as_nan(library: Library, fail_on: str, code: int) -> None:
    assert main(["check", str(library.path("curt_health")), "--fail-on", fail_on]) == code


def test_one_bad_run_among_good_ones_fails(library: Library) -> None:
    assert main(["check", str(library.path("two_runs"))]) == BAD


# ---------------------------------------------------------------------- choosing a run


def run_ids(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    main(["check", *arguments])
    return re.findall(r"^run (\w+)", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize("characters", [8, 6])
def test_run_selects_by_id_and_by_its_beginning(
    library: Library, capsys: pytest.CaptureFixture[str], characters: int
) -> None:
    logdir = str(library.path("two_runs"))
    both = run_ids(capsys, logdir)
    assert len(both) == 2
    for run_id in both:
        assert run_ids(capsys, logdir, "--run", run_id[:characters]) == [run_id]


def test_a_good_run_is_clean_beside_a_bad_one(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    logdir = str(library.path("two_runs"))
    good, bad = run_ids(capsys, logdir)
    assert main(["check", logdir, "--run", good]) == CLEAN
    assert main(["check", logdir, "--run", bad]) == BAD


# ---------------------------------------------------------------------- could not read


def test_a_path_that_does_not_exist(tmp_path: Path) -> None:
    assert "does not exist" in sentence(command("check", tmp_path / "nowhere"))


def test_a_file_instead_of_a_directory(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("x")
    assert "is a file; give the directory" in sentence(command("check", path))


@pytest.mark.parametrize("word", ["report"])
def test_a_command_that_is_planned_says_that_it_is_not_there(word: str) -> None:
    assert f"`tfdbg-tui {word}` is not there yet" in sentence(command(word, "train.py"))


@pytest.mark.parametrize(("word", "meant"), [("chek", "check"), ("dmo", "demo")])
def test_a_word_that_is_almost_a_command_is_not_waited_for(
    tmp_path: Path, word: str, meant: str
) -> None:
    said = sentence(command(word, tmp_path))
    assert said == f"tfdbg-tui: there is no directory {word}; did you mean `{meant}`?\n"


@pytest.fixture
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs tests without capturing has one, and would get the app."""
    monkeypatch.setattr("tfdbg_tui.commands.show._is_terminal", lambda stream: False)


@pytest.mark.usefixtures("_no_terminal")
@pytest.mark.parametrize("name", ["./run", "chek", "./demo", "a/demo"])
def test_a_directory_may_resemble_a_command(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for present in ("run", "chek", "demo"):
        (tmp_path / present).mkdir()
    assert main([name]) == CANNOT_READ
    assert "needs a terminal" in capsys.readouterr().err


def test_an_empty_directory(tmp_path: Path) -> None:
    assert "no tfdbg recording" in sentence(command("check", tmp_path))


def test_an_unknown_run(library: Library) -> None:
    assert "no run zzz" in sentence(command("check", library.path("two_runs"), "--run", "zzz"))


def test_a_directory_without_permission(
    library: Library, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    logdir = str(library.path("healthy"))
    monkeypatch.setattr(os, "scandir", refuse)
    assert main(["check", logdir]) == CANNOT_READ
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"tfdbg-tui: {logdir} cannot be listed (permission denied)")


def test_files_without_permission(
    library: Library, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    open_file = os.open

    def refuse(path: Any, flags: int, *more: Any, **others: Any) -> int:
        if "tfdbg_events" in str(path):
            raise PermissionError(13, "Permission denied", str(path))
        return open_file(path, flags, *more, **others)

    monkeypatch.setattr(os, "open", refuse)
    assert main(["check", str(library.path("healthy"))]) == CANNOT_READ
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "cannot be read (permission denied)" in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [["check"], ["check", "x", "--bogus"], ["check", "x", "--fail-on"], ["--bogus"]],
)
def test_a_bad_option_says_which(arguments: list[str]) -> None:
    done = command(*arguments)
    assert (done.returncode, done.stdout) == (CANNOT_READ, "")
    last_line = done.stderr.splitlines()[-1]
    assert last_line.startswith("tfdbg-tui")
    assert "error: " in last_line
    assert "COMMAND ... check" not in done.stderr  # a line that nobody could type


# ---------------------------------------------------------------------- the full-screen app


def test_without_a_terminal_the_app_names_the_command_that_needs_none(library: Library) -> None:
    logdir = library.path("healthy")
    said = sentence(command(logdir, stdin=subprocess.DEVNULL))
    assert "needs a terminal" in said
    assert f"`tfdbg-tui check {logdir}`" in said


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-"])
def test_the_app_at_a_closed_stream_causes_no_traceback(library: Library, stream: str) -> None:
    program = f"exec {sys.executable} -m tfdbg_tui {library.path('healthy')} {stream}"
    done = subprocess.run(["sh", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == CANNOT_READ
    assert "Traceback" not in done.stderr
    assert "needs a terminal" in done.stderr or stream == "2>&-"


@pytest.mark.usefixtures("_no_terminal")
def test_the_app_wants_a_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file"
    path.write_text("x")
    assert main([str(path)]) == CANNOT_READ
    assert "is a file; give the directory" in capsys.readouterr().err
    for word in ("--ascii", ""):
        assert main([word]) == CANNOT_READ
        assert "give the directory the program records to" in capsys.readouterr().err


@pytest.mark.parametrize("seconds", ["abc", "", "0", "-1", "0.01", "3601", "nan", "inf", "1e999"])
def test_a_senseless_poll_interval_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seconds: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path), f"--poll={seconds}"])
    assert ended.value.code == CANNOT_READ
    last_line = capsys.readouterr().err.splitlines()[-1]
    assert last_line.startswith("tfdbg-tui: error: argument --poll: ")
    assert last_line.endswith(f"{seconds} is no number of seconds between 0.05 and 3600")


@pytest.mark.usefixtures("_no_terminal")
@pytest.mark.parametrize(
    "words",
    [
        ["--poll", "0.05"],
        ["--poll", "3600"],
        ["--first-nan", "--ascii", "--no-mouse"],
        ["--theme", "nord", "--run", "b9a2519f", "--config", "nowhere.toml"],
        ["--run", "b9a2519f", "--config", "nowhere.toml"],
    ],
)
def test_options_of_the_app_may_stand_on_both_sides_of_the_directory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    for line in ([str(tmp_path), *words], [*words, str(tmp_path)]):
        assert main(line) == CANNOT_READ
        assert "needs a terminal" in capsys.readouterr().err


def test_a_word_too_many_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path), "another"])
    assert ended.value.code == CANNOT_READ
    assert "unrecognized arguments: another" in capsys.readouterr().err


def test_the_help_names_every_option_of_the_app(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == CLEAN
    shown = capsys.readouterr().out
    assert main(["some/logdir", "--help"]) == CLEAN
    assert capsys.readouterr().out == shown
    for option in ("first-nan", "run", "poll", "theme", "ascii", "no-mouse", "config"):
        assert f"--{option} " in shown
    assert "NO_COLOR" in shown


# ---------------------------------------------------------------------- help


@pytest.mark.parametrize("arguments", [["--help"], [], ["check", "--help"], ["demo", "--help"]])
def test_help_fits_the_smallest_terminal(arguments: list[str]) -> None:
    done = command(*arguments, env={**os.environ, "COLUMNS": str(SCREEN_COLUMNS)})
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (CLEAN, "")
    assert "tfdbg-tui check" in done.stdout
    # The last line of the screen belongs to the next prompt.
    assert len(lines) < SCREEN_LINES
    assert [line for line in lines if len(line) > SCREEN_COLUMNS] == []


def test_version() -> None:
    done = command("--version")
    assert (done.returncode, done.stdout) == (CLEAN, f"tfdbg-tui {__version__}\n")


# ---------------------------------------------------------------------- pipes


@pytest.mark.parametrize("arguments", [["check", "--json"], ["check"], ["demo"], ["--help"]])
def test_a_reader_that_leaves_early_causes_no_traceback(
    library: Library, arguments: list[str]
) -> None:
    logdir = [str(library.path("full_health"))] if "check" in arguments else []
    reading_end, writing_end = os.pipe()
    os.close(reading_end)
    with os.fdopen(writing_end, "w") as stdout:
        done = command(
            *arguments, *logdir, capture_output=False, stdout=stdout, stderr=subprocess.PIPE
        )
    assert done.stderr == ""


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-"])
def test_a_closed_stream_causes_no_traceback(library: Library, stream: str) -> None:
    program = f"exec {sys.executable} -m tfdbg_tui check {library.path('full_health')} {stream}"
    done = subprocess.run(["sh", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == BAD
    assert done.stderr == ""


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_output_fits_any_encoding(library: Library, encoding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = command("check", library.path("full_health"), env=environment, encoding=encoding)
    assert (done.returncode, done.stderr) == (BAD, "")
    assert "training.py:29 in loss" in done.stdout


def test_a_long_load_shows_its_progress_at_a_terminal_only(
    library: Library, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tfdbg_tui.commands.loading.PROGRESS_AFTER", -1.0)
    logdir = str(library.path("full_health"))
    assert main(["check", logdir]) == BAD
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["check", logdir]) == BAD
    shown = capsys.readouterr().err
    assert "100%" in shown
    assert shown.endswith("\r\x1b[K")
