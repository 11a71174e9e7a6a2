"""Which event is meant: its host, its kind, its number, and which of its output tensors."""

from __future__ import annotations

from enum import Enum

from tfdbg_tui.frozen.named_tuple import NamedTuple


class EventKind(Enum):
    """The two kinds of events, in the order in which they are told at one moment.

    A call's record is written when its graph has run, so traces come first.
    """

    TRACE = "graph_execution"
    """A tensor computed inside a graph."""
    EXECUTION = "execution"
    """An eager op or a call of a function."""

    @property
    def other(self) -> EventKind:
        """The kind that this one is not."""
        return EventKind.EXECUTION if self is EventKind.TRACE else EventKind.TRACE


class EventRef(NamedTuple):
    """One event of a run, or one of its output tensors."""

    host: int
    """Number of the host in its run."""
    kind: EventKind
    event: int
    """Its number in the store of its host and kind."""
    output: int | None = None
    """Which of its recorded tensors, always 0 for a trace; None if that is not told."""


_KINDS = tuple(EventKind)


def store_number(host: int, kind: EventKind) -> int:
    """The number of a store among all stores of a run: by host, then by kind."""
    return len(_KINDS) * host + _KINDS.index(kind)


def host_and_kind(number: int) -> tuple[int, EventKind]:
    """Whose store has a number, and what kind of events it holds."""
    host, kind = divmod(number, len(_KINDS))
    return host, _KINDS[kind]
