"""Runs a script as Python would, with the recorder switched on as soon as it imports TensorFlow.

`tfdbg-tui run` starts it in a process of its own, by its path: `-m` would leave frames in every
stack whose source TensorFlow looks for in vain, and says so.

    python under_recorder.py OPTIONS [-m] SCRIPT ARGUMENTS...

where OPTIONS is a JSON object for `Recorder`. A script that never imports TensorFlow is not made
to, and notices nothing of all this.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.abc
import importlib.util
import io
import json
import os
import signal
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from tfdbg_tui.data.stores.user_code import is_user_file
from tfdbg_tui.errors import UserError
from tfdbg_tui.words import os_reason

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, TracebackType

PR_SET_PDEATHSIG = 1
"""Linux: the number of the request to be sent a signal at the parent's death."""

CANNOT_RUN = 2
"""The exit code of Python for a script that is not there."""


class Options(NamedTuple):
    """How to record, as `tfdbg-tui run` was told."""

    logdir: str
    mode: str = "FULL_HEALTH"
    keep: int | None = None
    op_regex: str | None = None
    dtypes: tuple[str, ...] = ()
    jit: bool = True
    """Whether functions may be compiled by XLA, which the recorder cannot look into."""
    brief: bool = True
    """Whether one line is enough for an interrupt: somebody asked for it, and knows."""


def main() -> None:
    """Run the script of the command line."""
    options = Options(**json.loads(sys.argv[1]))
    words = sys.argv[2:]
    end_with_parent()
    is_module = words[0] == "-m"
    after_import("tensorflow", lambda: switch_on(options))
    show_only_the_scripts_own_frames(options.brief)
    try:
        run_module(words[1:]) if is_module else run_file(words)
    except UserError as error:
        sys.stderr.write(f"tfdbg-tui: {error}\n")
        sys.exit(error.exit_code)


def end_with_parent() -> None:
    """Have the system end this process when whoever watches it dies, as a terminal would.

    Whoever leaves in order ends it in order, before that.
    """
    with contextlib.suppress(OSError, AttributeError):  # only Linux has this
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGHUP)


def switch_on(options: Options) -> None:
    """Record from now on, whatever the script itself says about recording."""
    import warnings

    from tfdbg_tui import record
    from tfdbg_tui.record import tf_internals

    try:
        recording = record.enable(
            options.logdir,
            options.mode,
            keep=options.keep,
            op_regex=options.op_regex,
            dtypes=options.dtypes or None,
        )
    except (OSError, TypeError, ValueError) as error:
        sys.stderr.write(f"tfdbg-tui: cannot record: {str(error).rstrip('.')}.\n")
        sys.exit(CANNOT_RUN)
    record.ignore_own_calls(recording)
    if not options.jit:
        tf_internals.forbid_jit()
    warnings.filterwarnings("ignore", message=record.ALREADY_RECORDING)


# Knowing when TensorFlow is there.


def after_import(name: str, act: Callable[[], None]) -> None:
    """Call `act` when this process, not one forked from it, has imported a module."""
    lookout = _Lookout(name, act)
    sys.meta_path.insert(0, lookout)
    os.register_at_fork(after_in_child=lookout.leave)


class _Lookout(importlib.abc.MetaPathFinder):
    """Finds one module as everybody else would, and is told when it is loaded."""

    def __init__(self, name: str, act: Callable[[], None]) -> None:
        self._name = name
        self._act = act

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec that the finders behind this one find, with a loader that tells."""
        if name != self._name:
            return None
        self.leave()
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _TellingLoader(spec.loader, self._act)
        return spec

    def leave(self) -> None:
        """Look out no more."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)


class _TellingLoader(importlib.abc.Loader):
    """Loads as another loader does, then acts."""

    def __init__(self, loader: Any, act: Callable[[], None]) -> None:
        self._loader = loader
        self._act = act

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the loader does."""
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """As the loader does; then it is time."""
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._act()


# Running as Python does.


def run_file(words: list[str]) -> None:
    """Run a script: its folder is the first to import from, as with `python script.py`."""
    path = Path(words[0])
    try:
        with io.open_code(str(path.absolute())) as file:
            code = compile(file.read(), str(path.absolute()), "exec")
    except OSError as error:
        raise UserError(f"cannot run {path}: {os_reason(error)}.") from error
    sys.argv = words
    _import_first_from(path.resolve().parent)
    _run(code, {"__file__": str(path.absolute())})


def run_module(words: list[str]) -> None:
    """Run a module: the current folder is the first to import from, as with `python -m`."""
    _import_first_from(Path.cwd())
    name = words[0]
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            name = f"{name}.__main__"
            spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        spec = None
    loader: Any = None if spec is None else spec.loader
    code = None if loader is None else loader.get_code(name)
    if spec is None or code is None:
        raise UserError(f"there is no module {words[0]} to run.")
    sys.argv = [spec.origin or name, *words[1:]]
    _run(code, {"__file__": spec.origin, "__spec__": spec, "__package__": spec.parent})


def _import_first_from(folder: Path) -> None:
    """Let a folder take the place of the one of this file, unless Python leaves both out."""
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = str(folder)


def _run(code: CodeType, names: dict[str, Any]) -> None:
    """Execute code as `__main__`, which multiprocessing and pickle look for by that name."""
    module = ModuleType("__main__")
    module.__dict__.update({"__builtins__": __builtins__, **names})
    sys.modules["__main__"] = module
    exec(code, module.__dict__)


def show_only_the_scripts_own_frames(brief: bool) -> None:
    """Leave what is above the script out of tracebacks: nobody can do anything about it."""
    tell, own = sys.excepthook, __file__

    def tell_without(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        kept, rest = trace, trace
        while rest is not None:
            if rest.tb_frame.f_code.co_filename == own:
                kept = rest.tb_next
            rest = rest.tb_next
        if brief and issubclass(kind, KeyboardInterrupt):
            sys.stderr.write(f"interrupted{_user_place(kept)}\n")
            return
        tell(kind, error.with_traceback(kept), kept)

    sys.excepthook = tell_without


def _user_place(trace: TracebackType | None) -> str:
    """Which line of the user's a traceback ends in."""
    place = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if is_user_file(file):
            place = f" at {file}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


if __name__ == "__main__":
    main()
