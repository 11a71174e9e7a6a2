"""No code is ever loaded from a logdir: who makes code of text or files at all, and of which."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tests.test_walls import FILES, imports, parsed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RUNS_CODE = {
    "exec", "eval", "compile", "__import__", "run_path", "run_module", "exec_module",
    "spec_from_file_location", "SourceFileLoader", "import_module", "Unpickler",
}  # fmt: skip
"""What makes code out of text or files."""

MAY_RUN_CODE = {
    "cli.py": {"import_module"},  # its own commands, by names that are written there
    "data/search/filter_file.py": {"compile", "exec"},  # the one file that the user named
    "command_line/running.py": {"import_module"},  # the same
    "frozen/frozen.py": {"exec"},
    "frozen/named_tuple.py": {"eval"},
}

MAY_READ_FILTERS = {"commands/filters.py", "library/opening.py"}
"""By an option, the settings, or an argument: nobody else has the user's word for it."""

UNPICKLERS = ("pickle", "marshal", "shelve", "runpy", "dill")

OURS = [path for path in FILES if path.parts[0] not in ("program", "record")]
"""Files that do not run in the process of the user's script."""


def called(tree: ast.AST) -> Iterator[str]:
    """What is called by its name, or as an attribute; `re.compile` makes no code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield f".{node.func.attr}" if node.func.attr == "compile" else node.func.attr


def test_code_is_made_of_our_own_text_and_the_users_file_of_filters_alone() -> None:
    makers: dict[str, set[str]] = {}
    readers: set[str] = set()
    unpicklers: list[Path] = []
    for path in OURS:
        tree = parsed(path)
        if kinds := RUNS_CODE & set(called(tree)):
            makers[path.as_posix()] = kinds
        for found in imports(tree):
            if found.is_from("tfdbg_tui.data.search.filter_file"):
                readers.add(path.as_posix())
            if found.is_from(*UNPICKLERS):
                unpicklers.append(path)
    assert makers == MAY_RUN_CODE
    assert readers == MAY_READ_FILTERS
    assert not unpicklers


def test_what_makes_code_is_seen() -> None:
    tree = ast.parse("import re\nre.compile('x')\nexec(compile('', '', 'exec'))\nx.exec_module(y)")
    assert RUNS_CODE & set(called(tree)) == {"exec", "compile", "exec_module"}
