"""Which source files are the user's own."""

from __future__ import annotations

import re
from functools import lru_cache

LIBRARY_PATTERNS = (
    r"/(site|dist)-packages/",  # whatever was installed
    r"/lib(32|64)?/python\d[\d.]*/",  # the standard library, on POSIX systems
    # The standard library on Windows: the installer's, conda's and pyenv's.
    r"^/[a-z]:/(.*/)?(python\d[\d.]*|[^/]*conda\d*|envs/[^/]+|versions/[\d.]+)/lib/",
    r"/tensorflow(_core)?/python/",  # TensorFlow built from source
    r"/(tf_)?keras/src/",  # Keras built from source
    r"/__autograph_generated_file",  # AutoGraph's temporary copies of functions
    # What runs and records the user's script, under its old names too: recordings outlive them.
    r"/tfdbg_tui/(program/(recorded_main|at_start/\w+)|under_recorder|record)\.py$",
    r"/tfdbg_tui/record/\w+\.py$",
    r"/<frozen [^/]*$",  # modules compiled into the interpreter
    r"/<__array_function__ internals>$",
)
_LIBRARY = "|".join(LIBRARY_PATTERNS)


@lru_cache(maxsize=4096)
def is_user_file(path: str) -> bool:
    """Whether a recorded path is outside TensorFlow, Keras, site-packages and Python itself."""
    return not re.search(_LIBRARY, "/" + path.replace("\\", "/"), re.IGNORECASE)
