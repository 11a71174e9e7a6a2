"""Paths as text, in the form that pathlib gives them.

pathlib takes as long to import as twenty of our modules, and most commands need nothing else of it.
"""

from __future__ import annotations

import os

HERE = "."


def plain(path: str | os.PathLike[str]) -> str:
    """A path without what changes nothing in it; `..` stays, as links may lead elsewhere."""
    text = os.fspath(path)
    # Two slashes at the beginning mean what a system likes, three mean one.
    slashes = len(text) - len(text.lstrip("/"))
    root = "/" * (slashes if slashes <= 2 else 1)
    parts = [part for part in text.split("/") if part not in ("", HERE)]
    return root + "/".join(parts) or HERE


def inside(folder: str, name: str) -> str:
    """The path of what is in a folder."""
    return name if folder == HERE else os.path.join(folder, name)  # noqa: PTH118 - see above


def name_of(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]


def folder_of(path: str) -> str:
    """The folder that a file is in."""
    return os.path.dirname(path) or HERE  # noqa: PTH120 - see above


def below(path: str, folder: str) -> str:
    """A path as seen from a folder: empty if it is that, whole where it does not lie below."""
    if path == folder:
        return ""
    if folder == HERE:
        return path
    return path.removeprefix(inside(folder, ""))
