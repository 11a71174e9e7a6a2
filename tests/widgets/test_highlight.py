"""Highlighted source says what was recorded, line by line, in any order of asking."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.recordings.freeze import PROGRAM
from tfdbg_tui.widgets import highlight
from tfdbg_tui.widgets.highlight import HighlightedSource
from tfdbg_tui.widgets.pieces import clean

if TYPE_CHECKING:
    import random

    import pytest

ORDINARY = ("", "x = 1", "def f(x):", "    return x", '"""', "# why", "损失 = 0", "f'{x", "\\")
ODD = ("x = 1\r", "a\rb", "a\nb", "a\x0cb", "a\x1cb", "a\u2028b", "a\x85b", "\x1b[2J", "$?`", "\t")
LINES = st.lists(st.sampled_from(ORDINARY + ODD), max_size=30)


def text(source: HighlightedSource, number: int) -> str:
    return "".join(piece.text for piece in source.line(number))


@settings(max_examples=60)
@given(LINES, st.randoms())
def test_every_line_says_what_was_recorded(lines: list[str], shuffler: random.Random) -> None:
    source = HighlightedSource(lines)
    numbers = list(range(len(lines)))
    shuffler.shuffle(numbers)
    for number in numbers:
        recorded = lines[number].rstrip("\r\n").replace("\n", " ")
        assert text(source, number) == clean(recorded)


def test_a_file_with_line_ends_of_windows_keeps_its_lines() -> None:
    source = HighlightedSource([f"{line}\r" for line in PROGRAM.split("\n")])
    assert [text(source, number) for number in range(len(source))] == PROGRAM.split("\n")


def test_roles_are_those_of_python() -> None:
    source = HighlightedSource(["def f(x):  # why", "    return 'text' + 12", "@tf.function"])
    roles = {piece.text: piece.role for number in range(3) for piece in source.line(number)}
    assert roles["def"] == roles["return"] == "keyword"
    assert roles["# why"] == "comment"
    assert roles["12"] == "number"
    assert roles["text"] == "string"
    assert source.line(2)[0].role == "keyword"


def test_a_string_over_several_lines_is_one() -> None:
    source = HighlightedSource(['"""first', "second", 'third"""', "x = 1"])
    assert {piece.role for piece in source.line(1)} == {"string"}
    assert source.line(3)[0].role == ""


def test_far_down_a_long_file_nothing_is_lexed_from_the_top(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [f"x{number} = {number}" for number in range(200_000)]
    source = HighlightedSource(lines)
    lexed: list[int] = []
    monkeypatch.setattr(highlight, "_role", lambda kind: lexed.append(1) or "")  # type: ignore[func-returns-value]
    assert text(source, 150_000) == lines[150_000]
    assert text(source, 150_001) == lines[150_001]
    assert text(source, 149_990) == lines[149_990]
    assert len(lexed) < 20_000


def test_a_real_program_is_unchanged() -> None:
    for content in (PROGRAM, Path(highlight.__file__).read_text()):
        lines = content.split("\n")
        source = HighlightedSource(lines)
        assert [text(source, number) for number in range(len(source))] == lines


def note_cleaned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All pieces of text that are drawn from now on."""
    cleaned: list[str] = []

    def noted(part: str) -> str:
        cleaned.append(part)
        return clean(part)

    monkeypatch.setattr(highlight, "clean", noted)
    return cleaned


def test_of_a_very_long_line_what_is_shown_is_lexed(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["x = 1", "y = 2; " * 150_000, "z = 3"]
    source, cleaned = HighlightedSource(lines), note_cleaned(monkeypatch)
    assert [text(source, number) for number in range(3)] == list(map(clean, lines))
    assert sum(map(len, cleaned)) < 5000


def test_far_down_a_file_of_long_lines_only_what_is_shown_is_lexed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [f"x = {number}; " * 500 for number in range(1500)]
    source, cleaned = HighlightedSource(lines), note_cleaned(monkeypatch)
    for number in (1400, 1401, 20, 21):
        assert text(source, number) == clean(lines[number])
    assert sum(map(len, cleaned)) < 3 * highlight.MAX_RUN_UP
