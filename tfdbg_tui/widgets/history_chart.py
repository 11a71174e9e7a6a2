"""The lines of a tensor's history: outcomes, shares as bars, magnitudes, and words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tfdbg_tui.data.views.tensor_history import Outcome
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.widgets.axis import body_width, labelled, sign_cell
from tfdbg_tui.widgets.history_lines import SIGNS, history_words
from tfdbg_tui.widgets.numbers import CLASSES, FINITE, percent
from tfdbg_tui.widgets.pieces import Piece, Pieces, cut, left, padded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.views.history_page import HistoryPage
    from tfdbg_tui.data.views.tensor_samples import Sample
    from tfdbg_tui.widgets.glyphs import Glyphs

START = 12
"""Cells before the columns, for the name of a row."""

VALUES = 18
"""Cells behind the columns for the numbers of the computation at the cursor, if it is wide."""

WIDE = 70
"""Cells from which on those numbers stand beside their rows."""

MAX_BAR, MAX_CURVE, MIN_CURVE = 6, 12, 3
"""Rows of a share, and of the magnitudes."""

HEAD, END = 3, 3
"""Rows of the axis, the pointer and the outcomes; and of the words."""

WIDEST_BAR = 60
"""Cells of a bar of what was computed once."""

WORDS = {"negative": "negative", "positive": "positive"}
"""Names that are longer than in a list: there is room for them."""

EIGHTHS = 8
"""Heights of a sign."""

READING = "Looking at what is recorded"


class Chart(NamedTuple):
    """What the lines are drawn from, and in."""

    page: HistoryPage
    pitch: int
    width: int
    height: int
    glyphs: Glyphs

    @property
    def is_wide(self) -> bool:
        """Whether numbers stand beside the rows."""
        return self.width >= WIDE

    @property
    def lines(self) -> list[Pieces]:
        """All rows, as high as they can be in the height that there is."""
        page = self.page
        if page.computations == 1:
            return _once(self)
        shown = [
            (name, WORDS.get(name, words))
            for name, words, _ in CLASSES
            if any(_share(sample, name) for sample in page.samples)
        ]
        magnitudes = [None if sample is None else sample.magnitude for sample in page.samples]
        free = self.height - HEAD - END
        curve = max(MIN_CURVE, min(MAX_CURVE, free // 3)) if any(magnitudes) else 0
        each = max(1, min(MAX_BAR, (free - curve) // max(1, len(shown)) - 1))
        lines = _head(self)
        for name, words in shown:
            lines += [[]] if each > 1 else []
            lines += _share_lines(self, name, words, each)
        if curve:
            lines += [[], *_curve_lines(self, magnitudes, curve)]
        return [*lines, [], *_words(self)]


def _head(chart: Chart) -> list[Pieces]:
    """The axis, a sign above the cursor's column, and what came of each."""
    page, pitch, glyphs = chart.page, chart.pitch, chart.glyphs
    has_steps = any(step for steps in page.steps for step in steps)
    labels = [_label(page, column, has_steps) for column in range(len(page.cells))]
    width = max(pitch * len(page.cells), max(map(len, labels)))
    signs = [left("  outcome", START, "dim")]
    for number, cell in enumerate(page.cells):
        role = "bad" if cell.outcome is not Outcome.OK else "dim"
        sign = SIGNS.get(cell.outcome, glyphs.healthy).center(body_width(pitch))
        signs.append(Piece(sign, "hit" if number == page.cursor else role))
        signs += [Piece(" ")] if pitch > 1 else []
    here = START + page.cursor * pitch + sign_cell(pitch)
    name = left("  step" if has_steps else "  number", START, "dim")
    return [
        [name, *labelled(labels, pitch, width, page.cursor)],
        [Piece(" " * here), Piece(glyphs.here, "notable")],
        signs,
    ]


def _label(page: HistoryPage, column: int, has_steps: bool) -> str:
    """What the axis says of a column: at its end the last step, at the cursor that one's."""
    if column == page.cursor:
        return f"{page.here.step or 0:,}" if has_steps else f"{page.here.number:,}"
    is_end = 0 < column == len(page.cells) - 1
    if has_steps:
        return f"{page.steps[column][is_end] or 0:,}"
    before = sum(cell.invocations for cell in page.cells[: column + is_end])
    return f"{page.shown[0] + before - is_end:,}"


def _share_lines(chart: Chart, name: str, words: str, rows: int) -> list[Pieces]:
    """How large a part of the tensor is of a kind, in rows of blocks from top to bottom."""
    shares = [_share(sample, name) for sample in chart.page.samples]
    lines = _blocks(chart, shares, rows, "dim" if name in FINITE else "bad")
    values = _values(chart.page, name) if chart.is_wide else []
    label = left(f"  {words}", START, "" if name in FINITE else "bad")
    above = [[Piece(" " * START), *line] for line in lines[:-1]]
    return [*above, [label, *lines[-1], *values]]


def _values(page: HistoryPage, name: str) -> Pieces:
    """The number at the cursor, and its share."""
    health = page.here.sample.health
    number = None if health is None else getattr(health, name)
    if number is None or health is None:
        return []
    part = f" {percent(number, health.size)}" if health.size and number else ""
    role = "bad" if number and name not in FINITE else ""
    return [Piece(f"  {number:,}", role), Piece(part, "dim")]


def _blocks(chart: Chart, shares: Sequence[float | None], rows: int, role: str) -> list[Pieces]:
    """Bars of so many rows; what is there at all is seen, what is not all is not full."""
    heights = [_height(share, rows) for share in shares]
    lines = []
    for row in range(rows - 1, -1, -1):
        pieces: Pieces = []
        for number, height in enumerate(heights):
            level = max(0, min(EIGHTHS, height - row * EIGHTHS))
            sign = chart.glyphs.blocks[level - 1] if level else " "
            chosen = "notable" if number == chart.page.cursor else role
            pieces.append(Piece(sign * body_width(chart.pitch), chosen))
            pieces += [Piece(" ")] if chart.pitch > 1 else []
        lines.append(pieces)
    return lines


def _curve_lines(chart: Chart, magnitudes: Sequence[float | None], rows: int) -> list[Pieces]:
    """How large the finite numbers are, in powers of ten, with their mean and range."""
    powers = [math.log10(size) for size in magnitudes if size]
    low, high = math.floor(min(powers)), math.ceil(max(powers))
    high = max(high, low + 1)
    floor = 1 / (rows * EIGHTHS)
    shares = [
        max(floor, (math.log10(size) - low) / (high - low)) if size else size for size in magnitudes
    ]
    here = chart.page.here.sample
    facts = (("max", here.highest), ("mean", here.mean), ("min", here.lowest))
    told = [f"  {name} {value:.4g}" for name, value in facts if value is not None]
    found = []
    for row, line in enumerate(_blocks(chart, shares, rows, "number")):
        power = {0: f"1e{high:+d}", rows - 1: f"1e{low:+d}"}.get(row, "")
        name = left(f"  {'|x|' if row == 0 else '   '}  {power}", START, "dim")
        value = told[row] if chart.is_wide and row < len(told) else ""
        found.append([name, *line, Piece(value)])
    return found


def _words(chart: Chart) -> list[Pieces]:
    """All of it in words, and what cannot be told."""
    page, room = chart.page, max(10, chart.width - 2)
    lines = [[Piece(f"  {history_words(page.cells, chart.glyphs.times, room)}")]]
    most = max(cell.invocations for cell in page.cells)
    several = f"A column is up to {most:,} computations: the first bad one is shown, or the first."
    notes = [*([several] if most > 1 else []), *([page.note] if page.note else [])]
    return [*lines, *([Piece(f"  {cut(note, room)}", "dim")] for note in notes)]


def _once(chart: Chart) -> list[Pieces]:
    """A tensor that was computed once: its shares, one below the other."""
    page, sample = chart.page, chart.page.here.sample
    when = f", in step {page.here.step:,}" if page.here.step else ""
    lines: list[Pieces] = [[], [Piece(f"  computed once{when}", "title")], []]
    for name, words, _ in CLASSES:
        share = _share(sample, name)
        if share:
            room = max(1, min(WIDEST_BAR, chart.width - START - VALUES - 2))
            bar = chart.glyphs.bar[-1] * max(1, int(share * room))
            label = left(f"  {WORDS.get(name, words)}", START, "" if name in FINITE else "bad")
            role = "dim" if name in FINITE else "bad"
            lines.append([label, *padded(_values(page, name), VALUES), Piece(f"  {bar}", role)])
    if sample.lowest is not None and sample.highest is not None:
        lines += [[], [Piece(f"  from {sample.lowest:.4g} to {sample.highest:.4g}", "number")]]
    return [*lines, [], [Piece(f"  {cut(page.note, max(10, chart.width - 2))}", "dim")]]


def _share(sample: Sample | None, name: str) -> float | None:
    """Which part of a tensor is of a kind; None where that is not told."""
    health = None if sample is None else sample.health
    number = None if health is None else getattr(health, name)
    if health is None or number is None or not health.size:
        return None
    return float(number / health.size)


def _height(share: float | None, rows: int) -> int:
    """Eighths of rows: at least one for something, and all only for all."""
    if not share:
        return 0
    most = rows * EIGHTHS
    return most if share >= 1 else max(1, min(most - 1, round(share * most)))
