"""Stands in for a program that the server runs: ``python client.py SOCKET LOG [-c|-m] PROGRAM...``

Whatever happens to this process happens to the program: signals are passed on, and if this process
is killed, the program is. It ends as the program ends, by the same exit code or signal.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sys
from typing import NoReturn

PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)

STATUS_BYTES = 4

LOOK_INTERVAL = 1.0
"""Seconds between looks whether whoever started this process is still there."""


def main() -> None:
    """Run a program to its end."""
    address, log, *words = sys.argv[1:]
    parent = os.getppid()
    server = socket.socket(socket.AF_UNIX)
    try:
        server.connect(address)
    except OSError:
        complain(log)
    for number in PASSED_ON:
        signal.signal(number, lambda number, _: server.sendall(bytes([number])))
    request = {"words": words, "folder": os.getcwd(), "environment": dict(os.environ)}  # noqa: PTH109
    text = json.dumps(request).encode()
    socket.send_fds(server, [len(text).to_bytes(STATUS_BYTES, "little")], [0, 1, 2])
    server.sendall(text)
    while not select.select([server], [], [], LOOK_INTERVAL)[0]:
        if os.getppid() != parent:
            sys.exit("whoever started this program is gone")
    status = server.recv(STATUS_BYTES)
    if not status:
        complain(log)
    end_like(os.waitstatus_to_exitcode(int.from_bytes(status, "little")))


def complain(log: str) -> NoReturn:
    """End without having run the program."""
    with open(log, encoding="utf-8", errors="replace") as file:
        sys.exit(f"the TensorFlow server of the tests has ended; it said:\n{file.read()}")


def end_like(code: int) -> None:
    """End with an exit code, or by a signal if it is negative."""
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main()
