"""The walls of the design: who may import what, and that nothing runs at import.

Who may import whom is told by the contracts in `pyproject.toml`; here is what they cannot tell.
"""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import tfdbg_tui
from tfdbg_tui.frozen.frozen import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.recordings.record import Library

PACKAGE = Path(tfdbg_tui.__file__).parent
FILES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
DATA_MODULES = [
    "tfdbg_tui." + ".".join(path.with_suffix("").parts) for path in FILES if path.parts[0] == "data"
]

DRAWING = (
    "app.py",
    "key_order.py",
    "keymap.py",
    "screens",
    "textual_internals.py",
    "theme.py",
    "widgets",
)
"""Rooms that are imported only when something is about to be drawn."""

FILE_MODULES = {"os", "pathlib", "io", "tempfile", "shutil", "glob", "mmap"}
THREAD_MODULES = {"threading", "_thread", "multiprocessing", "concurrent", "subprocess"}


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
    guards = ("TYPE_CHECKING", "sys.version_info", "sys.platform", "__name__ == ")
    return isinstance(node, ast.If) and ast.unparse(node.test).startswith(guards)


def parsed(path: Path) -> ast.Module:
    return ast.parse((PACKAGE / path).read_text(encoding="utf-8"))


def in_room(*rooms: str) -> list[Path]:
    return [path for path in FILES if path.parts[0] in rooms]


def test_there_is_something_behind_the_walls() -> None:
    assert in_room("data")
    assert all(map(in_room, DRAWING))


def test_imports_keep_the_contracts_of_pyproject() -> None:
    # In a process of its own: it keeps the stream that it first wrote to, which pytest closes.
    settings = str(PACKAGE.parent / "pyproject.toml")
    done = run_python(
        "import sys\nfrom importlinter.cli import lint_imports\n"
        "sys.exit(lint_imports(sys.argv[1], cache_dir=None))",
        settings,
    )
    assert done.returncode == 0, done.stdout


def test_the_app_is_imported_only_when_it_is_about_to_be_shown() -> None:
    drawing = [f"tfdbg_tui.{Path(name).stem}" for name in DRAWING]
    trespassers = [
        (str(path), found)
        for path in FILES
        if path not in in_room(*DRAWING)
        for found in module_level_imports(parsed(path))
        if found.is_from("textual", "rich", *drawing)
    ]
    assert not trespassers


def test_widgets_know_values_of_the_data_only() -> None:
    trespassers = [
        (str(path), found)
        for path in in_room("widgets")
        for found in imports(parsed(path))
        if found.is_from("tfdbg_tui.data") and not is_value(found.path)
    ]
    assert not trespassers


def is_value(path: str) -> bool:
    """Whether what is imported never changes: a frozen class, an enumeration, a constant."""
    module, _, name = path.rpartition(".")
    found = getattr(importlib.import_module(module), name, ModuleType(name))
    if not isinstance(found, type):
        return not isinstance(found, ModuleType)
    is_frozen = is_dataclass(found) and found.__dataclass_params__.frozen  # type: ignore[attr-defined]
    return is_frozen or issubclass(found, (tuple, Enum, Value))


def test_screens_only_wire_and_widgets_only_draw() -> None:
    trespassers: list[tuple[str, Import | str]] = []
    for path in in_room("screens", "widgets"):
        tree = parsed(path)
        trespassers += [
            (str(path), found)
            for found in imports(tree)
            if found.is_from(*FILE_MODULES, *THREAD_MODULES)
        ]
        if "open" in calls(tree):
            trespassers.append((str(path), "opens a file"))
        if starts_thread_workers(tree):
            trespassers.append((str(path), "starts a thread"))
    assert not trespassers


def test_nothing_runs_at_import() -> None:
    trespassers = {
        str(path): lines
        for path in FILES
        if path.name != "__main__.py" and (lines := runs_at_import(parsed(path)))
    }
    assert not trespassers


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
    # Without -B, Python itself writes files at a first import: the compiled modules.
    command = [sys.executable, "-B", "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


MODULES_AFTER = """\
import sys
from tfdbg_tui.cli import main
code = main(sys.argv[1:])
heavy = {"textual", "rich", "tensorflow", "keras", "re2"}
print(code, sorted(heavy & {name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def test_check_imports_neither_textual_nor_tensorflow(library: Library) -> None:
    done = run_python(MODULES_AFTER, "check", str(library.path("full_health")))
    assert done.stderr == "1 []\n"


LOADED_AFTER = """\
import sys
from tfdbg_tui.cli import main
main(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
"""

SELDOM_NEEDED = {
    "copy",
    "dataclasses",  # see tfdbg_tui/frozen
    "difflib",
    "google.protobuf.descriptor_pool",  # see protobuf_internals
    "google.protobuf.internal.python_message",
    "google.protobuf.message_factory",
    "heapq",
    "json",
    "logging",
    "pathlib",  # see data/files/paths
    "queue",
    "shutil",
    "tfdbg_tui.data.cause.absorbed",
    "tfdbg_tui.data.cause.mutes",
    "tfdbg_tui.data.cause.muting",
    "tfdbg_tui.data.early.argument_changes",
    "tfdbg_tui.data.early.unmuted",
    "tfdbg_tui.data.files.damage",
    "tfdbg_tui.data.index.failing_op",
    "tfdbg_tui.data.index.session_graphs",
    "tfdbg_tui.data.index.session_runs",
    "tfdbg_tui.data.live",
    "tfdbg_tui.data.search.query",
    "tfdbg_tui.data.stores.tf_errors",
    "tfdbg_tui.data.views",
    "tfdbg_tui.doctor",
    "tfdbg_tui.kept",
    "tfdbg_tui.program",
}
"""What a small recording of TF2 is judged without, however bad it is."""

NEEDED_BY_OTHERS = {
    "argparse",  # see commands/reading_options
    "tfdbg_tui.commands.arguments",
    "tfdbg_tui.data.index.line_groups",
    "tfdbg_tui.data.index.line_index",
    "tfdbg_tui.data.index.session_run_numbers",
}
"""What other commands need and `check` does not."""

NEEDED_FOR_CAUSES = {
    "tfdbg_tui.data.cause.causes",
    "tfdbg_tui.data.cause.cures",
    "tfdbg_tui.data.cause.run_causes",
    "tfdbg_tui.data.cause.sentences",
    "tfdbg_tui.data.early.bad_numbers",
    "tfdbg_tui.data.early.replicas",
    "tfdbg_tui.data.flow.takers",
}
"""What one is judged without in which nothing is bad."""


def loaded_by(*arguments: str) -> set[str]:
    """The modules that are there when a command is done."""
    return set(run_python(LOADED_AFTER, *arguments).stderr.split())


def test_check_loads_what_a_small_recording_needs_and_no_more(library: Library) -> None:
    bad = loaded_by("check", str(library.path("full_health")))
    clean = loaded_by("check", str(library.path("healthy")))
    unneeded = SELDOM_NEEDED | NEEDED_BY_OTHERS
    assert not bad & unneeded
    assert not clean & (unneeded | NEEDED_FOR_CAUSES)
    assert bad >= NEEDED_FOR_CAUSES
    ours = {name for name in unneeded if name.startswith("tfdbg_tui.")}
    assert all(importlib.util.find_spec(name) for name in ours), "it is called otherwise now"


def test_check_loads_no_more_of_numpy_than_numpy_does(library: Library) -> None:
    program = "import sys, numpy\nprint(*sys.modules)"
    numpys = {name for name in run_python(program).stdout.split() if name.startswith("numpy")}
    for recording in ("full_health", "healthy", "keras_fit", "tf1_session"):
        loaded = loaded_by("check", str(library.path(recording)))
        assert {name for name in loaded if name.startswith("numpy")} <= numpys


def test_classes_of_frozen_values_are_made_by_ours() -> None:
    # The recorder and what runs in the user's process bring nothing else of us along.
    guests = in_room("program", "record", "frozen")
    makers = [
        (str(path), found)
        for path in FILES
        if path not in guests
        for found in imports(parsed(path))
        if found.is_from("typing.NamedTuple", "collections.namedtuple")
    ]
    assert not makers


def test_the_demo_needs_no_tensorflow_and_without_a_terminal_no_textual() -> None:
    done = run_python(MODULES_AFTER, "demo")
    assert done.stderr == "0 []\n"


def test_doctor_imports_neither_textual_nor_tensorflow(library: Library) -> None:
    done = run_python(MODULES_AFTER, "doctor", str(library.path("full_health")))
    assert done.stderr == "0 []\n"


def test_query_loads_no_more_than_it_is_asked_for(library: Library) -> None:
    path = str(library.path("full_health"))
    done = run_python(MODULES_AFTER, "query", path, "ri", "lt nan", "ni Log", "why", "doctor")
    assert done.stderr == "0 []\n"
    unasked = SELDOM_NEEDED - {"difflib"} | {"csv", "tfdbg_tui.data.cause", "tfdbg_tui.data.values"}
    assert not loaded_by("query", path, "ri") & unasked


def test_without_a_terminal_nothing_is_imported_to_draw(tmp_path: Path) -> None:
    done = run_python(MODULES_AFTER, str(tmp_path))
    assert done.stderr.endswith("\n2 []\n")


THREADS_OF_A_COMMAND = """\
import os, sys
os.environ.pop("OPENBLAS_NUM_THREADS", None)
os.environ.update(word.split("=") for word in sys.argv[1:])
from tfdbg_tui.cli import command
command("check")
print(len(os.listdir("/proc/self/task")), os.environ.get("OPENBLAS_NUM_THREADS"))
"""


def test_a_command_has_no_threads_for_matrices_and_its_children_may_have_some() -> None:
    assert run_python(THREADS_OF_A_COMMAND).stdout == "1 None\n"
    wanted = run_python(THREADS_OF_A_COMMAND, "OPENBLAS_NUM_THREADS=2").stdout.split()
    assert wanted[1] == "2"


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
