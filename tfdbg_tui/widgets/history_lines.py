"""How a tensor went over time, as lines: a sign for each cell, an axis of steps, and words."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.views.number_words import bad_words
from tfdbg_tui.data.views.tensor_history import Outcome, outcome_of
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.widgets.axis import put
from tfdbg_tui.widgets.pieces import Piece, cut, left

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tfdbg_tui.data.views.tensor_history import HistoryCell
    from tfdbg_tui.widgets.glyphs import Glyphs
    from tfdbg_tui.widgets.pieces import Pieces

    CellsFor = Callable[[int], Sequence[HistoryCell]]
    StepOf = Callable[[int], int | None]

INDENT = 2
"""Cells before every line, in which a bad one has its sign."""

START = 9
"""Cells before the history, for the name of a line."""

WIDEST_PITCH, ZOOMED_PITCH = 6, 12
"""Cells of the screen for one computation, however much room there is."""

MAX_RUNS = 4
"""Runs that are told in words; of more, the first and how many computations are bad in all."""

WIDE = 90
"""Cells from which on a pane is zoomed, or as good as that: there is room for more."""

BLANK = Piece(" " * INDENT)

WORDS = {
    Outcome.OK: "ok",
    Outcome.INF: "inf",
    Outcome.NAN: "NaN",
    Outcome.UNTOLD: "NaN or inf",
}

SIGNS = {Outcome.INF: "i", Outcome.NAN: "N", Outcome.UNTOLD: "!"}


class DrawnHistory(NamedTuple):
    """The lines of a history, and what is where in them."""

    lines: list[Pieces]
    sign_line: int = -1
    """Which of the lines has the signs; -1 if none has."""
    cells: Sequence[HistoryCell] = ()
    pitch: int = 1

    def event_at(self, x: int) -> int | None:
        """The computation that a column of the line with the signs stands for."""
        cell = (x - START) // self.pitch
        return self.cells[cell].first_event if 0 <= cell < len(self.cells) else None


def draw_history(
    cells: Sequence[HistoryCell],
    width: int,
    chosen: tuple[int | None, Bad],
    step_of: StepOf | None,
    glyphs: Glyphs,
) -> DrawnHistory:
    """The lines for some cells; the chosen event is drawn as what it is itself."""
    if not cells:
        return DrawnHistory([])
    if sum(cell.invocations for cell in cells) == 1:
        step = None if step_of is None else step_of(cells[0].first_event)
        when = f", in step {step:,}" if step else ""
        return DrawnHistory([[BLANK, Piece(f"computed once{when}", "dim")]])
    widest = ZOOMED_PITCH if width >= WIDE else WIDEST_PITCH
    pitch = max(1, min(widest, room_for(width) // len(cells)))
    signs = [_named(""), *_signs(cells, pitch, chosen, glyphs)]
    every = _every_step(cells, pitch, step_of)
    if every is not None:
        above, below = [every], []
    else:
        above, below = [], [_ends(cells, pitch, chosen[0], step_of, glyphs)]
    shares = [*_bad_shares(cells, pitch, width, glyphs), *_zeros(cells, pitch, glyphs)]
    words = _said(history_words(cells, glyphs.times, width - START), START + pitch - 1, width)
    return DrawnHistory([*above, signs, *below, *shares, words], len(above), cells, pitch)


def room_for(width: int) -> int:
    """How many cells fit into a width."""
    return max(1, width - START)


def _named(name: str) -> Piece:
    return left(" " * INDENT + name, START, "dim")


def _signs(
    cells: Sequence[HistoryCell], pitch: int, chosen: tuple[int | None, Bad], glyphs: Glyphs
) -> Iterable[Piece]:
    event, own = chosen
    for cell in cells:
        here = _is_in(cell, event)
        outcome = outcome_of(own) if here else cell.outcome
        sign = SIGNS.get(outcome, glyphs.healthy)
        if pitch > 1:
            yield Piece(" " * (pitch - 1))
        yield Piece(sign, "hit" if here else "bad" if outcome else "dim")


# The axis.


def _every_step(cells: Sequence[HistoryCell], pitch: int, step_of: StepOf | None) -> Pieces | None:
    """Every step, above its first computation; None if they do not all fit."""
    if any(cell.invocations > 1 for cell in cells):
        return None
    name, labels = _labels(cells, step_of)
    line, before = "", ""
    for number, label in enumerate(labels):
        if label != before:
            start = pitch * (number + 1) - len(label)
            if start < (len(line) + 1 if line else 0):
                return None
            line = line.ljust(start) + label
        before = label
    return [_named(name), Piece(line, "dim")]


def _labels(cells: Sequence[HistoryCell], step_of: StepOf | None) -> tuple[str, list[str]]:
    """What the axis counts, and the number of each cell: steps, or times where none are known."""
    steps = [] if step_of is None else [step_of(cell.first_event) for cell in cells]
    if any(steps):
        return "step", [f"{step or 0:,}" for step in steps]
    return "time", [f"{number:,}" for number in range(1, len(cells) + 1)]


def _ends(
    cells: Sequence[HistoryCell],
    pitch: int,
    chosen: int | None,
    step_of: StepOf | None,
    glyphs: Glyphs,
) -> Pieces:
    """The first bad step, the first of all, the last, and the chosen one, as far as they fit."""
    steps = None if step_of is None or not step_of(cells[-1].last_event) else step_of
    width = pitch * len(cells)
    line = [" "] * width
    bad = next((number for number, cell in enumerate(cells) if cell.bad), None)
    if bad is not None:
        column, at = pitch * (bad + 1) - 1, _first_bad(cells, bad, steps)
        fits = column + 1 + len(at) <= width
        text = glyphs.first + at if fits else at + glyphs.first
        put(line, text, column if fits else column + 1 - len(text))
    begin = _step(steps, cells[0].first_event) or "1"
    end = _step(steps, cells[-1].last_event) or f"{sum(cell.invocations for cell in cells):,}"
    put(line, begin, pitch - 1)
    put(line, end, width - len(end))
    here = [number for number, cell in enumerate(cells) if _is_in(cell, chosen)]
    if here and chosen is not None:
        put(line, _step(steps, chosen), pitch * (here[0] + 1) - 1)
    return [_named("step" if steps else "time"), Piece("".join(line).rstrip(), "dim")]


def _first_bad(cells: Sequence[HistoryCell], bad: int, steps: StepOf | None) -> str:
    """The number of the first bad computation; nothing where no step tells it exactly."""
    if steps is not None:
        return _step(steps, cells[bad].sampled_event)
    before = sum(cell.invocations for cell in cells[:bad])
    return "" if cells[bad].is_mixed else f"{before + 1:,}"


def _step(steps: StepOf | None, event: int) -> str:
    return "" if steps is None else f"{steps(event) or 0:,}"


def _is_in(cell: HistoryCell, event: int | None) -> bool:
    return event is not None and cell.first_event <= event <= cell.last_event


# What cells hold.


def _zeros(cells: Sequence[HistoryCell], pitch: int, glyphs: Glyphs) -> list[Pieces]:
    return _shares("zeros", [cell.zero_share for cell in cells], pitch, glyphs)


def _bad_shares(
    cells: Sequence[HistoryCell], pitch: int, width: int, glyphs: Glyphs
) -> list[Pieces]:
    """How much of it is bad, where there is room and it is not all or nothing."""
    shares = [cell.bad_share for cell in cells]
    is_told = width >= WIDE and any(share and share < 1 for share in shares)
    return _shares("bad", shares, pitch, glyphs) if is_told else []


def _shares(name: str, shares: Sequence[float | None], pitch: int, glyphs: Glyphs) -> list[Pieces]:
    """A line of blocks, higher for larger parts of a tensor."""
    if not any(shares):
        return []
    blocks = glyphs.blocks
    signs = [
        " " if not share else blocks[min(len(blocks) - 1, int(share * len(blocks)))]
        for share in shares
    ]
    return [[_named(name), Piece("".join(sign.rjust(pitch) for sign in signs), "dim")]]


# Words.


def _said(words: str, start: int, width: int) -> Pieces:
    """Words below the first sign, or further left where they are many."""
    start = max(INDENT, min(start, width - len(words)))
    return [Piece(" " * start), Piece(cut(words, max(1, width - start)))]


def history_words(cells: Sequence[HistoryCell], times: str, room: int) -> str:
    """What happened, one run after the other; in fewer words where there is little room."""
    everything = sum(cell.invocations for cell in cells)
    bad = sum(cell.bad_invocations for cell in cells)
    kinds = Bad.NONE
    for cell in cells:
        kinds |= cell.bad
    in_all = f"{bad_words(kinds)} in {bad:,} of {everything:,}"
    if any(cell.is_mixed for cell in cells):
        return f"{in_all}, by turns"
    runs = [
        (WORDS[outcome], sum(cell.invocations for cell in run))
        for outcome, run in groupby(cells, lambda cell: cell.outcome)
    ]
    if len(runs) == 1:
        return f"always {runs[0][0]}, {everything:,}{times}"
    told = [f"{word} {number:,}{times}" for word, number in runs[:MAX_RUNS]]
    if len(runs) > MAX_RUNS:
        told = [*told[: MAX_RUNS - 1], f"…; {in_all}"]
    words = ", then ".join(told)
    return words if len(words) <= room else ", ".join(told)
