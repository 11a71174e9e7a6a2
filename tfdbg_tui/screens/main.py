"""The main screen: what each key does."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.message import Message

from tfdbg_tui.data.search.query import QueryError
from tfdbg_tui.screens.goto import go_to
from tfdbg_tui.screens.keys import BINDINGS as KEYS
from tfdbg_tui.screens.linked import LinkedScreen
from tfdbg_tui.screens.present import status_text
from tfdbg_tui.screens.present.arrangement import LIST_OF, PANES
from tfdbg_tui.screens.present.detail_panes import DEEPEST
from tfdbg_tui.screens.session.finder import Finder
from tfdbg_tui.widgets.bars import KeyHint
from tfdbg_tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.binding import Binding, BindingType

    from tfdbg_tui.data.live.snapshot import Snapshot


class MainScreen(LinkedScreen):
    """Linked panes over a live logdir, with keys."""

    BINDINGS: ClassVar[list[BindingType]] = list(KEYS)

    class PauseToggled(Message):
        """The user wants reading to stop, or to go on."""

    class EditorWanted(Message):
        """The user wants a recorded line in an editor."""

        def __init__(self, path: str, line: int, recorded: tuple[str, ...] | None) -> None:
            super().__init__()
            self.path = path
            self.line = line
            self.recorded = recorded

    def __init__(
        self,
        key_text: Callable[[Binding], str],
        first_bad: bool = False,
        run_id: str | None = None,
        with_script: bool = False,
    ) -> None:
        super().__init__(first_bad, run_id, with_script)
        self._asked_to_leave = self._may_leave = False
        self._key_text = key_text
        self._finder = Finder(self)
        self._pane_before = PANES[0]

    def on_mount(self) -> None:
        """Show the keys."""
        hints = [
            KeyHint(self._key_text(binding), binding.description, f"screen.{binding.action}")
            for binding in KEYS
            if binding.show
        ]
        self.doctor_line.key = next(
            self._key_text(binding) for binding in KEYS if binding.id == "view.doctor"
        )
        self.keys.show((*hints, KeyHint("^p", "Palette", "app.command_palette")))

    # Going somewhere.

    def action_first_bad(self) -> None:
        """Go to the first NaN or Inf in time."""
        if self.navigator.first_alert():
            self.show_first_bad()
            self.tell_if_hidden()
            return
        well = status_text.healthy(self.state) if self.state else "Nothing is recorded."
        is_over = self.script is not None and self.script.exit_code is not None
        may_come = self.state is None or status_text.may_turn_bad(self.state)
        self.waits_for_bad = may_come and not is_over
        promise = "No NaN or Inf so far; this goes there when one comes."
        self.tell(promise if self.waits_for_bad else well)

    def action_next_match(self, steps: int) -> None:
        """Go to the next or previous match; without a search, bad tensor."""
        self._finder.go(steps)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take in what has come, and go to a match that was waited for."""
        super().show_snapshot(snapshot)
        self._finder.go_on()

    def action_next_alert(self, steps: int) -> None:
        """Go to the next or previous alert in time."""
        if self.navigator.step_alert(steps):
            self.take_list_of_selection()
            self.show_selection()
            self.tell_if_hidden()
        else:
            self.tell(f"No {_direction(steps)} alert.")

    def action_back(self) -> None:
        """Back through what was selected."""
        if self.navigator.back():
            self.show_selection()
        else:
            self.tell("Nothing was selected before.")

    def action_forward(self) -> None:
        """Forward through what was selected."""
        if self.navigator.forward():
            self.show_selection()
        else:
            self.tell("Nothing was selected after.")

    def action_next_output(self) -> None:
        """Show the next output of an execution."""
        if self.navigator.next_output():
            self.show_selection()
            self.tell(f"Output {self.navigator.selection.output + 1}.")
        else:
            self.tell("This has no other recorded output.")

    # Finding.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While something is typed, keys are text."""
        return not self.prompt.display or action not in ("ask", "pane", "next_pane")

    def action_ask(self, purpose: str) -> None:
        """Open the prompt."""
        self._pane_before = self.panes.focused_pane
        self.keys.display = False
        self.prompt.ask(purpose)

    @on(Prompt.Left)
    def _prompt_left(self) -> None:
        self.keys.display = True
        self.panes.reveal(self._pane_before)

    @on(Prompt.Answered)
    def _prompt_answered(self, event: Prompt.Answered) -> None:
        self._prompt_left()
        answer = {"/": self._finder.search, "&": self._show_only, ":": self._go_to}[event.purpose]
        try:
            answer(event.text)
        except QueryError as error:
            self.tell(str(error), "warn")

    def _show_only(self, text: str) -> None:
        self.navigator.show_only(text)
        if self.navigator.filter is not None:
            self.navigator.filter.extend()
        self.show_lists()

    def _go_to(self, text: str) -> None:
        chosen = self.navigator.selection
        answer = go_to(self.navigator, self.event_list, text)
        if (
            answer is None
            and self.navigator.selection.pinned
            and self.navigator.selection != chosen
        ):
            self.show_selection()
            self.panes.reveal("source")
        elif answer is None:
            self.take_list_of_selection()
            self.show_selection()
            self.panes.reveal(LIST_OF[self.event_list])
            self.tell_if_hidden()
        elif answer.command is not None:
            self.run_worker(self.run_action(answer.command), exit_on_error=False)
        else:
            self.tell(answer.sentence, "warn")

    # The view.

    def action_follow(self) -> None:
        """Follow the newest events, or stop."""
        self.following, self.follows_unasked = not self.following, False
        if self.following:
            self.take_list_with_events()
            self.lists.append_rows()
            self.select_newest()
            self.panes.reveal(LIST_OF[self.event_list])
        self.show_status()

    def action_pause(self) -> None:
        """Stop reading, or go on."""
        if self.state is not None and self.state.ended and not self.paused:
            self.tell("The program has ended: there is nothing more to read.")
            return
        self.paused = not self.paused
        self.post_message(self.PauseToggled())
        self.show_status()

    def action_zoom(self) -> None:
        """Give the focused pane the screen, or all of them again."""
        self.panes.zoom(None if self.panes.zoomed else self.panes.focused_pane)

    def action_pane(self, name: str) -> None:
        """Go to a pane."""
        if name in self.panes.panes:
            self.panes.reveal(name)
        else:
            self.tell("`tfdbg-tui run train.py` shows here what a script prints.")

    def action_next_pane(self, steps: int) -> None:
        """Go to the pane beside this one."""
        panes = self.panes.panes
        place = panes.index(self.panes.focused_pane)
        self.action_pane(panes[(place + steps) % len(panes)])

    def action_unfold(self) -> None:
        """Show library frames, or fold them."""
        self.unfold()
        self.panes.reveal("stack", focus=False)

    def action_collapse(self) -> None:
        """Show eager ops of one line as one row, or each."""
        self.navigator.collapsed = collapsed = not self.navigator.collapsed
        self.show_lists()
        self.tell("Eager ops of one line are one row." if collapsed else "Every op has its row.")

    def action_scale(self, steps: int) -> None:
        """Zoom the strip of the timeline, or walk deeper in the graph."""
        if self.panes.focused_pane == "graph":
            self.details.depth = max(1, min(DEEPEST, self.details.depth + steps))
            self.show_selection()
        else:
            self.lists.scale_strip(steps)

    def action_runs(self) -> None:
        """Choose a run and host."""
        self.choices.runs()

    def action_files(self) -> None:
        """Choose a source file."""
        self.choices.files()

    def action_doctor(self) -> None:
        """Say what this recording can and cannot show."""
        from tfdbg_tui.screens.dialogs.doctor import DoctorScreen

        about = "" if self.state is None else self.state.run.key[:8]
        self.app.push_screen(DoctorScreen(about, self.read_findings()))

    def action_help(self) -> None:
        """Say what the focused pane shows, and all keys."""
        from tfdbg_tui.screens.dialogs.help import HelpScreen

        self.app.push_screen(HelpScreen(self.panes.focused_pane, self._key_text))

    # The world outside.

    def action_edit(self) -> None:
        """Open the source line in an editor."""
        chosen, index = self.navigator.selection, self.navigator.index
        if index is None or chosen.file is None:
            self.tell("There is no source line to open.")
            return
        source = index.host.sources.get(chosen.file)
        if source is not None:
            recorded = index.host.sources.lines(chosen.file)
            self.post_message(self.EditorWanted(source.path, chosen.line or 1, recorded))

    def action_copy(self) -> None:
        """Copy the name of what is selected."""
        if self.details.name:
            self.app.copy_to_clipboard(self.details.name)
            self.tell(f"Copied {self.details.name}")
        else:
            self.tell("Nothing is selected.")

    async def action_mouse(self) -> None:
        """Switch the mouse off or on."""
        await self.run_action("app.toggle_mouse")

    # Leaving.

    def action_leave(self) -> bool:
        """Leave one layer: zoom, filter, search, following; False when there is none left."""
        if self.panes.zoomed is not None:
            self.panes.zoom(None)
        elif self.navigator.filter is not None:
            self._show_only("")
        elif self.navigator.search is not None:
            self._finder.search("")
        elif self.following and not self.follows_unasked:
            self.action_follow()
        else:
            return False
        return True

    def action_quit_layer(self) -> None:
        """Leave one layer, or the program; a script that runs ends with it, so ask again."""
        if self.action_leave():
            return
        script = self.script
        runs = script is not None and script.exit_code is None
        if script is not None and runs and not (self._asked_to_leave or self._may_leave):
            self._asked_to_leave = True
            self.tell(f"{script.name} still runs: q again stops it and leaves.", "warn")
        else:
            self.app.exit()

    def begin_click(self, y: int) -> None:
        """The mouse was pressed: above the keys that means something else, as a key does."""
        if y < self.outer_size.height - 1:
            self.keys.tell(None)
            self.waits_for_bad = False

    def begin_key(self) -> None:
        """A key is about to act: what was said goes, and a question is answered by it or not."""
        self.keys.tell(None)
        self.waits_for_bad = False
        self._may_leave, self._asked_to_leave = self._asked_to_leave, False


def _direction(steps: int) -> str:
    return "later" if steps > 0 else "earlier"
