"""The walls of the design: who may import what, and that nothing runs at import."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import pytest

import tfdbg_tui

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.recordings.record import Library

PACKAGE = Path(tfdbg_tui.__file__).parent
FILES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
DATA_MODULES = [
    "tfdbg_tui." + ".".join(path.with_suffix("").parts) for path in FILES if path.parts[0] == "data"
]

TEXTUAL_ROOMS = ("screens", "widgets", "app.py")
DOOR_TO_THE_SCREEN = Path("commands/show.py")
"""Imports the app when it is about to be shown."""

NEIGHBOURS = {
    "data": ("data", "sanitise", "words"),
    "errors.py": (),
    "words.py": (),
    "record": ("record",),
    "demo": ("data", "demo", "errors", "words"),
    "widgets": ("data", "widgets", "sanitise", "words"),
    "screens": ("data", "widgets", "screens", "sanitise", "words", "doctor", "program"),
}
"""What else of this package the modules of a room may import."""

TENSORFLOW_MODULES = (Path("record/__init__.py"), Path("record/tf_internals.py"))
FILE_MODULES = {"os", "pathlib", "io", "tempfile", "shutil", "glob", "mmap"}
THREAD_MODULES = {"threading", "_thread", "multiprocessing", "concurrent", "subprocess"}
STORES = {
    "AlertLog",
    "AlertRows",
    "AllEvents",
    "Navigator",
    "CallGraphs",
    "EagerFlow",
    "EventStore",
    "ExecutionRows",
    "ExecutionStore",
    "Feed",
    "Graph",
    "Graphs",
    "HealthReader",
    "TensorHistory",
    "Host",
    "HostIndex",
    "Joins",
    "LayoutRegistry",
    "LineIndex",
    "LineGroups",
    "Logdir",
    "Matches",
    "Metadata",
    "RunActivities",
    "Reader",
    "RecordFile",
    "Run",
    "RunIndex",
    "RunState",
    "RunView",
    "Search",
    "SiteAlerts",
    "SiteIndex",
    "Snapshot",
    "SourceFiles",
    "StackFrames",
    "Steps",
    "Table",
    "TraceRows",
    "TraceStore",
    "SelectionHistory",
    "Watch",
}
"""What changes, and what leads to it; widgets are handed rows and frozen values."""


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
    guards = ("TYPE_CHECKING", "sys.version_info", "sys.platform", "__name__ == '__main__'")
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
    found = imports(parsed(path))
    assert not [name for name in found if name.is_from("textual", "rich", "tensorflow")]


@pytest.mark.parametrize("path", [path for path in FILES if path.parts[0] in NEIGHBOURS], ids=str)
def test_rooms_know_their_neighbours_only(path: Path) -> None:
    allowed = [f"tfdbg_tui.{name}" for name in NEIGHBOURS[path.parts[0]]]
    own = [name for name in imports(parsed(path)) if name.is_from("tfdbg_tui")]
    assert not [name for name in own if not name.is_from(*allowed)]


@pytest.mark.parametrize("path", in_room("widgets"), ids=str)
def test_widgets_know_neither_files_nor_threads_nor_stores(path: Path) -> None:
    tree = parsed(path)
    assert not [name for name in imports(tree) if name.is_from(*FILE_MODULES, *THREAD_MODULES)]
    known = [name.path for name in imports(tree) if name.is_from("tfdbg_tui.data")]
    assert not [name for name in known if name.rpartition(".")[2] in STORES]
    assert not [name for name in known if not is_value(name)]
    assert "open" not in calls(tree)
    assert not starts_thread_workers(tree)


def is_value(path: str) -> bool:
    """Whether what is imported never changes: a frozen class, an enumeration, a constant."""
    module, _, name = path.rpartition(".")
    found = getattr(importlib.import_module(module), name, ModuleType(name))
    if not isinstance(found, type):
        return not isinstance(found, ModuleType)
    is_frozen = is_dataclass(found) and found.__dataclass_params__.frozen  # type: ignore[attr-defined]
    return is_frozen or issubclass(found, (tuple, Enum))


def test_stores_bear_the_names_of_classes_and_all_that_grow_are_among_them() -> None:
    classes = [
        node
        for path in FILES
        if path.parts[0] == "data"
        for node in parsed(path).body
        if isinstance(node, ast.ClassDef)
    ]
    assert {node.name for node in classes} >= STORES
    growing = {node.name for node in classes if {"extend", "refresh"} & methods(node)}
    protocols = {node.name for node in classes if "Protocol" in map(ast.unparse, node.bases)}
    private = {name for name in growing if name.startswith("_")}
    assert growing - protocols - private - STORES == {"Occurrences"}, "of the steps alone"


def methods(node: ast.ClassDef) -> set[str]:
    return {inner.name for inner in node.body if isinstance(inner, ast.FunctionDef)}


@pytest.mark.parametrize("path", in_room("screens"), ids=str)
def test_screens_only_wire(path: Path) -> None:
    tree = parsed(path)
    assert not [name for name in imports(tree) if name.is_from(*FILE_MODULES, *THREAD_MODULES)]
    assert "open" not in calls(tree)
    assert not starts_thread_workers(tree)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_only_the_recorder_imports_tensorflow(path: Path) -> None:
    if path not in TENSORFLOW_MODULES:
        assert not [name for name in imports(parsed(path)) if name.is_from("tensorflow", "keras")]


@pytest.mark.parametrize("path", FILES, ids=str)
def test_textual_is_imported_only_where_something_is_drawn(path: Path) -> None:
    if path.parts[0] in TEXTUAL_ROOMS:
        return
    tree = parsed(path)
    drawing = ("textual", "rich", "tfdbg_tui.app", "tfdbg_tui.screens", "tfdbg_tui.widgets")
    assert not [name for name in module_level_imports(tree) if name.is_from(*drawing)]
    later = [name.path for name in imports(tree) if name.is_from(*drawing)]
    assert not later or path == DOOR_TO_THE_SCREEN
    assert all(name.startswith("tfdbg_tui.app.") for name in later)


@pytest.mark.parametrize("path", [path for path in FILES if path.name != "__main__.py"], ids=str)
def test_nothing_runs_at_import(path: Path) -> None:
    assert not runs_at_import(parsed(path))


def test_the_walls_are_not_made_of_paper() -> None:
    trespasser = ast.parse(
        "def f():\n import textual.app\n from tensorflow import debugging\n"
        "from a.b import Run\nwith open('x') as x: pass\n"
        "@work(thread=True)\ndef g(): ...\n"
    )
    found = list(imports(trespasser))
    assert [name.path for name in found if name.is_from("textual")] == ["textual.app"]
    assert [name.path for name in found if name.is_from("tensorflow")] == ["tensorflow.debugging"]
    assert [name.path for name in module_level_imports(trespasser)] == ["a.b.Run"]
    assert "open" in calls(trespasser)
    assert starts_thread_workers(trespasser)
    assert runs_at_import(trespasser) == [5]
    data = "tfdbg_tui.data"
    assert all(
        is_value(f"{data}.{name}")
        for name in ("views.event_rows.TraceRow", "index.stacks.Fold", "records.health.Bad")
    )
    assert not any(
        is_value(f"{data}.{name}") for name in ("views.navigator", "views.navigator.Navigator")
    )


def run_python(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


MODULES_AFTER = """\
import sys
from tfdbg_tui.cli import main
code = main(sys.argv[1:])
heavy = {"textual", "rich", "tensorflow", "keras"}
print(code, sorted(heavy & {name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def test_check_imports_neither_textual_nor_tensorflow(library: Library) -> None:
    done = run_python(MODULES_AFTER, "check", str(library.path("full_health")))
    assert done.stderr == "1 []\n"


def test_the_demo_needs_no_tensorflow_and_without_a_terminal_no_textual() -> None:
    done = run_python(MODULES_AFTER, "demo")
    assert done.stderr == "0 []\n"


def test_doctor_imports_neither_textual_nor_tensorflow(library: Library) -> None:
    done = run_python(MODULES_AFTER, "doctor", str(library.path("full_health")))
    assert done.stderr == "0 []\n"


def test_without_a_terminal_nothing_is_imported_to_draw(tmp_path: Path) -> None:
    done = run_python(MODULES_AFTER, str(tmp_path))
    assert done.stderr.endswith("\n2 []\n")


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
