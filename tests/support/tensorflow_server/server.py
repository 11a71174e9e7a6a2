"""Imports TensorFlow once and forks a child for every program.

``python server.py FOLDER DESCRIPTOR MODULES...`` listens at a socket until its standard input ends.
Then it removes the folder, since whoever started it may have been killed.

TensorFlow must be imported only: an op, once executed, would start threads that no fork takes
along.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib.abc
import importlib.util
import io
import json
import os
import random
import select
import shutil
import signal
import site
import socket
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType

STATUS_BYTES = 4
STREAMS = 3
OWNER = 0
"""The descriptor that ends with whoever started the server."""


class Program(NamedTuple):
    """What a client asks for, in the words of Python's command line."""

    words: list[str]
    folder: str
    environment: dict[str, str]
    streams: list[int]


class Child(NamedTuple):
    """A program that runs."""

    process: int
    watch: int
    """A descriptor that is readable once the process has ended."""
    client: socket.socket


def next_program(folder: str, listening: socket.socket, modules: list[str]) -> Program:
    """Serve until the owner is gone; returns in every child, with the program it is to become."""
    children: list[Child] = []
    while True:
        awaited: list[int | socket.socket] = [OWNER, listening]
        for child in children:
            awaited += [child.client, child.watch]
        ready = select.select(awaited, [], [])[0]
        if OWNER in ready:
            end_all(children)
            shutil.rmtree(folder, ignore_errors=True)
            sys.exit()
        if listening in ready:
            client, _ = listening.accept()
            program = received(client)
            if program is None:
                continue
            import_once(modules)
            process = os.fork()
            if process == 0:
                return program
            for stream in program.streams:
                os.close(stream)
            children.append(Child(process, os.pidfd_open(process), client))
        for child in children.copy():
            if child.client in ready:
                pass_on(child)
            if child.watch in ready:
                tell_end(child)
                children.remove(child)


def received(client: socket.socket) -> Program | None:
    """The program that a client describes; None if it was killed meanwhile."""
    size, streams, _, _ = socket.recv_fds(client, STATUS_BYTES, STREAMS)
    length = int.from_bytes(size, "little")
    text = client.recv(length, socket.MSG_WAITALL)
    if not text or len(text) < length:
        return None
    return Program(streams=streams, **json.loads(text))


def import_once(modules: list[str]) -> None:
    """Import what the programs are to have; when the first of them comes."""
    if set(modules) <= set(sys.modules):
        return
    for name in modules:
        importlib.import_module(name)
    if "tensorflow" in modules:
        from tensorflow.python.eager import context

        assert not context.context()._initialized, "TensorFlow has executed something at import"
    # What is never freed is not written to, and so stays shared with all children.
    gc.collect()
    gc.freeze()


def pass_on(child: Child) -> None:
    """Send a program the signals that its client got; without a client it is killed."""
    for number in child.client.recv(64) or [signal.SIGKILL]:
        # Until it has become a program, it has no process group of its own.
        has_group = os.getpgid(child.process) == child.process
        (os.killpg if has_group else os.kill)(child.process, number)


def tell_end(child: Child) -> None:
    """Tell a client how its program ended."""
    _, status = os.waitpid(child.process, 0)
    os.close(child.watch)
    try:
        child.client.sendall(status.to_bytes(STATUS_BYTES, "little"))
    except OSError:
        pass  # it was killed, and has been the reason of the end
    child.client.close()


def end_all(children: list[Child]) -> None:
    """Leave no program behind."""
    for child in children:
        os.kill(child.process, signal.SIGKILL)
        tell_end(child)


# In the child.


def become(program: Program, modules: list[str]) -> tuple[CodeType, dict[str, Any]]:
    """Make this process look like a new Python; returns its main code and the names in it."""
    os.setsid()
    take_streams(program.streams)
    os.chdir(program.folder)
    os.environ.clear()
    os.environ.update(program.environment)
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()
    sys.meta_path.insert(0, HiddenModules(modules))
    added = program.environment.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:1] = filter(None, added)
    sys.modules.pop("sitecustomize", None)
    site.execsitecustomize()  # as Python does before it runs anything; one may come with PYTHONPATH
    sys.path.insert(0, first_folder(program.words[0]))
    main = ModuleType("__main__")
    sys.modules["__main__"] = main
    code, names = main_code(program.words)
    main.__dict__.update({"__builtins__": __builtins__, **names})
    return code, main.__dict__


def take_streams(streams: list[int]) -> None:
    """Make the client's standard files our own."""
    for target, source in enumerate(streams):
        os.dup2(source, target)
        os.close(source)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=sys.stdout.isatty())


def first_folder(word: str) -> str:
    """Where Python looks first for modules to import, by the first word of its command line."""
    if word == "-c":
        return ""
    return str(Path.cwd() if word == "-m" else Path(word).resolve().parent)


def main_code(words: list[str]) -> tuple[CodeType, dict[str, Any]]:
    """The code to run as `__main__`, with the names that Python gives it; sets `sys.argv`."""
    if words[0] == "-c":
        sys.argv = ["-c", *words[2:]]
        return compile(words[1], "<string>", "exec"), {"__spec__": None}
    if words[0] == "-m":
        spec = importlib.util.find_spec(words[1])
        assert spec is not None, f"there is no module {words[1]}"
        loader: Any = spec.loader
        sys.argv = [str(spec.origin), *words[2:]]
        names = {"__spec__": spec, "__package__": spec.parent, "__file__": spec.origin}
        return loader.get_code(spec.name), names
    sys.argv = words
    with io.open_code(str(Path(words[0]).absolute())) as file:
        return compile(file.read(), words[0], "exec"), {"__spec__": None, "__file__": words[0]}


def end(names: dict[str, Any]) -> NoReturn:
    """End as Python does, but free the program's own names only: TensorFlow's take longest.

    Whoever fails or calls `sys.exit` does not come here, and ends in Python's own way.
    """
    threading._shutdown()  # type: ignore[attr-defined]  # waits for the threads of the program
    atexit._run_exitfuncs()
    names.clear()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()
    # Not `os._exit`: TensorFlow's files are written to their ends by this one.
    ctypes.CDLL(None).exit(0)
    raise AssertionError("the process has ended")


class HiddenModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Takes modules away and gives them back when they are imported, as if for the first time."""

    def __init__(self, names: list[str]) -> None:
        self._modules = {name: sys.modules.pop(name) for name in names}
        self._specs = {name: module.__spec__ for name, module in self._modules.items()}

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Knows the hidden modules only."""
        if name not in self._modules:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module as it was imported long ago."""
        return self._modules[spec.name]

    def exec_module(self, module: ModuleType) -> None:
        """Each of the hidden modules imports the other."""
        module.__spec__ = self._specs[module.__name__]
        for name in self._modules:
            importlib.import_module(name)


if __name__ == "__main__":
    folder, descriptor, *modules = sys.argv[1:]
    program = next_program(folder, socket.socket(fileno=int(descriptor)), modules)
    # At the top level, so that no more than one frame lies below those of the program.
    code, names = become(program, modules)
    exec(code, names)
    end(names)
