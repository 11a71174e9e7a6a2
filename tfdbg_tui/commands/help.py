"""`tfdbg-tui --help` and `tfdbg-tui run --help`: texts in our own words, not in argparse's."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tfdbg_tui.commands.outcome import CLEAN, Outcome
from tfdbg_tui.config import default_path

if TYPE_CHECKING:
    from types import SimpleNamespace

APP_HELP = """\
Find the line that turned your TensorFlow numbers into NaN, from a terminal.

  tfdbg-tui LOGDIR         the full-screen app; press ! for the first NaN
  tfdbg-tui run train.py   run a script, record it unchanged, watch it live
  tfdbg-tui check LOGDIR   a verdict and an exit code; --json for machines
  tfdbg-tui doctor LOGDIR  what a recording can show, and what to change
  tfdbg-tui query LOGDIR   what : answers in the app, as text: 'lt -f nan'
  tfdbg-tui demo           a recorded training run meets its NaN, live

LOGDIR is the directory given to TensorFlow's enable_dump_debug_info. It may
not exist yet, hold several runs, or be a parent of run folders.

Options of the full-screen app, and of the demo but for --run, --poll, --mute:
  --first-nan      begin at the first NaN or Inf
  --run ID         the run with this id, or its beginning; else the newest
  --poll SECONDS   look at the files this often (network file systems)
  --mute FILE      what is muted, kept in FILE, not by logdir (M in the app)
  --theme NAME     other colours; a wrong name lists them (NO_COLOR: none)
  --ascii          draw with ASCII only; --no-mouse leaves the mouse alone
  --config FILE    settings and keys, not {config}
  --filters FILE   filters of your own: functions of a Python file
Each command has options of its own, told by --help behind it; --version
tells the version, --print-completion SHELL how bash or zsh completes these.
"""

RUN_HELP = """\
Run a training script and watch it: it is recorded without any change to it.

  tfdbg-tui run [OPTIONS] train.py ARGUMENTS...  (or -m package.train)

Options, before the script; those of the app, such as --ascii, hold here too:
  --mode MODE      what to note of each tensor: FULL_HEALTH (the default),
                   CONCISE_HEALTH, CURT_HEALTH, SHAPE, NO_TENSOR, FULL_TENSOR
  --logdir DIR     where to record; without, a new folder of temporary files
  --keep N         write only the last N events of every 0.2 s: a sample
  --op-regex RE    note only tensors of ops whose type matches
  --op-names A,B   of ops inside functions, only those that are called so
  --dtypes A,B     note only tensors of these types, such as float16
  --jit            let XLA compile what asks for it; that is off otherwise
  --until-bad      stop the script at a cause of NaN or Inf, not at a meant one
  --until FILTER   stop it where a filter of your own holds (--filters FILE)
  --until-step N   stop it when it has done N steps of its training
  --mute FILE      leave out what FILE mutes, a rule a line, as `check` does
  --headless       no screen: the script keeps the terminal, its exit code is
                   ours (1 if --until or --until-bad and so), the verdict last
  --again LOGDIR   record that script again with the values of one tensor,
                   given in the script's place, and of its inputs; asks before

In the app, 8 is what the script prints, ^c stops it, q leaves.
"""


def run(options: SimpleNamespace) -> Outcome:
    """The help on `run`, or on everything."""
    if options.topic == "run":
        return Outcome(CLEAN, RUN_HELP)
    settings = str(default_path()).replace(os.path.expanduser("~"), "~")  # noqa: PTH111 - a text
    return Outcome(CLEAN, APP_HELP.replace("{config}", settings))
