"""An array as lines of text: a row a line, cut in the middle unless all is asked for."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.result import Cell
from tfdbg_tui.data.values.formatting import NumberFormat
from tfdbg_tui.frozen.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from tfdbg_tui.command_line.result import Line
    from tfdbg_tui.data.values.ranges import Ranges

    Array = npt.NDArray[Any]

    Read = Callable[[tuple[slice, ...]], Array]
    """Reads a part of an array, a slice for each dimension."""

MAX_WHOLE = 1_000
"""Elements that are told without leaving any out, as numpy has it."""

EDGE = 3
"""Elements at each end of a dimension that is cut."""

MAX_TOLD = 1 << 20
"""Elements that are told where all are asked for."""

GAP = "…"


class Shown(Frozen):
    """The elements of an array that are told, with their indices."""

    array: Any
    """A numpy array."""
    indices: tuple[tuple[int, ...], ...]
    """For each dimension, which of its indices are in it."""
    shape: tuple[int, ...]
    """Of the whole."""


def shown_of(shape: tuple[int, ...], read: Read, is_whole: bool) -> Shown:
    """What is told of an array; little else of it is read."""
    size = int(np.prod(shape, dtype=np.float64))
    if is_whole and size > MAX_TOLD:
        raise CommandError(
            f"{size:,} elements are more than are printed; choose a slice, or write them: "
            "-w FILE.npy."
        )
    cut = size > MAX_WHOLE and not is_whole
    parts = [_parts(count, cut) for count in shape]
    indices = tuple(tuple(n for part in own for n in part) for own in parts)
    return Shown(_joined(parts, read, ()), indices, shape)


def _parts(count: int, is_cut: bool) -> list[range]:
    if not is_cut or count <= 2 * EDGE + 1:
        return [range(count)]
    return [range(EDGE), range(count - EDGE, count)]


def _joined(parts: Sequence[Sequence[range]], read: Read, chosen: tuple[slice, ...]) -> Array:
    """The parts of all dimensions behind some that are chosen, put together."""
    number = len(chosen)
    if number == len(parts):
        return read(chosen)
    pieces = [
        _joined(parts, read, (*chosen, slice(part.start, part.stop))) for part in parts[number]
    ]
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces, axis=number)


def lines_of(shown: Shown, ranges: Ranges | None = None) -> Iterator[Line]:
    """The lines: rows of the last dimension, each behind the indices of the others."""
    array = shown.array
    form = NumberFormat()
    if not shown.shape:
        yield (_cell(form, array[()], None if ranges is None else ranges.holds(array)[()]),)
        return
    if not array.size:
        yield (Cell("no elements", role="dim"),)
        return
    texts = np.array(form.texts(array), dtype=object).reshape(array.shape)
    bad, marked = _bad(array), None if ranges is None else ranges.holds(array)
    width = max(map(len, texts.reshape(-1).tolist())) + (marked is not None)
    last = shown.indices[-1]
    before: tuple[int, ...] | None = None
    for place in product(*(range(len(own)) for own in shown.indices[:-1])):
        index = tuple(own[n] for own, n in zip(shown.indices, place, strict=False))
        if before is not None and _skips(before, index, shown.shape):
            yield (Cell(GAP, role="dim"),)
        before = index
        head = "".join(f"{n}, " for n in index)
        cells: list[Cell] = [Cell(f"[{head}:]  " if index else "", role="dim")]
        for number, text in enumerate(texts[place].tolist()):
            if number and last[number] > last[number - 1] + 1:
                cells.append(Cell(f"{GAP}  ", role="dim"))
            is_marked = marked is not None and bool(marked[place][number])
            role = "bad" if bad[place][number] else "mark" if is_marked else ""
            cells.append(Cell(f"{text}{'*' if is_marked else ''}".rjust(width) + "  ", role=role))
        yield tuple(cells)


def _skips(before: tuple[int, ...], index: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Whether rows are left out between two."""
    sizes = shape[: len(index)]
    return int(np.ravel_multi_index(index, sizes)) > int(np.ravel_multi_index(before, sizes)) + 1


def _bad(array: Array) -> npt.NDArray[np.bool_]:
    if array.dtype.kind not in "fc":
        return np.zeros(array.shape, np.bool_)
    return ~np.isfinite(array)


def _cell(form: NumberFormat, value: Any, is_marked: object) -> Cell:
    plain = value.item() if isinstance(value, np.generic) else value
    is_bad = isinstance(plain, (float, complex)) and not np.isfinite(plain)
    return Cell(form.text(plain) + ("*" if is_marked else ""), role="bad" if is_bad else "")


def plain_values(array: Array) -> Any:
    """An array as JSON has it: what is no number there is a text."""
    if array.dtype.kind == "O":
        return np.vectorize(_text, otypes=[object])(array).tolist() if array.size else []
    if array.dtype.kind == "c":
        return np.vectorize(str, otypes=[object])(array).tolist() if array.size else []
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        texts = np.where(np.isfinite(array), array.astype(object), array.astype(str))
        return texts.tolist()
    return array.tolist()


def _text(value: object) -> str:
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
