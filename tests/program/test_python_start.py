"""How Python is started: which of its options a script gets, and which files stay open."""

from __future__ import annotations

import os
import sys

import pytest

from tfdbg_tui.program.at_start import sitecustomize
from tfdbg_tui.program.python_start import AT_START, options_for_scripts, start_of
from tfdbg_tui.program.recorded_main import ScriptOptions

OPTIONS = ScriptOptions("/logdir")


@pytest.mark.parametrize(
    ("typed", "passed_on"),
    [
        ("/bin/tfdbg-tui run -O x.py", ""),
        ("-m tfdbg_tui run -u x.py", ""),
        ("-O -m tfdbg_tui run", "-O"),
        ("-OOb -Bmtfdbg_tui run", "-O -O -b -B"),
        ("-W error -Wignore /bin/tfdbg-tui", "-W error -W ignore"),
        ("-uXdev -X utf8=0 -c pass -O", "-u -X dev -X utf8=0"),
        ("-I /bin/tfdbg-tui", ""),
        ("-sPE -qv /bin/tfdbg-tui", "-q -v"),
        ("-- -O", ""),
        ("-", ""),
        ("-W", "-W "),
        ("", ""),
    ],
)
def test_options_of_python_are_passed_on_but_for_those_that_find_us(
    typed: str, passed_on: str
) -> None:
    assert " ".join(options_for_scripts(typed.split())) == passed_on


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (["train.py", "-x"], ["train.py", "-x"]),
        (["-m", "package.train", "-x"], ["-m", "package.train", "-x"]),
        (["-x.py", "-m"], ["--", "-x.py", "-m"]),
    ],
)
def test_the_command_is_that_of_plain_python(
    script: list[str], words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "orig_argv", ["python", "-O", "/bin/tfdbg-tui", "run"])
    assert start_of(script, OPTIONS).command == (sys.executable, "-O", *words)


@pytest.mark.parametrize(
    ("before", "then"), [(None, ""), ("", ""), ("/a:b", ":/a:b"), (":/a", "::/a")]
)
def test_the_scripts_own_pythonpath_comes_behind_and_is_kept(
    before: str | None, then: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    if before is not None:
        monkeypatch.setenv("PYTHONPATH", before)
    environment = start_of(["x.py"], OPTIONS).environment()
    assert environment["PYTHONPATH"] == f"{AT_START}{then}"
    assert environment.get(sitecustomize.PATH_VARIABLE) == before


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_files_left_open_for_the_script_stay_open() -> None:
    ours, theirs = os.pipe()
    os.set_inheritable(theirs, True)
    try:
        inherited = start_of(["x.py"], OPTIONS).inherited
    finally:
        os.close(ours)
        os.close(theirs)
    assert theirs in inherited
    assert ours not in inherited
    assert not set(inherited) & {0, 1, 2}
