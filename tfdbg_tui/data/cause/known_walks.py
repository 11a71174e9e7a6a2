"""Walks from one bad tensor to its causes: where one leads is found once, for all that pass there.

What is bad in a training step mostly follows one after the other: the way from each tensor to its
causes is that from the one before, and a step. To walk all of it for each of them would take as
many steps as there are tensors, times as many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.judged import Judged
    from tfdbg_tui.data.stores.event_kind import EventKind, EventRef

MAX_WALKED = 512
"""Bad tensors on the way from one to its causes that are looked at."""

MAX_KEPT = 1 << 16
"""Walks, and judgements, that are kept."""


class _End(NamedTuple):
    """Where the walk from a tensor leads."""

    roots: tuple[EventRef, ...]
    length: int
    """The tensors that are looked at."""


LOST = _End((), MAX_WALKED + 1)
"""The end of a walk that is too long."""


class Walk:
    """One walk; tensors through which all of it leads are those whose end tells its own."""

    def __init__(self, known: dict[EventRef, _End]) -> None:
        self._known = known
        self._passed: list[tuple[EventRef, int]] = []

    def end_at(self, tensor: EventRef, walked: int) -> tuple[EventRef, ...] | None:
        """Where it leads, if that is known of a tensor that all of it comes through."""
        end = self._known.get(tensor)
        if end is None:
            self._passed.append((tensor, walked))
            return None
        length = walked + end.length
        return self.lost() if length > MAX_WALKED else self.ended(end.roots, length)

    def ended(self, roots: tuple[EventRef, ...], length: int) -> tuple[EventRef, ...]:
        """Take note of where it leads, and how many tensors were looked at."""
        for tensor, walked in self._passed:
            self._keep(tensor, _End(roots, length - walked))
        return roots

    def lost(self) -> tuple[EventRef, ...]:
        """Take note that it is too long; from farther on it may not be."""
        for tensor, walked in self._passed[:1]:
            if not walked:
                self._keep(tensor, LOST)
        return ()

    def _keep(self, tensor: EventRef, end: _End) -> None:
        if len(self._known) < MAX_KEPT:
            self._known[tensor] = end


class SoFar:
    """What more that comes to disk may change, with the number of events it was found at."""

    def __init__(self, events: int) -> None:
        self.events = events
        self.judged: dict[tuple[EventKind, int], Judged] = {}
        self._ends: dict[bool, dict[EventRef, _End]] = {False: {}, True: {}}

    def walk(self, past_variables: bool) -> Walk:
        """Begin a walk, which may lead through variables or not."""
        return Walk(self._ends[past_variables])
