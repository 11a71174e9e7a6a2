"""From one early warning to the next: behind the last cause, or where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.views.cause_walk import step_cause

if TYPE_CHECKING:
    from tfdbg_tui.data.early.warning import EarlyWarning
    from tfdbg_tui.data.views.navigator import Navigator


def chosen_warning(navigator: Navigator) -> EarlyWarning | None:
    """The warning that is chosen, if one is."""
    alerts = navigator.causes.alerts
    return None if alerts is None else alerts.chosen(navigator.selection.event)


def go_to_warning(navigator: Navigator, warning: EarlyWarning, coalesce: bool = False) -> None:
    """Choose a warning: its first event, with its own line."""
    if navigator.causes.alerts is not None:
        navigator.causes.alerts.choose(warning)
    navigator.jump_to(warning.tensor, coalesce)


def step_bad(navigator: Navigator, steps: int) -> bool:
    """Choose what is next of what goes wrong: causes in time, then warnings, then other alerts."""
    alerts = navigator.causes.alerts
    if chosen_warning(navigator) is None and step_cause(navigator, steps):
        return True
    if step_warning(navigator, steps):
        return True
    if alerts is not None:
        alerts.choose(None)
    return navigator.step_alert(steps)


def step_warning(navigator: Navigator, steps: int) -> bool:
    """Choose the next warning or the one before; False if there is none in that direction.

    The first one stands behind the last cause; where nothing is bad, it comes first.
    """
    alerts, tree = navigator.causes.alerts, navigator.causes.tree
    if alerts is None or tree is None or not alerts.warnings:
        return False
    here = chosen_warning(navigator)
    if here is not None:
        place = alerts.warnings.index(here) + steps
    elif steps > 0 and (not tree.causes or _is_at_last_cause(navigator)):
        place = 0
    else:
        return False
    if place < 0 and tree.causes:
        last = tree.cause(tree.causes - 1)
        if last is not None:
            alerts.choose(None)
            navigator.select_at(last)
        return last is not None
    if not 0 <= place < len(alerts.warnings):
        return False
    go_to_warning(navigator, alerts.warnings[place])
    return True


def _is_at_last_cause(navigator: Navigator) -> bool:
    tree, chosen = navigator.causes.tree, navigator.selection.event
    last = None if tree is None else tree.cause(tree.causes - 1)
    return last is not None and chosen is not None and chosen[:3] == last[:3]


def which_warning(navigator: Navigator) -> str:
    """Which warning is chosen, and what it means; nothing where none is."""
    alerts, warning = navigator.causes.alerts, chosen_warning(navigator)
    if alerts is None or warning is None:
        return ""
    number, of = alerts.warnings.index(warning) + 1, len(alerts.warnings)
    return f"Warning {number:,} of {of:,}: {warning.kind.words}."
