"""Completion of what is typed, asked for in a real bash."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tfdbg_tui
from tfdbg_tui.cli import main
from tfdbg_tui.commands import arguments

CLEAN = 0

ASK = """
source "$1"
shift
registered=$(complete -p tfdbg-tui)
function=${registered##*-F }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
"${function%% *}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
"""Does what bash does at the Tab key: calls the function that is registered for the command."""


@pytest.fixture
def script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The script for bash, in a file beside two directories and two files."""
    for name in ("runs", "rubbish"):
        (tmp_path / name).mkdir()
    for name in ("train.py", "settings.toml"):
        (tmp_path / name).touch()
    assert main(["--print-completion", "bash"]) == CLEAN
    path = tmp_path / "completion.bash"
    path.write_text(capsys.readouterr().out)
    return path


def completed(script: Path, *words: str) -> set[str]:
    """What bash offers for the last word."""
    command = ["bash", "--norc", "-c", ASK, "bash", str(script), "tfdbg-tui", *words]
    done = subprocess.run(command, cwd=script.parent, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return set(done.stdout.split())


pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")


def test_the_first_word_is_a_command_or_a_directory(script: Path) -> None:
    assert completed(script, "") == {*arguments.COMMANDS, "runs", "rubbish"}
    assert completed(script, "ru") == {"run", "runs", "rubbish"}
    assert completed(script, "ch") == {"check"}
    assert completed(script, str(script.parent / "runs")[:-1]) == {str(script.parent / "runs")}


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["check", "r"], {"runs", "rubbish"}),
        (["doctor", "--json", "ru"], {"runs", "rubbish"}),
        (["run", "t"], {"train.py"}),
        (["run", "--logdir", "r"], {"runs", "rubbish"}),
        (["run", "--mode", "C"], {"CONCISE_HEALTH", "CURT_HEALTH"}),
        (["run", "--mode", "SHAPE", "--jit", "tr"], {"train.py"}),
        (["check", "--fail-on", ""], {"bad", "nan", "never"}),
        (["--config", "s"], {"settings.toml"}),
        (["--print-completion", ""], {"bash", "zsh"}),
        (["runs", "--fir"], {"--first-nan"}),
        (["--f"], {"--first-nan", "--filters"}),
        (["check", "--f"], {"--fail-on", "--filters"}),
        (["check", "--filters", "t"], {"train.py"}),
        (["demo", "--s"], {"--speed"}),
        (["run", "--u"], {"--until", "--until-bad", "--until-step"}),
    ],
)
def test_later_words_are_what_their_command_takes(
    script: Path, words: list[str], offered: set[str]
) -> None:
    assert completed(script, *words) == offered


@pytest.mark.parametrize("command", [[], *([name] for name in arguments.COMMANDS)])
def test_every_option_that_help_names_is_completed(
    script: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    try:
        main([*command, "--help"])
    except SystemExit:
        pass  # argparse's own help
    lines = capsys.readouterr().out.splitlines()
    told = {
        word.strip(",")
        for line in lines
        if line.startswith("  -")
        for word in line.split()
        if word.startswith("--")
    }
    assert told
    assert told <= completed(script, *command, "--")


def test_a_shell_that_is_not_known_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--print-completion", "edlin"])
    assert ended.value.code == 2
    assert "choose from" in capsys.readouterr().err


def test_completion_imports_neither_textual_nor_the_data_engine() -> None:
    program = (
        "import sys; from tfdbg_tui.cli import main; main(['--print-completion', 'zsh']);"
        "sys.exit(bool({'textual', 'numpy', 'tfdbg_tui.data'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith(b"#compdef tfdbg-tui")


def test_type_checkers_are_told_that_the_package_is_typed() -> None:
    assert (Path(tfdbg_tui.__file__).parent / "py.typed").is_file()


def test_the_readme_says_how_to_switch_it_on() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert 'eval "$(tfdbg-tui --print-completion bash)"' in readme
