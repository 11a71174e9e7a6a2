"""`tfdbg-tui run`: records a script in a process of its own and shows it in the app."""

from __future__ import annotations

import errno
import os
import re
import tempfile
import time
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.commands.closing import closing_words
from tfdbg_tui.commands.filters import filters_with
from tfdbg_tui.commands.outcome import Outcome
from tfdbg_tui.commands.show import check_terminal, keep_rest, show
from tfdbg_tui.data.records.modes import Mode, tells_bad
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.errors import UserError
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.kept.mute_files import keeper_of, read_mutes_of
from tfdbg_tui.program.process import Script
from tfdbg_tui.program.python_start import start_of
from tfdbg_tui.program.recorded_main import ScriptOptions
from tfdbg_tui.record.private_files import make_folder, make_new_folder, remove_empty
from tfdbg_tui.record.program_notes import ProgramNotes
from tfdbg_tui.verdict.watching import WatchedCauses
from tfdbg_tui.words import os_reason

if TYPE_CHECKING:
    from types import SimpleNamespace

    from tfdbg_tui.data.search.named_filters import NamedFilters
    from tfdbg_tui.program.python_start import PythonStart
    from tfdbg_tui.verdict.watching import Watched

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


def run(options: SimpleNamespace) -> Outcome:
    """Run the script under the app, and end it when the app is left."""
    check_script(options)
    if options.mute is not None:
        read_mutes_of(options.mute)  # before the script is run
    filters = wanted_filters(options)
    check_terminal("`tfdbg-tui run --headless` needs none.")
    launch = prepare(options)
    script = Script(launch.start, launch.name, launch.logdir / OUTPUT_FILE, launch.note_end)
    watched = Logdir(launch.logdir)
    keeper = keeper_of(launch.logdir, options.mute)
    try:
        until: Watched | None = None
        if options.until_bad:
            until = WatchedCauses(watched, mutes=keeper.mutes)
        elif filters is not None:
            until = watched_filter(watched, filters, options.until)
        (code, text), why = show(
            options,
            watched,
            follow=True,
            script=script,
            until=until,
            filters=filters,
            keeper=keeper,
        )
    finally:
        keep_rest(keeper)
        script.end(QUIT_GRACE)
        launch.tidy_up()
    exit_code, was_stopped = script.outcome()
    how = "was stopped" if was_stopped else f"ended with exit code {exit_code}"
    ended = f"{launch.name} {how}."
    return Outcome(code, text or closing_words(watched, ended, script.output_file, why))


def wanted_filters(options: SimpleNamespace) -> NamedFilters | None:
    """The filters one of which --until waits for; raises a UserError if it is not there."""
    return None if options.until is None else filters_with(options, options.until, "--until")


def watched_filter(watched: Logdir, filters: NamedFilters, name: str) -> Watched:
    """A job that waits for a filter."""
    from tfdbg_tui.verdict.watching_filter import WatchedFilter  # most runs wait for none

    return WatchedFilter(watched, filters, name)


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
        _check_file(Path(script[0]))


def prepare(options: SimpleNamespace) -> Launch:
    """What to run and where to record it; makes that folder."""
    script = options.script
    name = script[1] if script[0] == "-m" else Path(script[0]).name or Path.cwd().name
    logdir, made = _folder(options.logdir, name)
    backend = os.environ.get("KERAS_BACKEND")
    notes = ProgramNotes.begin(
        logdir, started_by="run", command=script, started=time.time(), keras_backend=backend
    )
    recorder = ScriptOptions(
        str(logdir),
        options.mode,
        options.keep,
        options.op_regex,
        options.dtypes,
        jit=options.jit,
        brief_interrupt=options.until_bad or bool(options.until) or not options.headless,
        notes=None if notes.path is None else str(notes.path),
    )
    return Launch(name, start_of(script, recorder), logdir, made, notes)


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
