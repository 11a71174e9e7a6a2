"""Keys, mouse and eyes for an app under test.

Events go the way that the terminal driver sends them, so that bindings, focus, clicks and double
clicks are Textual's own. Every method that does something returns when all has come to rest.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Generic, TypeVar

from textual import events
from textual.keys import _character_to_key
from textual.widget import Widget

from tests.support.painting import PaintedApp

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.geometry import Region
    from textual.message_pump import MessagePump
    from textual.pilot import Pilot

AnyApp = TypeVar("AnyApp", bound=PaintedApp)

TIMEOUT = 20.0
"""Seconds to wait for something that is expected to come."""

POLL_INTERVAL = 0.005
"""Seconds between looks for it."""

RESTS = 2
"""How often in a row nothing must be going on: what is handled last may lead to more."""

CHARACTERS = {"space": " ", "enter": "\r", "tab": "\t"}
"""What keys with a name type."""

WHEEL = (events.MouseScrollDown, events.MouseScrollUp)


class Hands(Generic[AnyApp]):
    """Drives a running app and looks at its screen; columns and rows count from 0."""

    def __init__(self, app: AnyApp, pilot: Pilot[int]) -> None:
        self.app = app
        self._pilot = pilot

    # What is seen.

    def lines(self) -> list[str]:
        """The text of the whole screen."""
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip) for strip in strips]

    def lines_of(self, name: str) -> list[str]:
        """The lines of a widget's content, without blanks at their ends."""
        return [line.rstrip() for line in cut_out(self.lines(), self.region(name))]

    def region(self, name: str) -> Region:
        """Where the content of a widget is on the screen."""
        return self.widget(name).content_region

    def widget(self, name: str) -> Widget:
        """A widget of the screen on top."""
        return self.app.screen.query_one(f"#{name}")

    def find(self, text: str, name: str | None = None) -> tuple[int, int]:
        """Column and row of the first place where a text stands, on the screen or in a widget."""
        lines = self.lines()
        region = self.app.screen.region if name is None else self.region(name)
        for y, line in enumerate(cut_out(lines, region)):
            if text in line:
                return region.x + line.index(text), region.y + y
        raise AssertionError(f"no {text!r} on the screen:\n" + "\n".join(lines))

    @property
    def has_quit(self) -> bool:
        """Whether the app was left, or crashed: then leaving `run_test` raises."""
        return self.app._exit or self.app._exception is not None

    # What is done.

    async def press(self, *keys: str) -> None:
        """Press keys by Textual's names or as characters, one after the other."""
        for key in keys:
            self._send_key(key)
            await self.settle()

    async def press_at_once(self, *keys: str) -> None:
        """Press keys one right behind the other, as one who types fast."""
        for key in keys:
            self._send_key(key)
        await self.settle()

    async def write(self, text: str, *then: str) -> None:
        """Type a text at once, then press keys."""
        await self.press_at_once(*text)
        await self.press(*then)

    def _send_key(self, key: str) -> None:
        single = len(key) == 1
        name = _character_to_key(key) if single and not key.isalnum() else key
        self.app.post_message(events.Key(name, key if single else CHARACTERS.get(key)))

    async def click(self, x: int, y: int, times: int = 1) -> None:
        """Click on a cell of the screen."""
        for _ in range(times):
            self._send_mouse(events.MouseDown, x, y)
            self._send_mouse(events.MouseUp, x, y)
            await self.settle()

    async def click_text(self, text: str, name: str | None = None, times: int = 1) -> None:
        """Click on the first place where a text stands, on the screen or in a widget."""
        await self.click(*self.find(text, name), times=times)

    async def drag(self, start: tuple[int, int], *stops: tuple[int, int]) -> None:
        """Press the button in one cell, move over others and release it in the last."""
        self._send_mouse(events.MouseDown, *start)
        for stop in stops:
            await self.settle()
            self._send_mouse(events.MouseMove, *stop)
        self._send_mouse(events.MouseUp, *stops[-1])
        await self.settle()

    async def wheel(self, x: int, y: int, notches: int) -> None:
        """Turn the wheel over a cell, down if positive."""
        for _ in range(abs(notches)):
            self._send_mouse(WHEEL[0] if notches > 0 else WHEEL[1], x, y)
        await self.settle()

    def _send_mouse(self, kind: type[events.MouseEvent], x: int, y: int) -> None:
        button = 0 if kind in WHEEL else 1
        self.app.post_message(kind(None, x, y, 0, 0, button, False, False, False, x, y))

    async def resize(self, width: int, height: int) -> None:
        """Change the size of the terminal; what was painted on the old one is gone."""
        await self._pilot.resize_terminal(width, height)
        await self.settle()
        if self.app.terminal is not None:
            self.app.paint()
            await self.settle()

    # Waiting.

    async def settle(self) -> None:
        """Wait until every message is handled and what it led to is drawn."""
        rests, deadline = 0, monotonic() + TIMEOUT
        while rests < RESTS and not self.has_quit:
            assert monotonic() < deadline, "the app does not come to rest"
            await self._pilot._wait_for_screen()
            rests = 0 if self._is_busy() else rests + 1
            if not self.has_quit:
                self.app.screen._on_timer_update()

    def _is_busy(self) -> bool:
        screen = self.app.screen
        widgets = list(screen.walk_children(Widget, with_self=True))
        pumps: list[MessagePump] = [self.app, *widgets]
        return (
            any(pump._message_queue.qsize() for pump in pumps)
            or any(widget._repaint_required or widget._layout_required for widget in widgets)
            or bool(screen._dirty_widgets or screen._callbacks)
        )

    async def until(self, condition: Callable[[], object], timeout: float = TIMEOUT) -> None:
        """Wait for a condition; the screen is shown if it does not come true."""
        deadline = monotonic() + timeout
        while not condition():
            if monotonic() > deadline or self.has_quit:
                raise AssertionError("waited in vain:\n" + "\n".join(self.lines()))
            await asyncio.sleep(POLL_INTERVAL)
        await self.settle()


def cut_out(lines: list[str], region: Region) -> list[str]:
    """The part of a screen's lines in a region; for text of one cell a character."""
    return [line[region.x : region.right] for line in lines[region.y : region.bottom]]
