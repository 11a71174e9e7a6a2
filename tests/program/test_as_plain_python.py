"""`run` changes no script: whatever plain Python does with it, happens under `run` as well."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
import zipfile
from typing import TYPE_CHECKING

import pytest

from tests.support.plain_python import both, plain, under_run

if TYPE_CHECKING:
    from pathlib import Path

PROBE = """
'''What a script can see of its process.'''
import sys
loaded = sorted(sys.modules)
names = {name: repr(value) for name, value in globals().items()}
had_last = [name for name in vars(sys) if name.startswith('last_')]
import atexit, gc, inspect, json, os, signal, threading, warnings
print(json.dumps({
    'loaded': loaded,
    'names': names,
    'last': had_last,
    'sys.path': sys.path,
    'sys.argv': sys.argv,
    'sys.orig_argv': sys.orig_argv,
    'sys.flags': str(sys.flags),
    'options': [sys.warnoptions, sys._xoptions, sys.dont_write_bytecode],
    'filters': repr(warnings.filters),
    'hooks': [sys.excepthook is sys.__excepthook__, repr(sys.excepthook), repr(sys.displayhook)],
    'threading': [repr(threading.excepthook), threading.active_count()],
    'tracing': [sys.gettrace(), sys.getprofile(), sys.getrecursionlimit()],
    'environment': sorted(os.environ.items()),
    'folder': os.getcwd(),
    'files': os.listdir('/proc/self/fd'),
    'umask': os.umask(0),
    'frames': [frame.function for frame in inspect.stack()],
    'signals': {number: repr(signal.getsignal(number)) for number in signal.valid_signals()},
    'at exit': atexit._ncallbacks(),
    'streams': [sys.stdin.encoding, sys.stdout.encoding, sys.stdout.line_buffering],
    'main': sys.modules['__main__'].__dict__ is globals(),
    'finders': [repr(finder) for finder in sys.meta_path if 'Telling' not in repr(finder)],
}, default=str, indent=1))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the probe in all forms that Python can run."""
    sources = tmp_path / "some sources"
    package = sources / "package"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    for path in (sources / "script.py", package / "__main__.py", package / "sub.py"):
        path.write_text(PROBE)
    (tmp_path / "link.py").symlink_to(sources / "script.py")
    (tmp_path / "app").symlink_to(package)
    (sources / "-x.py").write_text(PROBE)
    (sources / "no_suffix").write_text(PROBE)
    with zipfile.ZipFile(tmp_path / "app.zip", "w") as archive:
        archive.writestr("__main__.py", PROBE)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["some sources/script.py", "--flag", "x y", ""],
        ["./some sources/../link.py"],
        ["{folder}/some sources/script.py", "-m", "--"],
        ["some sources/no_suffix"],
        ["app", "x"],
        ["some sources/package/"],
        ["app.zip", "x"],
    ],
    ids=" ".join,
)
def test_a_script_finds_the_world_as_it_is(folder: Path, words: list[str]) -> None:
    words = [word.format(folder=folder) for word in words]
    expected, found = both(*words, cwd=folder)
    assert found == expected
    assert expected.code == 0, expected.stderr
    assert len(expected.stdout) > 1000


@pytest.mark.parametrize(
    "words",
    [["-m", "script", "x"], ["-m", "package", "--flag"], ["-m", "package.sub"], ["--", "-x.py"]],
    ids=" ".join,
)
def test_so_does_a_module(folder: Path, words: list[str]) -> None:
    expected = plain(*words, cwd=folder / "some sources")
    found = under_run(*(words[1:] if words[0] == "--" else words), cwd=folder / "some sources")
    assert found == expected
    assert len(expected.stdout) > 1000


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PYTHONPATH", "/elsewhere{sep}some sources"),
        ("PYTHONPATH", ""),
        ("PYTHONPATH", "{sep}/elsewhere"),
        ("PYTHONSAFEPATH", "1"),
        ("PYTHONOPTIMIZE", "2"),
        ("PYTHONDEVMODE", "1"),
        ("PYTHONWARNINGS", "error,ignore::DeprecationWarning"),
        ("PYTHONUNBUFFERED", "1"),
        ("PYTHONUTF8", "1"),
        ("PYTHONNOUSERSITE", "1"),
        ("PYTHONIOENCODING", "latin-1"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
    ],
)
def test_variables_of_python_hold(
    folder: Path, name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value.format(sep=os.pathsep))
    expected, found = both("some sources/script.py", cwd=folder)
    assert found == expected
    assert len(expected.stdout) > 1000


@pytest.mark.parametrize(
    "words", [["-m", "absent"], ["-m", "absent.inner"], ["-m", "package.absent"], ["-m", "lacking"]]
)
def test_what_is_missing_is_told_by_python(folder: Path, words: list[str]) -> None:
    (folder / "lacking.py").write_text("import there_is_no_such_module\n")
    expected, found = both(*words, cwd=folder)
    assert found == expected
    assert expected.code == 1


def test_a_script_may_come_through_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "script.py"
    os.mkfifo(pipe)
    results = []
    for run in (plain, under_run):
        writer = threading.Thread(target=pipe.write_text, args=["print(__file__)\n"])
        writer.start()
        results.append(run("script.py", cwd=tmp_path))
        writer.join()
    assert results[0] == results[1]
    assert results[0].stdout == f"{pipe}\n"


PROGRAMS: dict[str, str | bytes] = {
    "nothing": "",
    "exit": "import sys; sys.exit()",
    "exit 3": "import sys; sys.exit(3)",
    "exit with a text": "import sys; sys.exit('a text')",
    "exit True": "raise SystemExit(True)",
    "exit with a tuple": "raise SystemExit(1, 2)",
    "exit in a thread": "import threading, sys\nt = threading.Thread(target=sys.exit, args=[3])\n"
    "t.start(); t.join()",
    "_exit": "import os; os._exit(3)",
    "killed": "import os, time; os.kill(os.getpid(), 15); time.sleep(60)",
    "uncaught": "def f():\n    1 / 0\n\nf()\n",
    "chained": "try:\n    1 / 0\nexcept Exception as error:\n    raise KeyError from error\n",
    "group": "raise BaseException('base')",
    "interrupted": "def f():\n    raise KeyboardInterrupt\ntry:\n    f()\nfinally:\n    print('x')",
    "ctrl-c": "import os, time; os.kill(os.getpid(), 2); time.sleep(60)",
    "syntax": "x = 1\ndef f(:\n",
    "indentation": "if 1:\n        x\n    y\n",
    "no utf-8": b"x = '\xff'\n",
    "nul": b"x = 1\x00\n",
    "latin-1": b"# coding: latin-1\nprint(ascii('\xe4'), 1 / 0)\n",
    "bom": b"\xef\xbb\xbfprint(__doc__, 1 / 0)\n",
    "unknown encoding": b"# coding: klingon\nx\n",
    "own hook": "import sys, traceback\n"
    "def hook(kind, error, trace):\n"
    "    print(kind, error, trace is error.__traceback__, sys.last_value is error)\n"
    "    traceback.print_exception(kind, error, trace)\n"
    "    print([frame.f_code.co_filename for frame, _ in traceback.walk_tb(sys.last_traceback)])\n"
    "    print(sys.excepthook is hook, len(traceback.extract_stack()))\n"
    "sys.excepthook = hook\ndef f():\n    1 / 0\nf()\n",
    "own hook at ctrl-c": "import sys\nsys.excepthook = lambda *_: print('own')\n"
    "raise KeyboardInterrupt",
    "hook that fails": "import sys\nsys.excepthook = lambda *_: {}['x']\n1 / 0\n",
    "no hook": "import sys\ndel sys.excepthook\n1 / 0\n",
    "hook that exits": "import sys\nsys.excepthook = lambda *_: sys.exit(5)\n1 / 0\n",
    "at exit": "import atexit, sys\natexit.register(print, 'first')\n"
    "atexit.register(lambda: print(repr(sys.last_value)))\n1 / 0\n",
    "exception at exit": "import atexit\natexit.register(lambda: 1 / 0)\n",
    "no stderr": "import sys\nsys.stderr = None\n1 / 0\n",
    "closed stdout": "import sys, os\nprint('x')\nos.close(1)\n",
    "thread that goes on": "import threading, time\n"
    "def late():\n    threading.main_thread().join()\n    print('late')\n"
    "threading.Thread(target=late).start()\n1 / 0\n",
    "thread that fails": "import threading\nt = threading.Thread(target=lambda: 1 / 0, name='t')\n"
    "t.start(); t.join()\n",
    "spawn and fork": "import multiprocessing as mp\nprint(__name__)\n"
    "def twice(x): return 2 * x\n"
    "if __name__ == '__main__':\n"
    "    for method in ('spawn', 'fork'):\n"
    "        with mp.get_context(method).Pool(1) as pool:\n"
    "            print(method, pool.map(twice, [1, 2]), flush=True)\n",
    "forked": "import os\npid = os.fork()\nif pid == 0:\n    1 / 0\n"
    "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n",
    "pickle": "import pickle\nclass A: pass\nprint(pickle.loads(pickle.dumps(A)))\n",
    "dataclass": "from dataclasses import dataclass, fields\n"
    "@dataclass\nclass A:\n    x: int\n    y: 'int' = 0\n"
    "print([field.type for field in fields(A)], A.__annotations__)\n",
    "source": "import inspect\ndef f(): return 1\nprint(inspect.getsource(f), inspect.getfile(f))",
    "warnings": "import warnings\nwarnings.warn('here')\nwarnings.warn('below', stacklevel=2)\n"
    "warnings.warn('old', DeprecationWarning)\n"
    "warnings.warn('old', DeprecationWarning, stacklevel=2)\n",
    "stack": "import traceback, faulthandler, sys\ntraceback.print_stack()\n"
    "faulthandler.dump_traceback()\nprint(sys._getframe().f_back)\n",
    "depth": "import sys\nsys.setrecursionlimit(200)\ndepth = 0\n"
    "def f():\n    global depth; depth += 1; f()\n"
    "try: f()\nexcept RecursionError: print(depth)\n",
    "reading": "print(input(), __import__('sys').stdin.read())\n",
    "again": "import os, sys\n"
    "if len(sys.argv) < 2: os.execv(sys.executable, [*sys.orig_argv, 'x'])\n"
    "print(sys.argv, os.environ.get('PYTHONPATH'))\n",
    "children": "import subprocess, sys\n"
    "print(subprocess.run([sys.executable, '-c', 'import sys; print(sys.path, sys.meta_path)'],"
    " capture_output=True).stdout)\n",
}


AS_MODULES = ("uncaught", "interrupted", "syntax", "own hook", "spawn and fork", "source", "stack")
"""Programs that a start by `-m` makes a difference to."""


@pytest.mark.parametrize(
    ("name", "start"),
    [
        *((name, ["script.py"]) for name in PROGRAMS),
        *((name, ["-m", "script"]) for name in AS_MODULES),
    ],
)
def test_a_script_ends_as_it_does_without_us(tmp_path: Path, name: str, start: list[str]) -> None:
    program = PROGRAMS[name]
    text = program if isinstance(program, bytes) else program.encode()
    (tmp_path / "script.py").write_bytes(text)
    expected, found = both(*start, cwd=tmp_path, stdin=None, input=b"one\ntwo\n")
    assert found == expected


# Modules of the script's own.

HIDING = (
    "json",
    "signal",
    "types",
    "enum",
    "struct",
    "ctypes",
    "re",
    "fcntl",
    "__future__",
    "typing",
)
"""Names that Python and we import ourselves."""


def test_modules_beside_the_script_are_its_own(tmp_path: Path) -> None:
    for name in HIDING:
        (tmp_path / f"{name}.py").write_text(f"name = 'my {name}'\n")
    program = "".join(f"import {name}; print({name}.name)\n" for name in HIDING)
    (tmp_path / "script.py").write_text(f"{program}raise KeyboardInterrupt\n")
    expected, found = both("script.py", cwd=tmp_path)
    assert found == expected
    assert "my signal" in expected.stdout
    brief = under_run("script.py", cwd=tmp_path, brief_interrupt=True)
    assert brief.stdout == expected.stdout
    line = len(HIDING) + 1
    assert brief.stderr == f"interrupted at {tmp_path / 'script.py'}:{line}\n"
    # Python itself gets nowhere with these modules.
    expected, found = both("-m", "script", cwd=tmp_path)
    assert found == expected


def test_so_are_those_of_pythonpath(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    for name in ("json", "signal", "struct", "ctypes"):
        (tmp_path / "mine" / f"{name}.py").write_text(f"print('my {name}')\n")
    (tmp_path / "script.py").write_text("import json, signal\nraise KeyboardInterrupt\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "mine"))
    found = under_run("script.py", cwd=tmp_path, brief_interrupt=True)
    assert found.stdout == plain("script.py", cwd=tmp_path).stdout == "my json\nmy signal\n"
    assert found.stderr == f"interrupted at {tmp_path / 'script.py'}:2\n"


@pytest.mark.parametrize("program", ["print('mine')", "1 / 0", None], ids=str)
def test_a_sitecustomize_of_the_users_own_is_imported(
    tmp_path: Path, program: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").mkdir()
    if program is not None:
        (tmp_path / "mine" / "sitecustomize.py").write_text(program)
    (tmp_path / "script.py").write_text("import sys\nprint(sys.modules.get('sitecustomize'))\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "mine"))
    expected, found = both("script.py", cwd=tmp_path)
    assert found == expected


@pytest.mark.parametrize(
    "program",
    ["raise ValueError('no')", "raise ImportError('no')", "import nothing_like_that", "("],
)
def test_an_import_of_tensorflow_fails_as_ever(tmp_path: Path, program: str) -> None:
    (tmp_path / "tensorflow.py").write_text(program)
    (tmp_path / "script.py").write_text(
        "import traceback\ntry:\n    import tensorflow\nexcept Exception:\n"
        "    traceback.print_exc()\nfrom tensorflow import x\n"
    )
    expected, found = both("script.py", cwd=tmp_path)
    assert found == expected


def test_what_is_no_tensorflow_is_imported_and_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "tensorflow.py").write_text("x = 'my own'")
    (tmp_path / "script.py").write_text(
        "import importlib.util\nprint(importlib.util.find_spec('tensorflow').origin)\n"
        "import tensorflow as tf\nprint(tf.x, tf.__spec__, tf.__loader__)\n1 / 0\n"
    )
    expected, found = both("script.py", cwd=tmp_path)
    said, _, rest = found.stderr.partition("\n")
    assert (found.code, found.stdout, rest) == expected
    assert said == (
        f"tfdbg-tui: `import tensorflow` found {tmp_path / 'tensorflow.py'}, which is not "
        "TensorFlow: nothing is recorded."
    )
    assert not (tmp_path / "logdir").exists()


def test_a_script_without_tensorflow_never_gets_it(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import sys, json\nprint('tensorflow' in sys.modules)\n")
    assert under_run("script.py", cwd=tmp_path).stdout == "False\n"
    assert not (tmp_path / "logdir").exists()


def test_an_interrupted_script_says_where_in_one_line(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import json\n\ndef step():\n    raise KeyboardInterrupt\n\nstep()\n")
    for start in (["script.py"], ["-m", "script"]):
        found = under_run(*start, cwd=tmp_path, brief_interrupt=True)
        assert found.stderr == f"interrupted at {script}:4\n"
        assert found.code == plain(*start, cwd=tmp_path).code


def test_an_interrupted_script_with_a_hook_says_what_the_hook_says(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(PROGRAMS["own hook at ctrl-c"])  # type: ignore[arg-type]
    expected = plain("script.py", cwd=tmp_path)
    assert under_run("script.py", cwd=tmp_path, brief_interrupt=True) == expected


def test_options_of_python_reach_the_script(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import sys\nprint(sys.flags, sys.warnoptions, sys._xoptions)"
    )
    options = ["-O", "-W", "error", "-Xutf8=0", "-bu"]
    ours = ["-m", "tfdbg_tui", "run", "--headless"]
    command = [sys.executable, "-s", *options, *ours, "script.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == plain(*options, "script.py", cwd=tmp_path).stdout


def test_signals_that_are_ignored_stay_ignored(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import signal\nprint(signal.getsignal(signal.SIGINT))\n")
    command = [sys.executable, "-m", "tfdbg_tui", "run", "--headless", "script.py"]
    shell = f"trap '' INT; exec {shlex.join(command)}"
    done = subprocess.run(
        ["sh", "-c", shell], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == f"{signal.SIG_IGN}\n", done.stderr
