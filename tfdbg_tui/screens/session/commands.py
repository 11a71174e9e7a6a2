"""Commands that are typed after `:`: completed, begun, waited for; and what came of them.

What does that is imported when it is first needed: the first paint does not wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tfdbg_tui.command_line.errors import CommandError, FileThereError
from tfdbg_tui.screens.session.change import UNCHANGED, Change, say

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from tfdbg_tui.command_line.completing import Completion
    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.name_lists import NameLists
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.live.snapshot import Snapshot
    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.screens.session.command_work import CommandWork

REPLACE = "{path} is there already: enter replaces it, escape leaves it as it is."


class Keeper(Protocol):
    """What keeps typed lines for the next session."""

    @property
    def lines(self) -> tuple[str, ...]:
        """Those of earlier sessions, the newest last."""

    def keep(self, line: str, complain: Callable[[str], None]) -> Coroutine[object, object, None]:
        """Keep one more."""


class Commands:
    """The commands of one session."""

    def __init__(self, navigator: Navigator, snapshot: Callable[[], Snapshot | None]) -> None:
        self._navigator = navigator
        self._snapshot = snapshot
        self.keeper: Keeper | None = None
        """Keeps what is typed for the next session."""
        self._known: NameLists | None = None
        self._named_run: RunIndex | None = None
        self._is_typing = False
        self._work: CommandWork | None = None
        self.settings: Callable[[], tuple[tuple[str, str], ...]] | None = None
        """Tells the settings of the app, by their names."""
        self._asked = ""
        """The command of which was asked whether it may replace a file."""

    # Typing.

    def type(self, is_typing: bool) -> None:
        """The prompt is open, or not: names are noted only where somebody may want them."""
        self._is_typing = is_typing

    @property
    def jobs(self) -> tuple[CommandWork, ...]:
        """What is worked on."""
        return () if self._work is None else (self._work,)

    @property
    def patient_jobs(self) -> tuple[NameLists, ...]:
        """What nobody waits for: the names that lines are completed with."""
        return (self._names,) if self._is_typing else ()

    @property
    def _names(self) -> NameLists:
        """The names of the run that is looked at."""
        run = self._navigator.run
        if self._known is None or run is not self._named_run:
            from tfdbg_tui.command_line.name_lists import NameLists

            self._named_run, self._known = run, NameLists(run)
        return self._known

    def complete(self, line: str, words: tuple[str, ...]) -> Completion:
        """How a half-typed line can go on: as a command or, at its beginning, as another word."""
        from tfdbg_tui.command_line.completing import complete

        found = complete(line, self._names, self._navigator.searching.filters)
        candidates = [name for name in found.candidates if name.isprintable()]
        if not line[: found.start].strip():
            candidates += [word for word in words if word.startswith(line[found.start :])]
            candidates = sorted(dict.fromkeys(candidates))
        return found._replace(candidates=tuple(candidates))

    # Running.

    def begin(self, line: str) -> Change:
        """Begin what a line asks for; the feed works on it. Raises CommandError."""
        from tfdbg_tui.command_line.parsing import parse
        from tfdbg_tui.screens.session.command_work import CommandWork

        command = parse(line)
        if command.definition.is_of_app:
            raise CommandError(f"`{command.definition.usage}` is all there is.")
        if line == self._asked:
            command = command.replacing()
        self._asked = ""
        run = self._navigator.run
        if run is None:
            raise CommandError("Nothing is recorded yet.")
        self._work = CommandWork(self._context(run), command)
        return UNCHANGED

    def _context(self, run: RunIndex) -> Context:
        from tfdbg_tui.command_line.context import Context

        snapshot = self._snapshot()
        assert snapshot is not None  # it brought the run
        return Context(
            snapshot.path,
            run,
            lambda: snapshot,
            chosen=self._navigator.selection.nearest_event,
            filters=self._navigator.searching.filters,
            settings=self.settings,
            found=self._navigator.causes.for_another_thread(),
        )

    @property
    def is_expected_at_once(self) -> bool:
        """Whether what is typed now is meant for what is about to come."""
        return self._work is not None and self._work.is_young

    @property
    def working(self) -> str:
        """The command that takes longer, empty if none does."""
        work = self._work
        return "" if work is None or work.is_done or work.is_young else work.line

    def hand_over(self) -> CommandWork | None:
        """What is done; it is told once."""
        work = self._work
        if work is None or not work.is_done:
            return None
        self._work = None
        return work

    def stop(self) -> Change | None:
        """Work no more on what takes long, if something does."""
        work, self._work = self._work, None
        return None if work is None else say(f"Stopped {work.line}.")

    def objection(self, work: CommandWork) -> str:
        """What to say of a command that nothing came of; where it is a question, enter answers."""
        if isinstance(work.error, FileThereError):
            self._asked = work.line
            return REPLACE.format(path=work.error.path)
        return str(work.error)
