"""Early warnings as rows below the alerts, and the walk from causes to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.recordings.early.table import EARLY
from tests.support.navigating import browsing
from tests.support.reading import load
from tests.support.sessions import opened, said
from tfdbg_tui.data.early.warning import WarningKind
from tfdbg_tui.data.views.alert_list import AlertList, WarningRow
from tfdbg_tui.data.views.alert_tree import AlertTreeRow
from tfdbg_tui.data.views.warning_walk import chosen_warning, go_to_warning, step_bad

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.views.navigator import Navigator


def looking_at(path: Path) -> tuple[Navigator, AlertList]:
    """A run that is opened anew, with the list of what goes wrong."""
    navigator = browsing(load(path).runs[-1])
    alerts = navigator.causes.alerts
    assert alerts is not None
    alerts.refresh()
    return navigator, alerts


def test_without_anything_bad_the_list_is_the_warnings_in_time(library: Library) -> None:
    _, alerts = looking_at(library.path(EARLY + "three_layers"))
    rows = alerts.rows(0, len(alerts))
    assert all(isinstance(row, WarningRow) for row in rows)
    kinds = [row.warning.kind for row in rows if isinstance(row, WarningRow)]
    assert kinds == [WarningKind.ZERO_RISING, WarningKind.ALL_ZERO, WarningKind.SIGN_COLLAPSE]
    assert alerts.rows(1, 2) == rows[1:2]


def test_warnings_stand_below_the_causes_and_are_refreshed_once(library: Library) -> None:
    navigator, alerts = looking_at(library.path("full_health"))
    rows = alerts.rows(0, len(alerts))
    assert navigator.causes.tree is not None
    assert isinstance(rows[-1], WarningRow)
    assert all(isinstance(row, AlertTreeRow) for row in rows[:-1])
    assert len(rows) == len(navigator.causes.tree) + 1
    assert not alerts.refresh()


def test_the_walk_goes_from_the_last_alert_to_the_warnings_and_back(library: Library) -> None:
    navigator, alerts = looking_at(library.path("full_health"))
    assert navigator.run is not None
    last = navigator.run.log[len(navigator.run.log) - 1].ref
    navigator.select_at(last)
    assert step_bad(navigator, 1)
    assert chosen_warning(navigator) is not None
    assert navigator.selection.event is not None
    assert alerts.row_of(navigator.selection.event) == len(alerts) - 1
    assert not step_bad(navigator, 1)
    assert step_bad(navigator, -1)
    assert chosen_warning(navigator) is None
    assert navigator.selection.event[:3] == last[:3]


def test_where_nothing_is_bad_the_walk_is_over_the_warnings(library: Library) -> None:
    session = opened(library.path(EARLY + "three_layers"))
    alerts = session.navigator.causes.alerts
    assert alerts is not None
    alerts.refresh()
    sentences = [said(session.go_to_alert(1)) for _ in range(4)]
    assert sentences == [
        "Warning 1 of 3: zeros rise.",
        "Warning 2 of 3: all zero.",
        "Warning 3 of 3: one sign.",
        "No later warning: this is the last.",
    ]
    assert said(session.go_to_alert(-1)) == "Warning 2 of 3: all zero."


def test_a_bad_tensor_that_a_warning_is_about_is_an_alert_until_the_warning_is_chosen(
    library: Library,
) -> None:
    navigator, alerts = looking_at(library.path("full_health"))
    (warning,) = alerts.warnings
    assert navigator.causes.tree is not None
    assert alerts.row_of(warning.tensor) == navigator.causes.tree.row_of(warning.tensor)
    alerts.choose(warning)
    assert alerts.row_of(warning.tensor) == len(alerts) - 1


def test_a_recording_that_stalls_is_told_for_as_long_as_it_does(library: Library) -> None:
    navigator, alerts = looking_at(library.path("healthy"))
    assert not alerts.warnings
    navigator.causes.tell_silence(60.0)
    assert alerts.refresh()
    (warning,) = alerts.warnings
    assert warning.kind is WarningKind.STALLED
    assert "60 s" in warning.sentence
    navigator.causes.tell_silence(None)
    assert alerts.refresh()
    assert not alerts.warnings


def test_whoever_goes_to_its_event_otherwise_is_at_the_alert_not_the_warning(
    library: Library,
) -> None:
    navigator, alerts = looking_at(library.path("mirrored"))
    (warning,) = alerts.warnings
    go_to_warning(navigator, warning)
    assert chosen_warning(navigator) == warning
    navigator.jump_to(warning.tensor)
    assert chosen_warning(navigator) is None
