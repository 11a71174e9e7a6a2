"""Whether the program that records is found: by real processes that hold real files open."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tfdbg_tui.data.live import recorder_process
from tfdbg_tui.data.live.recorder_process import writer_of, writers_of

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/fd").is_dir(), reason="needs a system that shows its processes"
)

REPOSITORY = Path(__file__).resolve().parents[3]
NOBODY = 65534

# Says that the file is open, then holds it until its input ends.
HOLD = """
import mmap, sys
file = open(sys.argv[1], sys.argv[2])
memory = mmap.mmap(-1, int(sys.argv[3]))
print(flush=True)
sys.stdin.read()
"""

# Becomes somebody whose processes show their owner, as those of a login do.
BECOME_SOMEBODY = """
import ctypes, mmap, os, sys
os.setuid(int(sys.argv[4]))
ctypes.CDLL(None).prctl(4, 1)
"""

ASK_AS_NOBODY = f"""
import os, sys
from pathlib import Path
sys.path.insert(0, {str(REPOSITORY)!r})
from tfdbg_tui.data.live.recorder_process import writer_of
os.setgroups([])
os.setgid({NOBODY})
os.setuid({NOBODY})
print(writer_of([Path(sys.argv[1])]))
"""


class Holder:
    """A process that holds a file open."""

    def __init__(self, path: Path, mode: str, memory: int = 1 << 16) -> None:
        command = [sys.executable, "-c", HOLD, str(path), mode, str(memory)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self._process.stdout.readline()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An empty file as the recorder on this host names it."""
    path = tmp_path / f"tfdbg_events.1.{os.uname().nodename}.execution"
    path.touch()
    return path


@pytest.fixture
def open_folders(file: Path) -> None:
    """The folders above the file, open to everybody."""
    for folder in file.parents:
        if folder == Path(folder.anchor) or folder.stat().st_uid != os.getuid():
            break
        folder.chmod(folder.stat().st_mode | 0o055)


def test_a_process_that_has_the_file_open_for_writing_is_the_program(file: Path) -> None:
    with Holder(file, "ab"):
        assert writer_of([file]) is True
    assert writer_of([file]) is False


def test_who_only_reads_is_not_the_program(file: Path) -> None:
    with Holder(file, "rb"):
        assert writer_of([file]) is False


def test_one_file_of_six_is_enough(file: Path) -> None:
    others = [file.with_suffix(f".{suffix}") for suffix in ("metadata", "graphs")]
    others[0].touch()
    with Holder(file, "ab"):
        assert writer_of([*others, file]) is True
        assert writer_of(others) is False


def test_another_file_of_the_same_name_does_not_count(file: Path, tmp_path: Path) -> None:
    twin = tmp_path / "other" / file.name
    twin.parent.mkdir()
    twin.touch()
    with Holder(file, "ab"):
        assert writers_of([[twin], [file]]) == [False, True]


def test_a_file_deleted_under_its_program_has_none(file: Path) -> None:
    with Holder(file, "ab"):
        file.unlink()
        assert writer_of([file]) is False


def test_of_a_file_of_another_host_only_a_writer_that_is_seen_is_known(file: Path) -> None:
    foreign = file.with_name("tfdbg_events.1.some-other-host.execution")
    foreign.touch()
    assert writer_of([foreign]) is None
    assert writer_of([file, foreign]) is None
    with Holder(foreign, "ab"):
        assert writer_of([foreign]) is True


def test_on_a_shared_file_system_nobody_here_does_not_mean_nobody(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_process, "SHARED_FILE_SYSTEMS", "")  # what every type begins with
    assert writer_of([file]) is None
    with Holder(file, "ab"):
        assert writer_of([file]) is True


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs", "lustre", "9p"])
def test_network_file_systems_are_known_by_their_types(kind: str) -> None:
    line = f"36 35 0:52 / /mnt rw,noatime shared:1 - {kind} server:/export rw"
    device, found = recorder_process._mount(line)
    assert (device, found) == (os.makedev(0, 52), kind)
    assert not recorder_process._is_local(found)
    assert recorder_process._is_local("ext4")


def test_a_line_that_is_no_mount_says_nothing() -> None:
    assert not recorder_process._is_local(recorder_process._mount("nonsense")[1])


def test_where_processes_are_not_shown_nothing_is_known(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_process, "PROCESSES", tmp_path)
    assert writers_of([[file], []]) == [None, None]


@pytest.mark.skipif(os.getuid() != 0, reason="needs the right to become somebody else")
@pytest.mark.usefixtures("open_folders")
@pytest.mark.parametrize(
    ("memory", "answer"), [(recorder_process.SMALLEST_RECORDER, "None"), (1 << 16, "False")]
)
def test_a_hidden_process_leaves_it_open_if_it_is_large_enough(
    file: Path, memory: int, answer: str
) -> None:
    somebody = NOBODY - 1 - os.getpid() % 5000  # not one of another test process
    os.chown(file, somebody, -1)
    hold = [sys.executable, "-c", BECOME_SOMEBODY + HOLD]
    ask = [sys.executable, "-c", ASK_AS_NOBODY, str(file)]
    with subprocess.Popen(
        [*hold, str(file), "ab", str(memory), str(somebody)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        done = subprocess.run(ask, capture_output=True, text=True, check=False, cwd="/")
        holder.communicate()
    assert (done.stdout.strip(), done.stderr) == (answer, "")
