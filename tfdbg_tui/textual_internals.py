"""Every use of a name that Textual keeps to itself, each with the reason why it is needed.

A test asserts that each of them is still there; `pyproject.toml` pins the major version.
"""

from __future__ import annotations

import sys

from textual.app import App


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
