"""The doctor answers on the screen's thread: it must not look at the processes of the system."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.support.examining import examine
from tfdbg_tui.data.live.recorder_process import PROCESSES, writer_of
from tfdbg_tui.doctor.findings import findings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.recordings.record import Library

_watched: set[int] = set()
"""Threads that must not look at processes."""

_looks: list[str] = []


def _notice(event: str, arguments: tuple[object, ...]) -> None:
    if event in ("open", "os.listdir", "os.scandir") and threading.get_ident() in _watched:
        path = str(arguments[0])
        if path.startswith(str(PROCESSES)):
            _looks.append(f"{event} {path}")


sys.addaudithook(_notice)  # for good: Python removes none


@contextmanager
def no_look_at_processes() -> Iterator[None]:
    """Fail if this thread opens or lists anything of /proc meanwhile."""
    _looks.clear()
    _watched.add(threading.get_ident())
    try:
        yield
    finally:
        _watched.discard(threading.get_ident())
    assert _looks == []


def test_a_look_at_processes_is_noticed(library: Library) -> None:
    if not PROCESSES.is_dir():
        pytest.skip("there is no /proc here")
    file = next(library.path("full_health").glob("*.execution"))
    with pytest.raises(AssertionError, match="proc"), no_look_at_processes():
        writer_of([file])


def cut(path: Path) -> Path:
    """A recording whose last event is not whole."""
    file = next(path.glob("*.execution"))
    file.write_bytes(file.read_bytes()[:-20])
    return path


@pytest.mark.parametrize("growing", [True, False])
@pytest.mark.parametrize("writer", [True, False, None])
def test_the_doctor_looks_at_no_process(
    copy_of: Callable[[str], Path], writer: bool | None, growing: bool
) -> None:
    examined = examine(cut(copy_of("full_health")), writer)
    (state,) = examined.states
    assert any(host.executions.file.cut_bytes for host in state.run.hosts)
    with no_look_at_processes():
        findings(examined.snapshot, state._replace(growing=growing, cut_tail=not growing))


def test_a_cut_tail_of_a_program_that_is_gone_explains_what_is_missing(
    copy_of: Callable[[str], Path],
) -> None:
    path = copy_of("eager_only")
    assert "functions-run-eagerly" in examine(path).ids
    examined = examine(cut(path))
    assert "cut-tail" in examined.ids
    assert "functions-run-eagerly" not in examined.ids
