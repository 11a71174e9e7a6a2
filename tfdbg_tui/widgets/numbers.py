"""Health as pieces of a line: counts, signs, bars and shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.index.phases import Phase
from tfdbg_tui.data.views.number_words import bad_words
from tfdbg_tui.widgets.pieces import Piece, Pieces

if TYPE_CHECKING:
    from tfdbg_tui.data.records.health import Bad, Health

NARROW = 20
"""Cells up to which words are shortened for the sake of names."""

CLASSES = (
    ("nan", "NaN", "!"),
    ("neg_inf", "-inf", "!"),
    ("pos_inf", "+inf", "!"),
    ("zero", "zero", "0"),
    ("negative", "-", "-"),
    ("positive", "+", "+"),
)
"""The counts of a health: attribute, short name, and the character that a bar is made of."""

SHORT_PHASES = {Phase.VALIDATION: "val", Phase.PREDICT: "pred"}

FINITE = ("zero", "negative", "positive")


def gradient_word(width: int) -> str:
    """What stands behind the name of a function whose gradient it is, in a cell of a width."""
    return " gradient" if width > NARROW else " grad"


def phase_word(phase: Phase | None, width: int) -> str:
    """What stands behind the name of a function that is called for something."""
    if phase is None:
        return ""
    return f" {phase.value if width > NARROW else SHORT_PHASES.get(phase, phase.value)}"


def counts(health: Health | None, bad: Bad) -> Pieces:
    """The counts of a tensor's numbers in one line, the bad ones first."""
    pieces: Pieces = []
    for attribute, name, _ in CLASSES:
        number = getattr(health, attribute) if health else None
        if number:
            role = "" if attribute in FINITE else "bad"
            pieces += [Piece(f"{name} {number:,}", role), Piece("  ")]
    if bad and not any(piece.role == "bad" for piece in pieces):
        pieces[:0] = [Piece(bad_words(bad), "bad"), Piece("  ")]
    return pieces[:-1]


def alarm(follows: bool, is_muted: bool = False) -> Piece:
    """The sign of what is bad: `!` where it went bad, `~` where it came bad, `m` where muted."""
    if is_muted:
        return Piece("m", "follows")
    return Piece("~", "follows") if follows else Piece("!", "bad")


def holds(health: Health | None, bad: Bad, follows: bool = False, is_muted: bool = False) -> Pieces:
    """What a tensor holds, under its sign."""
    told = counts(health, bad)
    if not bad:
        return [Piece("  "), *told] if told else []
    sign, role = alarm(follows, is_muted)
    return [Piece(f"{sign} ", role), *(Piece(t, role if r == "bad" else r) for t, r in told)]


def bar(health: Health | None, bad: Bad, width: int) -> Pieces:
    """The shares of a tensor's numbers, drawn with their own signs: it reads without colours."""
    numbers = [(getattr(health, name) or 0) if health else 0 for name, _, _ in CLASSES]
    total = sum(numbers)
    if not total:
        return [Piece("!" * width, "bad")] if bad else []
    pieces: Pieces = []
    for cells, (name, _, sign) in zip(shares(numbers, width), CLASSES, strict=True):
        if cells:
            pieces.append(Piece(sign * cells, "dim" if name in FINITE else "bad"))
    return pieces


def shares(numbers: list[int], width: int) -> list[int]:
    """Cells for each number, adding up to `width`; what is there at all gets one if it can."""
    total = sum(numbers)
    cells = [
        min(width, max(1, round(number * width / total))) if number else 0 for number in numbers
    ]
    while sum(cells) > width:
        cells[cells.index(max(cells))] -= 1
    while sum(cells) < width:
        cells[numbers.index(max(numbers))] += 1
    return cells


def percent(part: int, whole: int) -> str:
    """A share; never 0 % for something and never 100 % for less than all."""
    share = 100 * part / whole if whole else 0.0
    if part and share < 1:
        return "<1%"
    if part < whole and share > 99:
        return ">99%"
    return f"{share:.0f}%"
