"""What a notebook shows: HTML, in which whatever is recorded is text and nothing else."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from tfdbg_tui.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BAD_STYLE = ' style="color:#c62828;font-weight:bold"'


def escaped(value: object) -> str:
    """A value as text that a browser shows as it is."""
    return html.escape(sanitise(str(value)))


def heading(text: str, bad: bool = False) -> str:
    """One line above what follows."""
    return f"<p><b{BAD_STYLE if bad else ''}>{escaped(text)}</b></p>"


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], bad: Sequence[bool]) -> str:
    """A table; rows that are bad stand out."""
    lines = ["<table><thead><tr>", *(f"<th>{escaped(head)}</th>" for head in heads)]
    lines.append("</tr></thead><tbody>")
    for cells, is_bad in zip(rows, bad, strict=True):
        shown = "".join(f"<td>{escaped(cell)}</td>" for cell in cells)
        lines.append(f"<tr{BAD_STYLE if is_bad else ''}>{shown}</tr>")
    return "".join([*lines, "</tbody></table>"])


def facts(pairs: Iterable[tuple[str, object]]) -> str:
    """Names with what they are, one below the other; what is None is left out."""
    told = [pair for pair in pairs if pair[1] is not None]
    return table(("", ""), told, [False] * len(told))
