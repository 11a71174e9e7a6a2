"""`tfdbg-tui run`: records a script in a process of its own, under the app or without a screen."""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.data.records.modes import Mode, tells_bad
from tfdbg_tui.program import recorded_main

if TYPE_CHECKING:
    from collections.abc import Callable

HELP = """\
Run a training script and watch it: it is recorded without any change to it.

  tfdbg-tui run [OPTIONS] train.py ARGUMENTS...
  tfdbg-tui run [OPTIONS] -m package.train ARGUMENTS...

Options, before the script:
  --mode MODE      what to note of each tensor: FULL_HEALTH (the default),
                   CONCISE_HEALTH, CURT_HEALTH, SHAPE, NO_TENSOR, FULL_TENSOR
  --logdir DIR     where to record, in a folder of its own if DIR holds a
                   recording; else a new folder among the temporary files
  --keep N         write only the last N events of every 0.2 s: a sample that
                   saves disk, and may miss the first NaN
  --op-regex RE    note only tensors of ops whose type matches
  --dtypes A,B     note only tensors of these types, such as float16
  --no-jit         compile nothing with XLA: the recorder cannot look into that
  --until-bad      stop the script when the first NaN or Inf is on disk
  --headless       no screen: the script keeps the terminal, its exit code is
                   ours (1 if --until-bad and bad), the verdict comes last
Those of the full-screen app, such as --ascii, hold here too.

In the app, 8 is what the script prints, ^c stops it, q leaves.
"""

MODES = ("FULL_HEALTH", "CONCISE_HEALTH", "CURT_HEALTH", "SHAPE", "NO_TENSOR", "FULL_TENSOR")

QUIT_GRACE = 2.0
"""Seconds that a script has to end after each signal when the app is left."""

OUTPUT_FILE = "output.txt"
"""Beside the recording: all that the script printed."""


class CannotRunError(Exception):
    """One sentence: what is wrong and what to do."""


class Launch(NamedTuple):
    """A script that is to be recorded."""

    name: str
    command: tuple[str, ...]
    logdir: Path


def split(words: list[str], takes_value: Callable[[str], bool]) -> tuple[list[str], list[str]]:
    """The options of `run`, and the script with its arguments, which are its own business."""
    place = 0
    while place < len(words) and words[place].startswith("-") and words[place] != "-m":
        if words[place] == "--":
            return words[:place], words[place + 1 :]
        place += 2 if takes_value(words[place]) else 1
    return words[:place], words[place:]


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of `run` itself."""
    parser.add_argument("--mode", choices=MODES, default=MODES[0])
    parser.add_argument("--logdir", metavar="DIR")
    parser.add_argument("--keep", metavar="N", type=_events)
    parser.add_argument("--op-regex", metavar="RE", type=_pattern)
    parser.add_argument("--dtypes", metavar="A,B", type=_names, default=())
    parser.add_argument("--no-jit", action="store_true")
    parser.add_argument("--until-bad", action="store_true")
    parser.add_argument("--headless", action="store_true")


def _events(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number of events")
    return int(text)


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text} is no regular expression: {error}") from error
    return text


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def check_script(options: argparse.Namespace) -> None:
    """Object where there is nothing to run, or to wait for."""
    script = options.script
    if options.until_bad and not tells_bad(Mode[options.mode]):
        raise CannotRunError(f"{options.mode} tells no NaN or Inf that --until-bad could wait for.")
    if script in ([], ["-m"], [""]):
        raise CannotRunError("give the script to run; see `tfdbg-tui run --help`.")
    if script[0] != "-m":
        _check_file(script[0])


def launch(options: argparse.Namespace, script: list[str]) -> Launch:
    """What to run and where to record it; makes that folder."""
    name = script[1] if script[0] == "-m" else Path(script[0]).name
    logdir = _folder(options.logdir, name)
    recorder = recorded_main.Options(
        str(logdir),
        options.mode,
        options.keep,
        options.op_regex,
        options.dtypes,
        jit=not options.no_jit,
        brief=options.until_bad or not options.headless,
    )
    start = (sys.executable, recorded_main.__file__, json.dumps(recorder._asdict()))
    return Launch(name, (*start, *script), logdir)


def _check_file(script: str) -> None:
    path = Path(script)
    if path.is_dir():
        raise CannotRunError(f"{script} is a folder; give the script in it, or -m and a module.")
    if not path.exists():
        raise CannotRunError(f"there is no script {script}.")


def _folder(wanted: str | None, name: str) -> Path:
    """The folder to record to: a new one, unless somebody wants another."""
    stem = re.sub(r"[^\w.-]", "_", name.removesuffix(".py"))
    try:
        if wanted is None:
            return Path(tempfile.mkdtemp(prefix=f"tfdbg-{stem}-"))
        folder = _unused(Path(wanted).absolute())
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CannotRunError(f"cannot record to {wanted or 'a new folder'}: {reason}.") from error
    return folder


def _unused(folder: Path) -> Path:
    """The folder itself or, where it holds a recording, a new one in it: each run has its own."""
    if not any(folder.glob("tfdbg_events.*")):
        return folder
    return next(place for n in count(2) if not (place := folder / f"run-{n}").exists())


def closing_words(launch: Launch, exit_code: int | None, was_stopped: bool) -> str:
    """What is left to say in the shell when the app has gone: where everything is."""
    how = "was stopped" if was_stopped else f"ended with exit code {exit_code}"
    sizes = [path.stat().st_size for path in launch.logdir.glob("tfdbg_events.*")]
    recording = f"Its recording ({sum(sizes) / 1e6:,.0f} MB): tfdbg-tui {launch.logdir}\n"
    if not sizes:
        recording = "Nothing was recorded: TensorFlow was not imported.\n"
    return f"{launch.name} {how}.\n{recording}Its output: {launch.logdir / OUTPUT_FILE}\n"
