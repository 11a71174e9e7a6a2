"""Nouns, lists and reasons as they stand in sentences."""

from __future__ import annotations

import errno
import os

import pytest

from tfdbg_tui.words import counted, first_few, listed, os_reason, reason_of


def test_nouns_follow_their_number() -> None:
    assert counted(1, "op") == "1 op"
    assert counted(0, "op") == "0 ops"
    assert counted(1_000_000, "event") == "1,000,000 events"
    assert counted(2, "match", "matches") == "2 matches"


@pytest.mark.parametrize(
    ("names", "few", "sentence"),
    [
        ([], [], ""),
        (["a"], ["a"], "a"),
        (["a", "b"], ["a", "b"], "a and b"),
        (["a", "b", "c"], ["a", "b", "c"], "a, b and c"),
        (["a", "b", "c", "d"], ["a", "b", "c", "1 more"], "a, b, c and 1 more"),
        (["a"] * 2003, ["a", "a", "a", "2,000 more"], "a, a, a and 2,000 more"),
    ],
)
def test_of_many_names_the_first_are_told(names: list[str], few: list[str], sentence: str) -> None:
    assert first_few(names, 3) == few
    assert listed(first_few(names, 3)) == sentence


def test_a_reason_is_in_the_systems_words() -> None:
    denied = PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/a path")
    assert reason_of(denied) == "Permission denied"
    assert os_reason(denied) == "permission denied"


def test_an_error_without_words_of_the_system_has_its_own_or_a_name() -> None:
    assert reason_of(OSError("Something Odd")) == "Something Odd"
    assert os_reason(OSError("Something Odd")) == "something odd"
    assert reason_of(ValueError("no number")) == "no number"
    assert reason_of(ValueError()) == "ValueError"
