"""Makes the app quick to test: the feed tells at once rather than a few times a second."""

from __future__ import annotations

import pytest

from tfdbg_tui.data.live import feed

SHORT = 0.01
"""Seconds."""


@pytest.fixture(autouse=True)
def _hasty_feed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "REPAINT_INTERVAL", SHORT)
