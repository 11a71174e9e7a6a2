"""Widgets are drawn with the usual characters, whatever an app of another test has set."""

from __future__ import annotations

import pytest

from tfdbg_tui.widgets.cause_band import CauseBand
from tfdbg_tui.widgets.glyphs import UNICODE
from tfdbg_tui.widgets.line_pane import LinePane
from tfdbg_tui.widgets.pieces import draw_ascii_only


@pytest.fixture(autouse=True)
def _usual_glyphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LinePane, "glyphs", UNICODE)
    monkeypatch.setattr(CauseBand, "glyphs", UNICODE)
    draw_ascii_only(False)
