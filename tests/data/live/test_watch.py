"""What watchdog tells of a real folder: it comes, changes, goes, comes again."""

from __future__ import annotations

import errno
import shutil
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from tfdbg_tui.data.live import watch as watch_module
from tfdbg_tui.data.live.watch import Watch, has_few_folders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TIMEOUT_SECONDS = 30.0
"""For conditions that come true in milliseconds: a test fails rather than hangs."""


class Listener:
    """A watch, and how often it has called."""

    def __init__(self, path: Path, poll: float | None = None) -> None:
        self.calls = 0
        self.watch = Watch(path, self._count, poll)
        self.watch.start()

    def _count(self) -> None:
        self.calls += 1

    def listens(self) -> bool:
        return self.watch.is_listening

    def assert_hears(self, change: Callable[[], object]) -> None:
        before = self.calls
        change()
        wait_until(lambda: self.calls > before)

    def settle(self) -> None:
        """Wait until the watch has seen that what it watches is right, and called for it."""
        wait_until(lambda: self.listens() and not self.watch._nudged.is_set())
        self.watch.take_names_changed()


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < end, "waited for too long"
        time.sleep(0.002)


def threads() -> set[threading.Thread]:
    return set(threading.enumerate())


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_module, "START_DELAY", 0.0)
    monkeypatch.setattr(watch_module, "CHECK_REST", 0.01)


@pytest.fixture
def listen() -> Iterator[Callable[..., Listener]]:
    """Listens to a folder, and checks that no thread is left."""
    before = threads()
    listeners: list[Listener] = []

    def begin(path: Path, poll: float | None = None) -> Listener:
        listeners.append(Listener(path, poll))
        return listeners[-1]

    yield begin
    for listener in listeners:
        listener.watch.stop()
    wait_until(lambda: threads() <= before)


def test_a_write_is_heard_and_changes_no_names(
    tmp_path: Path, listen: Callable[..., Listener]
) -> None:
    file = tmp_path / "file"
    file.write_text("one")
    listener = listen(tmp_path)
    listener.settle()
    listener.assert_hears(lambda: file.write_text("two"))
    assert not listener.watch.take_names_changed()


@pytest.mark.parametrize("depth", [0, 3])
def test_a_file_that_comes_is_heard_at_any_depth(
    tmp_path: Path, listen: Callable[..., Listener], depth: int
) -> None:
    folder = tmp_path.joinpath(*"abc"[:depth])
    folder.mkdir(parents=True, exist_ok=True)
    listener = listen(tmp_path)
    listener.settle()
    listener.assert_hears((folder / "file").touch)
    wait_until(listener.watch.take_names_changed)
    assert not listener.watch.take_names_changed()


def test_a_folder_that_comes_is_watched_too(
    tmp_path: Path, listen: Callable[..., Listener]
) -> None:
    listener = listen(tmp_path)
    listener.settle()
    folder = tmp_path / "run" / "deep"
    listener.assert_hears(lambda: folder.mkdir(parents=True))
    wait_until(listener.watch.take_names_changed)

    def write_until_heard() -> bool:
        (folder / "file").write_text("more")
        return listener.watch.take_names_changed()

    wait_until(write_until_heard)


def test_a_folder_that_is_not_there_yet_is_waited_for(
    tmp_path: Path, listen: Callable[..., Listener]
) -> None:
    logdir = tmp_path / "experiments" / "today" / "logdir"
    listener = listen(logdir)
    wait_until(lambda: listener.watch._target is not None)
    assert not listener.listens()
    listener.assert_hears(lambda: logdir.mkdir(parents=True))
    listener.settle()
    listener.assert_hears((logdir / "file").touch)


def test_a_folder_that_is_deleted_and_comes_again_is_heard_again(
    tmp_path: Path, listen: Callable[..., Listener], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_module, "CHECK_INTERVAL", 3600.0)
    logdir = tmp_path / "logdir"
    logdir.mkdir()
    listener = listen(logdir)
    for _ in range(2):
        listener.settle()
        listener.assert_hears(lambda: shutil.rmtree(logdir))
        wait_until(lambda: not listener.listens())
        logdir.mkdir()
        listener.settle()
        listener.assert_hears((logdir / "file").touch)


def test_a_folder_that_is_emptied_by_making_it_anew_is_heard_again(
    tmp_path: Path, listen: Callable[..., Listener], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may even get the inode of the old one."""
    monkeypatch.setattr(watch_module, "CHECK_INTERVAL", 3600.0)
    logdir = tmp_path / "logdir"
    logdir.mkdir()
    listener = listen(logdir)
    listener.settle()
    shutil.rmtree(logdir)
    logdir.mkdir()
    wait_until(listener.watch.take_names_changed)
    numbers = iter(range(1_000_000))

    def add_until_heard() -> bool:
        (logdir / str(next(numbers))).touch()
        return listener.watch.take_names_changed()

    wait_until(add_until_heard)


def test_a_folder_that_takes_the_place_of_another_is_the_one_that_is_heard(
    tmp_path: Path, listen: Callable[..., Listener], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_module, "CHECK_INTERVAL", 0.02)
    logdir = tmp_path / "logdir"
    logdir.mkdir()
    listener = listen(logdir)
    listener.settle()
    known = listener.watch._target
    logdir.rename(tmp_path / "old")
    logdir.mkdir()
    wait_until(lambda: listener.listens() and listener.watch._target != known)
    listener.settle()
    listener.assert_hears((logdir / "file").touch)


def test_a_link_to_the_folder_is_followed(tmp_path: Path, listen: Callable[..., Listener]) -> None:
    real = tmp_path / "real"
    real.mkdir()
    link = tmp_path / "link"
    link.symlink_to(real)
    listener = listen(link)
    listener.settle()
    listener.assert_hears((real / "file").touch)


def test_who_does_not_want_writes_still_hears_of_names(
    tmp_path: Path, listen: Callable[..., Listener]
) -> None:
    file = tmp_path / "file"
    file.touch()
    listener = listen(tmp_path)
    listener.settle()
    listener.watch.hear_writes(False)
    wait_until(lambda: listener.watch._target is not None and not listener.watch._target.writes)
    listener.settle()
    calls = listener.calls
    file.write_text("not heard")
    listener.assert_hears((tmp_path / "new").touch)  # which came after
    wait_until(listener.watch.take_names_changed)
    assert listener.calls == calls + 1
    listener.watch.hear_writes(True)
    wait_until(lambda: listener.watch._target is not None and listener.watch._target.writes)
    listener.settle()
    listener.assert_hears(lambda: file.write_text("heard"))


def test_reading_is_not_heard(tmp_path: Path, listen: Callable[..., Listener]) -> None:
    """Else the reader would wake itself for ever."""
    file = tmp_path / "file"
    file.write_text("one")
    listener = listen(tmp_path)
    listener.settle()
    calls = listener.calls
    for _ in range(20):
        file.read_text()
        list(tmp_path.iterdir())
    listener.assert_hears((tmp_path / "new").touch)
    wait_until(listener.watch.take_names_changed)
    assert listener.calls == calls + 1


def test_too_many_folders_are_left_to_the_poll(
    tmp_path: Path, listen: Callable[..., Listener], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_module, "MAX_FOLDERS", 5)
    for number in range(4):
        (tmp_path / str(number)).mkdir()
    listener = listen(tmp_path)
    listener.settle()
    for number in range(4, 12):
        (tmp_path / str(number)).mkdir()
    wait_until(lambda: not listener.listens())
    assert listener.watch.interval == watch_module.POLL_INTERVAL


def test_folders_are_counted_at_any_depth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_module, "MAX_FOLDERS", 4)
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "c").symlink_to("/")
    for number in range(10):
        (tmp_path / "a" / f"file {number}").touch()
    assert has_few_folders(str(tmp_path))
    (tmp_path / "a" / "b" / "c" / "d").mkdir(parents=True)
    assert not has_few_folders(str(tmp_path))
    monkeypatch.undo()
    assert has_few_folders(str(tmp_path))
    monkeypatch.setattr(watch_module, "MAX_ENTRIES", 5)
    assert not has_few_folders(str(tmp_path))


def test_a_limit_that_is_reached_is_left_to_the_poll_and_tried_again(
    tmp_path: Path, listen: Callable[..., Listener], monkeypatch: pytest.MonkeyPatch
) -> None:
    observer, refused = watch_module._new_observer, threading.Event()

    def refuse_once() -> object:
        if refused.is_set():
            return observer()
        refused.set()
        raise OSError(errno.EMFILE, "inotify instance limit reached")

    monkeypatch.setattr(watch_module, "_new_observer", refuse_once)
    monkeypatch.setattr(watch_module, "CHECK_INTERVAL", 0.02)
    monkeypatch.setattr(watch_module, "RETRY_AFTER", 0.0)
    listener = listen(tmp_path)
    wait_until(refused.is_set)
    listener.settle()
    listener.assert_hears((tmp_path / "file").touch)


def test_who_wants_polling_gets_no_watchdog(tmp_path: Path) -> None:
    program = (
        "import sys, threading\nfrom pathlib import Path\n"
        "from tfdbg_tui.data.live.watch import Watch\n"
        "watch = Watch(Path(sys.argv[1]), print, poll=7.5)\nwatch.start()\n"
        "print(watch.interval, watch.polls_only, threading.active_count(), "
        "'watchdog' in sys.modules)\nwatch.stop()\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("7.5 True 1 False\n", "")


def test_polls_are_more_frequent_until_watchdog_has_begun(
    tmp_path: Path, listen: Callable[..., Listener], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_module, "START_DELAY", 3600.0)
    assert listen(tmp_path).watch.interval == watch_module.FIRST_POLL_INTERVAL
    monkeypatch.undo()
    listener = listen(tmp_path)
    wait_until(lambda: listener.watch.interval == watch_module.POLL_INTERVAL)


def test_a_watch_that_was_never_started_can_be_stopped(tmp_path: Path) -> None:
    Watch(tmp_path, lambda: None).stop()
