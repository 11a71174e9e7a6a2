"""Typed text finds what it should."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tfdbg_tui.data.search import text_patterns
from tfdbg_tui.data.search.expressions import PatternError
from tfdbg_tui.data.search.text_patterns import MAX_SEARCHED

NAMES = (
    "mul_1/ReadVariableOp:0",
    "train.py:31",
    "/job:localhost/replica:0/task:0/device:CPU:0",
    "Dataset_map_<lambda>_12",
    "runs/lr=0.1+decay (copy).py",
    "while/body/_5[0]",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_typed_plainly_finds_itself(name: str) -> None:
    assert text_patterns.typed(name).fits(name)
    assert text_patterns.typed(name).fits(f"before {name} behind")
    assert text_patterns.plain(name).spans(f"..{name}..") == [(2, 2 + len(name))]


@given(st.text(min_size=1, max_size=30))
def test_every_word_finds_itself(word: str) -> None:
    assume(not (word.startswith("/") and word.endswith("/")))
    try:
        pattern = text_patterns.typed(word)
    except PatternError:
        pattern = text_patterns.plain(word)
    assert pattern.fits(word)


def test_a_dot_is_a_dot() -> None:
    assert not text_patterns.typed("train.py").fits("train_py")


def test_a_number_behind_a_colon_ends_there() -> None:
    line = text_patterns.typed("train.py:3")
    assert line.fits("train.py:3")
    assert line.fits("in train.py:3, called")
    assert not line.fits("train.py:31")


@pytest.mark.parametrize(
    ("word", "text", "found"),
    [
        ("log", "Log:0", True),
        ("Log", "Log:0", True),
        ("Log", "log:0", False),
        ("^log", "Log:0", True),
        (r"^\D+$", "relu", True),
        (r"^L\w", "log", False),
        (r"^l\W", "L:0", True),  # the capital of an escape is no capital
        ("/^mul_.:0$/", "mul_1:0", True),
        ("/^mul_.:0$/", "a/mul_1:0", False),
        ("mul|add", "AddV2", True),
        ("m.l", "mul", False),
        ("/m.l/", "mul", True),
    ],
)
def test_case_and_expressions(word: str, text: str, found: bool) -> None:
    assert text_patterns.typed(word).fits(text) is found


def test_whole_and_beginning() -> None:
    assert text_patterns.whole("Log").fits("Log")
    assert not text_patterns.whole("Log").fits("LogSoftmax")
    assert text_patterns.beginning("float").fits("float16")
    assert not text_patterns.beginning("float").fits("bfloat16")


@pytest.mark.parametrize("word", ["*Log", "Log(", "[a", "(?P<x", "/(/", "a{99999999999}"])
def test_what_is_no_expression_says_why(word: str) -> None:
    with pytest.raises(PatternError, match=r"\w"):
        text_patterns.typed(word)


@pytest.mark.parametrize(
    "word",
    [r"^.*/dense_\d+/.*:\d+$", "(mul|add)_1", "(ab)+", r"[*+(]+x", r"\(+", "(?i)LOG", "(?:x)?",
     r"(a+)(b+)", "(?P<x>a+)b", "a{3}", "(?#why+)a*", "[]+]+"],
)  # fmt: skip
def test_expressions_that_people_need_can_be_used(word: str) -> None:
    text_patterns.typed(word)


def test_long_text_is_searched_as_far_as_it_is_shown() -> None:
    text = "a" * (MAX_SEARCHED - 1) + "Xb" + "a" * 10_000
    assert text_patterns.typed("aX").fits(text)
    assert not text_patterns.typed("Xb").fits(text)
    assert text_patterns.typed("X").spans(text + "X") == [(MAX_SEARCHED - 1, MAX_SEARCHED)]


def test_empty_finds_are_not_shown() -> None:
    assert text_patterns.typed("x*").spans("abc") == []
    assert text_patterns.typed("x*").spans("axxb") == [(1, 3)]
