"""Every use of a name that Textual keeps to itself, each with the reason why it is needed.

A test asserts that each of them is still there; `pyproject.toml` pins the major version.
"""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from textual import on
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Region
from textual.message import Message
from textual.messages import Update
from textual.widget import Widget

from tfdbg_tui.terminal.writer import TerminalWriter

if TYPE_CHECKING:
    from typing import Any, Self

    from rich.console import RenderableType
    from textual.driver import Driver
    from textual.screen import Screen
    from textual.strip import Strip

PAINT_TIMEOUT = 0.2
"""Seconds that a terminal has to take what was painted when the app ends."""

ORDER_TIMEOUT = 0.5
"""Seconds that it has to take what puts it in order."""


class CrashKeepingApp(App[int]):
    """An app that keeps what went wrong, for whoever started it.

    Textual draws a traceback over the terminal in `_fatal_error`, and there is no public way to
    keep it from that. `_close_messages_no_wait` is how it ends the app there itself.
    """

    crash: BaseException | None = None
    """What ended the app, if something did that nobody thought of."""

    def _fatal_error(self) -> None:
        self.crash = sys.exc_info()[1]
        self._close_messages_no_wait()


class CaughtUp(Message):
    """The terminal has taken all that it was given."""


class PatientDriver(LinuxDriver):
    """A terminal that the app never waits for.

    Textual queues 30 paints. With one more the app waits for the terminal, and hears neither keys
    nor signals meanwhile; at its end it waits until all is painted.
    """

    output: TerminalWriter | None = None

    def start_application_mode(self) -> None:
        """Begin to draw."""
        terminal = sys.__stderr__
        if self.output is None and terminal is not None:
            self.output = TerminalWriter(terminal.fileno(), terminal.encoding, self.caught_up)
            self.output.start()
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def caught_up(self) -> None:
        """Tell the app that all is painted; called in another thread."""
        with contextlib.suppress(RuntimeError):  # it has ended
            self.send_message(CaughtUp())

    def write(self, data: str) -> None:
        """Have something drawn; returns at once."""
        if self.output is not None:
            self.output.write(data)

    def stop_application_mode(self) -> None:
        """Put the terminal in order, without what is not painted yet."""
        if self.output is not None:
            self.output.drop(PAINT_TIMEOUT)
        super().stop_application_mode()

    def close(self) -> None:
        """Draw no more."""
        if self.output is not None:
            self.output.stop(ORDER_TIMEOUT)
            self.output = None
        super().close()


class PacedApp(CrashKeepingApp):
    """An app that paints no faster than its terminal: what is old before it is seen is left out.

    All that Textual paints goes through `_display`, which drops what comes in a batch
    (`_batch_count`) for good: a layout that ends in one would never be seen. `_end_batch` is when
    that can be painted.
    """

    def __init__(self, ansi_color: bool | None = None) -> None:
        super().__init__(ansi_color=ansi_color)
        self.unpainted: dict[int, tuple[int, int]] | None = {}
        """Parts of lines, by line, that are not painted yet; None if that is the whole screen."""

    def get_driver_class(self) -> type[Driver]:
        """Textual's choice; for a terminal, one that is not waited for."""
        chosen = super().get_driver_class()
        return PatientDriver if chosen is LinuxDriver else chosen

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        driver = self._driver
        output = driver.output if isinstance(driver, PatientDriver) else None
        is_late = bool(self._batch_count) or (output is not None and output.is_far_behind())
        if renderable is None or not is_late:
            super()._display(screen, renderable)
            return
        spans: list[tuple[int, int, int]] | None = getattr(renderable, "spans", None)
        if spans is None:
            self.unpainted = None
        elif self.unpainted is not None:
            for y, start, end in spans:
                known = self.unpainted.get(y, (start, end))
                self.unpainted[y] = (min(start, known[0]), max(end, known[1]))

    @on(CaughtUp)
    def paint_the_rest(self) -> None:
        """Paint what was left out."""
        left_out, self.unpainted = self.unpainted, {}
        if left_out is None:
            self.screen.refresh()
        elif left_out:
            repaint_parts(self.screen, left_out)

    def _end_batch(self) -> None:
        super()._end_batch()
        if not self._batch_count and self.unpainted != {}:
            self.paint_the_rest()


class KeptLines(Widget):
    """A widget that draws its lines once for as long as they look the same.

    Textual keeps them too, but whenever anything is painted it looks at all lines of all widgets
    once more. Whatever changes one of them comes by `_set_dirty`.
    """

    drawn_lines: tuple[object, list[Strip]] | None = None
    """All lines as they were drawn last, and in which circumstances."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Some lines, drawn now unless they are as they were."""
        whole = self.outer_size.region
        if crop.column_span != whole.column_span or not whole.contains_region(crop):
            return super().render_lines(crop)
        circumstances = (whole, self.get_line_filters())
        if self.drawn_lines is None or self.drawn_lines[0] != circumstances:
            self.drawn_lines = circumstances, self.draw_lines(whole)
        return self.drawn_lines[1][crop.y : crop.bottom]

    def draw_lines(self, whole: Region) -> list[Strip]:
        """All lines, as Textual draws them."""
        return super().render_lines(whole)

    def notify_style_update(self) -> None:
        """Draw anew: the theme or the focus changed."""
        self.drawn_lines = None
        super().notify_style_update()

    def _set_dirty(self, *regions: Region) -> None:
        self.drawn_lines = None
        super()._set_dirty(*regions)


class PromptlyPainted(KeptLines):
    """A widget that tells its screen at once that it is to be painted.

    Textual sends three messages for that, one after another, which takes as long as painting. What
    they come to is that the screen knows (`_dirty_widgets`).
    """

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Have some regions painted, or all of it."""
        if layout or recompose or not (repaint and self.is_mounted and self.is_attached):
            return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        self._set_dirty(*regions)
        if self.display:
            self.screen._dirty_widgets.add(self)
            self.screen.check_idle()
        return self


def repaint_parts(screen: Screen[Any], parts: dict[int, tuple[int, int]]) -> None:
    """Have parts of lines painted, by line, whatever they show.

    `refresh` of a screen with regions paints these and forgets what its widgets have to paint.
    `_set_dirty` and an update, as widgets do it, leave both.
    """
    screen._set_dirty(*(Region(x, y, end - x, 1) for y, (x, end) in parts.items()))
    screen.post_message(Update(screen))


def switch_mouse(app: App[int], on: bool) -> None:
    """Let the terminal have the mouse, or take it back, while the app runs.

    Textual decides on the mouse once, before it starts. The driver (`_driver`) can do it later
    (`_enable_mouse_support`, `_disable_mouse_support`), unless it was told at the start (`_mouse`)
    that there is none.
    """
    driver = app._driver
    if driver is None:
        return
    driver._mouse = True
    # Drivers without a terminal have no mouse to switch.
    switch = getattr(driver, "_enable_mouse_support" if on else "_disable_mouse_support", None)
    if switch is not None:
        switch()
    driver.flush()
