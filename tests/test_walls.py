"""The walls of the design: who may import what, and that nothing runs at import."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import tfdbg_tui

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.recordings.record import Library

PACKAGE = Path(tfdbg_tui.__file__).parent
FILES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
DATA_MODULES = [f"tfdbg_tui.data.{path.stem}" for path in FILES if path.parts[0] == "data"]

FRONT_OF_HOUSE = ("screens", "widgets", "app", "cli", "feed", "record")
TEXTUAL_ROOMS = ("screens", "widgets", "app.py", "feed.py")
TENSORFLOW_ROOM = Path("record.py")
FILE_MODULES = {"os", "pathlib", "io", "tempfile", "shutil", "glob", "mmap"}
THREAD_MODULES = {"threading", "_thread", "multiprocessing", "concurrent", "subprocess"}
STORES = {
    "EventStore",
    "ExecutionStore",
    "Graphs",
    "Host",
    "LayoutBook",
    "Logdir",
    "Metadata",
    "RecordFile",
    "Run",
    "SourceFiles",
    "StackFrames",
    "Table",
    "TraceStore",
}


class Import(NamedTuple):
    """One imported name, with the dotted path it comes from."""

    path: str
    line: int

    def is_from(self, *packages: str) -> bool:
        return any(self.path == name or self.path.startswith(f"{name}.") for name in packages)


def imports(tree: ast.AST) -> Iterator[Import]:
    """Every import of a module, wherever it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield Import(f"{node.module or ''}.{alias.name}", node.lineno)


def module_level_imports(tree: ast.Module) -> Iterator[Import]:
    """The imports that run when the module is imported."""
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from imports(node)


def calls(tree: ast.AST) -> Iterator[str]:
    """The last name of everything that is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr


def starts_thread_workers(tree: ast.AST) -> bool:
    """Whether Textual is asked for a worker in a thread."""
    return any(isinstance(node, ast.keyword) and node.arg == "thread" for node in ast.walk(tree))


def runs_at_import(tree: ast.Module) -> list[int]:
    """Lines of module-level statements that do more than define."""
    harmless = (
        ast.Import,
        ast.ImportFrom,
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.ClassDef,
        ast.Assign,
        ast.AnnAssign,
    )
    return [
        node.lineno
        for node in tree.body
        if not (isinstance(node, harmless) or _is_text(node) or _is_type_guard(node))
    ]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_type_guard(node: ast.stmt) -> bool:
    guards = ("TYPE_CHECKING", "sys.version_info", "sys.platform")
    return isinstance(node, ast.If) and ast.unparse(node.test).startswith(guards)


def parsed(path: Path) -> ast.Module:
    return ast.parse((PACKAGE / path).read_text(encoding="utf-8"))


def in_room(room: str) -> list[Path]:
    return [path for path in FILES if path.parts[0] == room]


def test_there_is_something_behind_the_walls() -> None:
    assert in_room("data")
    assert in_room("screens")
    assert in_room("widgets")


@pytest.mark.parametrize("path", in_room("data"), ids=str)
def test_data_knows_no_screen_and_no_tensorflow(path: Path) -> None:
    front = [f"tfdbg_tui.{name}" for name in FRONT_OF_HOUSE]
    found = [
        name
        for name in imports(parsed(path))
        if name.is_from("textual", "rich", "tensorflow", *front)
    ]
    assert not found


@pytest.mark.parametrize("path", in_room("widgets"), ids=str)
def test_widgets_know_neither_files_nor_threads_nor_stores(path: Path) -> None:
    tree = parsed(path)
    assert not [name for name in imports(tree) if name.is_from(*FILE_MODULES, *THREAD_MODULES)]
    known = [name.path for name in imports(tree) if name.is_from("tfdbg_tui.data")]
    assert not [name for name in known if name.rpartition(".")[2] in STORES]
    assert "open" not in calls(tree)
    assert not starts_thread_workers(tree)


@pytest.mark.parametrize("path", in_room("screens"), ids=str)
def test_screens_only_wire(path: Path) -> None:
    tree = parsed(path)
    assert not [name for name in imports(tree) if name.is_from(*FILE_MODULES, *THREAD_MODULES)]
    assert "open" not in calls(tree)
    assert not starts_thread_workers(tree)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_only_the_recorder_imports_tensorflow(path: Path) -> None:
    if path != TENSORFLOW_ROOM:
        assert not [name for name in imports(parsed(path)) if name.is_from("tensorflow", "keras")]


@pytest.mark.parametrize("path", FILES, ids=str)
def test_textual_is_imported_only_where_something_is_drawn(path: Path) -> None:
    if path.parts[0] not in TEXTUAL_ROOMS:
        found = module_level_imports(parsed(path))
        assert not [name for name in found if name.is_from("textual", "rich", "tfdbg_tui.app")]


@pytest.mark.parametrize("path", [path for path in FILES if path.name != "__main__.py"], ids=str)
def test_nothing_runs_at_import(path: Path) -> None:
    assert not runs_at_import(parsed(path))


def test_the_walls_are_not_made_of_paper() -> None:
    trespasser = ast.parse(
        "def f():\n import textual.app\n from tensorflow import debugging\n"
        "from tfdbg_tui.data.run import Run\nwith open('x') as x: pass\n"
        "@work(thread=True)\ndef g(): ...\n"
    )
    found = list(imports(trespasser))
    assert [name.path for name in found if name.is_from("textual")] == ["textual.app"]
    assert [name.path for name in found if name.is_from("tensorflow")] == ["tensorflow.debugging"]
    assert [name.path for name in module_level_imports(trespasser)] == ["tfdbg_tui.data.run.Run"]
    assert "open" in calls(trespasser)
    assert starts_thread_workers(trespasser)
    assert runs_at_import(trespasser) == [5]


def run_python(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


MODULES_AFTER_CHECK = """\
import sys
from tfdbg_tui.cli import main
code = main(["check", sys.argv[1]])
heavy = {"textual", "rich", "tensorflow", "keras"}
print(code, sorted(heavy & {name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def test_check_imports_neither_textual_nor_tensorflow(library: Library) -> None:
    done = run_python(MODULES_AFTER_CHECK, str(library.path("full_health")))
    assert done.stderr == "1 []\n"


IMPORT_QUIETLY = """\
import importlib, sys, threading
import google.protobuf.message_factory, google_crc32c, numpy.random
opened, started = [], []

def audit(event, arguments):
    if event == "open" and not str(arguments[0]).endswith((".py", ".pyc", ".so")):
        opened.append(arguments[0])
    elif event in ("_thread.start_new_thread", "subprocess.Popen", "socket.connect"):
        started.append(event)

sys.addaudithook(audit)
for name in sys.argv[1:]:
    importlib.import_module(name)
print(opened, started, threading.active_count())
"""


def test_importing_the_data_engine_opens_no_file_and_starts_no_thread() -> None:
    done = run_python(IMPORT_QUIETLY, *DATA_MODULES)
    assert done.stderr == ""
    assert done.stdout == "[] [] 1\n"
