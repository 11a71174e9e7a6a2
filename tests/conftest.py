"""Recordings by the real TensorFlow, made once and shared by all test processes."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.recordings.freeze import FROZEN
from tests.recordings.record import Library
from tests.support.ready_command import stop_server
from tests.support.shared_styles import share_parsed_styles
from tests.support.tensorflow_server import PYTHON_VARIABLE, TensorflowServer
from tfdbg_tui.data.live import feed, growth

if TYPE_CHECKING:
    from collections.abc import Callable


SERVER = pytest.StashKey[TensorflowServer]()


def pytest_configure(config: pytest.Config) -> None:
    """Set up what all programs under test inherit, and a server for those with TensorFlow."""
    # Whoever started us may have had us ignore these, and programs inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # as `nohup` does
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    # No test asserts a timing: how long an example takes says how busy the machine is.
    settings.register_profile("patient", deadline=None)
    settings.load_profile("patient")
    share_parsed_styles()
    # Hundreds of processes import this package; compiling it each time would take a minute.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    is_worker = hasattr(config, "workerinput")  # which inherits the environment
    if not is_worker and sys.platform == "linux":
        server = config.stash[SERVER] = TensorflowServer()
        os.environ[PYTHON_VARIABLE] = str(server.python)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the servers, and with them whatever program a test has left running."""
    stop_server()
    if server := config.stash.get(SERVER, None):
        server.stop()


def pytest_collection_finish() -> None:
    """Have the garbage collector pass over all that was imported: it stays to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Library:
    """All recordings of this test session; tests must not change them.

    Whoever runs tests often keeps them in a folder that TFDBG_TUI_RECORDINGS names.
    """
    if kept := os.environ.get("TFDBG_TUI_RECORDINGS"):
        return Library(Path(kept))
    base = tmp_path_factory.getbasetemp()
    return Library((base if worker_id == "master" else base.parent) / "recordings")


@pytest.fixture
def frozen() -> Path:
    """The recording that pictures are taken of, the same on every machine; read-only."""
    return FROZEN


@pytest.fixture
def copy_of(library: Library, tmp_path: Path) -> Callable[[str], Path]:
    """Gives a recording that a test may damage."""

    def copy(scenario: str) -> Path:
        return shutil.copytree(library.path(scenario), tmp_path / scenario)

    return copy


@pytest.fixture(scope="session", autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whoever runs the tests has typed and muted something of their own, which stays theirs."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(autouse=True)
def short_watching(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of no known writer are watched for a moment only; hundreds of tests have such runs."""
    monkeypatch.setattr(growth, "WATCHED_FOR", 2 * growth.LOOK_INTERVAL)


@pytest.fixture(autouse=True)
def quick_painting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is kept waiting by what waits for a terminal to be painted."""
    monkeypatch.setattr(feed, "PAINT_TIME", 0.0)
