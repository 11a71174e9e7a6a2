"""Expressions find what Python's find, in a time that no expression and no name makes long."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfdbg_tui.data.search import text_patterns
from tfdbg_tui.data.search.expressions import MAX_HITS, MAX_PROGRAM, PatternError, expression
from tfdbg_tui.data.search.query import QueryError, parse

if TYPE_CHECKING:
    from collections.abc import Sequence

HANG_SECONDS = 60
"""After so many seconds it never ends; it takes less than one."""

# fmt: off
EXPLOSIVE = (
    "a*a*b", "(a?){30}b", ".*.*x", "[a-z]*" * 8 + "0", "(a+)+$", "(a*)*b", "((a+))+x", "(a|aa)+$x",
    "(a|b.)*c", "(.*a){12,20}x", "(?:a?b?)*c", "(?P<x>[ab]+)*c", "(a{1,9})+b", ".*a.*a.*a.*a.*b",
    "(a|a)*x", r"(\w+\s?)+$x", "(.?){200}x", "a?" * 200 + "a" * 200 + "x", "(.*)*x", "(x+x+)+y",
)
"""Expressions that take Python's engine minutes to centuries on a long name."""
# fmt: on

TRY_ALL = """\
import sys
from tfdbg_tui.data.search.text_patterns import typed
names = ["a" * 2000, "b" + "a" * 1999, "ab" * 1000, "aé" * 1000, "x+x" * 600]
for word in sys.argv[1:]:
    for name in names:
        pattern = typed(word)
        print(pattern.fits(name), len(pattern.spans(name)))
"""


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True, text=True, timeout=HANG_SECONDS, check=False,
    )  # fmt: skip


def test_expressions_that_explode_elsewhere_come_to_an_end() -> None:
    done = run(TRY_ALL, *EXPLOSIVE)
    assert done.stderr == ""
    found = done.stdout.splitlines()
    assert len(found) == 5 * len(EXPLOSIVE)
    assert found[:5] == ["False 0", "True 1", "True 500", "False 0", "False 0"]


def test_they_find_what_they_should() -> None:
    long = "a" * 1900
    for word, rest in (("a*a*b", "b"), ("(a?){30}b", "b"), (".*.*x", "x"), ("(a|b.)*c", "c")):
        pattern = text_patterns.typed(word)
        assert pattern.fits(long + rest)
        assert not pattern.fits(long)


def _joined(parts: Sequence[str]) -> str:
    return "".join(parts)


ATOMS = st.sampled_from(
    [
        "a",
        "b",
        "Z",
        ".",
        "[ab]",
        "[^a]",
        r"\d",
        r"\w",
        r"\W",
        r"\b",
        "^",
        "$",
        r"\Z",
        r"\.",
        "_",
        "/",
    ]
)
PARTS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(_joined),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{,2}", "{2}", "{1,}", "*?"])).map(
            lambda pair: f"({pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)


@given(PARTS, st.lists(st.text("abzZ1_/. ", max_size=12), max_size=5))
def test_expressions_mean_what_they_mean_in_python(text: str, names: list[str]) -> None:
    case = re.RegexFlag(0) if "Z" in text.replace(r"\Z", "") else re.IGNORECASE
    pythons = re.compile(text, case)
    ours = expression(text)
    for name in names:
        assert ours.finds(name) is (pythons.search(name) is not None), name


@pytest.mark.parametrize(
    ("text", "fits", "misfit"),
    [
        (r"mul:0\Z", "a/mul:0", "mul:0/a"),
        ("^a{,2}$", "aa", "a{,2}"),
        ("^[{,2}]$", "{", "aa"),
        (r"^\{,2}$", "{,2}", "aa"),
        ("^(?#some remark+)ab$", "ab", "a"),
        ("(?i)LOG", "log", "lag"),
        ("(?P<name>log)", "LOG", "lag"),
        (r"^\pL$", "É", "1"),
        ("grüße", "GRÜßE", "grusse"),
        ("^.$", "損", "損失"),
        (r"\\Z", r"\Z", "a"),
    ],
)
def test_how_it_is_written(text: str, fits: str, misfit: str) -> None:
    assert expression(text).finds(fits)
    assert not expression(text).finds(misfit)


def test_what_is_found_is_told_in_characters() -> None:
    assert expression("[é損]+").spans("aéé/損b") == [(1, 3), (4, 5)]
    half = "a\ud800b"
    assert expression("^a.b$").finds(half), "a name from a broken file"
    assert expression("b").spans(half) == [(2, 3)]
    assert len(expression("a").spans("a" * 2 * MAX_HITS)) == MAX_HITS


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Log(", "a ( is not closed"),
        ("Log)", "a ) closes nothing"),
        ("[a", "a [ is not closed"),
        ("*Log", "nothing that * could repeat"),
        ("a**", "** repeats a repeat"),
        ("[b-a]", "b-a is no range of characters"),
        ("(?P<x", "(?P<x is no name of a group"),
        ("a\\", "nothing behind the last \\"),
        (r"\y", r"\y has no meaning here"),
        (r"\C", r"\C has no meaning here"),
        ("(?x)a b", "(?x has no meaning here"),
        ("(?=a)b", "(?= looks ahead or behind"),
        ("(?!a)b", "(?! looks ahead or behind"),
        ("(?<=a)b", "(?<= looks ahead or behind"),
        ("(?<!a)b", "(?<! looks ahead or behind"),
        (r"(a)\1", "refers back to a group"),
        ("(?P<x>a)(?P=x)", "refers back to a group"),
        ("a{1001}", "{1001} repeats too much"),
        ("a{99999999999}", "{99999999999} repeats too much"),
        ("(a{1000}){1000}", "{1000} repeats too much"),
        ("((((a{10}){10}){10}){10}){10}", "{10} repeats too much"),
        ("(.{0,90}){10}", "too large"),
        (r"\pL" * 300, "too large"),
        ("(ab|" * 25_000, "( is not closed"),
        ("a|b+" * 25_000, "too large"),
    ],
    ids=lambda text: text[:20].encode("ascii", "replace").decode(),
)
def test_what_cannot_be_used_says_why(text: str, reason: str) -> None:
    with pytest.raises(PatternError) as caught:
        expression(text)
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 200


def test_a_query_says_it_in_a_sentence() -> None:
    with pytest.raises(QueryError) as caught:
        parse("op:mul(?!_1)")
    assert str(caught.value) == (
        "mul(?!_1) as a regular expression: (?! looks ahead or behind, which cannot be done here; "
        "write it in quotes to look for the text."
    )
    with pytest.raises(QueryError) as caught:
        parse("(" * 900)
    assert str(caught.value).startswith(f"{'(' * 23}… as a regular expression: a ( is not closed;")


def test_many_expressions_are_no_larger_together_than_one_may_be() -> None:
    one = "(.?){60}x"
    assert 0 < parse(one).size <= MAX_PROGRAM
    with pytest.raises(QueryError, match="too large together; write"):
        parse(" ".join([one] * 90))
    assert parse(" ".join(["Log", '"a*b"', "op=Mul"] * 30)).size == 0, "plain words cost nothing"


def test_nothing_is_printed_over_the_screen(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PatternError):
        expression("(")
    short_of_memory = expression("(a|b)*a(a|b){100}(c|.{0,200}d)")
    assert not short_of_memory.finds("aababbabbbbaaab" * 130)
    assert capfd.readouterr() == ("", "")


def test_without_the_package_plain_words_are_still_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)
    assert text_patterns.typed("Log").fits("Log:0")
    with pytest.raises(PatternError, match="google-re2, which is not installed"):
        text_patterns.typed("Log|Mul")


IMPORTED = """\
import sys
from tfdbg_tui.data.search.query import parse
for text in sys.argv[1:]:
    parse(text)
    print("re2" in sys.modules)
"""


def test_the_engine_is_imported_for_an_expression_only() -> None:
    assert run(IMPORTED, "Log op:Mul nan>0 dtype:float", "Log|Mul").stdout == "False\nTrue\n"
