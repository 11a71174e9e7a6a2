"""The settings file: all of it optional, every mistake in it one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tfdbg_tui import config
from tfdbg_tui.config import Config, load
from tfdbg_tui.data.early.thresholds import Thresholds
from tfdbg_tui.errors import UserError

WHOLE = """
theme = "nord"
mouse = false
ascii = true

[keys]
"go.first-bad" = "f2,exclamation_mark"
"app.quit-now" = "ctrl+x"
"""


def written(directory: Path, text: str | bytes) -> Path:
    path = directory / "config.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def sentence(path: Path) -> str:
    """What is said about a file that cannot be used."""
    with pytest.raises(UserError) as raised:
        load(path)
    text = str(raised.value)
    assert text.startswith(str(path))
    assert text.endswith(".")
    assert "\n" not in text
    return text


def test_everything_can_be_set(tmp_path: Path) -> None:
    keys = {"go.first-bad": "f2,exclamation_mark", "app.quit-now": "ctrl+x"}
    assert load(written(tmp_path, WHOLE)) == Config("nord", mouse=False, ascii=True, keys=keys)


def test_a_file_of_filters_lies_beside_the_settings_wherever_we_are_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = written(tmp_path, 'filters = "mine.py"')
    (tmp_path / "logdir").mkdir()
    monkeypatch.chdir(tmp_path / "logdir")
    assert load(settings).filters == str(tmp_path / "mine.py")
    assert load(Path("../config.toml")).filters == str(tmp_path / "logdir" / ".." / "mine.py")
    whole = load(written(tmp_path, 'filters = "/etc/mine.py"')).filters
    assert whole == "/etc/mine.py"


def test_a_threshold_is_set_and_the_others_stay(tmp_path: Path) -> None:
    found = load(written(tmp_path, "[alerts]\nzero_invocations = 20\nrising_to = 1\n")).alerts
    assert found == Thresholds(zero_invocations=20, rising_to=1)


@pytest.mark.parametrize("text", ["", "# nothing\n", "[keys]\n"])
def test_nothing_has_to_be_set(tmp_path: Path, text: str) -> None:
    assert load(written(tmp_path, text)) == Config(None, mouse=True, ascii=False, keys={})


def test_the_file_that_the_docstring_shows_can_be_read(tmp_path: Path) -> None:
    _, _, example = (config.__doc__ or "").partition("\n\n")
    assert load(written(tmp_path, example)).keys == {"go.first-bad": "f2,exclamation_mark"}


def test_without_a_file_settings_are_as_usual(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "default_path", lambda: tmp_path / "none.toml")
    assert load() == Config()


def test_the_usual_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    file = config.default_path()
    assert file.name == "config.toml"
    assert file.is_relative_to(tmp_path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("ascii = true")
    assert load().ascii


def test_a_file_that_was_asked_for_must_exist(tmp_path: Path) -> None:
    assert sentence(tmp_path / "none.toml").endswith("none.toml does not exist.")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "colour = 1",
            "there is no setting colour, only theme, mouse, ascii, keys, alerts, filters.",
        ),
        ("theme = 1", 'theme must be a text such as "nord".'),
        ("theme = true", 'theme must be a text such as "nord".'),
        ("mouse = 1", "mouse must be true or false."),
        ('ascii = "yes"', "ascii must be true or false."),
        ("alerts = 5", "alerts must be a table such as [alerts] with zero_invocations = 20."),
        ("[alerts]\nzeros = 5", "there is no alerts.zeros, only changed_steps, drift_growth, "),
        ("[alerts]\nretraces = 1.5", "alerts.retraces must be a whole number, not below 0."),
        ("[alerts]\nrising_to = -1", "alerts.rising_to must be a number, not below 0."),
        ("[alerts]\nrising_to = nan", "alerts.rising_to must be a number, not below 0."),
        ("[alerts]\nretraces = true", "alerts.retraces must be a whole number, not below 0."),
        ('keys = "f2"', 'keys must be a table such as [keys] with "go.first-bad" = "f2".'),
        ('[keys]\n"go.first-bad" = 2', 'keys."go.first-bad" must be a text such as "f2".'),
        ('[keys]\ngo.first-bad = "f2"', 'keys."go" must be a text such as "f2".'),
        ("theme = ", "is not valid TOML: "),
        ("theme = 'a'\ntheme = 'b'", "is not valid TOML: "),
        ("x = " + "[" * 10_000, "is not valid TOML: "),
        ("x = " + "1" * 10_000, "is not valid TOML: "),
        ("\0", "is not valid TOML: "),
        (b"theme = '\xff'", "is not text in UTF-8."),
    ],
)
def test_a_mistake_is_told_in_a_sentence(tmp_path: Path, text: str | bytes, says: str) -> None:
    assert says in sentence(written(tmp_path, text))


def test_a_directory_instead_of_a_file(tmp_path: Path) -> None:
    assert sentence(tmp_path).endswith(" cannot be read (is a directory).")


def test_a_file_that_is_denied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, WHOLE)

    def refuse(self: Path, *arguments: object, **more: object) -> str:
        raise PermissionError(13, os.strerror(13), str(self))

    monkeypatch.setattr(Path, "read_text", refuse)
    assert sentence(path) == f"{path} cannot be read (permission denied)."
