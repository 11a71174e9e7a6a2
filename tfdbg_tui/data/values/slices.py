"""Parts of a tensor as numpy names them: `[0:50, :, -1]`.

What is selected is kept as one range for each dimension of the tensor, or one index: however large
the tensor, it costs nothing to narrow it, and it can be cut into parts that follow each other.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from tfdbg_tui.data.values.value_error import ValueQueryError
from tfdbg_tui.frozen.frozen import Frozen
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_TEXT = 1000
"""Characters of a slice that anybody types."""

EXAMPLE = "A slice looks like [0:50, :, -1]"

_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")

_TENSOR = re.compile(r"(?P<name>[^\[\]]*?)\s*(?P<slice>\[.*)?", re.DOTALL)


class Slice(NamedTuple):
    """A slice as it was typed, for tensors of any shape."""

    parts: tuple[int | slice | None, ...]
    """For each dimension an index or a slice; None stands for all that are not named."""

    def on(self, shape: Sequence[int]) -> Selected:
        """What it selects of a tensor of a shape."""
        named = [part for part in self.parts if part is not None]
        if len(named) > len(shape):
            has = counted(len(shape), "dimension")
            raise ValueQueryError(f"{counted(len(named), 'index', 'indices')} for {has}.")
        place = self.parts.index(None) if None in self.parts else len(self.parts)
        rest = [slice(None)] * (len(shape) - len(named))
        parts = [*self.parts[:place], *rest, *self.parts[place + 1 :]]
        sizes = enumerate(zip(parts, shape, strict=True))
        return Selected(
            tuple(shape), tuple(_axis(part, size, number) for number, (part, size) in sizes)
        )


def parse_slice(text: str) -> Slice:
    """What somebody typed, in brackets or without; nothing at all selects the whole tensor."""
    typed = text.strip()
    if len(typed) > MAX_TEXT:
        raise ValueQueryError(f"{EXAMPLE}; this one has {len(typed):,} characters.")
    if typed.startswith("[") != typed.endswith("]"):
        raise ValueQueryError(f"{EXAMPLE}, with a bracket at both ends.")
    inner = typed[1:-1].strip() if typed.startswith("[") else typed
    if not inner:
        return Slice((None,))
    words = inner.split(",")
    if not words[-1].strip():
        del words[-1]  # as Python has it, a comma may follow the last
    parts = tuple(_part(word.strip()) for word in words)
    if parts.count(None) > 1:
        raise ValueQueryError("A slice has ... once at the most: it is all other dimensions.")
    return Slice(parts)


def parse_name(text: str) -> tuple[str, str | None]:
    """The name of a tensor and the slice behind it: `w/read:0[0:5,:]`."""
    match = _TENSOR.fullmatch(text.strip())
    if match is None or not match["name"]:
        raise ValueQueryError("A tensor is named as in w/read:0[0:5, :].")
    return match["name"], match["slice"]


def parse_indices(text: str, shape: Sequence[int]) -> tuple[int, ...]:
    """The indices of one element: `10,0`, with or without brackets; negative from the end."""
    typed = text.strip().removeprefix("@").strip()
    parts = parse_slice(typed).parts if typed else ()
    if parts in ((None,), ()) and not shape:
        return ()
    if len(parts) != len(shape) or not all(isinstance(part, int) for part in parts):
        expected = ",".join(["0"] * len(shape)) or "()"
        indices = counted(len(shape), "index", "indices")
        raise ValueQueryError(f"One element has {indices}: @{expected}.")
    pairs = enumerate(zip(parts, shape, strict=True))
    return tuple(_index(part, size, n) for n, (part, size) in pairs if isinstance(part, int))


def _part(word: str) -> int | slice | None:
    if word == "...":
        return None
    numbers = [number.strip() for number in word.split(":")]
    if not word or len(numbers) > 3 or not all(_is_number(number) for number in numbers):
        shown = word if len(word) < 40 else word[:40] + "…"
        raise ValueQueryError(f"{EXAMPLE}: numbers, a:b:c, : and ..., not {shown or 'nothing'}.")
    if len(numbers) == 1:
        return int(word)
    start, stop, step = ([int(n) if n else None for n in numbers] + [None])[:3]
    if step == 0:
        raise ValueQueryError("The step of a slice cannot be 0.")
    return slice(start, stop, step)


def _is_number(word: str) -> bool:
    return not word or _NUMBER.fullmatch(word) is not None


def _axis(part: int | slice | None, size: int, number: int) -> range | int:
    if isinstance(part, int):
        return _index(part, size, number)
    return range(*(part or slice(None)).indices(size))


def _index(index: int, size: int, dimension: int) -> int:
    if not -size <= index < size:
        holds = f"0 to {size - 1:,}" if size else "nothing"
        raise ValueQueryError(f"There is no index {index:,}: dimension {dimension} has {holds}.")
    return index % size


class Selected(Frozen):
    """A part of a tensor: for each of its dimensions some indices, or one that is no dimension."""

    tensor_shape: tuple[int, ...]
    axes: tuple[range | int, ...]

    @property
    def kept(self) -> tuple[int, ...]:
        """Which dimensions of the tensor it has."""
        return tuple(n for n, axis in enumerate(self.axes) if not isinstance(axis, int))

    @property
    def shape(self) -> tuple[int, ...]:
        """As numpy would tell it."""
        return tuple(_length(axis) for axis in self.axes if not isinstance(axis, int))

    @property
    def size(self) -> int:
        """How many elements it has."""
        return math.prod(self.shape)

    @property
    def is_whole(self) -> bool:
        """Whether it is all of the tensor, in its order."""
        return self.axes == whole(self.tensor_shape).axes

    @property
    def keeps_order(self) -> bool:
        """Whether its elements come in the order in which the tensor has them."""
        return all(isinstance(axis, int) or axis.step > 0 for axis in self.axes)

    def tensor_index(self, index: Sequence[int]) -> tuple[int, ...]:
        """Where an element of it is in the tensor."""
        numbers = iter(index)
        return tuple(a if isinstance(a, int) else a[next(numbers)] for a in self.axes)

    def index_in(self, tensor_index: Sequence[int]) -> tuple[int, ...] | None:
        """Where an element of the tensor is in it; None if it is left out."""
        found = []
        for axis, number in zip(self.axes, tensor_index, strict=True):
            if isinstance(axis, int):
                if axis != number:
                    return None
            elif number not in axis:
                return None
            else:
                found.append(axis.index(number))
        return tuple(found)

    def flat_index(self, index: Sequence[int]) -> int:
        """Which element of the tensor an element of it is, in the order of memory."""
        return flat(self.tensor_index(index), self.tensor_shape)

    def unravelled(self, place: int) -> tuple[int, ...]:
        """The index of the element at a place in its own order."""
        return unravelled(place, self.shape)

    def narrowed(self, *parts: slice | int) -> Selected:
        """A part of it: an index or a slice for each dimension that it has."""
        given = iter(parts)
        axes = tuple(a if isinstance(a, int) else a[next(given, slice(None))] for a in self.axes)
        return Selected(self.tensor_shape, axes)

    def blocks(self, most: int) -> Blocks:
        """The same in parts of about so many elements that follow each other."""
        return Blocks.of(self, most)


class Blocks(Frozen):
    """Parts of something selected, in its order: some indices of one dimension, all behind it."""

    selected: Selected
    split: int
    """The dimension that is cut."""
    rows: int
    """How many of its indices make a part."""

    @classmethod
    def of(cls, selected: Selected, most: int) -> Blocks:
        """Cut as far out as parts stay small."""
        shape = selected.shape
        if not shape:
            return cls(selected, 0, 1)
        split, inner = len(shape) - 1, 1
        while split and inner * shape[split] <= most:
            inner *= shape[split]
            split -= 1
        return cls(selected, split, max(1, most // max(inner, 1)))

    @property
    def _per_row(self) -> int:
        return -(-self.selected.shape[self.split] // self.rows)

    @property
    def count(self) -> int:
        """How many there are."""
        shape = self.selected.shape
        if not self.selected.size:
            return 0
        return math.prod(shape[: self.split]) * self._per_row if shape else 1

    def block(self, number: int) -> tuple[int, Selected]:
        """A part, and the place of its first element among all that is selected."""
        shape = self.selected.shape
        if not shape:
            return 0, self.selected
        outer, row = divmod(number, self._per_row)
        first = row * self.rows
        index = unravelled(outer, shape[: self.split])
        inner = math.prod(shape[self.split + 1 :])
        place = (outer * shape[self.split] + first) * inner
        return place, self.selected.narrowed(*index, slice(first, first + self.rows))

    def holding(self, place: int) -> int:
        """Which part holds the element at a place."""
        shape = self.selected.shape
        if not shape:
            return 0
        row = place // max(math.prod(shape[self.split + 1 :]), 1)
        outer, first = divmod(row, shape[self.split])
        return outer * self._per_row + first // self.rows


def whole(shape: Sequence[int]) -> Selected:
    """All of a tensor of a shape."""
    return Selected(tuple(shape), tuple(range(size) for size in shape))


def flat(index: Sequence[int], shape: Sequence[int]) -> int:
    """The place of an element in the order of memory."""
    place = 0
    for number, size in zip(index, shape, strict=True):
        place = place * size + number
    return place


def unravelled(place: int, shape: Sequence[int]) -> tuple[int, ...]:
    """The index of the element at a place."""
    index: list[int] = []
    for size in reversed(shape):
        place, number = divmod(place, size)
        index.append(number)
    return tuple(reversed(index))


def _length(axis: range | int) -> int:
    # Not `len`, which counts no further than the machine's own numbers.
    return 1 if isinstance(axis, int) else max(0, -((axis.start - axis.stop) // axis.step))
