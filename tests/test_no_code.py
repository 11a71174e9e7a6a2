"""No code is ever loaded from a logdir: who makes code of text or files at all, and of which."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tests.test_walls import FILES, imports, parsed

if TYPE_CHECKING:
    from collections.abc import Iterator

RUNS_CODE = {
    "exec", "eval", "compile", "__import__", "run_path", "run_module", "exec_module",
    "spec_from_file_location", "SourceFileLoader", "import_module", "unpickle", "Unpickler",
}  # fmt: skip
"""What makes code out of text or files."""

MAY_RUN_CODE = {
    "cli.py": {"import_module"},  # its own commands, by names that are written there
    "data/search/filter_file.py": {"compile", "exec"},  # the one file that the user named
    "frozen/frozen.py": {"exec"},
}


def test_code_is_made_of_nothing_but_our_own_text_and_the_users_file_of_filters() -> None:
    found = {
        path.as_posix(): kinds
        for path in FILES
        if path.parts[0] not in ("program", "record")  # in the process of the user's script
        and (kinds := RUNS_CODE & set(bare_calls(parsed(path))))
    }
    assert found == MAY_RUN_CODE
    readers = [
        path.as_posix()
        for path in FILES
        for found_import in imports(parsed(path))
        if found_import.is_from("tfdbg_tui.data.search.filter_file")
    ]
    assert readers == ["commands/filters.py"], "by an option or the settings, and nobody else"
    unpicklers = [
        str(path)
        for path in FILES
        for found_import in imports(parsed(path))
        if found_import.is_from("pickle", "marshal", "shelve", "runpy")
        and path.parts[0] not in ("program", "record")
    ]
    assert not unpicklers


def bare_calls(tree: ast.AST) -> Iterator[str]:
    """What is called by its own name, or as the attribute of a module: `re.compile` is neither."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield f".{node.func.attr}" if node.func.attr == "compile" else node.func.attr
