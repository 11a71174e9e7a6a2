"""What comes before the script: it hears of imports, and keeps the script's modules from ours."""

from __future__ import annotations

import importlib.util
import os
import sys
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING

import pytest

from tests.support.plain_python import plain
from tfdbg_tui.program.at_start.sitecustomize import OwnWorld, TellingFinder, after_import
from tfdbg_tui.program.python_start import AT_START

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType


@pytest.fixture(autouse=True)
def _imports_as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    before = dict(sys.modules)
    yield
    for name in set(sys.modules) - set(before):
        del sys.modules[name]
    sys.modules.update(before)


@pytest.fixture
def told() -> list[ModuleType]:
    """What is told of imports of `colorsys`."""
    told: list[ModuleType] = []
    after_import("colorsys", told.append)
    return told


def is_listening() -> bool:
    return any(isinstance(finder, TellingFinder) for finder in sys.meta_path)


def test_an_import_is_told_once_and_leaves_no_trace(told: list[ModuleType]) -> None:
    import colorsys

    assert told == [colorsys]
    assert colorsys.__spec__ is not None
    assert colorsys.__spec__.loader is colorsys.__loader__
    assert "Telling" not in type(colorsys.__loader__).__name__
    assert not is_listening()
    importlib.reload(colorsys)
    assert told == [colorsys]


def test_whoever_only_asks_for_a_module_does_not_keep_its_import_from_being_told(
    told: list[ModuleType],
) -> None:
    spec = importlib.util.find_spec("colorsys")
    assert spec is not None
    assert spec.loader is not None
    assert "def rgb_to_hls" in spec.loader.get_source("colorsys")  # type: ignore[attr-defined]
    assert told == []
    import colorsys

    assert told == [colorsys]


def test_an_import_that_fails_is_not_told_and_the_next_one_is(
    told: list[ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as within:
        within.syspath_prepend(tmp_path)
        (tmp_path / "colorsys.py").write_text("1 / 0")
        with pytest.raises(ZeroDivisionError):
            import colorsys
    assert told == []
    import colorsys

    assert told == [colorsys]


def test_a_module_that_is_not_there_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[ModuleType] = []
    after_import("there_is_no_such_module", told.append)
    with pytest.raises(ModuleNotFoundError):
        import there_is_no_such_module  # type: ignore[import-not-found]  # noqa: F401
    assert not told
    assert is_listening()


def test_a_forked_process_hears_nothing(told: list[ModuleType]) -> None:
    process = os.fork()
    if process == 0:
        os._exit(is_listening())
    assert os.waitpid(process, 0)[1] == 0
    assert is_listening()


def test_finders_of_others_hold(told: list[ModuleType]) -> None:
    class Finder:
        def find_spec(self, name: str, *_: object) -> object:
            return ModuleSpec(name, self) if name == "colorsys" else None  # type: ignore[arg-type]

        def create_module(self, spec: object) -> None:
            return None

        def exec_module(self, module: ModuleType) -> None:
            module.__dict__["made_by"] = self

    sys.meta_path.insert(1, object())  # type: ignore[arg-type]
    sys.meta_path.insert(2, finder := Finder())  # type: ignore[arg-type]
    import colorsys

    assert vars(colorsys)["made_by"] is finder
    assert told == [colorsys]


# Importing what is ours.


def test_what_we_import_is_pythons_and_what_the_script_has_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("colorsys", "tfdbg_tui", "chunk_of_mine"):
        (tmp_path / f"{name}.py").write_text("mine = True")
    world = OwnWorld([])
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "stringprep", raising=False)
    for name in [name for name in sys.modules if name.partition(".")[0] == "tfdbg_tui"]:
        monkeypatch.delitem(sys.modules, name)
    theirs = [importlib.import_module(name) for name in ("colorsys", "tfdbg_tui", "chunk_of_mine")]
    path = list(sys.path)
    with world:
        ours = importlib.import_module("colorsys")
        assert importlib.import_module("chunk_of_mine") is theirs[2]
        importlib.import_module("stringprep")
    assert hasattr(ours, "rgb_to_hls")
    main = world.recorded_main()
    assert main.__file__.endswith("tfdbg_tui/program/recorded_main.py")
    assert sys.path == path
    assert [sys.modules[module.__name__] for module in theirs] == theirs
    assert "stringprep" not in sys.modules


def test_a_script_that_imports_our_recorder_shares_it(tmp_path: Path) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "tfdbg_tui"]:
        del sys.modules[name]
    main = OwnWorld([]).recorded_main()
    from tfdbg_tui import record

    assert main.record is record


def test_nothing_but_our_start_lies_in_its_folder() -> None:
    names = {path.name for path in AT_START.iterdir()} - {"__pycache__"}
    assert names == {"__init__.py", "sitecustomize.py"}


def test_it_imports_nothing_that_python_has_not(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\nknown = set(sys.modules)\n"
        f"source = open({str(AT_START / 'sitecustomize.py')!r})\n"
        "names = {'__name__': 'another', '__file__': source.name}\n"
        "exec(source.read(), names)\nprint(sorted(set(sys.modules) - known))\n"
    )
    assert plain(str(program), cwd=tmp_path).stdout == "[]\n"
