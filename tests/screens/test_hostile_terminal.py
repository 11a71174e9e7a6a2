"""A hostile recording in a real terminal: nothing of it arrives there as a command."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from tests.recordings.hostile import MARKERS, hostile_recording
from tests.screens.test_hostile import FOLDER
from tests.support.app_under_test import WIDE
from tests.support.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

SEQUENCE = re.compile(
    rb"\x1b\[[<=>?]?[0-9;:]*[ $]?[A-Za-z]"  # CSI: colours, cursor, modes, keyboard protocol
    rb"|\x1b\]52;c;[A-Za-z0-9+/=]*\x07"  # the clipboard, encoded
    rb"|\x1b\]22;[a-z]*\x07"  # the shape of the mouse pointer
)
"""What Textual writes."""

KEYS = ("!", *"1234567", "n", "e", "u", "s", "down", "escape", "r", "escape", "y", "?", "escape")


def test_no_command_of_a_recording_reaches_the_terminal(tmp_path: Path) -> None:
    logdir = hostile_recording(tmp_path / FOLDER)
    command = [sys.executable, "-m", "tfdbg_tui", str(logdir)]
    with Terminal(command, *WIDE, {"XDG_CONFIG_HOME": str(tmp_path)}) as terminal:
        terminal.wait_for(re.compile("ENDED|LIVE"))
        for key in KEYS:
            terminal.press(key)
            terminal.wait_quiet(0.05)
            assert_in_order(terminal)
        terminal.press("/", "evil", "enter")
        terminal.wait_quiet(0.05)
        terminal.press("escape")
        terminal.wait_quiet()  # what is not painted yet is dropped at the end, in mid-sequence
        terminal.press("q")
        assert terminal.wait_exit() == 0
        assert terminal.left_sane() == []
        assert_no_command(terminal.transcript)


def assert_in_order(terminal: Terminal) -> None:
    """The first and the last line are where they belong: no line ran over its end."""
    lines = terminal.text()
    assert len(lines) == terminal.screen.rows
    assert lines[0].startswith((" tfdbg", " Help", " Recorded", " Runs")), lines[0]
    assert lines[-1].strip(), "the keys, or a sentence"


def assert_no_command(transcript: bytes) -> None:
    """All that is not plain text is what Textual writes."""
    for marker in MARKERS:
        assert marker not in transcript, marker
    text = SEQUENCE.sub(b"", transcript).decode("utf-8")
    odd = {character for character in text if not character.isprintable()} - {"\r", "\n"}
    assert odd == set(), sorted(map(ascii, odd))
