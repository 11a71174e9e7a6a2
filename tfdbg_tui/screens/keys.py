"""The keys of the main screen: each an action with an id that users can map to other keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual.binding import Binding

from tfdbg_tui.screens.pane_names import ABOUT, NUMBERS, TITLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PALETTE = "view.palette"
"""The id of the key that lists all commands."""

_KEYS = [
    Binding(
        "exclamation_mark",
        "first_bad",
        "First NaN",
        key_display="!",
        id="go.first-bad",
        tooltip="Where NaN or Inf came from, the worst cause first; again: the next",
    ),
    Binding(
        "w",
        "why",
        "Why",
        id="view.why",
        tooltip="Why it is bad: the cause in words, with its evidence and its cure",
    ),
    Binding(
        "h",
        "open_page('history')",
        "History",
        show=False,
        id="view.history",
        tooltip="The chosen tensor over all its computations",
    ),
    Binding(
        "v",
        "open_page('value')",
        "Value",
        show=False,
        id="view.value",
        tooltip="The values of the chosen tensor: elements, picture, statistics",
    ),
    Binding(
        "H",
        "open_page('heat_map')",
        "Heat map",
        show=False,
        id="view.heat-map",
        tooltip="All tensors by step: where anything was bad",
    ),
    Binding(
        "T",
        "open_page('op_tree')",
        "Tree of ops",
        show=False,
        id="view.op-tree",
        tooltip="All ops by device, function and scope: which parts are bad",
    ),
    Binding(
        "n",
        "next_match(1)",
        "Next",
        id="go.next-match",
        tooltip="The next match; without a search, bad tensor",
    ),
    Binding(
        "N",
        "next_match(-1)",
        "Previous",
        show=False,
        id="go.previous-match",
        tooltip="The match before",
    ),
    Binding(
        "e",
        "next_alert(1)",
        "Next alert",
        show=False,
        id="go.next-alert",
        tooltip="The next cause in time; behind the last, alerts, then warnings",
    ),
    Binding(
        "E",
        "next_alert(-1)",
        "Previous alert",
        show=False,
        id="go.previous-alert",
        tooltip="The cause or alert before",
    ),
    Binding(
        "slash",
        "ask('/')",
        "Search",
        key_display="/",
        id="find.search",
        tooltip="Search tensors, op types, functions and lines",
    ),
    Binding(
        "ampersand",
        "ask('&')",
        "Only",
        key_display="&",
        id="find.only",
        tooltip="Show only what matches",
    ),
    Binding(
        "colon",
        "ask(':')",
        "Command",
        show=False,
        key_display=":",
        id="find.go-to",
        tooltip="Go to #52, step 3, train.py:22, or type a command; tab completes",
    ),
    Binding(
        "f",
        "follow",
        "Follow",
        id="view.follow",
        tooltip="Follow the newest events",
    ),
    Binding(
        "space",
        "pause",
        "Pause or resume",
        show=False,
        id="view.pause",
        tooltip="Stop reading what is recorded, or go on",
    ),
    Binding("z", "zoom", "Zoom", id="view.zoom", tooltip="Give this pane the whole screen"),
    Binding(
        "left_square_bracket",
        "history(-1)",
        "Back",
        show=False,
        key_display="[",
        id="go.back",
        tooltip="Back through what was selected",
    ),
    Binding(
        "right_square_bracket",
        "history(1)",
        "Forward",
        show=False,
        key_display="]",
        id="go.forward",
        tooltip="Forward through what was selected",
    ),
    Binding(
        "o",
        "edit",
        "Editor",
        show=False,
        id="do.edit",
        tooltip="Open the source line in $EDITOR",
    ),
    Binding("y", "copy", "Copy name", show=False, id="do.copy", tooltip="Copy the tensor's name"),
    Binding(
        "V",
        "record_again",
        "Record values",
        show=False,
        id="do.record-values",
        tooltip="Record this tensor and its inputs again, with their values",
    ),
    Binding(
        "r",
        "choose('runs')",
        "Runs",
        show=False,
        id="view.runs",
        tooltip="Runs and hosts in this logdir",
    ),
    Binding(
        "s",
        "choose('files')",
        "Files",
        show=False,
        id="view.files",
        tooltip="All recorded source files",
    ),
    Binding(
        "d",
        "doctor",
        "Doctor",
        show=False,
        id="view.doctor",
        tooltip="What this recording can show, and what to change",
    ),
    Binding(
        "M",
        "choose('mutes')",
        "Mute",
        show=False,
        id="view.mutes",
        tooltip="Mute what is meant: this tensor, line, layer, op; or unmute it",
    ),
    Binding(
        "asterisk",
        "watch",
        "Watch",
        show=False,
        key_display="*",
        id="do.watch",
        tooltip="Watch the chosen tensor in a pane of its own; again: no longer",
    ),
    Binding(
        "u",
        "unfold",
        "Unfold",
        show=False,
        id="view.unfold",
        tooltip="Show library frames of the stack, or fold them",
    ),
    Binding(
        "c",
        "collapse",
        "Collapse",
        show=False,
        id="view.collapse",
        tooltip="Eager ops of one line as one row",
    ),
    Binding(
        "plus,equals_sign",
        "scale(1)",
        "Zoom in",
        show=False,
        key_display="+",
        id="view.closer",
        tooltip="Timeline: a shorter time; graph: one step deeper",
    ),
    Binding(
        "minus",
        "scale(-1)",
        "Zoom out",
        show=False,
        key_display="-",
        id="view.farther",
        tooltip="Timeline: a longer time; graph: one step less",
    ),
    Binding(
        "x",
        "next_output",
        "Next output",
        show=False,
        id="go.next-output",
        tooltip="The next output of an execution that has several",
    ),
    Binding(
        "m",
        "app.toggle_mouse",
        "Mouse",
        show=False,
        id="view.mouse",
        tooltip="Mouse off or on: off lets the terminal select text",
    ),
    Binding(
        "tab",
        "next_pane(1)",
        "Next pane",
        show=False,
        id="pane.next",
        tooltip="The next pane",
    ),
    Binding(
        "shift+tab",
        "next_pane(-1)",
        "Previous pane",
        show=False,
        id="pane.previous",
        tooltip="The pane before",
    ),
    *(
        Binding(
            str(number),
            f"pane('{name}')",
            TITLES[name],
            show=False,
            id=f"pane.{name}",
            tooltip=f"{TITLES[name]}: {ABOUT[name]}",
        )
        for name, number in NUMBERS.items()
    ),
    Binding(
        "question_mark",
        "help",
        "Help",
        key_display="?",
        id="view.help",
        tooltip="What this pane shows, and all keys",
    ),
    Binding(
        "ctrl+p",
        "choose('commands')",
        "Palette",
        id=PALETTE,
        tooltip="Every command by its name",
    ),
    Binding("escape", "leave", "Leave", show=False, id="view.leave", tooltip="Leave one layer"),
    Binding("q", "quit_layer", "Quit", id="app.quit", tooltip="Leave one layer; quit at the top"),
]

APP_KEYS = [
    Binding(
        "ctrl+c",
        "interrupt",
        "Interrupt",
        show=False,
        priority=True,
        id="app.interrupt",
        tooltip="Leave what lies over the panes, stop the script, or leave",
    ),
    Binding(
        "ctrl+q",
        "quit",
        "Quit",
        show=False,
        priority=True,
        id="app.quit-now",
        tooltip="Leave tfdbg-tui at once",
    ),
    Binding(
        "ctrl+z",
        "suspend",
        "Suspend",
        show=False,
        priority=True,
        id="app.suspend",
        tooltip="Go to the shell; fg comes back",
    ),
]
"""The keys of the app itself, which hold whatever lies over the panes."""

BINDINGS = [replace(key, priority=True) for key in _KEYS]
"""All act at once: what is typed right behind a key goes where the key led."""


def shown_keys(
    binding: Binding, mapped: Mapping[str, str], display: Callable[[Binding], str]
) -> str:
    """The keys of a binding as the user has mapped them, for people."""
    keys = mapped.get(binding.id or "", binding.key)
    shown = [display(binding.with_key(key)) for key in keys.split(",")]
    if binding.key_display and keys == binding.key:
        shown[0] = binding.key_display
    return " ".join(shown)


def full_action(binding: Binding) -> str:
    """The action of a key with whose it is: the main screen's, unless it says something else."""
    is_whole = "." in binding.action.partition("(")[0]
    return binding.action if is_whole else f"screen.{binding.action}"
