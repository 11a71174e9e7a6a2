"""The alerts as a tree: each cause, and below it what follows from it.

What is claimed: a cause is a site whose first bad tensor was one, as `causes` tells. A follower
stands below the cause that leads to it where a bad input of its first bad tensor was found and
leads back to one; else below the last cause before it in time, which need not be its own. Causes
and followers are in the order of time. Reads of variables that follow from one cause are one row.
What is muted stands below all of that, in one row.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.cause.run_causes import MAX_JUDGED
from tfdbg_tui.data.views.muted_causes import MutedCauses
from tfdbg_tui.frozen.frozen import Frozen
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.words import counted, first_few

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.cause.muted import Muted
    from tfdbg_tui.data.cause.run_causes import RunCauses
    from tfdbg_tui.data.index.alert_rows import AlertRows, AlertSiteRow
    from tfdbg_tui.data.stores.event_kind import EventRef

    Numbers = npt.NDArray[np.int64]

MAX_ADDED_UP = 500
"""Sites of one row whose alerts are added up."""

MAX_RULES = 4
"""Rules that are named in one row."""

MAX_LINES = 50
"""Causes whose lines are told at every key press."""

MAX_LOOKED_AT = 200
"""Sites that tell which file most lines are in."""


class AlertTreeRow(Frozen):
    """A cause, what follows from one, or several reads of variables that do."""

    site: AlertSiteRow
    """The first of them."""
    follows: bool
    is_last: bool = False
    """Whether no other follower of its cause stands below it."""
    folded: int = 0
    """Sites that follow from this cause and have no row."""
    reads: int = 1
    """Sites that the row stands for."""
    count: int = 0
    """Alerts of all of them."""
    absorbed: bool = False
    """Whether its first bad numbers went no further."""
    is_usual_file: bool = False
    """Whether its line is in the file that most rows have theirs in."""
    is_muted: bool = False
    """Whether it is muted: it stands below all others."""
    note: str = ""
    """Of the row that stands for all that is muted: how many tensors, and by which rules."""


class _Arranged(NamedTuple):
    """The order of rows at one moment."""

    order: Numbers
    """Ranks of sites, each cause before what follows from it."""
    starts: Numbers
    """Where in it each row begins."""
    row_of_rank: Numbers
    is_cause: npt.NDArray[np.bool_]
    """By rank."""
    is_muted: npt.NDArray[np.bool_]
    """By rank."""


def _nothing() -> _Arranged:
    empty = np.empty(0, np.int64)
    return _Arranged(empty, empty, empty, np.empty(0, np.bool_), np.empty(0, np.bool_))


class AlertTree:
    """The rows of the alerts pane, for the screen's thread."""

    def __init__(
        self, alerts: AlertRows, found: RunCauses, muting: MutedCauses | None = None
    ) -> None:
        self.alerts = alerts
        self._found = found
        self._muting = muting or MutedCauses()
        self._version: tuple[object, ...] = ()
        self._arranged = _nothing()
        self._usual_file = ""
        self.is_folded = False
        """Whether a cause stands for all that follows from it."""
        self.shows_muted = False
        """Whether what is muted has rows of its own."""

    def __len__(self) -> int:
        return len(self._arranged.starts)

    @property
    def causes(self) -> int:
        """Sites that are causes, as far as they were judged."""
        return int(self._arranged.is_cause.sum())

    @property
    def ops(self) -> int:
        """Sites with alerts."""
        return len(self.alerts)

    @property
    def usual_file(self) -> str:
        """The file that most rows have their line in."""
        return self._usual_file

    def refresh(self) -> bool:
        """Look for new alerts and for what has become known; False if nothing is new."""
        version = (self._found.version, *self._muting.version)
        if not self.alerts.refresh() and version == self._version:
            return False
        self._version = version
        self._arrange()
        return True

    def fold(self, is_folded: bool) -> None:
        """Fold what follows below its causes, or list it."""
        self.is_folded = is_folded
        self._arrange()

    def show_muted(self, shows: bool) -> None:
        """List what is muted, or have one row stand for it."""
        self.shows_muted = shows
        self._arrange()

    def cause(self, number: int) -> EventRef | None:
        """The first tensor of a cause, by its number in time."""
        ranks = np.flatnonzero(self._arranged.is_cause)
        if not 0 <= number < len(ranks):
            return None
        return self.alerts.site(int(ranks[number])).first

    def lines_of_causes(self, path: str) -> frozenset[int]:
        """The lines of a file that made something go wrong by itself."""
        ranks = np.flatnonzero(self._arranged.is_cause)[:MAX_LINES].tolist()
        lines = (self.alerts.site(rank).facts.line for rank in ranks)
        return frozenset(line.line for line in lines if line is not None and line.path == path)

    def number_of_cause(self, tensor: EventRef) -> int | None:
        """The number in time of the cause whose first tensor this is."""
        rank = self.alerts.row_of(tensor)
        is_cause = self._arranged.is_cause
        if rank is None or rank >= len(is_cause) or not is_cause[rank]:
            return None
        is_first = self.alerts.site(rank).first_event == tensor.event
        return int(is_cause[:rank].sum()) if is_first else None

    def row_of(self, tensor: EventRef) -> int | None:
        """The row of the site of a tensor, if its event is bad; folded, that of its cause."""
        rank = self.alerts.row_of(tensor)
        rows = self._arranged.row_of_rank
        return None if rank is None or rank >= len(rows) else int(rows[rank])

    def rows(self, start: int, stop: int) -> list[AlertTreeRow]:
        """Some rows of the tree."""
        return [self._row(row) for row in range(start, min(stop, len(self)))]

    def _row(self, row: int) -> AlertTreeRow:
        order, starts, _, is_cause, is_muted = self._arranged
        first = int(starts[row])
        end = int(starts[row + 1]) if row + 1 < len(starts) else len(order)
        rank = int(order[first])
        site = self.alerts.site(rank)
        line = site.facts.line
        is_usual = line is not None and line.path == self._usual_file
        is_absorbed = int(self.alerts.keys[rank]) in self._found.absorbed.keys
        if is_muted[rank]:
            note = "" if self.shows_muted else muted_note(self._muting.muted)
            return AlertTreeRow(
                site, True, count=site.count, is_usual_file=is_usual, is_muted=True, note=note
            )
        if is_cause[rank]:
            return AlertTreeRow(
                site,
                False,
                folded=end - first - 1,
                count=site.count,
                absorbed=is_absorbed,
                is_usual_file=is_usual,
            )
        others = order[first + 1 : min(end, first + MAX_ADDED_UP)].tolist()
        count = site.count + sum(self.alerts.site(other).count for other in others)
        is_last = end == len(order) or bool((is_cause | is_muted)[order[end]])
        return AlertTreeRow(
            site,
            True,
            is_last,
            reads=end - first,
            count=count,
            absorbed=is_absorbed,
            is_usual_file=is_usual,
        )

    def _arrange(self) -> None:
        keys = self.alerts.keys
        if not len(keys):
            self._arranged = _nothing()
            return
        judged = keys[:MAX_JUDGED].tolist()
        cause_of, reads = self._found.cause_of, self._found.reads
        causes = np.full(len(keys), -1, np.int64)
        by, moved = self._muting.muted.by, self._muting.muted.moved
        causes[: len(judged)] = [moved.get(key, cause_of.get(key, -1)) for key in judged]
        is_read = np.zeros(len(keys), np.bool_)
        is_read[: len(judged)] = [key in reads for key in judged]
        is_muted = np.isin(keys, np.fromiter(by, np.int64, len(by)))
        is_cause = (causes == keys) & ~is_muted
        is_cause[np.flatnonzero(~is_muted)[:1]] = True
        group = np.where(is_muted, len(keys), _groups(keys, causes, is_cause))
        ranks = np.arange(len(keys))
        order = np.lexsort((ranks, is_read, ~is_cause, group))
        starts_row = is_cause[order].copy()
        if not self.is_folded:
            starts_row |= ~_joins_reads(is_read[order], group[order])
        starts_row[is_muted[order]] = self.shows_muted
        starts_row[len(keys) - int(is_muted.sum()) :][:1] = True
        row_of_rank = np.empty(len(keys), np.int64)
        row_of_rank[order] = np.cumsum(starts_row) - 1
        self._usual_file = self._most_common_file()
        starts = np.flatnonzero(starts_row)
        self._arranged = _Arranged(order, starts, row_of_rank, is_cause, is_muted)

    def _most_common_file(self) -> str:
        lines = [site.facts.line for site in self.alerts.rows(0, MAX_LOOKED_AT)]
        paths = Counter(line.path for line in lines if line is not None)
        return paths.most_common(1)[0][0] if paths else ""


def _groups(keys: Numbers, causes: Numbers, is_cause: npt.NDArray[np.bool_]) -> Numbers:
    """For each rank the rank of its cause: the one that was found, else the last before it."""
    ranks = np.arange(len(keys))
    groups: Numbers = np.maximum.accumulate(np.where(is_cause, ranks, 0))
    of_causes = np.flatnonzero(is_cause)
    if not len(of_causes):  # all is muted
        return groups
    by_key = of_causes[np.argsort(keys[of_causes])]
    places = np.minimum(np.searchsorted(keys[by_key], causes), len(by_key) - 1)
    is_found = keys[by_key][places] == causes
    groups[is_found] = by_key[places][is_found]
    groups[is_cause] = of_causes
    return groups


def muted_note(muted: Muted) -> str:
    """How many tensors are muted, and by which rules."""
    rules = first_few([sanitise(rule.text) for rule, _ in muted.working], MAX_RULES)
    return f"{counted(muted.tensors, 'muted tensor')}: {', '.join(rules)}"


def _joins_reads(is_read: npt.NDArray[np.bool_], group: Numbers) -> npt.NDArray[np.bool_]:
    """Whether each site, in the order of the tree, is a read behind another of its cause."""
    joins = np.zeros(len(is_read), np.bool_)
    joins[1:] = is_read[1:] & is_read[:-1] & (group[1:] == group[:-1])
    return joins
