"""The house: sizes that can be read at a glance, rooms that say what they are, plain words."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tfdbg_tui

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(tfdbg_tui.__file__).parent
ROOT = PACKAGE.parent
FILES = sorted(PACKAGE.rglob("*.py"))
TREE = sorted(
    path
    for folder in ("tfdbg_tui", "tests", "benchmarks")
    for path in (ROOT / folder).rglob("*.py")
)

MAX_FILE, MAX_CLASS, MAX_FUNCTION = 400, 250, 40
"""Lines."""

MAX_HALL = 14
"""Modules beside the rooms."""

FORMER_WORDS = {
    "Crew",
    "Follower",
    "_hungry",
    "Pulse",
    "Pulses",
    "Desk",
    "lend",
    "Bulletin",
    "News",
    "Browser",
    "Trail",
    "History",
    "SiteBook",
    "LineBook",
    "LayoutBook",
    "Lesson",
    "Judge",
    "_study",
    "_recall",
    "Subject",
    "take",
    "take_in",
    "renew",
    "waiting",
    "walks",
    "beside",
    "around",
    "own_among",
    "stage",
    "visit",
    "_Wish",
    "PATIENCE",
    "SLICE",
    "MOST",
}
"""Words that meant something to whoever wrote them; CONTRIBUTING's glossary has those in use."""

THEIR_WORDS = {("tfdbg_tui/data/files/checksums.py", "take")}
"""Names of others that happen to be among them: numpy's `take`."""


def lines_of(node: ast.AST) -> int:
    assert isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
    return (node.end_lineno or node.lineno) - node.lineno + 1


def definitions(kinds: tuple[type[ast.AST], ...]) -> Iterator[tuple[str, int]]:
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, kinds):
                name = getattr(node, "name", "")
                yield f"{path.relative_to(ROOT)}:{name}", lines_of(node)


def test_no_file_is_long() -> None:
    lengths = {str(p.relative_to(ROOT)): len(p.read_text().splitlines()) for p in TREE}
    assert {name: length for name, length in lengths.items() if length > MAX_FILE} == {}


def test_no_class_is_long() -> None:
    long = {name: n for name, n in definitions((ast.ClassDef,)) if n > MAX_CLASS}
    assert long == {}


def test_no_function_is_long() -> None:
    functions = definitions((ast.FunctionDef, ast.AsyncFunctionDef))
    assert {name: n for name, n in functions if n > MAX_FUNCTION} == {}


def test_the_hall_is_small_and_data_has_no_module_outside_a_storey() -> None:
    hall = list(PACKAGE.glob("*.py"))
    assert len(hall) <= MAX_HALL
    assert [path.name for path in (PACKAGE / "data").glob("*.py")] == ["__init__.py"]


@pytest.mark.parametrize(
    "room", sorted({path.parent for path in FILES} - {PACKAGE}), ids=lambda room: room.name
)
def test_a_room_says_what_it_is_and_what_it_may_know(room: Path) -> None:
    text = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))
    assert text is not None
    assert len(text.splitlines()) >= 3
    assert "now" in text, "what it may know, or knows"


def names(path: Path) -> set[str]:
    """The identifiers of a file."""
    source = io.StringIO(path.read_text(encoding="utf-8"))
    return {
        token.string
        for token in tokenize.generate_tokens(source.readline)
        if token.type == tokenize.NAME
    }


def test_former_words_are_gone() -> None:
    found = {
        (str(path.relative_to(ROOT)), word)
        for path in TREE
        for word in names(path)
        if word in FORMER_WORDS or word.startswith("MOST_")
    }
    assert found - THEIR_WORDS == set()
