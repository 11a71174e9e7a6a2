"""Nobody waits for a terminal: what it does not take is dropped, the last words come through."""

from __future__ import annotations

import os
import threading
import tty
from typing import TYPE_CHECKING

import pytest

from tfdbg_tui.terminal.writer import FAR_BEHIND, TerminalWriter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MUCH = "x" * 1_000_000
"""More than the system keeps for a terminal."""

LAST = "\x1b[?1049l"
TIMEOUT = 20.0
"""Seconds for what is expected to come."""


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """Both ends of a terminal: where it is read, and where a program writes."""
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, slave
    os.close(slave)
    os.close(master)


@pytest.fixture(params=["opened again", "as it is"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With the terminal opened once more, and where the system does not allow that."""
    if request.param == "as it is":
        open_file = os.open

        def refuse(path: Any, *more: Any, **others: Any) -> int:
            if str(path).startswith(("/proc/self/fd", "/dev/")):
                raise PermissionError(13, "Permission denied", str(path))
            return open_file(path, *more, **others)

        monkeypatch.setattr(os, "open", refuse)
    return str(request.param)


def read_until(master: int, wanted: bytes) -> bytes:
    """What a terminal takes up to some words."""
    taken = b""
    while wanted not in taken:
        taken += os.read(master, 1 << 16)
    return taken


@pytest.mark.usefixtures("way")
def test_all_is_written_in_its_order(ends: tuple[int, int]) -> None:
    master, slave = ends
    writer = TerminalWriter(slave, "utf-8", lambda: None)
    writer.start()
    texts = [f"{number} é|" for number in range(5_000)]
    for text in texts:
        writer.write(text)
    writer.write("the end")
    taken = read_until(master, b"the end")
    assert taken.decode() == "".join(texts) + "the end"
    writer.stop(TIMEOUT)


def test_what_nobody_reads_is_dropped_and_the_last_words_come_through(
    ends: tuple[int, int],
) -> None:
    master, slave = ends
    writer = TerminalWriter(slave, "utf-8", lambda: None)
    writer.start()
    writer.write(MUCH)
    writer.drop(0.1)
    writer.write(LAST)
    writer.stop(TIMEOUT)
    assert len(read_until(master, LAST.encode())) < len(MUCH) / 10


@pytest.mark.usefixtures("way")
def test_nobody_waits_for_a_terminal_that_nobody_reads(ends: tuple[int, int]) -> None:
    writer = TerminalWriter(ends[1], "utf-8", lambda: None)
    writer.start()
    for _ in range(100):
        writer.write(MUCH[: FAR_BEHIND * 2])
    assert writer.is_far_behind()
    done = threading.Event()

    def end() -> None:
        writer.drop(0.1)
        writer.write(LAST)
        writer.stop(0.1)
        done.set()

    threading.Thread(target=end, daemon=True).start()
    assert done.wait(TIMEOUT)


def test_who_waits_is_told_when_all_is_written(ends: tuple[int, int]) -> None:
    master, slave = ends
    told = threading.Event()
    writer = TerminalWriter(slave, "utf-8", told.set)
    writer.start()
    writer.write("little")
    assert not writer.is_far_behind()
    writer.write(MUCH)
    assert writer.is_far_behind()
    writer.write("the end")
    read_until(master, b"the end")
    assert told.wait(TIMEOUT)
    assert not writer.is_far_behind()
    writer.stop(TIMEOUT)


def test_a_terminal_that_is_gone_is_not_written_to() -> None:
    master, slave = os.openpty()
    writer = TerminalWriter(slave, "utf-8", lambda: None)
    writer.start()
    os.close(master)
    writer.write("nobody is there")
    writer.drop(TIMEOUT)
    writer.write(LAST)
    writer.stop(TIMEOUT)
    os.close(slave)


@pytest.mark.usefixtures("way")
def test_the_terminal_of_others_stays_as_they_know_it(ends: tuple[int, int]) -> None:
    writer = TerminalWriter(ends[1], "utf-8", lambda: None)
    writer.start()
    assert os.get_blocking(ends[1])
    writer.stop(TIMEOUT)
    assert os.get_blocking(ends[1])
