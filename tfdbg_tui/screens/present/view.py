"""What is shown: the widgets of the main screen, and what each of them shows of the session."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tfdbg_tui.screens import goto
from tfdbg_tui.screens.keys import BINDINGS as KEYS
from tfdbg_tui.screens.pane_names import (
    ALERTS,
    LIST_OF,
)
from tfdbg_tui.screens.present.announcements import Announcer, notice_of, remarks
from tfdbg_tui.screens.present.detail_panes import DetailPanes
from tfdbg_tui.screens.present.finding_banner import FindingBanner
from tfdbg_tui.screens.present.headings import Headings
from tfdbg_tui.screens.present.heights import Heights
from tfdbg_tui.screens.present.key_hints import key_hints
from tfdbg_tui.screens.present.list_panes import ListPanes
from tfdbg_tui.screens.present.pane_area import PaneArea
from tfdbg_tui.screens.present.source_texts import SourceTexts
from tfdbg_tui.screens.present.watched_rows import WatchedRows
from tfdbg_tui.screens.session.change import Change
from tfdbg_tui.widgets.candidates import Candidates
from tfdbg_tui.widgets.finding_line import FindingLine
from tfdbg_tui.widgets.key_bar import KeyBar
from tfdbg_tui.widgets.message_line import MessageLine
from tfdbg_tui.widgets.notice_pane import NoticePane
from tfdbg_tui.widgets.prompt import Prompt
from tfdbg_tui.widgets.typed_history import TypedHistory

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from textual.binding import Binding
    from textual.widget import Widget

    from tfdbg_tui.data.live.snapshot import Snapshot
    from tfdbg_tui.data.search.search import Search
    from tfdbg_tui.doctor.finding import Finding
    from tfdbg_tui.program.process import ScriptState
    from tfdbg_tui.screens.session.change import Sentence
    from tfdbg_tui.screens.session.session import Session


class View:
    """Shows changes of a session; changes nothing itself."""

    def __init__(self, session: Session, with_script: bool = False) -> None:
        self._session = session
        self.panes = PaneArea(with_script)
        texts = SourceTexts()
        self.details = DetailPanes(self.panes, session.navigator.causes, texts)
        self.lists = ListPanes(self.panes, session.navigator, texts)
        self.watched = WatchedRows(self.panes, session.watching)
        self.finding_line = FindingLine("doctor-line")
        self.keys, self.candidates = KeyBar("keys"), Candidates()
        keeper = session.commands.keeper
        self.typed = TypedHistory(() if keeper is None else keeper.lines)
        """What was typed behind the colon, in earlier sessions, too."""
        self.prompt = self.new_prompt(self.candidates)
        self.message = MessageLine("message")
        self._key_text: Callable[[Binding], str] | None = None
        self._notice = NoticePane("notice")
        self._banner = FindingBanner(self.finding_line, self.panes)
        self._announcer = Announcer()
        self.headings = Headings(session, self.panes, self.lists, self.details)
        self._highlighted: Search | None = None
        self._heights = Heights(session, self.panes)
        self._pane_before = ALERTS
        self.panes.display = False
        self.details.show(None, session.navigator.selection)

    def widgets(self) -> tuple[Widget, ...]:
        """The status and the answer above, panes or a notice, and the keys below."""
        below = (self.finding_line, self.keys, self.prompt)
        above = (self.message, self.candidates)
        return *self.headings.widgets(), self._notice, self.panes, *below, *above

    def tell(self, text: str, role: str = "") -> None:
        """Say a sentence above the keys, until the next key; an empty one ends that."""
        self.message.tell(text, role)

    def show_keys(self, key_text: Callable[[Binding], str]) -> None:
        """Show the keys that matter, as the user has mapped them."""
        doctor = next(binding for binding in KEYS if binding.id == "view.doctor")
        self.finding_line.key = key_text(doctor)
        self._key_text = key_text
        self._show_keys()

    def _show_keys(self) -> None:
        """Show the keys of the pane that has them."""
        if self._key_text is not None:
            self.keys.show(key_hints(self.panes.focused_pane, self._key_text))

    def new_prompt(self, candidates: Candidates, hints: Mapping[str, str] | None = None) -> Prompt:
        """A prompt that completes commands, and recalls those typed in any other."""
        prompt = Prompt(candidates, hints)
        prompt.remember(":", self.typed)
        prompt.complete_with(partial(self._session.commands.complete, words=goto.WORDS))
        return prompt

    def open_prompt(self, purpose: str, text: str = "") -> None:
        """Let something be typed, in place of the keys."""
        self._pane_before = self.panes.focused_pane
        self.keys.display = False
        self.prompt.ask(purpose, text)

    def close_prompt(self) -> None:
        """Show the keys again, and give them to the pane that had them."""
        self.keys.display = True
        self.panes.reveal(self._pane_before)

    def leave_layer(self) -> bool:
        """Close a prompt that has lost the keys, or show all panes again; False if all is so."""
        if self.prompt.display:
            self.prompt.action_leave()
        elif self.panes.zoomed is not None:
            self.panes.zoom(None)
        else:
            return False
        return True

    def focus_moved(self) -> None:
        """Show which pane has the keys; the prompt closes when it has lost them.

        What has them is asked for: this may be heard of a pane that had them before the prompt.
        """
        if self.prompt.display and not self.prompt.has_the_keys:
            self.prompt.close()
            self.keys.display = True
        self.panes.label()
        self._show_keys()

    def _say(self, sentence: Sentence | None) -> None:
        if sentence is not None:
            self.tell(*sentence)

    # Changes.

    def show(self, change: Change) -> None:
        """Show what came of a key or a click."""
        with self.panes.drawn_once():
            self._show_in_panes(change)
        self.headings.show()
        self._heights.suit(is_typing=self.prompt.display)
        self._say(change.said)

    def _show_in_panes(self, change: Change) -> None:
        """Show what came of it in lists and details, and bring those in front that it asks for."""
        if change.rows or (change.selection and not self.lists.show_this_host):
            self.lists.show()
        if change.appends and self.lists.unseen:
            self.lists.append_rows()
        if change.reloads:
            self.lists.reload_rows()
        self._show_selection(change)
        if change.ends:
            self.lists.show_ends()
        if change.in_front and self.panes.shown_list in LIST_OF.values():
            self.panes.reveal(LIST_OF[self._session.event_list], focus=False)
        for pane, focus in change.reveal:
            self.panes.reveal(pane, focus)
        self._highlight_matches()

    def show_arrival(self, change: Change, before: Snapshot | None) -> None:
        """Show what came of a snapshot, given the one before it."""
        session = self._session
        state, snapshot = session.state, session.snapshot
        assert snapshot is not None
        if change.rows:
            self.lists.show()
            self.watched.show()
        self._show_notice(snapshot)
        self._banner.show(state.run.key if state else "", session.findings)
        if state is not None:
            self.lists.append_alerts()
            change |= Change(appends=self.lists.has_empty_one)
        self.show(replace(change, rows=False))
        self._update_source()
        if before is not None:
            is_there = session.first_bad.is_shown
            causes = session.navigator.causes
            is_muted = bool(session.muting.mutes.rules) and causes.first_alert() is None
            self._say(self._announcer.of_snapshot(before, snapshot, state, is_there, is_muted))
        self._say(self._announcer.remark(self._remarks(snapshot)))  # what is wrong goes last

    def show_script(self, before: ScriptState | None) -> None:
        """Show what the script prints, and how it ended, given what it did before."""
        session, script = self._session, self._session.script
        assert script is not None
        self.panes.output.show(script.lines)
        if session.snapshot is not None:
            if session.state is None:
                self._banner.show("", session.findings)
            self.headings.show()
        self._say(self._announcer.of_script(before, script, session.snapshot))

    def read_findings(self) -> tuple[Finding, ...]:
        """All that the doctor has found; from now on the user knows it."""
        self._banner.read()
        return self._session.findings

    # What is selected.

    def _show_selection(self, change: Change) -> None:
        """Move every pane to the selection; lists need not scroll where only links have come."""
        index, chosen = self._session.navigator.index, self._session.navigator.selection
        if change.selection:
            self.details.show(None if chosen.is_empty else index, chosen)
            self.lists.put_cursors(change.scroll)
        elif change.reloads or change.history:
            self.details.reload_health(index, chosen)
        if change.watched or change.rows:
            self.watched.show()
        elif change.reloads or change.history or change.selection:
            self.watched.reload()
        if change.selection:
            self.watched.put_cursor()

    def _update_source(self) -> None:
        """The counts beside the source lines grow with the recording."""
        index, file = self._session.navigator.index, self._session.navigator.selection.file
        if index is not None and file is not None:
            self.details.update_source(index, file)

    def _highlight_matches(self) -> None:
        search = self._session.navigator.search
        if search is not self._highlighted:
            self._highlighted = search
            self.panes.highlight(None if search is None else search.query.highlights)

    # What is said.

    def _show_notice(self, snapshot: Snapshot) -> None:
        """Show panes, or in their place what there is to say before there is anything to show."""
        session, panes = self._session, self.panes
        # A script's own pane says what goes on before anything is recorded.
        notice = None if session.script is not None else notice_of(snapshot, session.state)
        if notice is not None:
            self._notice.show(*notice)
        if panes.display is (notice is not None):
            self._notice.display = notice is not None
            panes.display = notice is None
            if notice is None and not self.prompt.display:
                follows = session.following.is_on
                panes.reveal(LIST_OF[session.event_list] if follows else panes.shown_list)

    def _remarks(self, snapshot: Snapshot) -> tuple[str, ...]:
        """What is wrong with the recording, but for what the line below the panes says."""
        others = [found for found in self._session.findings if found != self._banner.told]
        return (*remarks(others), *self._session.run_choice.missing(snapshot))
