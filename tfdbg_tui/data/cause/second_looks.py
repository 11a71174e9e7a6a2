"""Which sites are judged again, and which causes are followed again, as more becomes known."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class SecondLooks:
    """The keys of sites that wait for a second look, each once."""

    def __init__(self) -> None:
        self._open: dict[int, None] = {}
        """Sites about which more may come to disk."""
        self._judge: dict[int, None] = {}
        self._reach: dict[int, None] = {}
        self._ahead: set[int] = set()
        self._events = 0

    def __bool__(self) -> bool:
        return bool(self._judge or self._reach)

    def settle(self, key: int, is_final: bool) -> None:
        """Take note of whether more that comes may change what was judged."""
        if is_final:
            self._open.pop(key, None)
        else:
            self._open[key] = None

    def grow(self, events: int, unsettled_causes: Iterable[int]) -> None:
        """Have what may have changed looked at again, if there are more events."""
        if events != self._events:
            self._events = events
            self._judge.update(self._open)
            self._reach.update(dict.fromkeys(unsettled_causes))

    def judge(self, keys: Iterable[int]) -> None:
        """Have some sites judged again."""
        self._judge.update(dict.fromkeys(keys))

    def await_cause(self, key: int) -> None:
        """Have a site judged again that follows from one behind it; but once."""
        if key not in self._ahead:
            self._ahead.add(key)
            self._judge[key] = None

    def to_judge(self, most: int) -> tuple[int, ...]:
        """Take the next sites to judge again."""
        return _taken(self._judge, most)

    def to_follow(self, most: int) -> tuple[int, ...]:
        """Take the next causes whose reach is looked at again."""
        return _taken(self._reach, most)


def _taken(looks: dict[int, None], most: int) -> tuple[int, ...]:
    taken = tuple(islice(looks, most))
    for key in taken:
        del looks[key]
    return taken
