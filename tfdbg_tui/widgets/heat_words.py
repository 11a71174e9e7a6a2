"""The heat map in words: what is known of the cell at the cursor, and what its signs mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.records.modes import ANY_BAD, tells_bad, told_by
from tfdbg_tui.data.views.heat_rows import Look
from tfdbg_tui.data.views.number_words import bad_words, elapsed
from tfdbg_tui.widgets.heat_pane import MICRO, group_words, look_signs
from tfdbg_tui.widgets.numbers import counts
from tfdbg_tui.widgets.pieces import Piece, Pieces, clean
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Collection

    from tfdbg_tui.data.records.health import Health
    from tfdbg_tui.data.views.heat_names import Group, SiteName
    from tfdbg_tui.widgets.glyphs import Glyphs


def place_words(units: tuple[int, int], has_steps: bool) -> str:
    """A column of the axis."""
    first, last = units
    if not has_steps:
        return f"{elapsed(first * 1e-6)} to {elapsed((last + 1) * MICRO)}"
    if last == 0:
        return "before step 1"
    first = max(first, 1)
    return f"step {first:,}" if first == last else f"steps {first:,}-{last:,}"


def cell_words(
    name: SiteName,
    where: str,
    computed: tuple[int, int],
    bad: Bad,
    event: str,
    health: Health | None,
    glyphs: Glyphs,
) -> Pieces:
    """The cell at the cursor: which tensor, when, how often, and what one computation held."""
    times, bad_times = computed
    sign = f"{glyphs.function} " if name.is_call else ""
    of = f" in {glyphs.function} {name.group.function}" if name.group.function else ""
    what = [Piece(clean(f" {sign}{name.label}"), "title"), Piece(clean(f"{of}, {where}: "))]
    if not times:
        return [*what, Piece("not computed")]
    if not name.tells_bad:
        often = f"computed {counted(times, 'time')}"
        return [*what, Piece(f"{often}; this mode does not tell NaN and inf")]
    held = [Piece(f"{event}  ", "dim"), *counts(health, health.bad if health else Bad.NONE)]
    if bad and times > 1:
        often = f"{bad_words(bad)} in {bad_times:,} of {times:,}, first "
        return [*what, Piece(often, "bad"), *held]
    if bad:
        return [*what, *held] if health is not None else [*what, Piece(bad_words(bad), "bad")]
    often = "" if times == 1 else f" in {counted(times, 'computation')}, one of them"
    return [*what, Piece(f"clean{often}  "), *held]


def group_line(group: Group, tensors: int, bad: int, glyphs: Glyphs) -> Pieces:
    """The title at the cursor."""
    told = f", {bad:,} ever bad" if bad else ", none ever bad"
    return [
        Piece(f" {group_words(group, glyphs)}", "title"),
        Piece(f": {counted(tensors, 'tensor')}{told}"),
    ]


def signs_line(glyphs: Glyphs, modes: Collection[int]) -> Pieces:
    """What the signs mean, in one line: those that can be there in some modes."""
    signs = look_signs(glyphs)
    told = frozenset[str]().union(*map(told_by, modes))
    parts: list[tuple[str, str, str]] = []
    if "nan" in told:
        bad = ((Look.NAN, "NaN"), (Look.INF, "inf"), (Look.BOTH, "both"))
        parts += [("bad", signs[look], means) for look, means in bad]
    if ANY_BAD in told:
        parts.append(("bad", signs[Look.BAD], "NaN or inf"))
    if any(map(tells_bad, modes)):
        parts.append(("dim", signs[Look.CLEAN], "clean"))
    if not all(map(tells_bad, modes)):
        parts.append(("dim", signs[Look.UNTOLD], "computed, not told what"))
    if "zero" in told:
        parts.append(("dim", glyphs.shades, "part zero"))
        parts.append(("dim", signs[Look.ALL_ZEROS], "all zeros"))
    parts.append(("", "blank", "none"))
    pieces: Pieces = []
    for role, sign, means in parts:
        pieces += [Piece(" "), Piece(sign, role), Piece(f" {means} ", "dim")]
    return pieces
