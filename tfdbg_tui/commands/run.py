"""`tfdbg-tui run`: records a script in a process of its own and shows it in the app."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.commands.outcome import Outcome
from tfdbg_tui.commands.show import check_terminal, show
from tfdbg_tui.data.records.modes import Mode, tells_bad
from tfdbg_tui.errors import UserError
from tfdbg_tui.program import recorded_main
from tfdbg_tui.program.process import Script
from tfdbg_tui.words import os_reason

if TYPE_CHECKING:
    from argparse import Namespace

QUIT_GRACE = 2.0
"""Seconds that a script has to end after each signal when the app is left."""

OUTPUT_FILE = "output.txt"
"""Beside the recording: all that the script printed."""


class Launch(NamedTuple):
    """A script that is to be recorded."""

    name: str
    command: tuple[str, ...]
    logdir: Path


def run(options: Namespace) -> Outcome:
    """Run the script under the app, and end it when the app is left."""
    check_script(options)
    check_terminal("`tfdbg-tui run --headless` needs none.")
    launch = prepare(options)
    script = Script(launch.command, launch.name, launch.logdir / OUTPUT_FILE)
    try:
        code, text = show(
            options, str(launch.logdir), follow=True, script=script, until_bad=options.until_bad
        )
    finally:
        script.end(QUIT_GRACE)
    return Outcome(code, text or _closing_words(launch, *script.outcome()))


def check_script(options: Namespace) -> None:
    """Raise a UserError if there is nothing to run, or nothing that --until-bad could see."""
    script = options.script
    if options.until_bad and not tells_bad(Mode[options.mode]):
        raise UserError(f"{options.mode} tells no NaN or Inf that --until-bad could wait for.")
    if script in ([], ["-m"], [""]):
        raise UserError("give the script to run; see `tfdbg-tui run --help`.")
    if script[0] != "-m":
        _check_file(script[0])


def prepare(options: Namespace) -> Launch:
    """What to run and where to record it; makes that folder."""
    script = options.script
    name = script[1] if script[0] == "-m" else Path(script[0]).name
    logdir = _folder(options.logdir, name)
    recorder = recorded_main.ScriptOptions(
        str(logdir),
        options.mode,
        options.keep,
        options.op_regex,
        options.dtypes,
        jit=options.jit,
        brief_interrupt=options.until_bad or not options.headless,
    )
    start = (sys.executable, recorded_main.__file__, json.dumps(recorder._asdict()))
    return Launch(name, (*start, *script), logdir)


def _check_file(script: str) -> None:
    path = Path(script)
    if path.is_dir():
        raise UserError(f"{script} is a folder; give the script in it, or -m and a module.")
    if not path.exists():
        raise UserError(f"there is no script {script}.")


def _folder(wanted: str | None, name: str) -> Path:
    """The folder to record to, made if need be: the wanted one, else a temporary one."""
    stem = re.sub(r"[^\w.-]", "_", name.removesuffix(".py"))
    try:
        if wanted is None:
            return Path(tempfile.mkdtemp(prefix=f"tfdbg-{stem}-"))
        folder = _unused(Path(wanted).absolute())
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        where = wanted or "a new folder"
        raise UserError(f"cannot record to {where}: {os_reason(error)}.") from error
    return folder


def _unused(folder: Path) -> Path:
    """The folder itself or, where it holds a recording, a new one in it: each run has its own."""
    if not any(folder.glob("tfdbg_events.*")):
        return folder
    return next(free for n in count(2) if not (free := folder / f"run-{n}").exists())


def _closing_words(launch: Launch, exit_code: int | None, was_stopped: bool) -> str:
    """What to print when the app has ended: how the script ended, and where everything is."""
    how = "was stopped" if was_stopped else f"ended with exit code {exit_code}"
    sizes = [path.stat().st_size for path in launch.logdir.glob("tfdbg_events.*")]
    recording = f"Its recording ({sum(sizes) / 1e6:,.0f} MB): tfdbg-tui {launch.logdir}\n"
    if not sizes:
        recording = "Nothing was recorded: TensorFlow was not imported.\n"
    return f"{launch.name} {how}.\n{recording}Its output: {launch.logdir / OUTPUT_FILE}\n"
