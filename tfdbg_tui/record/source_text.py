"""The source code of a file as Python reads it, where TensorFlow's recorder cannot.

Knows nothing of TensorFlow.
"""

from __future__ import annotations

import contextlib
import linecache
import sys
import tokenize
from importlib.util import decode_source
from pathlib import Path
from typing import Any


def source_lines(path: str) -> list[str]:
    """The lines of a file in an encoding of its own, in a zip file or in a notebook.

    None for what has no source, such as the modules that are part of the interpreter.
    """
    with contextlib.suppress(OSError, SyntaxError, ValueError):
        if Path(path).is_file():
            with tokenize.open(path) as file:
                return file.read().split("\n")
    return _kept_lines(path) or _lines_by_loader(path)


def _kept_lines(path: str) -> list[str]:
    """Lines that whoever made the code has left for tracebacks, as notebooks do."""
    with contextlib.suppress(ValueError):  # what was compiled may bear any name
        return [line.rstrip("\n") for line in linecache.getlines(path)]
    return []


def _lines_by_loader(path: str) -> list[str]:
    """Lines that the loader of a module can get, as that of zip files does."""
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == path:
            loader: Any = getattr(module, "__loader__", None)
            with contextlib.suppress(Exception):  # loaders are anybody's
                return decode_source(loader.get_data(path)).split("\n")
    return []
