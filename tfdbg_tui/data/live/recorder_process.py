"""Is the program that records still there? On Linux the open files of its process tell.

The recorder keeps its files open for as long as it runs. A process that holds one of them open
for writing is the program; that there is none is only known where every process that could be
it can be looked at: on the host that the file names carry, not over a network, with the rights
of the files' owner.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.logdir import file_set_of
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

PROCESSES = Path("/proc")
"""Where Linux shows its processes."""

SHARED_FILE_SYSTEMS = (
    "9p", "afs", "beegfs", "ceph", "cifs", "fuse", "gfs", "glusterfs", "gpfs", "lustre", "ncp",
    "nfs", "ocfs", "orangefs", "prl_fs", "pvfs", "smb", "vboxsf", "virtiofs", "vmhgfs",
)  # fmt: skip
"""What the types of file systems begin with whose files another machine may write."""

SMALLEST_RECORDER = 256 << 20
"""Bytes of address space below which no program has TensorFlow in it, by far."""

_Identity = tuple[int, int]
"""Device and inode."""


class _Open(NamedTuple):
    """What could be seen of all processes."""

    files: frozenset[_Identity]
    """Wanted files that some process holds open for writing."""
    hidden_users: frozenset[int]
    """Users with a process that may be the program and may not be looked at."""


def writer_of(paths: Collection[Path]) -> bool | None:
    """Whether a process holds one of these files open for writing; None if that is not known."""
    return writers_of([paths])[0]


def writers_of(groups: Sequence[Collection[Path]]) -> list[bool | None]:
    """The same for several groups of files, with one look at the processes."""
    if not (PROCESSES / "self" / "fd").is_dir():
        return [None] * len(groups)
    seen = _look({path.name for group in groups for path in group})
    local = _local_devices()
    return [_answer(group, seen, local) for group in groups]


def _answer(group: Iterable[Path], seen: _Open, local: frozenset[int]) -> bool | None:
    certain = True
    for path in group:
        try:
            found, folder = path.stat(), path.parent.stat()
        except FileNotFoundError:
            continue
        except OSError:
            certain = False
            continue
        if (found.st_dev, found.st_ino) in seen.files:
            return True
        certain = (
            certain
            and _is_of_this_host(path.name)
            and folder.st_dev in local
            and found.st_uid not in seen.hidden_users
        )
    return False if certain else None


def _is_of_this_host(name: str) -> bool:
    _, host = file_set_of(name)
    return host == os.uname().nodename


def _local_devices() -> frozenset[int]:
    """Devices whose files no other machine can write."""
    try:
        mounts = (PROCESSES / "self" / "mountinfo").read_text(errors="replace").splitlines()
    except OSError:
        return frozenset()
    return frozenset(device for device, kind in map(_mount, mounts) if _is_local(kind))


def _mount(line: str) -> tuple[int, str]:
    """The device and the type of a mounted file system; see proc(5)."""
    device, _, rest = line.partition(" - ")
    try:
        major, minor = device.split()[2].split(":")
        return os.makedev(int(major), int(minor)), rest.split()[0]
    except (IndexError, ValueError):
        return -1, ""


def _is_local(kind: str) -> bool:
    return bool(kind) and not kind.startswith(SHARED_FILE_SYSTEMS)


def _look(names: Collection[str]) -> _Open:
    """Find the files with these names that any process holds open for writing."""
    files: set[_Identity] = set()
    hidden_users: set[int] = set()
    with os.scandir(PROCESSES) as processes:
        for process in processes:
            if process.name.isdecimal() and not _collect(process.path, names, files):
                hidden_users.update(_user_if_large(process))
    return _Open(frozenset(files), frozenset(hidden_users))


def _collect(process: str, names: Collection[str], files: set[_Identity]) -> bool:
    """Add the files of one process; False if it may not be looked at."""
    try:
        with os.scandir(f"{process}/fd") as descriptors:
            for descriptor in descriptors:
                files.update(_identity_if_writable(process, descriptor, names))
    except PermissionError:
        return False
    except OSError:
        pass  # it has ended
    return True


def _user_if_large(process: os.DirEntry[str]) -> tuple[int, ...]:
    """Who owns a process that is large enough to be the program."""
    try:
        with open(f"{process.path}/statm", encoding="utf-8") as statm:
            pages = int(statm.read().split()[0])
        large = pages * os.sysconf("SC_PAGE_SIZE") >= SMALLEST_RECORDER
        return (process.stat().st_uid,) if large else ()
    except OSError:
        return ()  # it has ended


def _identity_if_writable(
    process: str, descriptor: os.DirEntry[str], names: Collection[str]
) -> tuple[_Identity, ...]:
    try:
        # Names first: to follow every link of every process takes long.
        name = os.path.basename(os.readlink(descriptor.path))  # noqa: PTH115, PTH119
        if name in names and _is_writable(f"{process}/fdinfo/{descriptor.name}"):
            found = descriptor.stat()
            return ((found.st_dev, found.st_ino),)
    except FileNotFoundError:
        pass  # closed meanwhile
    return ()


def _is_writable(fdinfo: str) -> bool:
    with open(fdinfo, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            name, _, value = line.partition(":")
            if name == "flags":
                return int(value, 8) & os.O_ACCMODE != os.O_RDONLY
    return False
