"""Runs a script as Python would, with the recorder switched on as soon as it imports TensorFlow.

`tfdbg-tui run` starts it in a process of its own, by its path: `-m` would leave frames in every
stack whose source TensorFlow looks for in vain, and says so.

    python recorded_main.py OPTIONS [-m] SCRIPT ARGUMENTS...

where OPTIONS is `ScriptOptions` as a JSON object. A script that never imports TensorFlow is not
made to, and notices nothing of all this. It runs in this process, so little else is imported.
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
"""Linux: the request to be sent a signal when the parent process dies."""

CANNOT_RUN = 2
"""The exit code of Python for a script that is not there."""


class ScriptOptions(NamedTuple):
    """How to run and record a script: options of `tfdbg-tui run`."""

    logdir: str
    mode: str = "FULL_HEALTH"
    keep: int | None = None
    op_regex: str | None = None
    dtypes: tuple[str, ...] = ()
    jit: bool = False
    """Whether functions may be compiled by XLA, which the recorder cannot look into."""
    brief_interrupt: bool = True
    """Whether an interrupted script ends with one line instead of a traceback."""


def main() -> None:
    """Run the script of the command line."""
    options = ScriptOptions(**json.loads(sys.argv[1]))
    words = sys.argv[2:]
    end_with_parent()
    is_module = words[0] == "-m"
    after_import("tensorflow", lambda: switch_on(options))
    show_only_the_scripts_own_frames(options.brief_interrupt)
    try:
        run_module(words[1:]) if is_module else run_file(words)
    except UserError as error:
        sys.stderr.write(f"tfdbg-tui: {error}\n")
        sys.exit(error.exit_code)


def end_with_parent() -> None:
    """Have the system end this process when its parent, the app, dies.

    Only for a crash of the app; a clean exit has already stopped us.
    """
    with contextlib.suppress(OSError, AttributeError):  # only Linux has this
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGHUP)


def switch_on(options: ScriptOptions) -> None:
    """Record from now on; the script's own calls of the recorder change nothing."""
    import warnings

    from tfdbg_tui import record

    try:
        recording = record.enable(
            options.logdir,
            options.mode,
            keep=options.keep,
            op_regex=options.op_regex,
            dtypes=options.dtypes or None,
            jit=options.jit,
        )
    except (OSError, TypeError, ValueError) as error:
        sys.stderr.write(f"tfdbg-tui: cannot record: {str(error).rstrip('.')}.\n")
        sys.exit(CANNOT_RUN)
    record.ignore_own_calls(recording)
    warnings.filterwarnings("ignore", message=record.ALREADY_RECORDING)


# Acting as soon as TensorFlow is imported.


def after_import(name: str, action: Callable[[], None]) -> None:
    """Call `action` when this process, not one forked from it, has imported a module."""
    hook = _ImportHook(name, action)
    sys.meta_path.insert(0, hook)
    os.register_at_fork(after_in_child=hook.remove)


class _ImportHook(importlib.abc.MetaPathFinder):
    """Has one module loaded by a loader that acts afterwards; all others are left alone."""

    def __init__(self, name: str, action: Callable[[], None]) -> None:
        self._name = name
        self._action = action

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec that the other finders find, with a loader that acts afterwards."""
        if name != self._name:
            return None
        self.remove()
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _ActingLoader(spec.loader, self._action)
        return spec

    def remove(self) -> None:
        """Take no more part in imports."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)


class _ActingLoader(importlib.abc.Loader):
    """Loads as another loader does, then acts."""

    def __init__(self, loader: Any, action: Callable[[], None]) -> None:
        self._loader = loader
        self._action = action

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the other loader does."""
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """As the other loader does, whose name the module bears; then act."""
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._action()


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
    """Put a folder where Python put that of this file, unless Python was told to put none."""
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = str(folder)


def _run(code: CodeType, names: dict[str, Any]) -> None:
    """Execute code as `__main__`, which multiprocessing and pickle look for by that name."""
    module = ModuleType("__main__")
    module.__dict__.update({"__builtins__": __builtins__, **names})
    sys.modules["__main__"] = module
    exec(code, module.__dict__)


def show_only_the_scripts_own_frames(brief_interrupt: bool) -> None:
    """Leave the frames of this file out of tracebacks: they say nothing about the script."""
    show, own = sys.excepthook, __file__

    def show_without_ours(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        kept, rest = trace, trace
        while rest is not None:
            if rest.tb_frame.f_code.co_filename == own:
                kept = rest.tb_next
            rest = rest.tb_next
        if brief_interrupt and issubclass(kind, KeyboardInterrupt):
            sys.stderr.write(f"interrupted{_user_line(kept)}\n")
            return
        show(kind, error.with_traceback(kept), kept)

    sys.excepthook = show_without_ours


def _user_line(trace: TracebackType | None) -> str:
    """The innermost line of the user's own in a traceback, as the end of a sentence."""
    line = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if is_user_file(file):
            line = f" at {file}:{trace.tb_lineno}"
        trace = trace.tb_next
    return line


if __name__ == "__main__":
    main()
