"""Which keys can be mapped to others, by the ids of their bindings, and what a keymap breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

from tfdbg_tui.screens.dialogs.help import HelpScreen
from tfdbg_tui.screens.dialogs.help_text import all_keys
from tfdbg_tui.screens.keys import BINDINGS as KEYS
from tfdbg_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from collections.abc import Mapping


def binding_ids() -> set[str]:
    """The ids of all keys that can be mapped to others."""
    of_help = {key.id for key in HelpScreen.BINDINGS if isinstance(key, Binding) and key.id}
    return {*all_keys(), *of_help}


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
