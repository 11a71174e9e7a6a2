"""Which threads besides the recorded one use TensorFlow: the recorder belongs to one thread.

What they compute is not recorded, and TensorFlow has no way to be told of it. So they are looked
at now and then: a thread whose innermost frame is in TensorFlow is about to compute something.
"""

from __future__ import annotations

import sys
import threading

COMPUTES = ("/tensorflow/python/eager/", "/tensorflow/python/ops/", "/tensorflow/python/client/")
"""Folders of TensorFlow whose code runs ops."""

CALLS_BACK = "/script_ops.py"
"""TensorFlow's file from which it calls functions of the user's, in threads of its own."""


class OtherThreads:
    """The threads that were seen in TensorFlow, besides the one that this is made in."""

    def __init__(self) -> None:
        self._recorded = threading.get_ident()
        self._seen: set[int] = set()

    def look(self) -> int:
        """Look at all threads; how many have been seen so far."""
        us = (self._recorded, threading.get_ident())
        for thread, frame in sys._current_frames().items():
            file = frame.f_code.co_filename.replace("\\", "/")
            computes = any(folder in file for folder in COMPUTES) and CALLS_BACK not in file
            if computes and thread not in us:
                self._seen.add(thread)
        return len(self._seen)
