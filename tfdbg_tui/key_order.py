"""Keys do their work one after another, however fast they arrive: over SSH several come at once."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from textual.events import Callback

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual import events
    from textual.app import App
    from textual.message_pump import MessagePump
    from textual.timer import Timer

MESSAGE_HOPS = 3
"""Messages that follow from a key one after another: chosen, selected, focused."""

CATCH_UP_TIMEOUT = 0.25
"""Seconds that a key waits at most for what the one before it set off in widgets."""

HOLD_TIMEOUT = 0.5
"""Seconds that keys wait at most for the feed to say what a search found first."""


class KeyOrder:
    """Waits for what a key sets off, and keeps the keys that have to wait."""

    def __init__(self, app: App[int], waited_enough: Callable[[], Awaitable[None]]) -> None:
        self._app = app
        self._waited_enough = waited_enough
        self._held: list[events.Key] = []
        self._timer: Timer | None = None

    def hold(self, key: events.Key) -> None:
        """Keep a key for later."""
        if not self._held:
            self._timer = self._app.set_timer(HOLD_TIMEOUT, self._waited_enough)
        self._held.append(key)

    def release(self) -> list[events.Key]:
        """The keys that wait, in their order; from now on they do not."""
        if self._timer is not None:
            self._timer.stop()  # keys that wait later have a time of their own
        held, self._held = self._held, []
        return held

    async def finish(self, work: Awaitable[None]) -> None:
        """Do what a key or a click leads to; that is painted at once, not pane after pane."""
        app = self._app
        with app.batch_update():
            await work
            await self._let_widgets_catch_up()
        app.screen.check_idle()  # it has rested meanwhile, and paints when it is idle

    async def _let_widgets_catch_up(self) -> None:
        """Wait until the widgets that a key concerns have taken note of it, and of what follows."""
        app = self._app
        for hop in range(MESSAGE_HOPS):
            for node in list((app.focused or app.screen).ancestors_with_self):
                if node is app:
                    break
                # All have been waited for once: from then on only for those that heard more.
                if not hop or node.message_queue_size:
                    await _caught_up(node)


async def _caught_up(node: MessagePump) -> None:
    """Wait until a widget has done what it was told so far."""
    turn = _Turn()
    # `call_later` would look at the signature of what it calls each time, which takes longer.
    if node.post_message(Callback(turn.come)):
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(turn.has_come, CATCH_UP_TIMEOUT)


class _Turn:
    """The end of a queue of messages."""

    def __init__(self) -> None:
        self.has_come = asyncio.get_running_loop().create_future()

    def come(self) -> None:
        """The widget has come to it."""
        if not self.has_come.done():  # nobody waits any more
            self.has_come.set_result(None)
