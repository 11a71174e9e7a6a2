"""Memory is used again only when nobody looks into it any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.files.read_buffers import SMALL, ReadBuffers

if TYPE_CHECKING:
    import numpy.typing as npt

SIZE = 4 * SMALL


def address(array: npt.NDArray[np.uint8]) -> int:
    place: int = array.__array_interface__["data"][0]
    return place


def test_memory_that_nobody_holds_is_used_again() -> None:
    buffers = ReadBuffers()
    first = buffers.borrow(SIZE)
    place = address(first)
    del first
    assert address(buffers.borrow(SIZE)) == place
    assert address(buffers.borrow(SIZE // 2)) == place


def test_what_somebody_still_looks_at_is_left_alone() -> None:
    buffers = ReadBuffers()
    first = buffers.borrow(SIZE)
    first[:] = 1
    window = np.ndarray((SIZE - 7,), "<u8", first, strides=(1,))
    del first
    second = buffers.borrow(SIZE)
    second[:] = 2
    assert np.array_equal(window[:8], np.full(8, 0x0101010101010101))


def test_one_can_be_filled_while_another_is_looked_at() -> None:
    buffers = ReadBuffers()
    first, second = buffers.borrow(SIZE), buffers.borrow(SIZE)
    places = {address(first), address(second)}
    assert len(places) == 2
    del first
    assert address(buffers.borrow(SIZE)) in places - {address(second)}


def test_released_memory_is_forgotten() -> None:
    buffers = ReadBuffers()
    buffers.borrow(SIZE)
    buffers.release()
    assert buffers._kept == []
