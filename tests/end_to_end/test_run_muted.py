"""`run --until-bad --mute FILE`: what is muted stops nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.running_scripts import TRAINS, quick_headless, script

if TYPE_CHECKING:
    from pathlib import Path


def test_until_bad_does_not_stop_at_what_is_muted(folder: Path) -> None:
    (folder / "x.mute").write_text("op=Log fn=loss\n")
    done = quick_headless(
        folder, "--until-bad", "--mute", folder / "x.mute", script(folder, TRAINS), "16"
    )
    assert (done.returncode, done.stdout) == (0, "training\ntrained\n")
    assert "CLEAN: no NaN or Inf but what is muted." in done.stderr
    assert "are muted, by op=Log fn=loss" in done.stderr
