"""Paths as text are written as pathlib writes them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tfdbg_tui.data.files.paths import below, folder_of, inside, name_of, plain

PARTS = ("", "/", "//", ".", "./", "..", "a", "a/", " b", "é", "c.d")
WRITTEN = sorted({"".join(parts) for parts in product(PARTS, repeat=4)} | {"///x", "/./", "//."})


def test_a_path_is_written_as_pathlib_writes_it() -> None:
    assert [plain(path) for path in WRITTEN] == [str(Path(path)) for path in WRITTEN]
    assert plain(Path("a/b")) == "a/b"


def test_a_path_is_put_together_and_taken_apart_as_by_pathlib() -> None:
    for folder in map(plain, WRITTEN):
        path = inside(folder, "name")
        assert path == str(Path(folder) / "name")
        assert (folder_of(path), name_of(path)) == (folder, "name")


@pytest.mark.parametrize("folder", ["/", ".", "a", "/a/b", "../a"])
def test_what_is_below_a_folder_is_told_from_there(folder: str) -> None:
    assert below(folder, folder) == ""
    assert below(inside(inside(folder, "c"), "d"), folder) == "c/d"
    assert below(f"{folder}x/c", inside(folder, "c")) == f"{folder}x/c"
