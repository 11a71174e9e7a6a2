"""The ways in which people and systems end the app, and what it must leave as it was."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.terminal import Terminal

    End = Callable[[Terminal], None]

TIMEOUT = 10.0
"""Seconds in which the app must be gone, on a machine that does a lot else."""


def pressing(key: str) -> End:
    return lambda terminal: terminal.press(key)


def signalling(number: signal.Signals) -> End:
    return lambda terminal: terminal.signal(number)


ENDS = [
    pytest.param(pressing("ctrl+q"), 0, id="ctrl+q"),
    pytest.param(pressing("q"), 0, id="q"),
    pytest.param(pressing("ctrl+c"), 0, id="ctrl+c"),
    pytest.param(signalling(signal.SIGTERM), 128 + signal.SIGTERM, id="SIGTERM"),
    pytest.param(signalling(signal.SIGHUP), 128 + signal.SIGHUP, id="SIGHUP"),
]
"""Ways to end, and the exit code that a shell expects of them."""


def assert_left_in_order(terminal: Terminal, code: int) -> None:
    assert terminal.wait_exit(TIMEOUT) == code
    assert terminal.left_sane() == []
    assert [line for line in terminal.text() if line] == []
