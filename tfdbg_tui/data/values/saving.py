"""Values into files: numpy's own, comma-separated, or a picture; streamed, in slices."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.values.colouring import colours_of, limit_of
from tfdbg_tui.data.values.element_kinds import is_number
from tfdbg_tui.data.values.new_files import writing
from tfdbg_tui.data.values.pieces import SLICE_SECONDS
from tfdbg_tui.data.values.png import png
from tfdbg_tui.data.values.statistics import StatisticsJob
from tfdbg_tui.data.values.value_error import ValueQueryError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from tfdbg_tui.data.values.recorded_value import RecordedValue
    from tfdbg_tui.data.values.slices import Selected

PIECE = 1 << 16
"""Elements that are written at once."""

MAX_SAVED = 1 << 31
"""Elements of the largest file; few recorded values may stand for more than any disk holds."""

MAX_SIDE = 1 << 13
"""Pixels of the longer side of a picture; a small one is drawn larger, up to `WORTH_SEEING`."""

WORTH_SEEING = 512
STRIP = 16
"""Rows of pixels of a picture of one dimension."""


class SavingJob:
    """Writes what is selected; a job. What keeps it from that is raised, or kept as `error`."""

    def __init__(
        self, value: RecordedValue, selected: Selected, name: str | Path, replace: bool = False
    ) -> None:
        """Raises what can be told at once: a name of no kind of file, a file that is there."""
        path = Path(name)
        self.name = str(name)
        self.is_done = False
        self.error: ValueQueryError | None = None
        self._steps = writing(path, _content(value, selected, path), replace)
        next(self._steps)  # the head of the file; nothing is read for it

    def extend(self) -> bool:
        """Write on for a moment; True while there is more to write."""
        until = perf_counter() + SLICE_SECONDS
        try:
            while perf_counter() < until and not self.is_done:
                self.is_done = next(self._steps, self) is self
        except ValueQueryError as error:
            self.error, self.is_done = error, True
        return not self.is_done

    def stop(self) -> None:
        """Leave it; what was written is taken away again."""
        self._steps.close()  # type: ignore[attr-defined]  # it is a generator
        self.is_done = True


def save(value: RecordedValue, selected: Selected, path: str | Path, replace: bool = False) -> None:
    """Write what is selected; the ending of the name says how."""
    job = SavingJob(value, selected, path, replace)
    while job.extend():
        pass
    if job.error is not None:
        raise job.error


def _content(value: RecordedValue, selected: Selected, path: Path) -> Iterator[bytes]:
    if selected.size > MAX_SAVED:
        raise ValueQueryError(
            f"{selected.size:,} elements are more than are saved; choose some by a slice."
        )
    ending = path.suffix.lower()
    if ending == ".npy":
        return _npy(value, selected)
    if ending == ".csv":
        return _csv(value, selected)
    if ending == ".png":
        return _picture(value, selected)
    raise ValueQueryError("Values are saved as .npy, .csv or .png: the name has to end so.")


def _npy(value: RecordedValue, selected: Selected) -> Iterator[bytes]:
    """Numpy's own format; what numpy does not have becomes float32, which is exact."""
    if not is_number(value.element):
        raise ValueQueryError("Strings are saved as .csv; .npy would need pickled objects.")
    head = io.BytesIO()
    stated = {
        "descr": np.lib.format.dtype_to_descr(value.element),
        "fortran_order": False,
        "shape": selected.shape,
    }
    np.lib.format.write_array_header_1_0(head, stated)
    return _head_and_pieces(head.getvalue(), value, selected)


def _head_and_pieces(head: bytes, value: RecordedValue, selected: Selected) -> Iterator[bytes]:
    yield head
    for _, piece in _pieces(value, selected):
        yield piece.tobytes()


def _pieces(value: RecordedValue, selected: Selected) -> Iterator[tuple[int, npt.NDArray[Any]]]:
    blocks = selected.blocks(PIECE)
    for number in range(blocks.count):
        place, block = blocks.block(number)
        yield place, value.window(block).reshape(-1)


def _csv(value: RecordedValue, selected: Selected) -> Iterator[bytes]:
    """A line for each row of the last dimension, behind its index if there are more than two."""
    shape = selected.shape
    width = shape[-1] if len(shape) > 1 else 1
    yield b""
    for place, piece in _pieces(value, selected):
        texts = _texts(piece)
        lines = []
        for start in range(-(place % width), len(texts), width):
            line = ",".join(texts[max(start, 0) : start + width])
            row = (place + start) // width
            if start >= 0 and len(shape) > 2:
                line = ",".join([*map(str, np.unravel_index(row, shape[:-1])), line])
            ends = start + width <= len(texts)
            lines.append(line + ("\n" if ends else ","))
        yield "".join(lines).encode()


def _texts(values: npt.NDArray[Any]) -> list[str]:
    """Elements so that they can be read back as they are."""
    if values.dtype == object:
        return [_quoted(string) for string in values.tolist()]
    texts: list[str] = values.astype(str).tolist()
    return [text.strip("()") for text in texts] if values.dtype.kind == "c" else texts


def _quoted(string: bytes) -> str:
    line = io.StringIO()
    text = string.decode("utf-8", "backslashreplace").replace("\0", "\\0")
    csv.writer(line, lineterminator="", quoting=csv.QUOTE_ALL).writerow([text])
    return line.getvalue()


def _picture(value: RecordedValue, selected: Selected) -> Iterator[bytes]:
    if not is_number(value.element):
        raise ValueQueryError("Strings have no picture.")
    shape = selected.shape
    if len(shape) not in (1, 2):
        raise ValueQueryError(
            f"A picture has two dimensions, and this has {len(shape)}: choose two by a slice, "
            "as in [0, :, :]."
        )
    if max(shape) > MAX_SIDE or not selected.size:
        raise ValueQueryError(
            f"A picture has 1 to {MAX_SIDE:,} elements a side, not {' x '.join(map(str, shape))}."
        )
    height, width = shape if len(shape) == 2 else (1, *shape)
    zoom = max(1, WORTH_SEEING // max(shape))
    tall = zoom if len(shape) == 2 else max(STRIP, zoom)
    return png(width * zoom, height * tall, _rows(value, selected, width, (tall, zoom)))


def _rows(
    value: RecordedValue, selected: Selected, width: int, zoom: tuple[int, int]
) -> Iterator[npt.NDArray[np.uint8]]:
    job = StatisticsJob(value, selected)
    while job.extend():
        yield np.empty((0, width * zoom[1], 3), np.uint8)  # a pause
    limit = limit_of(job.to_the_end())
    for _, piece in _pieces(value, selected):
        colours = colours_of(piece.reshape(-1, width), limit)
        yield colours.repeat(zoom[0], axis=0).repeat(zoom[1], axis=1)
