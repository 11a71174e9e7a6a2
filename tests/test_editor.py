"""A recorded line is opened in the user's editor, and differences are told before."""

from __future__ import annotations

import os
import queue
import sys
import threading
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.reading import hosts_of, load
from tfdbg_tui import editor

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.recordings.record import Library

FILE = "/home/user/train.py"
OPENED, NOT_OPENED = True, False
TIMEOUT = 20.0
"""Seconds for what is expected to come."""


@pytest.fixture(autouse=True)
def _no_editor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)


# ---------------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ("vim", ["vim", "+22", FILE]),
        ("/usr/bin/nano", ["/usr/bin/nano", "+22", FILE]),
        ("emacsclient -t", ["emacsclient", "-t", "+22", FILE]),
        ("code", ["code", "--goto", f"{FILE}:22"]),
        ("code --wait", ["code", "--wait", "--goto", f"{FILE}:22"]),
        ("/opt/bin/hx", ["/opt/bin/hx", f"{FILE}:22"]),
        ("subl -w", ["subl", "-w", f"{FILE}:22"]),
        ("'/my editors/vim' -n", ["/my editors/vim", "-n", "+22", FILE]),
        ("vim 'unfinished", ["vim", "'unfinished", "+22", FILE]),
        ("", ["vi", "+22", FILE]),
        ("   ", ["vi", "+22", FILE]),
    ],
)
def test_each_editor_is_told_the_line_in_its_own_way(
    monkeypatch: pytest.MonkeyPatch, stated: str, words: list[str]
) -> None:
    monkeypatch.setenv("EDITOR", stated)
    assert editor.command(FILE, 22) == words


def test_visual_comes_before_editor_unless_it_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "nano")
    monkeypatch.setenv("VISUAL", "vim")
    assert editor.command(FILE, 1)[0] == "vim"
    monkeypatch.setenv("VISUAL", " ")
    assert editor.command(FILE, 1)[0] == "nano"


def test_without_any_it_is_vi() -> None:
    assert editor.command(FILE, 1) == ["vi", "+1", FILE]


# ---------------------------------------------------------------------- disk and recording


def test_files_of_a_recording_are_the_same_as_on_disk(library: Library) -> None:
    (host,) = hosts_of(load(library.path("full_health")))
    compared = 0
    for number in range(len(host.sources.files)):
        source, lines = host.sources.get(number), host.sources.lines(number)
        assert source is not None
        on_disk = Path(source.path)
        if lines and on_disk.is_file() and on_disk.read_text().split("\n") == [*lines]:
            assert editor.difference(source.path, lines) is None
            compared += 1
    assert compared


@pytest.mark.parametrize("text", ["", "a", "a\n", "a\nb\n\n", "a\x0cb\n\u2028", "é\n"])
def test_what_was_recorded_is_the_same(tmp_path: Path, text: str) -> None:
    path = tmp_path / "train.py"
    path.write_bytes(text.encode())
    assert editor.difference(str(path), tuple(text.split("\n"))) is None
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert editor.difference(str(path), tuple(text.split("\n"))) is None
    path.write_bytes(text.encode() + b"# more")
    changed = f"{path} has changed since it was recorded; lines may differ."
    assert editor.difference(str(path), tuple(text.split("\n"))) == (changed, OPENED)


def test_a_file_whose_text_was_not_recorded_lies_outside(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_bytes(b"\xff")
    outside = f"{path} lies outside what was recorded as source; it may be another file."
    assert editor.difference(str(path), None) == (outside, OPENED)
    changed = editor.difference(str(path), ("a",))
    assert changed is not None
    assert "has changed" in changed.sentence


@pytest.mark.parametrize("path", ["/no/such/train.py", "/a\0b", f"/{'n' * 9_999}", f"{FILE}/x"])
def test_what_is_no_file_here_is_not_opened(path: str) -> None:
    absent = f"{path} is not on this machine."
    for recorded in (("a",), None):
        assert editor.difference(path, recorded) == (absent, NOT_OPENED)


@pytest.mark.parametrize("name", ["+:!touch x", "-rc", "train.py", "./train.py", "", "a\0b"])
def test_a_relative_name_is_not_looked_for_where_we_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text("a")
    unknown = f"{name} cannot be found: its folder was not recorded."
    for recorded in (("a",), None):
        assert editor.difference(name, recorded) == (unknown, NOT_OPENED)


@pytest.mark.parametrize("is_linked", [False, True])
@pytest.mark.parametrize(
    "kind", ["/", "/dev/zero", "/proc/kmsg", "/proc/self/environ", "/sys/power/state", "pipe"]
)
def test_what_is_no_file_of_text_is_never_read(tmp_path: Path, kind: str, is_linked: bool) -> None:
    path = Path(kind)
    if kind == "pipe":
        path = tmp_path / "pipe"
        os.mkfifo(path)
    elif not path.exists():
        pytest.skip(f"there is no {kind}")
    if is_linked:
        (tmp_path / "train.py").symlink_to(path)
        path = tmp_path / "train.py"
    special = f"{path} is no file of text; it is not opened."
    for recorded in (("",), ("a",), None):
        assert editor.difference(str(path), recorded) == (special, NOT_OPENED)


def test_a_link_to_the_recorded_text_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_text("a\n")
    (tmp_path / "train.py").symlink_to("real.py")
    assert editor.difference(str(tmp_path / "train.py"), ("a", "")) is None


def peak_of(look: Callable[[], editor.Difference | None]) -> tuple[int, editor.Difference | None]:
    """How many bytes of memory a look at a file took at most, and what it said."""
    tracemalloc.start()
    try:
        said = look()
        return tracemalloc.get_traced_memory()[1], said
    finally:
        tracemalloc.stop()


def test_no_more_is_read_than_was_recorded(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    with open(path, "wb") as file:
        file.truncate(editor.MAX_COMPARED)
    changed = f"{path} has changed since it was recorded; lines may differ."
    taken, said = peak_of(lambda: editor.difference(str(path), ("a",)))
    assert said == (changed, OPENED)
    assert taken < editor.MAX_COMPARED // 10
    os.truncate(path, editor.MAX_COMPARED + 1)
    long = f"{path} is too long to be compared."
    assert editor.difference(str(path), ("a",) * editor.MAX_COMPARED) == (long, OPENED)


def test_neither_is_of_a_file_that_grows_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "train.py"
    path.write_text("a")
    find_out = os.fstat

    def grow(number: int) -> os.stat_result:
        found = find_out(number)
        os.truncate(path, editor.MAX_COMPARED)
        return found

    monkeypatch.setattr(os, "fstat", grow)
    changed = f"{path} has changed since it was recorded; lines may differ."
    taken, said = peak_of(lambda: editor.difference(str(path), ("a",)))
    assert said == (changed, OPENED)
    assert taken < editor.MAX_COMPARED // 10


def test_a_pipe_that_takes_the_place_of_a_file_meanwhile_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "train.py"
    path.write_text("")
    open_file = os.open
    answers: queue.Queue[editor.Difference | None] = queue.Queue()

    def replace(name: str, *more: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return open_file(name, *more)

    monkeypatch.setattr(os, "open", replace)
    editor.examine(str(path), lambda: ("",), answers.put)
    changed = f"{path} has changed since it was recorded; lines may differ."
    assert answers.get(timeout=TIMEOUT) == (changed, OPENED)


def test_a_file_that_is_denied_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "train.py"
    path.write_text("a")

    def refuse(name: str, *_: int) -> int:
        raise PermissionError(13, os.strerror(13), name)

    monkeypatch.setattr(os, "open", refuse)
    denied = f"{path} cannot be read (permission denied)."
    assert editor.difference(str(path), ("a",)) == (denied, NOT_OPENED)


def test_it_is_looked_at_in_another_thread_whatever_happens_there(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text("a")
    answers: queue.Queue[tuple[object, int]] = queue.Queue()

    def hear(difference: editor.Difference | None) -> None:
        answers.put((difference, threading.get_ident()))

    def fail() -> tuple[str, ...]:
        raise RuntimeError("no such record")

    editor.examine(str(path), lambda: ("a",), hear)
    found, thread = answers.get(timeout=TIMEOUT)
    assert found is None
    assert thread != threading.get_ident()
    editor.examine(str(path), fail, hear)
    sentence = f"{path} cannot be looked at (no such record)."
    assert answers.get(timeout=TIMEOUT)[0] == (sentence, NOT_OPENED)


# ---------------------------------------------------------------------- running it


def python_editor(directory: Path, program: str) -> str:
    """An editor that is a Python program."""
    script = directory / "editor.py"
    script.write_text(f"import sys\n{program}\n")
    return f"'{sys.executable}' '{script}'"


def test_the_editor_gets_file_and_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = "open(sys.argv[2] + '.opened', 'w').write(sys.argv[1])"
    monkeypatch.setenv("EDITOR", python_editor(tmp_path, program))
    path = tmp_path / "train.py"
    assert editor.run(str(path), 22) is None
    assert Path(f"{path}.opened").read_text() == "+22"


def test_an_editor_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", python_editor(tmp_path, "sys.exit(3)"))
    assert editor.run(FILE, 1) == f"{sys.executable} ended with exit code 3."


def test_an_editor_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "no-such-editor")
    said = editor.run(FILE, 1)
    assert said is not None
    assert said.startswith("no-such-editor does not start (no such file or directory")
    assert said.endswith("; set $EDITOR.")
