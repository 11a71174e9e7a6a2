"""What a tensor holds, in the real command in a real terminal: typed ahead, and saved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from tests.recordings.freeze_values import FROZEN_VALUES
from tests.support.command_under_test import app, is_chosen, settle

if TYPE_CHECKING:
    from pathlib import Path


def test_a_value_is_looked_at_by_keys_that_arrive_together(tmp_path: Path) -> None:
    path = tmp_path / "scores.npy"
    with app(FROZEN_VALUES) as terminal:
        settle(terminal)
        terminal.type(":#12\rv@1,5,3\r")
        terminal.wait_for(re.compile(r"\[1, 5, 3\] nan"))
        terminal.type("N")
        terminal.wait_for(re.compile(r"\[1, 5, 2\] -inf"))
        terminal.type(f"[1, :, ::2]\rw{path}\r")
        terminal.wait_for("Saved ")
        terminal.type("s")
        terminal.wait_for(re.compile(r"elements +18 "))
        terminal.type("i")
        terminal.wait_for("blue - 0 + orange")
        terminal.type("q}\r")
        terminal.wait_for(is_chosen("22", "add "))
    saved = np.load(path)
    assert saved.shape == (6, 3)
    assert np.isneginf(saved[:, 1]).all()
