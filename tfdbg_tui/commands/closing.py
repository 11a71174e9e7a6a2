"""What is printed when the app is left after a run: how the script ended, its first bad tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.verdict import ending_text, judgement, text
from tfdbg_tui.verdict.ending import ending_of

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.logdir import Logdir


def what_happened(watched: Logdir) -> list[str]:
    """Lines about what the app has read of a logdir; nothing but notes is read for them.

    First how the program ended, if it did not end well, then the first NaN or Inf.
    """
    watched.scan()
    runs = watched.runs
    program = runs[-1].program if runs else watched.program
    ending = ending_of(program, runs[-1].hosts if runs else ())
    first = next(filter(None, map(judgement.first_bad_of, runs)), None)
    lines = []
    if ending is not None and (how := ending_text.headline(ending)):
        lines.append(f"{how}.")
    if first is not None:
        lines.append(f"The {text.first_bad(first)}")
    return lines
