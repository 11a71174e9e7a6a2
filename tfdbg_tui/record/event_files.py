"""The files of a recording: names that no other program uses, no writes by forked children.

Knows how TensorFlow names them, and nothing else of it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = "tfdbg_events."
"""What the names of all files of a recording begin with."""


@contextlib.contextmanager
def unused_names(root: str) -> Iterator[None]:
    """Wait until no other program writes files of the names that are chosen in this block.

    The names tell the second and the host, nothing else; programs that begin in one second would
    tear each other's records.
    """
    folder = os.open(root, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network file systems lock nothing
            fcntl.flock(folder, fcntl.LOCK_EX)
        while True:
            second = int(time.time())
            if not list(Path(root).glob(f"{PREFIX}{second}.{_host_pattern()}.*")):
                break
            time.sleep(second + 1 - time.time())
        yield
    finally:
        os.close(folder)


def _host_pattern() -> str:
    """The name of this host for `glob`, which takes some letters for wildcards."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in socket.gethostname())


def discard_writes_of_this_process(logdir: Path) -> None:
    """Redirect the open files of a recording to /dev/null, in this process only."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in open_files():
        with contextlib.suppress(OSError):
            path = Path(f"/proc/self/fd/{number}").readlink()
            if path.name.startswith(PREFIX) and path.parent == logdir.resolve():
                os.dup2(nowhere, number, inheritable=False)
    os.close(nowhere)


def open_files() -> list[int]:
    """The descriptors of all files that this process has open."""
    try:
        return [int(name) for name in os.listdir("/proc/self/fd")]  # noqa: PTH208 - numbers
    except OSError:
        return []  # not Linux
