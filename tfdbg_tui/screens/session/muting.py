"""Muting: what can be muted of what is chosen, what is muted, and what comes of choosing one."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Protocol

from tfdbg_tui.data.cause.mutes import Mutes
from tfdbg_tui.data.cause.naming_mutes import RecordedLines, proposals
from tfdbg_tui.data.search.query import QueryError
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.screens.pane_names import ALERTS
from tfdbg_tui.screens.session.change import UNCHANGED, Change, Reveal, say
from tfdbg_tui.screens.session.naming import name_of_selected
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.views.navigator import Navigator

NOT_KEPT = "What is muted here is not kept: this recording is temporary."


class Deed(Enum):
    """What an option does."""

    MUTE = "Mute"
    UNMUTE = "Unmute"
    SHOW = "Show"
    HIDE = "Hide"
    FILE = "Kept in"


class Option(NamedTuple):
    """One thing to do."""

    deed: Deed
    what: str = ""
    """What it is done to, in a word."""
    text: str = ""
    """The rule."""
    tensors: int | None = None
    """How many bad tensors that concerns; None where it is not known."""


class Keeper(Protocol):
    """Has what is muted when a session begins, and keeps what is muted at its end."""

    kept: Mutes

    @property
    def path(self) -> object:
        """Where that is; it has a name."""

    async def keep(self, mutes: Mutes, complain: Callable[[str], None]) -> None:
        """Keep what is muted now; a sentence if that fails."""


class UserMutes:
    """What the user has muted."""

    def __init__(self, navigator: Navigator, keeper: Keeper | None) -> None:
        self._navigator = navigator
        self._keeper = keeper
        """Keeps it; None where nothing is to be kept."""
        self._path = "" if keeper is None else str(keeper.path)
        self._known: object = None
        """What of it is shown."""
        kept = Mutes() if keeper is None else keeper.kept
        self._is_told = not kept.rules
        self._kept = kept
        navigator.causes.muting.change(kept)

    @property
    def mutes(self) -> Mutes:
        """All that is muted."""
        return self._navigator.causes.muting.mutes

    def keeping(self, complain: Callable[[str], None]) -> Coroutine[None, None, None] | None:
        """Keeps what is muted now, which a disk may take its time for; None if that is kept."""
        if self.mutes is self._kept or self._keeper is None:
            return None
        self._kept = self.mutes
        return self._keeper.keep(self._kept, complain)

    def options(self) -> tuple[Option, ...] | str:
        """What can be done, for what is chosen and what is muted; a sentence if nothing can."""
        muting = self._navigator.causes.muting
        found = [*self._proposed()]
        muted = muting.muted
        counts = muted.counts if muted.mutes is self.mutes else ()
        own = self._own_rule()
        for number, rule in enumerate(self.mutes.rules):
            count = counts[number] if number < len(counts) else None
            option = Option(Deed.UNMUTE, "", rule.text, count)
            found.insert(0 if rule.text == own else len(found), option)
        if not found:
            return self._nothing()
        tree = self._navigator.causes.tree
        if muted.tensors and tree is not None:
            deed = Deed.HIDE if tree.shows_muted else Deed.SHOW
            found.append(Option(deed, "what is muted", "", muted.tensors))
        return (*found, Option(Deed.FILE, "", self._path or "nowhere: this recording is temporary"))

    def _own_rule(self) -> str:
        """The rule that mutes what is chosen."""
        chosen = self._navigator.selection.nearest_event
        rule = None if chosen is None else self._navigator.causes.muting.rule_of(chosen)
        return "" if rule is None else rule.text

    def _proposed(self) -> list[Option]:
        """The rules that would mute what is chosen, and how many more tensors each mutes."""
        facts = self._facts()
        if facts is None:
            return []
        muting = self._navigator.causes.muting
        found = []
        written = {rule.text for rule in self.mutes.rules}
        for what, text in proposals(facts, self._sources()):
            if text in written:
                continue
            try:
                tensors = muting.would_mute(text)
            except QueryError:  # a name that no rule can hold
                continue
            if tensors is None or tensors > 0:
                found.append(Option(Deed.MUTE, what, text, tensors))
        return found

    def _facts(self) -> SiteFacts | None:
        """The names of the op that is chosen."""
        index, chosen = self._navigator.index, self._navigator.selection.nearest_event
        if index is None or chosen is None:
            return None
        store = index.host.store_of(chosen.kind)
        return index.sites.of(chosen.kind, store.site_number(chosen.event))

    def _sources(self) -> RecordedLines:
        index = self._navigator.index
        assert index is not None
        sources = index.host.sources
        return RecordedLines([file.path for file in sources.files if file], sources.lines)

    def _nothing(self) -> str:
        name = name_of_selected(self._navigator)
        if self._facts() is None:
            return "Nothing is selected."
        return f"{name} is not bad: there is nothing to mute here."

    # What comes of it.

    def choose(self, option: Option) -> Change:
        """Do what was chosen."""
        if option.deed is Deed.MUTE:
            return self._mute(option)
        if option.deed is Deed.UNMUTE:
            rule = next((rule for rule in self.mutes.rules if rule.text == option.text), None)
            if rule is not None:
                self._navigator.causes.muting.change(self.mutes.without(rule))
            return say(f"No longer muted: {sanitise(option.text)}.")
        if option.deed is Deed.FILE:
            return say(f"It is kept in {sanitise(self._path)}." if self._path else NOT_KEPT)
        return self._list(option.deed is Deed.SHOW)

    def _mute(self, option: Option) -> Change:
        self._navigator.causes.muting.change(self.mutes.adding(option.text))
        count = "" if option.tensors is None else f", {counted(option.tensors, 'tensor')}"
        return say(f"Muted: {sanitise(option.text)}{count}.")

    def _list(self, shows: bool) -> Change:
        """List what is muted among the alerts, or have one row stand for it."""
        tree = self._navigator.causes.tree
        if tree is None:
            return UNCHANGED
        tree.show_muted(shows)
        return Change(rows=True, selection=True, scroll=True, reveal=(Reveal(ALERTS),))

    def take_news(self) -> Change:
        """What is other than before, since more is known of what is muted."""
        muting = self._navigator.causes.muting
        if not muting.is_known or muting.version == self._known:
            return UNCHANGED
        is_first, self._known = self._known is None, muting.version
        change = UNCHANGED if is_first and not muting.muted.by else _OTHER_MARKS
        tensors = muting.muted.tensors
        if not self._is_told and tensors:
            self._is_told = True
            verb = "is" if tensors == 1 else "are"
            change |= say(f"{counted(tensors, 'tensor')} {verb} muted; M lists that.")
        return change


_OTHER_MARKS = Change(reloads=True, selection=True)
