"""Sources as Python reads them: in any encoding, in zip files and notebooks, or none at all."""

from __future__ import annotations

import importlib
import linecache
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

from tfdbg_tui.record.source_text import source_lines

if TYPE_CHECKING:
    from pathlib import Path

LATIN = "# coding: latin-1\nx = 'ä'\n"


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (LATIN.encode("latin-1"), LATIN.split("\n")),
        ("\ufeffx = 'ä'\r\ny".encode(), ["x = 'ä'", "y"]),
        (b"", [""]),
        (b"x = '\xff'", []),
        (b"# coding: klingon\nx", []),
    ],
)
def test_a_file_is_decoded_as_python_does(tmp_path: Path, written: bytes, lines: list[str]) -> None:
    path = tmp_path / "program.py"
    path.write_bytes(written)
    assert source_lines(str(path)) == lines


def test_a_module_in_a_zip_file_has_a_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "modules.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("zipped_module.py", LATIN.encode("latin-1"))
    monkeypatch.syspath_prepend(archive)
    module = importlib.import_module("zipped_module")
    try:
        assert source_lines(str(module.__file__)) == LATIN.split("\n")
    finally:
        del sys.modules["zipped_module"]


def test_a_cell_of_a_notebook_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = "/tmp/ipykernel_42/123.py"
    lines = ["x = 1\n", "y = 2\n"]
    monkeypatch.setitem(linecache.cache, cell, (12, None, lines, cell))
    assert source_lines(cell) == ["x = 1", "y = 2"]


@pytest.mark.parametrize("path", ["/there/<frozen runpy>", "/nowhere.py", "/", "/\0", ""])
def test_what_has_none_has_none(path: str) -> None:
    assert source_lines(path) == []
