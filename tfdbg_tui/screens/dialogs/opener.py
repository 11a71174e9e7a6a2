"""Opens what lies over the panes, and hands on what was chosen there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import EventRef
from tfdbg_tui.screens.dialogs import choices
from tfdbg_tui.screens.session.change import UNCHANGED, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App
    from textual.binding import Binding

    from tfdbg_tui.data.live.jobs import Job
    from tfdbg_tui.data.views.selection import Node
    from tfdbg_tui.doctor.finding import Finding
    from tfdbg_tui.screens.dialogs.growing_page import GrowingPage
    from tfdbg_tui.screens.dialogs.menu import Menu
    from tfdbg_tui.screens.session.change import Change
    from tfdbg_tui.screens.session.recording_again import AgainPage
    from tfdbg_tui.screens.session.session import Session


class Dialogs:
    """The dialogs of one session.

    `show` is handed what comes of a choice, `run` the action of a command that was chosen. Their
    screens are imported when they are opened: the first paint does not wait for them.
    """

    def __init__(
        self,
        session: Session,
        show: Callable[[Change], None],
        run: Callable[[str], None],
        key_text: Callable[[Binding], str],
        work: Callable[[bool], None],
    ) -> None:
        self._session = session
        self._show = show
        self._run = run
        self.key_text = key_text
        self._work = work
        self._page: GrowingPage | None = None
        """What lies over the panes and grows with the recording."""
        self._page_jobs: tuple[Job, ...] = ()

    def jobs(self) -> tuple[Job, ...]:
        """What the feed has to keep up to date for what lies over the panes."""
        return self._page_jobs

    def show_arrival(self, app: App[int]) -> None:
        """Show what has come, on a page that grows with the recording."""
        if self._page is not None and app.screen is self._page:
            self._page_jobs = self._page.jobs()
            self._page.reload()

    def choose(self, app: App[int], what: str) -> None:
        """Choose among runs and their hosts, source files, what to mute, commands or themes."""
        lists: dict[str, Callable[[], Menu | str]] = {
            "runs": lambda: choices.runs(self._session),
            "files": lambda: choices.files(self._session),
            "mutes": self._mutes,
            "commands": self._commands,
            "themes": lambda: self._themes(app),
        }
        self._offer(app, lists[what]())

    def ops_of_line(self, app: App[int], line: int) -> None:
        """Choose among the ops that a line of the shown file created."""
        self._offer(app, choices.ops_of_line(self._session, line))

    def doctor(self, app: App[int], findings: tuple[Finding, ...]) -> None:
        """Say what this recording can and cannot show."""
        from tfdbg_tui.screens.dialogs.doctor import DoctorScreen

        state = self._session.state
        app.push_screen(DoctorScreen("" if state is None else state.run.key[:8], findings))

    def why(self, app: App[int]) -> None:
        """Say why what is chosen is bad."""
        page = self._session.asking_why.page()
        if isinstance(page, str):
            self._show(say(page))
            return
        from tfdbg_tui.screens.dialogs.why import WhyScreen

        def chosen(tensor: EventRef | None) -> None:
            if tensor is not None:
                self._show(self._session.links.go_to_tensor(tensor))

        app.push_screen(WhyScreen(page, self._session.asking_why.walk), chosen)

    def open_page(self, app: App[int], page: str) -> None:
        """Open one of the pages that end with a tensor to go to."""
        pages = {
            "history": self._history,
            "value": self._value,
            "heat_map": self._heat_map,
            "op_tree": self._op_tree,
        }
        pages[page](app)

    def _heat_map(self, app: App[int]) -> None:
        """Show all tensors of a host by step."""
        if self._session.navigator.index is None:
            self._show(say("Nothing is recorded yet."))
            return
        from tfdbg_tui.screens.dialogs.heat_map import HeatScreen

        self._open(app, HeatScreen(self._session.looks.heat, self._about(), self._work_again))

    def _op_tree(self, app: App[int]) -> None:
        """Show all ops of a host by device, function and scope."""
        if self._session.navigator.index is None:
            self._show(say("Nothing is recorded yet."))
            return
        from tfdbg_tui.screens.dialogs.op_tree import OpTreeScreen

        self._open(app, OpTreeScreen(self._session.looks.op_tree, self._about(), self._work_again))

    def _history(self, app: App[int]) -> None:
        """Show the chosen tensor over all its computations."""
        look = self._session.looks.history
        if obstacle := look.begin():
            self._show(say(obstacle))
            return
        from tfdbg_tui.screens.dialogs.history import HistoryScreen

        self._open(app, HistoryScreen(look, self._about(), self._work_again))

    def _value(self, app: App[int]) -> None:
        """Show the value of the chosen tensor."""
        look = self._session.looks.value
        if obstacle := look.begin():
            self._show(say(obstacle))
            return
        from tfdbg_tui.screens.dialogs.value import ValueScreen

        self._open(app, ValueScreen(look, self._about(), self._work_again))

    def _open(self, app: App[int], page: GrowingPage) -> None:
        """Open a page of tensors, and go to the one that is chosen there."""

        def chosen(wanted: EventRef | Node | None) -> None:
            self._page, self._page_jobs = None, ()
            links = self._session.links
            if isinstance(wanted, EventRef):
                self._show(links.go_to_tensor(wanted))
            else:
                self._show(UNCHANGED if wanted is None else links.go_to_op(wanted))

        self._page, self._page_jobs = page, page.jobs()
        app.push_screen(page, chosen)
        self._work_again()

    def _work_again(self) -> None:
        """Have the feed go on with the page: other parts of it are looked at."""
        self._work(True)

    def _about(self) -> str:
        """Which host of which run is looked at, where there are several."""
        state, run = self._session.state, self._session.navigator.run
        several = self._session.snapshot is not None and len(self._session.snapshot.runs) > 1
        told = f" of run {state.run.key[:8]}" if several and state is not None else ""
        if run is not None and len(run.hosts) > 1:
            told += f" on {run.hosts[self._session.navigator.selection.host].host.name}"
        return told

    def record_again(
        self, app: App[int], page: AgainPage, agree: Callable[[AgainPage], None]
    ) -> None:
        """Ask whether to record the script again, with the values of what is chosen."""
        from tfdbg_tui.screens.dialogs.record_again import RecordAgainScreen

        def answered(agreed: bool | None) -> None:
            if agreed:
                agree(page)

        app.push_screen(RecordAgainScreen(page), answered)

    def help(self, app: App[int], pane: str) -> None:
        """Say what a pane shows, and all keys."""
        from tfdbg_tui.screens.dialogs.help import HelpScreen

        app.push_screen(HelpScreen(pane, self.key_text))

    def _mutes(self) -> Menu | str:
        from tfdbg_tui.screens.dialogs import mute_choices

        return mute_choices.mutes(self._session)

    def _commands(self) -> Menu:
        from tfdbg_tui.screens.dialogs import palette

        return palette.commands(self.key_text, self._run)

    def _themes(self, app: App[int]) -> Menu:
        from tfdbg_tui.screens.dialogs import palette

        def use(name: str) -> None:
            app.theme = name

        return palette.themes(app.available_themes, app.theme, use)

    def _offer(self, app: App[int], menu: Menu | str) -> None:
        if isinstance(menu, str):
            self._show(say(menu))
            return
        from tfdbg_tui.screens.dialogs.chooser import Chooser

        def chosen(number: int | None) -> None:
            if number is not None:
                self._show(menu.choose(number))

        app.push_screen(Chooser(menu), chosen)
