"""Which source files are the user's own."""

from __future__ import annotations

import re
from functools import lru_cache

LIBRARY_MARKS = (
    *("/site-packages/", "/dist-packages/"),  # whatever was installed
    "/__autograph_generated_file",  # AutoGraph's temporary copies of functions
)
"""What stands in the path of a file that is none of the user's."""

LIBRARY_PATTERNS = {
    # The standard library, on POSIX systems.
    "/python": r"/lib(32|64)?/python\d[\d.]*/",
    # The same on Windows: the installer's, conda's and pyenv's.
    ":/": r"^/[a-z]:/(.*/)?(python\d[\d.]*|[^/]*conda\d*|envs/[^/]+|versions/[\d.]+)/lib/",
    "/tensorflow": r"/tensorflow(_core)?/python/",  # TensorFlow built from source
    "keras/src/": r"/(tf_)?keras/src/",  # Keras built from source
    # What runs and records the user's script, under its old names too: recordings outlive them.
    "/tfdbg_tui/": (
        r"/tfdbg_tui/((program/(recorded_main|at_start/\w+)|under_recorder|record)\.py$"
        r"|record/\w+\.py$)"
    ),
    # Modules compiled into the interpreter, and what NumPy makes.
    "/<": r"/<(frozen [^/]*|__array_function__ internals>)$",
}
"""How such paths look, by what stands in each: few have to be compiled for a recording."""


@lru_cache(maxsize=4096)
def is_user_file(path: str) -> bool:
    """Whether a recorded path is outside TensorFlow, Keras, site-packages and Python itself."""
    text = "/" + path.replace("\\", "/").lower()
    if any(mark in text for mark in LIBRARY_MARKS):
        return False
    likely = (pattern for mark, pattern in LIBRARY_PATTERNS.items() if mark in text)
    return not any(re.search(pattern, text) for pattern in likely)
