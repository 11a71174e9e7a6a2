"""Which keys can be mapped to others, by the ids of their bindings, and what a keymap breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

from tfdbg_tui.screens.dialogs.chooser import Chooser
from tfdbg_tui.screens.dialogs.doctor import DoctorScreen
from tfdbg_tui.screens.dialogs.help import HelpScreen
from tfdbg_tui.screens.keys import APP_KEYS
from tfdbg_tui.screens.keys import BINDINGS as KEYS
from tfdbg_tui.widgets.alerts_pane import AlertsPane
from tfdbg_tui.widgets.prompt import Prompt
from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.widgets.source_pane import SourcePane
from tfdbg_tui.widgets.text_pane import TextPane

if TYPE_CHECKING:
    from collections.abc import Mapping

WITH_KEYS = (RowList, AlertsPane, SourcePane, TextPane, Prompt, Chooser, HelpScreen, DoctorScreen)
"""Whatever has keys of its own, beside the app and the main screen."""


def binding_ids() -> set[str]:
    """The ids of all keys that can be mapped to others."""
    others = [binding for owner in WITH_KEYS for binding in owner.BINDINGS]
    bindings = [*APP_KEYS, *KEYS, *others]
    return {each.id for each in bindings if isinstance(each, Binding) and each.id}


def key_conflict(keymap: Mapping[str, str]) -> tuple[str, str, str] | None:
    """A key that a keymap gives to two actions of the main screen, with the ids of both."""
    owners: dict[str, str] = {}
    for binding in (*KEYS, *RowList.BINDINGS):
        assert isinstance(binding, Binding)
        name = binding.id or ""
        for key in keymap.get(name, binding.key).split(","):
            other = owners.setdefault(key.strip(), name)
            if other != name:
                return key.strip(), other, name
    return None
