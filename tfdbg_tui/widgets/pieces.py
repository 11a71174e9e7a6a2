"""Lines as pieces of text with a role: what is said, apart from how it is coloured.

Everything recorded is hostile until it has passed `clean`. Text is cleaned once, where it enters
a line: `shorten`, `cut`, `left`, `right` and `path_cell` take recorded text and clean it, and so
does a piece that is made with `clean(text)`. What works on pieces relies on that, and catches
what was forgotten: text that is plain ASCII needs no cleaning and costs no call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.sanitise import MAX_LENGTH, sanitise

if TYPE_CHECKING:
    from collections.abc import Iterable


_STAND_INS = str.maketrans(
    {
        "…": "$",
        "×": "x",
        "∞": "inf",
        "±": "+-",
        "ƒ": "f",
        "·": "|",
        "←": "left",
        "→": "right",
        "↑": "up",
        "↓": "down",
        "⏎": "enter",
        "‹": "<",
        "✓": "o",
        "│": "|",
        "├": "|",
        "└": "`",
    }
)


TAIL_OF_PATH = 0.75
"""Part of a shortened path that is its end."""


LAYER_CELLS = 6
"""Cells before the op's own name in which the end of its layer's tells something."""


class _Characters:
    """Which characters may be drawn: one terminal, so one answer for the whole program."""

    ascii_only = False


def draw_ascii_only(ascii_only: bool) -> None:
    """Draw with ASCII characters alone from now on, or with any."""
    _Characters.ascii_only = ascii_only


def clean(text: str) -> str:
    """Text that does no harm to the terminal and that the terminal can draw."""
    if len(text) <= MAX_LENGTH and text.isascii() and text.isprintable():
        return text
    text = sanitise(text)
    if not _Characters.ascii_only or text.isascii():
        return text
    return text.translate(_STAND_INS).encode("ascii", "backslashreplace").decode("ascii")


class Piece(NamedTuple):
    """Some text of a line and what it is: a role that a theme gives a style."""

    text: str
    role: str = ""


Pieces = list[Piece]


def width_of(pieces: Iterable[Piece]) -> int:
    """The cells that some pieces take."""
    return sum([cell_len(piece.text) for piece in pieces])


def base_name(path: str) -> str:
    """The last part of a recorded path, of any system."""
    return path.replace("\\", "/").rpartition("/")[2] or path


def shorten(text: str, width: int, ellipsis: str = "…", tail_share: float = 0.5) -> str:
    """Text in at most `width` cells, cut in the middle: both ends of a name tell something."""
    text = clean(text)
    if cell_len(text) <= width:
        return text
    if width <= 2:
        return set_cell_size(text, max(0, width))
    kept = width - 1
    tail = _last_cells(text, int(kept * tail_share))
    head = set_cell_size(text, kept - cell_len(tail)).rstrip(" ")
    return head + ellipsis + tail


def _last_cells(text: str, width: int) -> str:
    """The end of a text, in at most `width` cells."""
    start, cells = len(text), 0
    while start and cells + cell_len(text[start - 1]) <= width:
        start -= 1
        cells += cell_len(text[start])
    while start < len(text) and not cell_len(text[start]):
        start += 1  # a mark without the letter it belongs to
    return text[start:]


def cut(text: str, width: int, ellipsis: str = "…") -> str:
    """Text in at most `width` cells, cut at the end."""
    text = clean(text)
    if cell_len(text) <= width:
        return text
    if width < 1:
        return ""
    return set_cell_size(text, width - 1).rstrip(" ") + ellipsis


def left(text: str, width: int, role: str = "") -> Piece:
    """A cell of exactly `width`, its text shortened in the middle."""
    if len(text) <= width and text.isascii() and text.isprintable():
        return Piece(text.ljust(width), role)
    return Piece(set_cell_size(shorten(text, width), width), role)


def path_cell(text: str, width: int, role: str = "") -> Piece:
    """A cell for names such as `model/dense/MatMul:0`, whose last parts tell most."""
    if len(text) <= width and text.isascii() and text.isprintable():
        return Piece(text.ljust(width), role)
    return Piece(set_cell_size(op_path(text, width), width), role)


def tells_type(name: str, op_type: str | None) -> bool:
    """Whether the name of a tensor says what its op is: `mul` is a Mul, `loss` may be anything."""
    return not op_type or op_type.lower() in name.lower()


def op_path(text: str, width: int, ellipsis: str = "…") -> str:
    """A name such as `model/conv2d_1/BiasAdd` in a width: outer scopes go first, at a `/`.

    The layer and the op are its last two parts: they tell most, and stay longest.
    """
    text = clean(text)
    if cell_len(text) <= width:
        return text
    parts = text.split("/")
    for first in range(1, max(1, len(parts) - 1)):
        short = f"{ellipsis}/{'/'.join(parts[first:])}"
        if cell_len(short) <= width:
            return short
    if len(parts) > 1 and cell_len(parts[-1]) + LAYER_CELLS <= width:
        return ellipsis + _last_cells("/".join(parts[-2:]), width - 1)
    return shorten(parts[-1], width, ellipsis, TAIL_OF_PATH)


def right(text: str, width: int, role: str = "") -> Piece:
    """A cell of exactly `width` with its text at the right."""
    if len(text) <= width and text.isascii() and text.isprintable():
        return Piece(text.rjust(width), role)
    text = shorten(text, width)
    return Piece(" " * (width - cell_len(text)) + text, role)


def padded(pieces: Pieces, width: int) -> Pieces:
    """Pieces in exactly `width` cells: what is too long is cut."""
    only = pieces[0].text if len(pieces) == 1 else ""
    if only and len(only) == width and only.isascii() and only.isprintable():
        return pieces  # as most cells of tables are
    fitted: Pieces = []
    room = width
    for text, role in pieces:
        if room:
            is_plain = len(text) <= room and text.isascii() and text.isprintable()
            is_cut = not is_plain and cell_len(clean(text)) > room
            text = text if is_plain else cut(text, room)
            fitted.append(Piece(text, role))
            room -= len(text) if is_plain else cell_len(text)
            if is_cut:
                break  # where it was cut before a blank there is room, for nothing but that
        elif text.strip() and fitted:  # the end is to show that there is more
            last = fitted.pop()
            cells = cell_len(last.text)
            text = cut(last.text + "..", cells)
            fitted.append(Piece(text, last.role))
            room = cells - cell_len(text)  # a wide character may have made way
            break
    if room:
        fitted.append(Piece(" " * room))
    return fitted


def wrapped(pieces: Pieces, width: int, most: int, indent: int) -> list[Pieces]:
    """Pieces in at most so many rows of a width, broken at blanks where that can be.

    Rows after the first are indented. What is left over stays in the last row, which is cut.
    """
    rows: list[Pieces] = []
    room = width
    while len(rows) < most - 1 and width_of(pieces) > room:
        cells = _break_before(pieces, room)
        rows.append(_first_cells(pieces, cells))
        pieces = [Piece(" " * indent), *_without_lead(scrolled(pieces, cells))]
    return [*rows, pieces]


def _break_before(pieces: Pieces, width: int) -> int:
    """Where to break a row: behind the last blank or comma in its second half, else at its end."""
    text = "".join(piece.text for piece in _first_cells(pieces, width))
    at = max(text.rfind(" "), text.rfind(","), text.rfind("(")) + 1
    return cell_len(text[:at]) if at > len(text) // 2 else max(1, width)


def _first_cells(pieces: Pieces, cells: int) -> Pieces:
    shown: Pieces = []
    for text, role in pieces:
        if cells <= 0:
            break
        part = text if cell_len(text) <= cells else set_cell_size(text, cells)
        shown.append(Piece(part, role))
        cells -= cell_len(part)
    return shown


def _without_lead(pieces: Pieces) -> Pieces:
    """The same without blanks at its beginning."""
    rest = list(pieces)
    while rest and not rest[0].text.strip():
        rest.pop(0)
    if rest:
        rest[0] = Piece(rest[0].text.lstrip(" "), rest[0].role)
    return rest


def scrolled(pieces: Pieces, cells: int) -> Pieces:
    """Pieces without their first cells; a wide character that is cut leaves a blank."""
    if not cells:
        return pieces
    shown: Pieces = []
    for text, role in pieces:
        room = cell_len(text) - cells
        if room > 0:
            tail = _last_cells(text, room)
            shown.append(Piece(" " * (room - cell_len(tail)) + tail, role))
        cells = max(0, -room)
    return shown


def spread(start: Pieces, end: Pieces, width: int) -> Pieces:
    """Pieces at both ends of a line; the first give way."""
    room = max(0, width - width_of(end))
    return [*padded(start, room), *end]
