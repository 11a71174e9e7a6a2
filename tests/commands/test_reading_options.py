"""What is read in the short way is what argparse reads, and all else is left to argparse."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from tfdbg_tui.commands import arguments
from tfdbg_tui.commands.reading_options import OPTIONS, typed

if TYPE_CHECKING:
    from types import SimpleNamespace

WORDS = (
    *(
        "logdir",
        "",
        "-",
        "--",
        "-x",
        "- x",
        "-1",
        "nan",
        "check",
        "=",
        "--json",
        "--json=1",
        "--js",
    ),
    *("--run", "--run=7", "--ru", "--fail-on", "--fail-on=nan", "--strict", "--mute", "--help"),
)
MAX_WORDS = 3
"""Words behind the command, of all that can be put together of these."""


def by_argparse(words: list[str]) -> SimpleNamespace | None:
    try:
        return arguments.parse(words)
    except SystemExit:  # a mistake, or help
        return None


def typed_lists(command: str) -> list[list[str]]:
    return [[command, *rest] for n in range(MAX_WORDS + 1) for rest in product(WORDS, repeat=n)]


@pytest.mark.parametrize("command", OPTIONS)
def test_both_ways_read_the_same(command: str) -> None:
    short = [(words, found) for words in typed_lists(command) if (found := typed(words))]
    assert [found for _, found in short] == [by_argparse(words) for words, _ in short]
    assert len(short) > len(WORDS)


def test_what_is_usual_is_read_in_the_short_way() -> None:
    assert typed(["doctor", "logdir", "--json"])
    usual = typed(["check", "--run", "7", "--fail-on", "nan", "logdir", "--mute", "f", "--strict"])
    assert usual is not None
    assert vars(usual) == {
        "command": "check",
        "logdir": "logdir",
        "json": False,
        "run_id": "7",
        "fail_on": "nan",
        "strict": True,
        "mute": "f",
        "filters": None,
    }


@pytest.mark.parametrize("words", [["check"], ["demo"], ["--json", "x"], ["logdir"], ["run", "x"]])
def test_what_is_not_is_left_to_argparse(words: list[str]) -> None:
    assert typed(words) is None
