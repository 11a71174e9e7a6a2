"""From one early warning to the next: behind the last alert, or where there is none."""

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
    navigator.jump_to(warning.tensor, coalesce)
    if navigator.causes.alerts is not None:
        navigator.causes.alerts.choose(warning)


def step_bad(navigator: Navigator, steps: int) -> bool:
    """Choose what is next of what goes wrong: causes in time, then other alerts, then warnings."""
    alerts = navigator.causes.alerts
    if chosen_warning(navigator) is not None:
        return step_warning(navigator, steps)
    if step_cause(navigator, steps) or navigator.step_alert(steps):
        return True
    if steps < 0 or alerts is None or not alerts.warnings:
        return False
    go_to_warning(navigator, alerts.warnings[0])
    return True


def step_warning(navigator: Navigator, steps: int) -> bool:
    """Choose the next warning or the one before, before the first the last alert."""
    alerts, here = navigator.causes.alerts, chosen_warning(navigator)
    if alerts is None or here is None:
        return False
    place = alerts.warnings.index(here) + steps
    if 0 <= place < len(alerts.warnings):
        go_to_warning(navigator, alerts.warnings[place])
        return True
    if place > 0 or navigator.run is None or not len(navigator.run.log):
        return False
    navigator.select_at(navigator.run.log[len(navigator.run.log) - 1].ref)
    return True


def which_warning(navigator: Navigator) -> str:
    """Which warning is chosen, and what it means; nothing where none is."""
    alerts, warning = navigator.causes.alerts, chosen_warning(navigator)
    if alerts is None or warning is None:
        return ""
    number, of = alerts.warnings.index(warning) + 1, len(alerts.warnings)
    return f"Warning {number:,} of {of:,}: {warning.kind.words}."
