"""Scripts run as Python would run them, without TensorFlow where they have none."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tfdbg_tui.program import recorded_main

if TYPE_CHECKING:
    from pathlib import Path

PYTHON = [sys.executable]
UNDER_RECORDER = [sys.executable, recorded_main.__file__]

WHO_AM_I = """
import os, sys
print(__name__, __file__ == os.path.abspath(sys.argv[0]), sys.argv[1:], sys.path[0], __spec__)
print(sys.modules["__main__"].__dict__ is globals(), __builtins__ is not None, "x" in globals())
"""


def run(start: list[str], *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    if start is UNDER_RECORDER:
        start = [*start, json.dumps({"logdir": str(cwd / "logdir")})]
    command = [*start, *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60, check=False)


def both(*words: str, cwd: Path) -> list[subprocess.CompletedProcess[str]]:
    return [run(start, *words, cwd=cwd) for start in (PYTHON, UNDER_RECORDER)]


def test_a_script_finds_the_world_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "script.py").write_text(WHO_AM_I)
    (folder / "beside.py").write_text("print('imported')")
    (folder / "script.py").write_text(WHO_AM_I + "import beside\n")
    plain, recorded = both(str(folder / "script.py"), "--flag", "x y", cwd=tmp_path)
    assert plain.stdout == recorded.stdout
    assert recorded.stderr == ""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="older Pythons have no safe path")
def test_a_safe_path_stays_safe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    (tmp_path / "script.py").write_text("import sys\nprint(sys.path)\n")
    plain, recorded = both("script.py", cwd=tmp_path)
    assert plain.stdout == recorded.stdout


def test_a_module_too(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "other.py").write_text("name = 'other'")
    who = "import sys\nfrom . import other\nprint(__name__, __package__, __spec__.name, sys.argv)\n"
    (package / "train.py").write_text(who)
    (package / "__main__.py").write_text(who)
    for name in ("package.train", "package"):
        plain, recorded = both("-m", name, "--flag", cwd=tmp_path)
        assert plain.stdout == recorded.stdout != ""


@pytest.mark.parametrize(
    "program",
    [
        "import sys; sys.exit(7)",
        "raise SystemExit('a message')",
        "import os; os._exit(3)",
        "pass",
        "import sys; sys.exit()",
    ],
)
def test_exit_codes_are_the_scripts_own(tmp_path: Path, program: str) -> None:
    (tmp_path / "script.py").write_text(program)
    plain, recorded = both("script.py", cwd=tmp_path)
    assert (plain.returncode, plain.stderr) == (recorded.returncode, recorded.stderr)


def test_a_traceback_begins_with_the_script(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("def f():\n    1 / 0\n\nf()\n")
    plain, recorded = both(str(tmp_path / "script.py"), cwd=tmp_path)
    assert recorded.returncode == 1
    assert plain.stderr == recorded.stderr


def test_a_script_with_a_fault_of_syntax_says_where(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("x = 1\ndef f(:\n")
    recorded = run(UNDER_RECORDER, "script.py", cwd=tmp_path)
    assert recorded.returncode == 1
    assert "line 2" in recorded.stderr
    assert "recorded_main" not in recorded.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["absent.py"], "cannot run absent.py: no such file or directory."),
        (["-m", "absent"], "there is no module absent to run."),
        (["-m", "absent.inner"], "there is no module absent.inner to run."),
    ],
)
def test_what_is_not_there_gets_a_sentence(tmp_path: Path, words: list[str], sentence: str) -> None:
    done = run(UNDER_RECORDER, *words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"tfdbg-tui: {sentence}\n")


def test_an_interrupted_script_says_where_in_one_line(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import json\n\ndef step():\n    raise KeyboardInterrupt\n\nstep()\n")
    done = run(UNDER_RECORDER, "script.py", cwd=tmp_path)
    assert done.stderr == f"interrupted at {script}:4\n"
    assert done.returncode != 0


def test_multiprocessing_finds_the_scripts_functions(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import multiprocessing as mp\n"
        "def twice(x): return 2 * x\n"
        "if __name__ == '__main__':\n"
        "    for method in ('spawn', 'fork'):\n"
        "        with mp.get_context(method).Pool(1) as pool:\n"
        "            print(method, pool.map(twice, [1, 2]))\n"
    )
    done = run(UNDER_RECORDER, "script.py", cwd=tmp_path)
    assert done.stdout == "spawn [2, 4]\nfork [2, 4]\n", done.stderr


def test_a_script_without_tensorflow_never_gets_it(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import sys, json\nprint('tensorflow' in sys.modules)\n")
    done = run(UNDER_RECORDER, "script.py", cwd=tmp_path)
    assert done.stdout == "False\n"
    assert not (tmp_path / "logdir").exists()


def test_an_import_is_told_once_and_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.delitem(sys.modules, "this_is_no_module", raising=False)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    recorded_main.after_import("colorsys", lambda: told.append("colorsys"))
    import colorsys

    assert told == ["colorsys"]
    assert colorsys.__spec__ is not None
    assert "Acting" not in type(colorsys.__spec__.loader).__name__
    assert not [finder for finder in sys.meta_path if "ImportHook" in type(finder).__name__]


def test_an_import_that_fails_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    recorded_main.after_import("there_is_no_such_module", lambda: told.append("there"))
    with pytest.raises(ModuleNotFoundError):
        import there_is_no_such_module  # type: ignore[import-not-found]  # noqa: F401
    assert not told
