"""What the example programs promise, read from their text: nothing is run here."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from typing import TYPE_CHECKING

import pytest

from tests.support.examples import (
    EXAMPLES,
    MARK,
    README,
    expected,
    marked_line,
    marked_lines,
    table,
)

if TYPE_CHECKING:
    from pathlib import Path

MAX_LINES = 70
"""About a page."""

RECORDER = re.compile("tfdbg|dump_debug_info", re.IGNORECASE)

each_example = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)


def source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def code(path: Path) -> str:
    """The program without its comments; strings stay, since a call can be hidden in one."""
    tokens = tokenize.generate_tokens(io.StringIO(source(path)).readline)
    return " ".join(token.string for token in tokens if token.type != tokenize.COMMENT)


def flags(path: Path) -> list[ast.Call]:
    """The arguments that the program's parser knows."""
    return [
        node
        for node in ast.walk(ast.parse(source(path)))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".add_argument")
    ]


def test_there_are_ten() -> None:
    assert len(EXAMPLES) == 10


def test_every_example_is_in_the_table_once_and_the_other_way_round() -> None:
    assert sorted(row.program for row in table()) == [path.name for path in EXAMPLES]


def test_the_table_tells_what_the_tensors_hold() -> None:
    values = {value for row in table() for value in row.holds.split(" and ")}
    assert values == {"NaN", "-Inf", "+Inf"}


@each_example
def test_every_example_is_explained_below_the_table(path: Path) -> None:
    assert f"\n**{path.name}** — " in source(README)


@each_example
def test_one_line_is_marked_and_it_is_code(path: Path) -> None:
    assert len(marked_lines(path)) == 1
    assert source(path).count(MARK) == 1
    marked = source(path).splitlines()[marked_line(path) - 1]
    assert marked.removesuffix(MARK).strip()


@each_example
def test_the_first_bad_tensor_is_an_output_of_an_op(path: Path) -> None:
    promised = expected(path)
    assert promised.op_type.isidentifier()
    assert re.fullmatch(r"[\w./]+:\d+", promised.tensor)


@each_example
def test_it_fits_on_a_page_and_says_what_goes_wrong(path: Path) -> None:
    assert len(source(path).splitlines()) <= MAX_LINES
    assert ast.get_docstring(ast.parse(source(path)))


@each_example
def test_the_cure_is_one_flag(path: Path) -> None:
    names = [ast.literal_eval(call.args[0]) for call in flags(path)]
    assert names == ["--fixed"]
    options = {keyword.arg: ast.literal_eval(keyword.value) for keyword in flags(path)[0].keywords}
    assert options["action"] == "store_true"
    assert options["help"]
    assert source(path).count(".fixed") == 1, "what was parsed is used"


@each_example
def test_it_knows_nothing_of_the_recorder(path: Path) -> None:
    assert not RECORDER.search(code(path))
