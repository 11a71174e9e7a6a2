"""Asking why: which cause is meant by what is chosen, and its page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tfdbg_tui.data.cause.origin_op import told_of
from tfdbg_tui.data.cause.sentences import meant, verdict
from tfdbg_tui.data.views.alert_tree import muted_note
from tfdbg_tui.data.views.why_page import Others, WhyPage, why_page
from tfdbg_tui.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.cause.explanation import Explanation, ToldTensor
    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.views.found_causes import FoundCauses
    from tfdbg_tui.data.views.selection import Selection

MAX_TOLD = 8
"""Other causes that are told, and places whose numbers are meant."""

NOTHING_BAD = "Nothing is bad in what is recorded."
NOT_FOUND = "Where this came from is not known yet."


class Asked(Protocol):
    """What is asked about: in the app, where the navigator stands."""

    @property
    def run(self) -> RunIndex | None:
        """The run that is looked at."""

    @property
    def causes(self) -> FoundCauses:
        """What is known of its causes."""

    @property
    def selection(self) -> Selection:
        """What is chosen of it."""


class AskingWhy:
    """The causes of the run that is looked at, as pages."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._shown: FoundCause | None = None

    def page(self) -> WhyPage | str:
        """Why what is chosen is bad; a sentence if it is not."""
        causes, chosen = self._asked.causes, self._asked.selection.nearest_event
        run = self._asked.run
        if run is None or not len(run.log):
            return NOTHING_BAD
        host = None if chosen is None else causes.of_host(chosen.host)
        if chosen is None or host is None or not host.is_bad(chosen):
            first = next(iter((*causes.ranked, *causes.meant, *causes.muted)), None)
            return NOT_FOUND if first is None else self._page_of(first, ()) or NOT_FOUND
        cause = causes.cause_of(chosen)
        if cause is None:
            return NOT_FOUND
        path = () if cause.tensor[:3] == chosen[:3] else causes.path_to(chosen)
        is_its = bool(path) and path[0][:3] == cause.tensor[:3]
        return self._page_of(cause, path if is_its else (), chosen) or NOT_FOUND

    def verdict(self) -> str | None:
        """The verdict on the worst cause with its line or, without one, what is meant."""
        causes = self._asked.causes
        worst = (*causes.ranked, *causes.meant)[:1]
        cause = next(filter(None, map(causes.explain, worst)), None)
        if cause is None:
            return None
        if not causes.ranked:
            return meant(cause)
        line = cause.location
        where = "" if line is None else f", {line.file}:{line.line}"
        return f"{verdict(cause)}{where}"

    def walk(self, steps: int) -> WhyPage | None:
        """The page on the next cause, or on the one before; None if there is none."""
        causes = self._asked.causes
        every = (*causes.ranked, *causes.meant, *causes.muted)
        here = next((n for n, cause in enumerate(every) if cause is self._shown), None)
        if here is None or not 0 <= here + steps < len(every):
            return None
        return self._page_of(every[here + steps], ())

    def _page_of(
        self, cause: FoundCause, path: Sequence[EventRef], asked: EventRef | None = None
    ) -> WhyPage | None:
        """The page on a cause, on the way to what was asked about."""
        causes, muting = self._asked.causes, self._asked.causes.muting
        rule = muting.rule_of(asked or cause.tensor) or muting.muted.rule_of(cause.key)
        told = causes.explain(cause)
        if told is None:
            return None
        self._shown = cause
        ranked, meant = causes.ranked, causes.meant
        number = next((n for n, one in enumerate(ranked, 1) if one is cause), 0)
        others = Others(
            number,
            self._explained(ranked),
            len(ranked),
            self._explained(meant),
            causes.meant_tensors(),
            muted_note(muting.muted) if muting.muted.tensors else "",
            "" if rule is None else sanitise(rule.text),
        )
        chain = tuple(self._told(tensor) for tensor in path)
        return why_page(told, chain, others, self._source(told))

    def _explained(self, causes: Sequence[FoundCause]) -> tuple[Explanation, ...]:
        told = map(self._asked.causes.explain, causes[:MAX_TOLD])
        return tuple(one for one in told if one is not None)

    def _told(self, tensor: EventRef) -> ToldTensor:
        run = self._asked.run
        assert run is not None
        return told_of(run.hosts[tensor.host], tensor)

    def _source(self, cause: Explanation) -> tuple[str, ...] | None:
        """The text of the file that a cause is in."""
        run, location = self._asked.run, cause.location
        if run is None or location is None:
            return None
        sources = run.hosts[cause.tensor.host].host.sources
        files = (n for n, file in enumerate(sources.files) if file and file.path == location.file)
        number = next(files, None)
        return None if number is None else sources.lines(number)
