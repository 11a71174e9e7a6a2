"""The full-screen app: theme, keymap, start and stop of the feed."""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on

from tfdbg_tui import editor
from tfdbg_tui.data.live.feed import Feed
from tfdbg_tui.data.search.named_filters import NamedFilters
from tfdbg_tui.kept.of_session import KeptOfSession
from tfdbg_tui.key_order import KeyOrder
from tfdbg_tui.screens.coloured_app import ColouredApp
from tfdbg_tui.screens.keys import APP_KEYS, shown_keys
from tfdbg_tui.screens.keys import BINDINGS as KEYS
from tfdbg_tui.screens.line_opener import LineOpener
from tfdbg_tui.screens.main import MainScreen
from tfdbg_tui.screens.messages import (
    EditorWanted,
    JobsChanged,
    PauseToggled,
    ScriptChanged,
    SnapshotTaken,
)
from tfdbg_tui.screens.mouse_app import MouseApp
from tfdbg_tui.screens.session.session import Session
from tfdbg_tui.textual_internals import PacedApp
from tfdbg_tui.theme import CALM, OWN
from tfdbg_tui.widgets.cause_band import CauseBand
from tfdbg_tui.widgets.glyphs import ASCII, UNICODE
from tfdbg_tui.widgets.line_pane import LinePane
from tfdbg_tui.widgets.pieces import draw_ascii_only
from tfdbg_tui.widgets.prompt import Prompt
from tfdbg_tui.widgets.timeline_bar import TimelineBar

if TYPE_CHECKING:
    from textual.binding import Binding, BindingType
    from textual.screen import Screen
    from textual.timer import Timer

    from tfdbg_tui.config import Config
    from tfdbg_tui.data.live.snapshot import Snapshot
    from tfdbg_tui.data.live.stopping import Watch
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.program.process import Script
    from tfdbg_tui.screens.session.recording_again import Starter

OUTPUT_INTERVAL = 0.25
"""Seconds between what a script prints and its display, and between two displays."""

OUTPUT_FRAME = 4
"""Columns of the screen that its output cannot have: borders and margins."""


class TfdbgApp(ColouredApp, MouseApp, PacedApp):
    """The app over one logdir."""

    TITLE = "tfdbg-tui"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False  # ours is a list like the others
    BINDINGS: ClassVar[list[BindingType]] = list(APP_KEYS)

    def __init__(
        self,
        logdir: Logdir,
        config: Config,
        poll: float | None = None,
        first_bad: bool = False,
        run_id: str | None = None,
        no_color: bool = False,
        script: Script | None = None,
        until: Watch | None = None,
        greeting: str = "",
        follow: bool = False,
        kept: KeptOfSession = KeptOfSession(),  # noqa: B008 - frozen
        starter: Starter | None = None,
        filters: NamedFilters | None = None,
    ) -> None:
        super().__init__(ansi_color=True if no_color else None)
        self._ended_by: int | None = None
        self._running_loop: asyncio.AbstractEventLoop | None = None
        self.animation_level = "none"
        self._config = config
        self._until, self._greeting = until, greeting
        self._script, self._starter = script, starter
        self._script_timer: Timer | None = None
        parts = kept.mutes, config.alerts, kept.watched
        self._session = Session(first_bad, run_id, follow, *parts)
        self._session.commands.keeper = kept.typed
        self._session.navigator.searching.filters = filters or NamedFilters()
        self._feed = Feed(logdir, self._tell, poll, stall=config.alerts.stall)
        self._main: MainScreen | None = None
        self._key_order = KeyOrder(self, self._press_held_keys)
        self._opener = LineOpener(self, self.say, editor.examine, self._run_editor)
        self.mouse_is_on = config.mouse
        LinePane.glyphs = CauseBand.glyphs = TimelineBar.glyphs = ASCII if config.ascii else UNICODE
        draw_ascii_only(config.ascii)
        for theme in OWN:
            self.register_theme(theme)
        self.theme = config.theme or CALM.name
        if config.keys:
            self.set_keymap(config.keys)

    def _tell(self, snapshot: Snapshot) -> None:
        """Called by the feed's thread."""
        self.post_message(SnapshotTaken(snapshot))

    def get_default_screen(self) -> Screen[Any]:
        """The main screen is the only one that is always there."""
        session = self._session
        session.commands.settings = lambda: self._config.told(self.theme, self.mouse_is_on)
        self._main = MainScreen(session, self.key_text, self._script is not None, self._starter)
        if self._greeting:
            self._main.tell(self._greeting)
        return self._main

    def on_mount(self) -> None:
        """Start reading, unless someone has ended it already."""
        self.set_class(self._config.ascii, "-ascii")
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self._running_loop = asyncio.get_running_loop()
        if self._ended_by is None:
            self._feed.start()
            self._start_script()
            if self._until is not None:
                self._feed.add(self._until)
                self._until_timer = self.set_interval(OUTPUT_INTERVAL, self._stop_if_told)
        else:
            self.end(self._ended_by)

    @property
    def verdict(self) -> str | None:
        """Why the numbers of the run that is looked at are bad, as far as that is known."""
        return None if self._main is None else self._main.session.asking_why.verdict()

    def end(self, signal_number: int) -> None:
        """End in order when told to from outside; for signal handlers, at any moment."""
        self._ended_by = signal_number
        if self._running_loop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended
                self._running_loop.call_soon_threadsafe(self.exit, None, 128 + signal_number)

    async def on_event(self, event: events.Event) -> None:
        """Have each key and each click do its work before the next one."""
        is_pressed = isinstance(event, events.MouseDown) and not event.is_forwarded
        if isinstance(event, events.MouseDown) and is_pressed and self._main is not None:
            self._opener.begin_key()
            self._main.begin_click(event.screen_y)
        if isinstance(event, (events.MouseDown, events.MouseUp)) and not event.is_forwarded:
            await self._key_order.finish(super().on_event(event))
        elif not isinstance(event, events.Key) or event.is_forwarded:
            await super().on_event(event)
        elif self._main is not None and self._main.session.awaits_search:
            self._key_order.hold(event)
        else:
            await self._press(event)

    async def _press(self, key: events.Key) -> None:
        self._opener.begin_key()
        if self._main is not None:
            self._main.begin_key()
        await self._key_order.finish(super().on_event(key))

    async def _press_held_keys(self) -> None:
        for key in self._key_order.release():
            await self._press(key)

    def on_unmount(self) -> None:
        """Stop reading."""
        self._feed.stop()

    @on(SnapshotTaken)
    async def _show_snapshot(self, event: SnapshotTaken) -> None:
        """Hand it to the screen, and go on with keys that waited for it."""
        if self._main is not None:
            self._main.show_snapshot(event.snapshot)
            for key in self._key_order.release():
                await self.on_event(key)

    # The script, where one is run.

    def _start_script(self) -> None:
        if self._script is not None:
            self._script.start(self._hear_script, self.size.width - OUTPUT_FRAME)
            self._show_script()

    def _hear_script(self) -> None:
        """Called by the script's thread."""
        self.post_message(ScriptChanged())

    @on(ScriptChanged)
    def _script_changed(self) -> None:
        """Show what it printed, a few times a second at most."""
        if self._script_timer is None:
            self._script_timer = self.set_timer(OUTPUT_INTERVAL, self._show_script)

    def _show_script(self) -> None:
        self._script_timer = None
        if self._script is not None and self._main is not None:
            self._main.show_script(self._script.state())

    def on_resize(self, event: events.Resize) -> None:
        """Let the script's progress bars fit their pane."""
        if self._script is not None:
            self._script.resize(event.size.width - OUTPUT_FRAME)

    def _stop_script(self, sentence: str) -> bool:
        """Ask the script to end, and say so; False if there is none that could."""
        script = self._script
        if script is None or script.exit_code is not None or script.state().is_stopping:
            return False
        script.stop()
        self._show_script()
        self.say(sentence.format(name=script.name))
        return True

    def _stop_if_told(self) -> None:
        """Stop the script if it has come as far as was asked for."""
        why = None if self._until is None else self._until.reason()
        if self._until is None or why is None:
            return
        self._feed.remove(self._until)
        self._until = None
        self._until_timer.stop()
        self._stop_script(f"{why}: stopping {{name}}.")

    @on(JobsChanged)
    def _change_jobs(self, event: JobsChanged) -> None:
        """Have the feed keep these up to date."""
        own = () if self._until is None else (self._until,)
        wanted = event.wanted
        self._feed.set_jobs(wanted._replace(jobs=wanted.jobs + own))

    @on(PauseToggled)
    def _toggle_pause(self) -> None:
        """Stop reading, or go on."""
        if self._feed.paused:
            self._feed.resume()
        else:
            self._feed.pause()

    @on(EditorWanted)
    def _edit(self, event: EditorWanted) -> None:
        """Have an editor open a line."""
        key = next(binding for binding in KEYS if binding.action == "edit")
        self._opener.open(event.location, self.key_text(key))

    def say(self, sentence: str, role: str = "warn") -> None:
        """Say a sentence above the keys."""
        if self._main is not None:
            self._main.tell(sentence, role)

    def _run_editor(self, path: str, line: int) -> str | None:
        """Give the terminal to the editor for a while; a sentence if it failed."""
        with self.suspend():
            return editor.run(path, line)

    def action_interrupt(self) -> None:
        """Leave what lies over the panes, or the program."""
        if isinstance(self.focused, Prompt):
            self.focused.action_leave()
        elif len(self.screen_stack) > 1:
            self.screen.dismiss(None)
        elif self._main is not None and self._main.view.prompt.display:
            self._main.view.prompt.action_leave()
        elif self._main is not None and self._main.stop_second_run():
            pass
        elif not self._stop_script("Stopping {name}, as ctrl-c does; once more leaves."):
            self.exit()

    def action_suspend(self) -> None:
        """Go to the shell and wait there for `fg`, where there is a shell that could say so."""
        parent = os.getppid()
        if os.getsid(parent) == os.getsid(0) and os.getpgid(parent) != os.getpgrp():
            self.action_suspend_process()
        else:
            self.say("There is no shell to go back to.", "")

    def key_text(self, binding: Binding) -> str:
        """The keys of a binding as the user has them, for people."""
        return shown_keys(binding, self._config.keys, self.get_key_display)
