"""How long the doctor watches a logdir."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.live.snapshot import Activity, Snapshot
from tfdbg_tui.doctor.observe import _is_settled

if TYPE_CHECKING:
    from pathlib import Path


def test_what_cannot_be_loaded_is_not_waited_for(tmp_path: Path) -> None:
    loading = Snapshot(str(tmp_path), exists=True, activity=Activity.LOADING)
    assert not _is_settled(loading, seconds=0.0)
    assert _is_settled(loading._replace(failure="It cannot be read."), seconds=0.0)
