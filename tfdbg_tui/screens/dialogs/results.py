"""Shows what comes of what was typed: a page, a sentence, or the prompt again with the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.result import CommandLink
from tfdbg_tui.screens import goto
from tfdbg_tui.screens.session.change import UNCHANGED, Change
from tfdbg_tui.screens.session.command_links import follow

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App

    from tfdbg_tui.command_line.result import Link
    from tfdbg_tui.data.live.jobs import Job
    from tfdbg_tui.screens.dialogs.result_page import ResultScreen
    from tfdbg_tui.screens.present.view import View
    from tfdbg_tui.screens.session.command_work import CommandWork
    from tfdbg_tui.screens.session.result_look import ResultLook
    from tfdbg_tui.screens.session.session import Session

WORKING = "Working on {line} ... escape stops."


class Results:
    """What was typed behind the colon in one session, and the page of what commands told.

    `show` is handed what comes of it, `run` the action that was named, `work` has the feed go
    on, and `keep` keeps what was typed for the next session.
    """

    def __init__(
        self,
        session: Session,
        view: View,
        show: Callable[[Change], None],
        run: Callable[[str], None],
        work: Callable[[bool], None],
        keep: Callable[[str], None],
    ) -> None:
        self._session = session
        self._view = view
        self._show = show
        self._run = run
        self._work = work
        self._keep = keep
        self._page: ResultScreen | None = None
        """What lies over the panes, if it is a page of results."""

    def jobs(self) -> tuple[Job, ...]:
        """What the feed has to work on."""
        page = () if self._page is None else self._page.look.jobs
        return (*self._session.commands.jobs, *page)

    def typed(self, text: str) -> None:
        """Go where a text says, begin the command or do the action that it names."""
        if text:
            self._view.typed.add(text)
            self._keep(text)
        try:
            answer = goto.answer(self._session, text)
        except CommandError as error:
            self._ask_again(text, str(error))
            return
        if self._session.commands.jobs:
            self._work(True)
            return
        if self._page is not None:
            self._page.dismiss(None)  # what was typed is about the panes
        if isinstance(answer, Change):
            self._show(answer)
        else:
            self._run(answer)

    def show_arrival(self, app: App[int]) -> None:
        """Show what the feed has done, unless the user does something else just now."""
        commands, page = self._session.commands, self._page
        if page is not None:
            page.reload()
        is_there = app.screen is page or len(app.screen_stack) == 1
        typed_at = self._view.prompt if page is None else page.prompt
        if not is_there or typed_at.display:
            return
        work = commands.hand_over()
        if work is not None:
            self._tell(app, work)
        elif commands.working:
            self._say(WORKING.format(line=commands.working))

    def _tell(self, app: App[int], work: CommandWork) -> None:
        """Show what came of a command."""
        from tfdbg_tui.screens.session.result_look import ResultLook

        if work.result is not None:
            look = ResultLook(work.line, work.result)
            if len(look.rows):
                self._open(app, look)
            else:
                self._say(look.result.title)
        elif work.is_young:
            self._ask_again(work.line, self._session.commands.objection(work))
        else:
            self._say(str(work.error), "warn")

    def _open(self, app: App[int], look: ResultLook) -> None:
        """Show a result, on the page that is there or on a new one."""
        if self._page is not None:
            self._page.turn_to(look)
            return
        from tfdbg_tui.screens.dialogs.result_page import ResultScreen

        def closed(link: Link | None) -> None:
            self._page = None
            self._session.commands.stop()
            self._session.commands.type(False)
            self._show(self._followed(link))

        self._session.commands.type(True)  # on the page, too, one can type
        self._view.tell("")
        self._page = ResultScreen(
            look,
            self._view.new_prompt,
            self.typed,
            lambda: self._work(True),
            lambda: self._session.commands.stop() is not None,
        )
        app.push_screen(self._page, closed)
        self._work(False)

    def _followed(self, link: Link | None) -> Change:
        """Where a name leads that was chosen."""
        if link is None or isinstance(link, CommandLink):
            return UNCHANGED
        return follow(self._session.navigator, self._session.links, link)

    def _ask_again(self, text: str, sentence: str) -> None:
        """Open the prompt with what was typed, and say what is wrong with it."""
        self._session.commands.type(True)
        (self._view if self._page is None else self._page).open_prompt(":", text)
        self._say(sentence, "warn")

    def _say(self, sentence: str, role: str = "") -> None:
        if self._page is None:
            self._view.tell(sentence, role)
        else:
            self._page.say(sentence, role)
