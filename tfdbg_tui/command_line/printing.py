"""A result as text, JSON and CSV: rows are made and written a part at a time."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from tfdbg_tui.sanitise import one_line, sanitise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.command_line.result import Head, Line, Result, Row

ROWS_AT_ONCE = 1_000
"""Rows that are made together; the columns of a text are as wide as the first of them need."""

_FORMULA = re.compile(r"[=@]|[-+](?!inf )")
"""How a text begins that a spreadsheet may take for a formula."""

MAX_WIDTH = 60
"""Cells of a column; what is longer pushes the rest of its row aside."""


def as_text(result: Result, most: int | None = None) -> Iterator[str]:
    """What people read, in parts; of the rows at most so many."""
    yield from (f"{text}\n" for text in _head_lines(result))
    shown = _shown(result, most)
    if shown:
        widths: list[int] = []
        for start in range(0, shown, ROWS_AT_ONCE):
            rows = result.rows.rows(start, min(shown, start + ROWS_AT_ONCE))
            texts = [[sanitise(cell.text) for cell in row] for row in rows]
            if not widths:
                titles = [head.title for head in result.heads]
                widths = _widths(titles, texts)
                if any(titles):
                    yield _aligned(titles, widths, result.heads)
            yield "".join(_aligned(row, widths, result.heads) for row in texts)
    if shown < len(result.rows):
        yield f"… {len(result.rows) - shown:,} more of {len(result.rows):,}\n"
    yield from (f"{sanitise(note)}\n" for note in result.notes)


def _head_lines(result: Result) -> Iterator[str]:
    if result.title:
        yield sanitise(result.title)
    yield from (text_of(line) for line in result.lines)


def text_of(line: Line) -> str:
    """A line as it is read."""
    return "".join(sanitise(cell.text) for cell in line).rstrip()


def _shown(result: Result, most: int | None) -> int:
    return len(result.rows) if most is None else min(most, len(result.rows))


def _widths(titles: list[str], rows: list[list[str]]) -> list[int]:
    columns = zip(titles, *rows, strict=True)
    return [min(MAX_WIDTH, max(map(len, column))) for column in columns]


def _aligned(texts: list[str], widths: list[int], heads: tuple[Head, ...]) -> str:
    cells = (
        text.rjust(width) if head.is_number else text.ljust(width)
        for text, width, head in zip(texts, widths, heads, strict=True)
    )
    return "  ".join(cells).rstrip() + "\n"


def as_json(result: Result, command: str, most: int | None = None) -> str:
    """One object, on one line; what was recorded is as it was recorded."""
    import json  # text needs none, and starts sooner without

    shown = _shown(result, most)
    told: dict[str, object] = {"command": command, "title": result.title, **result.facts}
    if result.lines:
        told["lines"] = ["".join(cell.text for cell in line) for line in result.lines]
    if result.heads:
        told["rows"] = [
            {head.key: _plain(cell.value) for head, cell in zip(result.heads, row, strict=True)}
            for row in _all_rows(result, shown)
        ]
        told["left_out"] = len(result.rows) - shown
    if result.notes:
        told["notes"] = list(result.notes)
    return json.dumps(told, default=str) + "\n"


def as_csv(result: Result, most: int | None = None) -> Iterator[str]:
    """The rows with a line of heads; the lines of what has no rows, a cell each.

    A text that a spreadsheet would take for a formula is quoted as one: names are hostile.
    """
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if not result.heads:
        writer.writerow(["text"])
        texts = ("".join(cell.text for cell in line) for line in result.lines)
        writer.writerows([_csv_cell(text)] for text in texts)
        yield out.getvalue()
        return
    writer.writerow([head.key for head in result.heads])
    for row in _all_rows(result, _shown(result, most)):
        writer.writerow([_csv_cell(cell.value) for cell in row])
        if out.tell() > 1 << 16:
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()


def _all_rows(result: Result, shown: int) -> Iterator[Row]:
    for start in range(0, shown, ROWS_AT_ONCE):
        yield from result.rows.rows(start, min(shown, start + ROWS_AT_ONCE))


def _plain(value: object) -> object:
    """A value that JSON can hold."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _csv_cell(value: object) -> object:
    if value is None or isinstance(value, (bool, int, float)):
        return value
    text = one_line(", ".join(map(str, value)) if isinstance(value, list) else str(value))
    return f"'{text}" if _FORMULA.match(text) else text
