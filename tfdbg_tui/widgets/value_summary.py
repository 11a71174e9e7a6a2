"""Statistics of a value, and how its numbers are spread, as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.widgets.numbers import percent
from tfdbg_tui.widgets.pieces import Piece, left, right

if TYPE_CHECKING:
    from tfdbg_tui.data.values.histograms import Histogram
    from tfdbg_tui.data.values.statistics import Statistics
    from tfdbg_tui.data.views.value_page import SummaryPage
    from tfdbg_tui.widgets.glyphs import Glyphs
    from tfdbg_tui.widgets.pieces import Pieces

NAME, NUMBER = 12, 14
"""Cells of a name and of a number."""

BOUND = 11
"""Cells of where a bar begins."""

FEWEST_BARS = 6

EIGHTHS = 8


def summary_lines(page: SummaryPage, width: int, height: int, glyphs: Glyphs) -> list[Pieces]:
    """The numbers, and the bars beside them or below."""
    if page.statistics is None:
        done = f"{page.looked_at:.0%}"
        return [[], [Piece(f"  Looking at all elements {glyphs.ellipsis} {done}", "dim")]]
    told = statistics_lines(page.statistics)
    if page.histogram is None:
        return told
    room = width - NAME - NUMBER - 4
    if room >= 2 * BOUND:
        bars = histogram_lines(page.histogram, room, height, glyphs)
        rows = max(len(told), len(bars))
        blank: Pieces = [Piece(" " * (NAME + NUMBER + 2))]
        pairs = zip(_filled(told, rows, blank), _filled(bars, rows, []), strict=True)
        return [[*line, Piece("  "), *bar] for line, bar in pairs]
    return [*told, [], *histogram_lines(page.histogram, width, height, glyphs)]


def statistics_lines(told: Statistics) -> list[Pieces]:
    """A line for each number that is told."""
    lines: list[Pieces] = [_line("elements", f"{told.size:,}")]
    counts = told.counts
    for name, count in (("NaN", counts.nan), ("-inf", counts.neg_inf), ("+inf", counts.pos_inf)):
        lines.append(_line(name, f"{count:,}", "bad" if count else "dim"))
    if told.is_magnitude:
        lines.append([Piece(" the magnitudes:", "dim")])
    else:
        for name, count in (
            ("zero", counts.zero),
            ("negative", counts.negative),
            ("positive", counts.positive),
        ):
            lines.append(_line(name, f"{count:,}"))
    lines.append([])
    for name, number in (
        ("min", told.lowest),
        ("max", told.highest),
        ("mean", told.mean),
        ("std", told.deviation),
    ):
        lines.append(_line(name, "none" if number is None else f"{number:.6g}"))
    if told.quantiles:
        lines.append([])
        lines += [_line(f"{share:.0%} below", f"{number:.6g}") for share, number in told.quantiles]
    if told.sampled is not None:
        lines.append([Piece(f" of {told.sampled:,} sampled", "dim")])
    return lines


def histogram_lines(told: Histogram, width: int, height: int, glyphs: Glyphs) -> list[Pieces]:
    """A bar for each part of the range, as many as fit, and what lies outside."""
    bars = max(FEWEST_BARS, min(height - 2, len(told.counts)))
    # As many of the finer ones in each: where the last had fewer, it would look smaller.
    all_bars = len(told.counts)
    per_bar = next(n for n in range(1, all_bars + 1) if all_bars % n == 0 and all_bars // n <= bars)
    counts = [sum(told.counts[n : n + per_bar]) for n in range(0, len(told.counts), per_bar)]
    step = (told.high / 2 - told.low / 2) / len(told.counts) * per_bar
    most, room = max(counts, default=0), max(1, width - BOUND - 9)
    lines: list[Pieces] = []
    total = sum(counts) + told.below + told.above
    for number, count in enumerate(counts):
        bound = told.low / 2 + step * number
        share = percent(count, total) if count else ""
        bar = left(_bar(count, most, room, glyphs), room, "accent")
        start = [right(f"{bound * 2:.4g}", BOUND - 1, "dim"), Piece(" ")]
        lines.append([*start, bar, right(share, 7, "dim")])
    outside = told.below + told.above
    if outside:
        words = f"{outside:,} outside: {percent(outside, total)}"
        lines.append([Piece(" " * BOUND), Piece(f"{words} of the finite ones", "warn")])
    return lines


def _bar(count: int, most: int, room: int, glyphs: Glyphs) -> str:
    if not count:
        return ""
    steps = len(glyphs.bar)
    cells = max(1, round(count / most * room * steps))
    whole, rest = divmod(cells, steps)
    return glyphs.bar[-1] * whole + (glyphs.bar[rest - 1] if rest else "")


def _line(name: str, number: str, role: str = "") -> Pieces:
    return [left(f" {name}", NAME, "dim"), right(number, NUMBER, role), Piece("  ")]


def _filled(lines: list[Pieces], rows: int, blank: Pieces) -> list[Pieces]:
    filled = []
    for line in [*lines, *([blank] * (rows - len(lines)))]:
        used = sum(len(piece.text) for piece in line)
        filled.append([*line, Piece(" " * max(0, NAME + NUMBER + 2 - used))] if blank else line)
    return filled
