"""The causes of a run as lines of text: why, where, what helps; and what is meant."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.words import counted, first_few

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.stores.sources import Location
    from tfdbg_tui.verdict.cause import CauseVerdict
    from tfdbg_tui.verdict.verdict import RunVerdict

WIDTH = 74
"""Cells of a line."""

MAX_MUTED = 5
"""Rules that are told which mute something."""

MAX_MEANT = 3
"""Places that are told whose numbers are meant."""


def cause_lines(run: RunVerdict) -> list[str]:
    """Why a run is bad, below what was first in time."""
    causes, first = run.causes, run.first_bad
    if not causes.ranked:
        return [*meant_lines(run), *muted_lines(run)]
    cause, *others = causes.ranked
    lines = _wrapped("why: ", cause.sentence)
    if first is None or cause.origin[:4] != first[:4] or cause.origin.location != first.location:
        lines += _place(cause)
    lines += [line for cure in cause.cures[:1] for line in _wrapped("try: ", cure)]
    if others:
        told = counted(len(others), "other cause")
        lines += _wrapped("also: ", f"{told}; the next: {others[0].origin.tensor}{_at(others[0])}")
    return [*lines, *meant_lines(run), *muted_lines(run)]


def meant_lines(run: RunVerdict) -> list[str]:
    """What holds NaN or ∞ on purpose."""
    causes = run.causes
    if not causes.meant:
        return []
    places = [one.sentence for one in causes.meant[:MAX_MEANT]]
    more = len(causes.meant) - MAX_MEANT
    tail = f"; and {counted(more, 'other place')}" if more > 0 else ""
    verb = "holds" if causes.on_purpose == 1 else "hold"
    told = f"{counted(causes.on_purpose, 'tensor')} {verb} bad numbers on purpose: "
    return _wrapped("note: ", told + "; ".join(places) + tail)


def muted_lines(run: RunVerdict) -> list[str]:
    """What the user has muted, and by what."""
    muted = run.causes.muted
    if muted is None or not muted.tensors:
        return []
    verb = "is" if muted.tensors == 1 else "are"
    rules = [f"{rule} ({tensors:,})" for rule, tensors in muted.rules]
    told = ", ".join(first_few(rules, MAX_MUTED))
    return _wrapped("note: ", f"{counted(muted.tensors, 'tensor')} {verb} muted, by {told}")


def why(cause: CauseVerdict) -> str:
    """One line for those who watch: why, and the whole path of the line."""
    location = cause.origin.location
    where = "" if location is None else f", {location.file}:{location.line}"
    return sanitise(cause.sentence + where)


def _place(cause: CauseVerdict) -> Iterator[str]:
    location = cause.origin.location
    if location is not None:
        yield from place_lines(location, cause.origin.via)
    elif cause.layer:
        yield f"  in layer {sanitise(cause.layer)}"


def place_lines(location: Location, via: str | None) -> list[str]:
    """Where an op was made, and the line."""
    of = " (the op whose gradient it is)" if via else ""
    return [
        f"  {sanitise(location.file)}:{location.line} in {sanitise(location.function)}{of}",
        f"    {sanitise(location.code or '(source not recorded)')}",
    ]


def _at(cause: CauseVerdict) -> str:
    location = cause.origin.location
    return "" if location is None else f" ({location.file.rpartition('/')[2]}:{location.line})"


def _wrapped(label: str, text: str) -> list[str]:
    """A text in lines of its own, behind a label."""
    return textwrap.wrap(
        sanitise(text),
        WIDTH,
        initial_indent=label,
        subsequent_indent=" " * len(label),
        break_on_hyphens=False,
    )
