"""Comes before the script that `tfdbg-tui run` runs: Python imports it by its name, by itself.

Then Python runs the script, and not we: a file, a folder, a zip file or `-m`, with the stack, the
exit code and the errors that it has without us. What we bring along is gone by then: variables,
`sys.path` and `sys.modules` are as ever, and a `sitecustomize` of the user's own is imported.
What stays is told when TensorFlow has been imported, and when an exception ends the script.

Imports nothing that Python has not imported by itself at that time, not even for types. All that
needs more is in `recorded_main`, which is imported when there is something to tell.
"""

import _thread
import os
import site
import sys

TYPE_CHECKING = False  # as in `typing`, which nobody has imported yet
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

OPTIONS_VARIABLE = "TFDBG_TUI_RUN"
"""Environment variable for the script's process: how to record it."""

PATH_VARIABLE = "TFDBG_TUI_RUN_PYTHONPATH"
"""Environment variable for the script's process: its own PYTHONPATH, if it has one."""

OWN = "tfdbg_tui"
"""Our package: a script that imports it gets the one that records it."""

PR_SET_PDEATHSIG = 1
"""Linux: the request to be sent a signal when the parent process dies."""

SIGHUP = 1


def start() -> None:
    """Get ready, and leave no trace."""
    options = os.environ.pop(OPTIONS_VARIABLE)
    world = OwnWorld(_restore_path())
    with world:
        end_with_parent()
    after_import("tensorflow", lambda module: world.recorded_main().hear_import(module, options))
    before_excepthook(lambda error: world.recorded_main().hear_uncaught(error, options))


def _restore_path() -> "list[str]":
    """Have Python look for modules where it would without us; returns the user's PYTHONPATH."""
    entries = os.environ["PYTHONPATH"].split(os.pathsep)
    own, *users = (site.makepath(entry)[0] for entry in entries)  # as they are in sys.path
    before = os.environ.pop(PATH_VARIABLE, None)
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before
    sys.path.remove(own)
    sys.path_importer_cache.pop(own, None)
    return users


def end_with_parent() -> None:
    """Have the system end this process when its parent, the app, dies.

    Only for a crash of the app; a clean exit has already stopped us.
    """
    try:
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, SIGHUP)
    except (ImportError, OSError, AttributeError):
        pass  # only Linux has this


# Importing what is ours.


class OwnWorld:
    """In a `with` block, imports find Python's modules and ours, whatever the script has.

    A `signal.py` beside the script stays out of what we import. What we import stays out of what
    the script imports: Python's modules that nobody else has imported are forgotten again.
    """

    def __init__(self, users: "list[str]") -> None:
        self._path = sorted(sys.path, key=users.__contains__)
        self._pythons = {os.path.dirname(os.__file__), *(set(sys.path) - set(users))}
        self._root = os.path.abspath(__file__).rpartition(os.sep + OWN + os.sep)[0]
        self._scripts_path: list[str] = []
        self._scripts_modules: dict[str, ModuleType] = {}
        self._known: set[str] = set()

    def recorded_main(self) -> "Any":
        """The module that does all the rest."""
        with self:
            sys.path[:] = [self._root]
            __import__(OWN)  # ours, which imports nothing; then what it needs, from Python
            sys.path[:] = self._path
            from tfdbg_tui.program import recorded_main
        return recorded_main

    def __enter__(self) -> None:
        self._scripts_path = sys.path[:]
        names = [name for name in sys.modules if self._is_scripts(name.partition(".")[0])]
        self._scripts_modules = {name: sys.modules.pop(name) for name in names}
        self._known = set(sys.modules)
        sys.path[:] = self._path

    def __exit__(self, *_: object) -> None:
        sys.path[:] = self._scripts_path
        for name in set(sys.modules) - self._known:
            if name.partition(".")[0] != OWN:
                del sys.modules[name]
        sys.modules.update(self._scripts_modules)

    def _is_scripts(self, name: str) -> bool:
        """Whether a module is the script's own, under a name that means another to us."""
        if name != OWN and name not in sys.stdlib_module_names:
            return False
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        if not isinstance(file, str):
            return False  # a part of the interpreter
        folder = os.path.dirname(os.path.dirname(file) if hasattr(module, "__path__") else file)
        return folder != self._root if name == OWN else folder not in self._pythons


# Hearing of an import.


def after_import(name: str, action: "Callable[[ModuleType], None]") -> None:
    """Call `action` when this process, not one forked from it, has imported a module."""
    finder = TellingFinder(name, action)
    sys.meta_path.insert(0, finder)
    os.register_at_fork(after_in_child=finder.remove)


class TellingFinder:
    """Has one module loaded by a loader that tells; all others are left alone."""

    def __init__(self, name: str, action: "Callable[[ModuleType], None]") -> None:
        self._name = name
        self._action = action

    def find_spec(
        self, name: str, path: "Sequence[str] | None", target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        """The spec that the other finders find, with a loader that tells."""
        if name != self._name:
            return None
        others = [f for f in sys.meta_path if f is not self and hasattr(f, "find_spec")]
        found = (finder.find_spec(name, path, target) for finder in others)
        spec = next((spec for spec in found if spec is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader = TellingLoader(spec.loader, self.tell)  # type: ignore[assignment]
        return spec

    def remove(self) -> None:
        """Take no more part in imports."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def tell(self, module: "ModuleType") -> None:
        """Tell of the import, once."""
        if self in sys.meta_path:  # else a module that was found before a fork is loaded after it
            self.remove()
            self._action(module)


def _left_out_of_tracebacks(function: "Any") -> "Any":
    """The function, whose frame Python takes for one of its own and removes when an import fails.

    It knows them by the file and the name of their code.
    """
    function.__code__ = function.__code__.replace(
        co_filename="<frozen importlib._bootstrap>", co_name="_call_with_frames_removed"
    )
    return function


class TellingLoader:
    """Loads as another loader does, then tells."""

    def __init__(self, loader: "Any", tell: "Callable[[ModuleType], None]") -> None:
        self._loader = loader
        self._tell = tell

    def __getattr__(self, name: str) -> "Any":
        return getattr(self._loader, name)

    def create_module(self, spec: "ModuleSpec") -> "ModuleType | None":
        """As the other loader does."""
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    @_left_out_of_tracebacks
    def exec_module(self, module: "ModuleType") -> None:
        """As the other loader does, whose name the module bears; then tell."""
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._tell(module)


# Hearing of an exception that ends the script.


def before_excepthook(action: "Callable[[BaseException], bool]") -> None:
    """Call `action` at an uncaught exception, before `sys.excepthook`, whoever has set that.

    If it returns True, all is said and the hook is not called. Python tells all that happens to
    audit hooks, and this under the name `sys.excepthook`; what they raise keeps it from going on.
    """
    # A function would have a frame, in which every ctrl-c may come up. The method of a dict has
    # none: it looks up the name of each event, and gets to our key for one name alone.
    sys.addaudithook({UncaughtException(action): None}.get)  # type: ignore[arg-type]


class UncaughtException:
    """A key that acts when it is compared with the name of an event."""

    NAME = "sys.excepthook"

    def __init__(self, action: "Callable[[BaseException], bool]") -> None:
        self._action = action
        self._main = (os.getpid(), _thread.get_ident())

    def __hash__(self) -> int:
        return hash(self.NAME)

    def __eq__(self, name: object) -> bool:
        # Libraries in C may have exceptions printed like that, too, and go on.
        is_end = name == self.NAME and sys._getframe().f_back is None
        if is_end and (os.getpid(), _thread.get_ident()) == self._main:
            error = getattr(sys, "last_exc", getattr(sys, "last_value", None))
            if error is not None and self._is_all_said(error):
                raise RuntimeError("all is said")
        return False

    def _is_all_said(self, error: BaseException) -> bool:
        try:
            return self._action(error)
        except Exception:
            return False  # a fault of ours costs nobody the traceback
        finally:
            if isinstance(error, KeyboardInterrupt):
                _remember_interrupt()


def _remember_interrupt() -> None:
    """Have Python die of SIGINT when it exits, as it does after ctrl-c.

    It notes whether the text that it has compiled and run last was interrupted. Some modules that
    we have imported since then have run a text, too.
    """
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        pass


if __name__ == "sitecustomize":  # and not imported by us, for the names of its variables
    start()
    # What was hidden by this one. Without any, Python expects the error that this raises.
    del sys.modules["sitecustomize"]
    __import__("sitecustomize")
