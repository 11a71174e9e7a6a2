"""What is printed when a run is over: how the script ended, its first bad tensor, where all is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.doctor.page import page
from tfdbg_tui.doctor.scripts import unrecorded
from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.verdict import ending_text, judgement, text
from tfdbg_tui.verdict.ending import ending_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.doctor.finding import Finding

WIDTH = 76
"""Columns of what the doctor says."""

NOTHING_TO_TELL = frozenset({"script-starting", "script-recorded-nothing"})
"""Findings on a script without a recording that say no more than how it ended."""

NEVER_IMPORTED = "Nothing was recorded: TensorFlow was not imported."


def closing_words(watched: Logdir, ended: str, output: Path | None, why: str | None = None) -> str:
    """What to print when the app is left that has watched a script.

    `ended` is a sentence on how it ended, for where its notes do not say more, and `why` what the
    app had found to be the cause of bad numbers. It has read what there is to tell; now only notes
    are read.
    """
    watched.scan()
    size = watched.progress()[1] / 1e6
    how = _how_it_ended(watched)
    lines = [f"{how}." if how else ended]
    if watched.runs:
        lines += [sanitise(why)] if why else _first_bad(watched)
        lines.append(f"Its recording ({size:,.0f} MB): tfdbg-tui {watched.path}")
    elif not how:
        lines.append(NEVER_IMPORTED)
    if output is not None:
        lines.append(f"Its output: {output}")
    return "".join(f"{line}\n" for line in lines)


def _how_it_ended(watched: Logdir) -> str:
    """What went wrong with the program of the newest run, or with one that left none."""
    if watched.runs:
        newest = watched.runs[-1]
        ending = ending_of(newest.program, newest.hosts)
        return "" if ending is None else ending_text.headline(ending)
    why = None if watched.program is None else unrecorded(watched.program)
    return "" if why is None or why.id in NOTHING_TO_TELL else why.headline


def _first_bad(watched: Logdir) -> Iterator[str]:
    first = next(filter(None, map(judgement.first_bad_of, watched.runs)), None)
    if first is not None:
        yield f"The {text.first_bad(first)}"


def nothing_recorded(logdir: Logdir) -> str:
    """What to print of a script that left no recording, and why, where its notes tell."""
    why = [] if logdir.program is None else [unrecorded(logdir.program)]
    return f"tfdbg-tui: nothing is recorded in {logdir.path}.\n{doctors_words(why)}"


def doctors_words(found: Iterable[Finding]) -> str:
    """Findings as they stand below a verdict."""
    lines = page(found, WIDTH)
    return "".join(f"  {sanitise(line.margin + line.text)}".rstrip() + "\n" for line in lines)
