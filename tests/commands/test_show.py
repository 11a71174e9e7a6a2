"""Starting the full-screen app: where it cannot run, what options and settings make of it."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.terminal import Terminal
from tfdbg_tui import config
from tfdbg_tui.app import TfdbgApp
from tfdbg_tui.commands import show
from tfdbg_tui.errors import UserError
from tfdbg_tui.theme import themes
from tfdbg_tui.widgets.line_pane import LinePane
from tfdbg_tui.widgets.pieces import draw_ascii_only

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.recordings.record import Library


class TerminalStream(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self._descriptors = os.openpty()

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptors[1]


def options(logdir: Path, **more: Any) -> SimpleNamespace:
    """What the command line gives, as usual but for what a test says."""
    usual: dict[str, Any] = {
        "logdir": str(logdir),
        "first_nan": False,
        "run_id": None,
        "poll": None,
        "theme": None,
        "ascii": False,
        "no_mouse": False,
        "config": None,
        "mute": None,
        "filters": None,
    }
    return SimpleNamespace(**{**usual, **more})


@dataclass
class Streams:
    """What the app takes for the streams of its process; pytest has its own."""

    stdin: io.TextIOBase | None = field(default_factory=TerminalStream)
    stdout: io.TextIOBase | None = field(default_factory=TerminalStream)
    stderr: io.TextIOBase | None = field(default_factory=TerminalStream)


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Streams:
    """A terminal, and no settings of whoever runs the tests."""
    found = Streams()
    monkeypatch.setattr("tfdbg_tui.commands.show.sys", found)
    monkeypatch.setattr(config, "default_path", lambda: tmp_path / "none.toml")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return found


class Started:
    """The apps that were started, which do not take the screen."""

    def __init__(self) -> None:
        self.apps: list[TfdbgApp] = []
        self.mouse: list[bool] = []
        self.result: int | None = None
        self.crash: BaseException | None = None

    def run(self, app: TfdbgApp, mouse: bool) -> int | None:
        self.apps.append(app)
        self.mouse.append(mouse)
        app.crash = self.crash
        return self.result


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, streams: Streams) -> Iterator[Started]:
    """Lets apps be made and started as far as that needs no terminal."""
    found = Started()
    monkeypatch.setattr(TfdbgApp, "run", lambda app, mouse: found.run(app, mouse))
    monkeypatch.setattr(LinePane, "glyphs", LinePane.glyphs)
    yield found
    draw_ascii_only(False)


# ---------------------------------------------------------------------- where it cannot run


@pytest.mark.parametrize("stream", ["stdin", "stdout"])
@pytest.mark.parametrize("is_closed", [True, False])
def test_without_a_terminal_it_names_what_works(
    tmp_path: Path, streams: Streams, stream: str, is_closed: bool
) -> None:
    setattr(streams, stream, None if is_closed else io.StringIO())
    with pytest.raises(UserError) as raised:
        show.run(options(tmp_path))
    sentence = str(raised.value)
    assert sentence.startswith("the full-screen app needs a terminal; ")
    assert f"`tfdbg-tui check {tmp_path}`" in sentence


def test_a_file_is_no_logdir(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("x")
    with pytest.raises(UserError, match="is a file; give the directory it is in"):
        show.run(options(path))


def test_a_name_that_no_directory_can_have_is_waited_for(tmp_path: Path, started: Started) -> None:
    assert show.run(options(tmp_path / ("n" * 9_999))) == (0, "")
    assert len(started.apps) == 1


@pytest.mark.usefixtures("streams")
def test_an_unknown_theme_names_the_known_ones(tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text('theme = "pink"')
    for chosen in (options(tmp_path, theme="pink"), options(tmp_path, config=str(settings))):
        with pytest.raises(UserError) as raised:
            show.run(chosen)
        sentence = str(raised.value)
        assert sentence.startswith("there is no theme pink; choose from ")
        assert all(name in sentence for name in themes())


@pytest.mark.usefixtures("streams")
def test_a_mistake_in_the_settings_is_told(tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text("mouse = 1")
    with pytest.raises(UserError, match="mouse must be true or false"):
        show.run(options(tmp_path, config=str(settings)))
    with pytest.raises(UserError, match="does not exist"):
        show.run(options(tmp_path, config=str(tmp_path / "nowhere.toml")))


# ---------------------------------------------------------------------- options and settings


def settings_of(app: TfdbgApp) -> tuple[str, bool, bool]:
    return app.theme, app._config.mouse, app._config.ascii


def test_without_options_it_is_as_usual(tmp_path: Path, started: Started) -> None:
    assert show.run(options(tmp_path)) == (0, "")
    (app,) = started.apps
    assert settings_of(app) == ("calm", True, False)
    assert started.mouse == [True]
    assert not app.ansi_color


def test_options_come_before_settings(tmp_path: Path, started: Started) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text('theme = "nord"\nmouse = true\nascii = false')
    show.run(options(tmp_path, config=str(settings)))
    show.run(options(tmp_path, config=str(settings), theme="gruvbox", ascii=True, no_mouse=True))
    assert [settings_of(app) for app in started.apps] == [
        ("nord", True, False),
        ("gruvbox", False, True),
    ]
    assert started.mouse == [True, False]


def test_settings_hold_where_options_say_nothing(tmp_path: Path, started: Started) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text('mouse = false\nascii = true\n[keys]\n"go.first-bad" = "f2"')
    show.run(options(tmp_path, config=str(settings)))
    (app,) = started.apps
    assert settings_of(app) == ("calm", False, True)
    assert app._keymap == {"go.first-bad": "f2"}


@pytest.mark.parametrize(
    ("encoding", "is_ascii"),
    [("utf-8", False), ("UTF8", False), ("ascii", True), ("latin-1", True)],
)
def test_a_terminal_that_does_not_speak_unicode_gets_ascii(
    tmp_path: Path, started: Started, streams: Streams, encoding: str, is_ascii: bool
) -> None:
    streams.stdout = TerminalStream(encoding)
    show.run(options(tmp_path))
    assert settings_of(started.apps[0])[2] == is_ascii


def test_no_color_is_heard_at_the_start(
    tmp_path: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    show.run(options(tmp_path))
    assert started.apps[0].ansi_color


# ---------------------------------------------------------------------- the end


def test_the_exit_code_is_that_of_the_app(tmp_path: Path, started: Started) -> None:
    for result, code in ((None, 0), (0, 0), (3, 3)):
        started.result = result
        assert show.run(options(tmp_path)) == (code, "")


def test_a_bug_leaves_a_sentence_and_a_file_with_the_details(
    tmp_path: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    try:
        raise ValueError("the reason\x1b[2J")
    except ValueError as error:
        started.crash = error
    code, text = show.run(options(tmp_path))
    assert code == 3
    assert text.startswith("tfdbg-tui: a bug ended it; nothing recorded was touched.")
    assert text.count("\n") == 1
    log = Path(text.split()[-1])
    assert log.parent == tmp_path
    assert "ValueError: the reason" in log.read_text()
    assert __file__ in log.read_text()


def test_options_and_settings_reach_the_screen(library: Library, tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text('[keys]\n"go.first-bad" = "f2"')
    words = [library.path("full_health"), "--config", settings, "--ascii", "--poll", "5"]
    command = [sys.executable, "-m", "tfdbg_tui", *map(str, words)]
    with Terminal(command) as terminal:
        terminal.wait_for("f2 First NaN")
        terminal.wait_for("! FIRST  Log ")
        terminal.press("f2")
        lines = terminal.wait_for("tf.math.log(probs)")
        assert all(line.isascii() for line in lines)
        terminal.press("q")
        assert terminal.wait_exit() == 0


def test_a_key_for_two_things_is_one_sentence(tmp_path: Path, started: Started) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text('[keys]\n"go.first-bad" = "f2,n"')
    with pytest.raises(UserError, match=r"give n to go.first-bad and to go.next-match"):
        show.run(options(tmp_path, config=str(settings)))
    settings.write_text('[keys]\n"go.first-bad" = "n"\n"go.next-match" = "f3"')
    assert show.run(options(tmp_path, config=str(settings))) == (0, "")
