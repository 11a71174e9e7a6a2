"""The terminal that end-to-end tests run programs in: keys, screen, state, end."""

from __future__ import annotations

import os
import re
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.terminal import Terminal
from tests.support.terminal_screen import TerminalScreen

if TYPE_CHECKING:
    from pathlib import Path

# Prints what it reads, in hexadecimal, as soon as it comes.
SHOW_INPUT = """
import os, tty
tty.setraw(0)
print("ready", end="", flush=True)
while True:
    print("\\r\\n" + os.read(0, 1024).hex(), end="", flush=True)
"""

TEXTUAL_APP = """
from textual.app import App
from textual.widgets import Button, Label

class Tiny(App):
    BINDINGS = [("q", "quit", "Quit"), ("k", "label('key')", "Key")]

    def compose(self):
        yield Label("nothing yet")
        yield Button("Push")

    def on_button_pressed(self):
        self.action_label("click")

    def on_resize(self, event):
        self.query_one(Button).label = f"{event.size.width} columns"

    def action_label(self, text):
        self.query_one(Label).update(text)

Tiny().run()
"""


def python(source: str) -> list[str]:
    """The command of a small program; without site packages it starts at once."""
    return [sys.executable, "-I", "-S", "-c", source]


def writing(output: str) -> list[str]:
    """A program that writes something and waits for a line."""
    return python(f"print({output!r}, end='', flush=True); input()")


# ---------------------------------------------------------------------- input


@pytest.mark.parametrize(
    ("keys", "received"),
    [
        (["enter"], "0d"),
        (["escape", "down"], "1b 1b5b42"),
        (["shift+tab", "pageup", "home"], "1b5b5a 1b5b357e 1b5b48"),
        (["ctrl+p", "space", "backspace"], "10 20 7f"),
        (["!", "/Log", "é"], "21 2f4c6f67 c3a9"),
    ],
)
def test_keys_send_what_an_xterm_sends(keys: list[str], received: str) -> None:
    with Terminal(python(SHOW_INPUT)) as terminal:
        terminal.wait_for("ready")
        terminal.press(*keys)
        terminal.wait_for(lambda lines: "".join(lines[1:]) == received.replace(" ", ""))


def test_the_mouse_is_reported_in_the_sgr_form() -> None:
    with Terminal(python(SHOW_INPUT)) as terminal:
        terminal.wait_for("ready")
        terminal.click(7, 3)
        terminal.wheel(7, 3, "up", 2)
        terminal.wheel(7, 3, "down")
        terminal.hover(7, 3)
        reports = "0;7;3M <0;7;3m <64;7;3M <64;7;3M <65;7;3M <35;7;3M"
        expected = b"".join(b"\x1b[<" + report.encode() for report in reports.split(" <"))
        terminal.wait_for(lambda lines: "".join(lines[1:]) == expected.hex())


def test_a_program_learns_of_a_new_size() -> None:
    source = """
import os, signal
def show(*_): os.write(1, b"%d %d\\n" % os.get_terminal_size())
signal.signal(signal.SIGWINCH, show)
show()
while True: signal.pause()
"""
    with Terminal(python(source), columns=60, rows=20) as terminal:
        terminal.wait_for("60 20")
        terminal.resize(100, 30)
        assert len(terminal.wait_for("100 30")) == 30


def test_the_environment_is_that_of_a_plain_xterm(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "COLUMNS", "TEXTUAL_THEME"):
        monkeypatch.setenv(name, "1")
    names = ("TERM", "COLORTERM", "NO_COLOR", "COLUMNS", "TEXTUAL_THEME")
    show = python(f"import os; print(*[os.environ.get(name) for name in {names}])")
    with Terminal(show) as terminal:
        terminal.wait_for("xterm-256color truecolor None None None")
    with Terminal(show, env={"TERM": "dumb", "NO_COLOR": "1"}) as terminal:
        terminal.wait_for("dumb truecolor 1 None None")


# ---------------------------------------------------------------------- screen


def test_waiting_for_text_expressions_and_predicates() -> None:
    with Terminal(writing("first\r\nsecond 42")) as terminal:
        assert terminal.wait_for("second")[:2] == ["first", "second 42"]
        terminal.wait_for(re.compile(r"first\nsecond \d+"))
        terminal.wait_for(lambda lines: lines[2] == "")


def test_waiting_in_vain_shows_the_screen() -> None:
    with Terminal(writing("something else"), columns=20, rows=2) as terminal:
        terminal.wait_for("else")
        with pytest.raises(AssertionError) as failure:
            terminal.wait_for("Alerts", timeout=0.01)
    assert "'Alerts'; the program is running" in str(failure.value)
    assert "\n|something else      |\n|                    |\n+" in str(failure.value)


def test_waiting_ends_with_the_program() -> None:
    with Terminal(python("import sys; print('sorry'); sys.exit(3)")) as terminal:
        with pytest.raises(AssertionError, match=r"exited with 3[^$]*sorry"):
            terminal.wait_for("Alerts", timeout=600)
        assert terminal.wait_exit() == 3


def test_cells_have_colours_and_styles() -> None:
    with Terminal(writing("a\x1b[1;38;2;255;0;16mb\x1b[0;7mc")) as terminal:
        terminal.wait_for("abc")
        column, row = terminal.find("bc")
        bold, reverse = terminal.cell(column, row), terminal.cell(column + 1, row)
    assert (bold.character, bold.fg, bold.bold, bold.reverse) == ("b", "ff0010", True, False)
    assert (reverse.character, reverse.bold, reverse.reverse) == ("c", False, True)


@pytest.mark.parametrize("sizes", [[1000], [1] * 1000, [3, 5] * 200], ids=["all", "1", "3 and 5"])
def test_what_the_emulator_does_not_know_is_not_drawn(sizes: list[int]) -> None:
    output = (
        b"a\x1b[>1ub\x1b[<uc\x1b[=5ud\x1b[?2026$pe\x1b[?uf\x1b[>4;2mg\x1b[4:3mh\x1b[2 qi"
        b"\x1bP+q544e\x1b\\j\x1b_Gi=31;AAAA\x1b\\k\x1b]52;c;YQ==\x07l\x1b]0;title\x1b\\m\x1b[31mn"
    )
    screen = TerminalScreen(40, 2)
    for size in sizes:
        screen.feed(output[:size])
        output = output[size:]
    assert screen.lines() == ["abcdefghijklmn", ""]
    assert screen.cell(14, 1).fg == "red"


def test_characters_of_any_width_keep_their_columns() -> None:
    screen = TerminalScreen(20, 2)
    screen.feed("\u202eä 漢字 e\u0302 x\u200dy ok\r\n字".encode())
    assert screen.lines() == ["ä 漢字 ê xy ok", "字"]
    assert list(screen.find("ok")) == [(13, 1)]
    assert list(screen.find("字")) == [(5, 1), (1, 2)]
    screen.feed(b"\x1b[2;1Hz")  # cuts a wide character in two
    assert screen.lines()[1] == "z"


def test_leaving_the_alternate_screen_brings_the_old_one_back() -> None:
    screen = TerminalScreen(20, 2)
    screen.feed(b"$ command\r\n\x1b[?1049h\x1b[Hfull screen")
    assert screen.lines() == ["full screen", ""]
    screen.feed(b"\x1b[?1049lbye")
    assert screen.lines() == ["$ command", "bye"]


# ---------------------------------------------------------------------- measuring


def test_latency_ends_with_the_last_byte_and_is_none_without_one() -> None:
    source = """
import os, tty
tty.setraw(0)
print("ready", end="", flush=True)
while True:
    if os.read(0, 1) == b"p":
        for part in ("begin", "end"):
            print(part, end="", flush=True)
"""
    with Terminal(python(source)) as terminal:
        terminal.wait_for("ready")
        terminal.wait_quiet()
        before = terminal.bytes_written
        assert terminal.latency("x", timeout=0.1) is None
        assert terminal.bytes_written == before
        assert terminal.latency("p") is not None
        assert terminal.bytes_written == before + len("beginend")
        assert terminal.text()[0] == "readybeginend"
        assert terminal.transcript.endswith(b"beginend")


def test_waiting_for_quiet_waits_for_all_output() -> None:
    source = "import time\nfor n in range(5): print(n, flush=True); time.sleep(0.02)\ninput()"
    with Terminal(python(source)) as terminal:
        terminal.wait_for("0")
        terminal.wait_quiet()
        assert terminal.text()[:5] == ["0", "1", "2", "3", "4"]


def test_a_program_that_never_rests_is_not_waited_for() -> None:
    program = "import time\nwhile True: print('x', end='', flush=True); time.sleep(0.01)"
    with Terminal(python(program)) as terminal:
        terminal.wait_for("x")
        with pytest.raises(AssertionError, match="not quiet"):
            terminal.wait_quiet(0.05, timeout=0.2)
        terminal.pump(0)


# ---------------------------------------------------------------------- the end


@pytest.mark.parametrize(
    ("mess", "left"),
    [
        ("write('\\x1b[?1049h\\x1b[?25l\\x1b[?25h\\x1b[?1049l')", []),
        ("write('\\x1b[?1049h')", ["alternate screen (?1049)"]),
        ("write('\\x1b[?25l')", ["cursor (?25)"]),
        ("write('\\x1b[?1000;1006h\\x1b[?1000l')", ["mouse (?1006)"]),
        ("write('\\x1b[?2004h')", ["bracketed paste (?2004)"]),
        ("write('\\x1b[>25u')", ["keyboard protocol (>u)"]),
        ("write('\\x1b[31m')", ["colours and styles"]),
        ("tty.setcbreak(0)", ["termios ECHO", "termios ICANON"]),
    ],
)
def test_what_a_program_does_not_put_back_is_named(mess: str, left: list[str]) -> None:
    source = f"import sys, tty, termios; write = sys.stdout.write; {mess}"
    with Terminal(python(source)) as terminal:
        assert terminal.wait_exit() == 0
        named = terminal.left_sane()
    assert [name for name in named if name != "termios ICRNL"] == left  # newer Pythons clear it


def test_signals_reach_the_program() -> None:
    with Terminal(writing("ready")) as terminal:
        terminal.wait_for("ready")
        terminal.signal(signal.SIGTERM)
        assert terminal.wait_exit() == -signal.SIGTERM


def test_control_c_interrupts_as_in_a_shell() -> None:
    # Python acts on a signal between two calls: one that comes just before a call which waits
    # for ever would never be acted on.
    looking = "import time; print('ready', flush=True)\nwhile True: time.sleep(0.02)"
    with Terminal(python(looking)) as terminal:
        terminal.wait_for("ready")
        terminal.press("ctrl+c")
        assert terminal.wait_exit() == -signal.SIGINT
        terminal.wait_for("KeyboardInterrupt")


def test_a_lost_connection_hangs_the_program_up() -> None:
    # Who reads from a terminal that is gone may see that before the signal comes.
    patient = python("import signal; print('ready', flush=True); signal.pause()")
    with Terminal(patient) as terminal:
        terminal.wait_for("ready")
        terminal.hang_up()
        assert terminal.wait_exit() == -signal.SIGHUP


def test_a_command_that_does_not_exist_says_so() -> None:
    with Terminal(["no-such-command"]) as terminal:
        assert terminal.wait_exit() == 127
        assert terminal.text()[0] == "no-such-command: No such file or directory"


def test_a_stubborn_program_does_not_outlive_its_terminal() -> None:
    stubborn = """
import signal
for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT): signal.signal(number, signal.SIG_IGN)
print("ready", flush=True)
while True: signal.pause()
"""
    with Terminal(python(stubborn)) as terminal:
        terminal.wait_for("ready")
    with pytest.raises(ProcessLookupError):
        os.kill(terminal.pid, 0)


# ---------------------------------------------------------------------- Textual


def test_a_textual_app_runs_by_key_mouse_and_size_and_ends_clean(tmp_path: Path) -> None:
    app = tmp_path / "app.py"
    app.write_text(TEXTUAL_APP)
    with Terminal([sys.executable, app]) as terminal:
        terminal.wait_for("80 columns")
        terminal.press("k")
        terminal.wait_for("key")
        terminal.click(*terminal.find("80 columns"))
        terminal.wait_for("click")
        terminal.resize(100, 30)
        terminal.wait_for("100 columns")
        assert {25, 7}.isdisjoint(terminal.modes)
        terminal.press("q")
        assert terminal.wait_exit() == 0
        assert terminal.left_sane() == []
