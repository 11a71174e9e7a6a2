"""Gets a script ready to be recorded: checks it, makes its folder, begins its notes."""

from __future__ import annotations

import errno
import os
import re
import sys
import tempfile
import time
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.data.records.modes import Mode, tells_bad
from tfdbg_tui.errors import UserError
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.program.python_start import start_of
from tfdbg_tui.program.recorded_main import ScriptOptions
from tfdbg_tui.record.private_files import make_folder, make_new_folder, remove_empty
from tfdbg_tui.record.program_notes import ProgramNotes
from tfdbg_tui.words import os_reason

if TYPE_CHECKING:
    from types import SimpleNamespace

    from tfdbg_tui.program.python_start import PythonStart

QUIT_GRACE = 2.0
"""Seconds that a script has to end after each signal when the app is left."""

OUTPUT_FILE = "output.txt"
"""Beside the recording: all that the script printed."""

HIDING = ("tensorflow.py", "keras.py")
"""Names of scripts that hide the modules which they need."""

MAX_STEM = 60
"""Letters of the script's name in that of a temporary folder."""


class Launch(NamedTuple):
    """A script that is to be recorded."""

    name: str
    start: PythonStart
    logdir: Path
    made: tuple[Path, ...]
    """The folders that were made for it, from the outside in."""
    notes: ProgramNotes

    def note_end(self, exit_code: int, was_stopped: bool) -> None:
        """Note how the script has ended; while it ran it has made notes itself."""
        if self.notes.path is not None:
            notes = ProgramNotes.resume(self.notes.path)
            notes.add(exit_code=exit_code, was_stopped=was_stopped, ended=time.time())

    def tidy_up(self) -> None:
        """Leave no folder of ours behind with notes at most; those that were there before stay."""
        if self.made and list(self.logdir.iterdir()) == [self.notes.path]:
            self.notes.remove()
        remove_empty(self.made)


def check_script(options: SimpleNamespace) -> None:
    """Raise a UserError if there is nothing to run, or nothing that --until-bad could see."""
    script = options.script
    if options.until_bad and not tells_bad(Mode[options.mode]):
        raise UserError(f"{options.mode} tells no NaN or Inf that --until-bad could wait for.")
    if script in ([], ["-m"], [""]):
        raise UserError("give the script to run; see `tfdbg-tui run --help`.")
    if script[0] == "-m":
        _check_names(Path(f"{script[1]}.py"))
    else:
        _check_file(Path(options.folder or "", script[0]))


def prepare(options: SimpleNamespace) -> Launch:
    """What to run and where to record it; makes that folder."""
    script = options.script
    name = script[1] if script[0] == "-m" else Path(script[0]).name or Path.cwd().name
    logdir, made = _folder(options.logdir, name)
    backend = os.environ.get("KERAS_BACKEND")
    notes = ProgramNotes.begin(
        logdir,
        started_by="run",
        command=script,
        folder=options.folder or os.getcwd(),  # noqa: PTH109 - a text
        python=sys.executable,
        started=time.time(),
        keras_backend=backend,
    )
    recorder = ScriptOptions(
        str(logdir),
        options.mode,
        options.keep,
        options.op_regex,
        options.dtypes,
        options.op_names,
        jit=options.jit,
        brief_interrupt=bool(options.until_bad or options.until) or not options.headless,
        notes=None if notes.path is None else str(notes.path),
    )
    start = start_of(script, recorder)._replace(folder=options.folder)
    return Launch(name, start, logdir, made, notes)


def _check_file(path: Path) -> None:
    """Raise a UserError if Python would find nothing to run, or not what is meant."""
    try:
        path.stat()
    except FileNotFoundError:
        raise UserError(f"there is no script {path}.") from None
    except OSError as error:
        raise UserError(f"cannot run {path}: {os_reason(error)}.") from error
    if path.is_dir() and PathFinder.find_spec("__main__", [str(path)]) is None:
        raise UserError(
            f"{path} is a folder without a __main__.py; give the script in it, or -m and a module."
        )
    _check_names(path.resolve())


def _check_names(path: Path) -> None:
    """Raise a UserError if a script would import itself for TensorFlow."""
    if path.name in HIDING and path.is_file():
        raise UserError(
            f"{path.name} bears the name of what it imports: `import {path.stem}` would find the "
            "script itself, and nothing would be recorded. Rename the script."
        )


def _folder(wanted: str | None, name: str) -> tuple[Path, tuple[Path, ...]]:
    """The folder to record to, the wanted one or a temporary one; and all that were made for it."""
    stem = re.sub(r"[^\w.-]", "_", name.removesuffix(".py"))[:MAX_STEM]
    try:
        if wanted is None:
            folder = Path(tempfile.mkdtemp(prefix=f"tfdbg-{stem}-"))
            return folder, (folder,)
        return _wanted_folder(Path(wanted).absolute())
    except OSError as error:
        where = wanted or "a new folder"
        raise UserError(f"cannot record to {where}: {os_reason(error)}.") from error


def _wanted_folder(folder: Path) -> tuple[Path, tuple[Path, ...]]:
    """The folder itself or, where it holds a recording, a new one in it: each run has its own."""
    made = make_folder(folder)
    if any(folder.glob("tfdbg_events.*")):
        folder = make_new_folder(folder / "run")
        made = (folder,)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
    return folder, made
