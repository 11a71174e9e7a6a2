"""What is said of a value above and below it: which it is, how it is drawn, which keys act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.views.value_page import CurvePage, GridPage, PicturePage
from tfdbg_tui.widgets.pieces import Piece, clean, width_of

if TYPE_CHECKING:
    from tfdbg_tui.data.views.value_page import ValuePage
    from tfdbg_tui.widgets.pieces import Pieces

KEYS = (
    ("n", "NaN"),
    ("[", "slice"),
    ("@", "element"),
    ("i", "picture"),
    ("s", "statistics"),
    ("o O", "over time"),
    ("d D", "difference"),
    ("{ }", "other times"),
    ("=", "ranges"),
    ("w", "save"),
    ("a", "turn"),
    (", .", "index"),
    ("+ - e", "digits"),
    ("y", "copy"),
)
"""What is said of the keys as far as there is room, the most useful first."""


def title_words(page: ValuePage, about: str) -> Pieces:
    """Which tensor, which of its computations, and which part of it."""
    shape = "x".join(map(str, page.shape)) if page.shape else "scalar"
    minus = "" if page.minus is None else f" minus #{page.minus:,}"
    words = [
        Piece(" Value", "notable"),
        Piece(clean(f"  {page.name} {page.label}{minus}{about}"), "title"),
        Piece(f"  {page.dtype} {shape}", "dim"),
    ]
    return [*words, Piece(f"  {page.selected}", "accent")] if page.shape else words


def drawn_words(page: ValuePage) -> Pieces:
    """How it is drawn, and how much of it was looked at."""
    body, looked_at = page.body, 1.0
    words = [page.notation]
    if isinstance(body, GridPage):
        words.append(body.axes)
    else:
        looked_at = body.looked_at
    if isinstance(body, PicturePage):
        rows, columns = body.per_cell
        each = f", {rows}x{columns} elements a cell" if rows * columns > 1 else ""
        words.append(f"blue - 0 + orange to {body.limit:.4g}{each}")
    elif isinstance(body, CurvePage):
        words.append(body.what)
    if looked_at < 1:
        words.append(f"{looked_at:.0%} looked at")
    return [Piece(clean(f"  {'  '.join(filter(None, words))} "), "dim")]


def key_words(width: int) -> Pieces:
    """The keys that there is room for."""
    line: Pieces = []
    for key, what in KEYS:
        pieces = [Piece(f" {key}", "key"), Piece(f" {what} ", "dim")]
        if width_of([*line, *pieces]) > width:
            break
        line += pieces
    return line
