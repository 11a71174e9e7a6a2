"""Work that pauses: what came of it, for those who do not care for the pauses."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator

_Made = TypeVar("_Made")


def finished(work: Generator[None, None, _Made]) -> _Made:
    """What comes of some work, done at once."""
    made: list[_Made] = []

    def whole() -> Generator[None, None, None]:
        made.append((yield from work))

    for _ in whole():
        pass
    return made[0]
