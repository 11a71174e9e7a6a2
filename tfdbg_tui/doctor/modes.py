"""Findings about the mode of a recording: what it leaves out, and the mode that tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.records.modes import BY_DETAIL, Mode
from tfdbg_tui.doctor.finding import Finding, Level
from tfdbg_tui.doctor.recipes import Recipe, in_mode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.live.snapshot import RunState

LEVELS = {
    Mode.FULL_HEALTH: Level.FACT,
    Mode.CONCISE_HEALTH: Level.FACT,
    Mode.CURT_HEALTH: Level.WARNING,
    Mode.SHAPE: Level.WARNING,
    Mode.NO_TENSOR: Level.PROBLEM,
}

HEADLINES = {
    Mode.FULL_HEALTH: "FULL_HEALTH: counts, not the values themselves",
    Mode.CONCISE_HEALTH: "CONCISE_HEALTH: counts of NaN and Inf, no shapes, no zeros",
    Mode.CURT_HEALTH: "CURT_HEALTH: whether a tensor is bad, not how or how much",
    Mode.SHAPE: "SHAPE: nothing tells NaN or Inf",
    Mode.NO_TENSOR: "NO_TENSOR: nothing tells NaN or Inf",
}

TEXTS = {
    Mode.FULL_HEALTH: (
        "Each float tensor tells how many of its elements are NaN, -Inf, +Inf, negative, zero and",
        "positive, with dtype, rank and size. Dimensions, smallest, largest and mean are unknown;",
        'only tensor_debug_mode="FULL_TENSOR" tells them, and takes as much disk as the tensors.',
    ),
    Mode.CONCISE_HEALTH: (
        "Each float tensor tells its size and how many elements are NaN, -Inf and +Inf.",
        "Its dtype, its rank and its zeros are unknown, so that a log of zero shows only when it",
        "has become -Inf.",
    ),
    Mode.CURT_HEALTH: (
        "Each float tensor tells whether any element is NaN or Inf: not which of the two, not",
        "how many, and neither its size nor its shape.",
    ),
    Mode.SHAPE: (
        "Each tensor tells its dtype and its dimensions, and nothing of what it holds.",
        "No alert can come from this recording, however bad its numbers are.",
    ),
    Mode.NO_TENSOR: (
        "This mode, TensorFlow's default, records that a tensor was computed, and nothing of",
        "what it held. Calls, graphs, stacks and sources can be seen, alerts cannot.",
    ),
}


def limits_of_mode(state: RunState) -> Iterator[Finding]:
    """What the most telling mode of a run leaves out."""
    modes = state.run.modes()
    mode = next((mode for mode in BY_DETAIL if mode in modes), None)
    if mode not in HEADLINES:
        return
    better = Recipe("", ()) if mode is Mode.FULL_HEALTH else in_mode(state)
    yield Finding(
        mode.name.lower().replace("_", "-"),
        LEVELS[mode],
        HEADLINES[mode],
        (*TEXTS[mode], *filter(None, [better.sentence])),
        better.code,
    )
