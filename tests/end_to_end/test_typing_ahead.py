"""Keys do what they say in the order they were typed, even when many arrive at once.

A slow connection delivers several keys in one packet, and so does whoever knows them by heart.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.command_under_test import app, is_chosen, is_free_of, settle
from tests.support.terminal_keys import NAMED_KEYS

if TYPE_CHECKING:
    from pathlib import Path

DOWN = NAMED_KEYS["down"]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("!4", re.compile(r"! Log +#60 step 7")),
        (f"3g{DOWN * 3}7", is_chosen("3 model", "add ", "AddV2")),
        ("!/mul\r", is_chosen("61", "mul ", "Mul")),
        ("3/Log\r4", re.compile(r"Log +#69 step 8")),
        ("3:#62\r4", re.compile(r"~ Mean +#62 step 7")),
        ("r\r2", "op or function"),
        ("3gnn4", re.compile(r"~ mul +#61 step 7")),
    ],
    ids=str,
)
def test_keys_that_arrive_together_act_one_after_another(
    frozen: Path, keys: str, expected: str | re.Pattern[str]
) -> None:
    with app(frozen) as terminal:
        settle(terminal)
        terminal.type(keys)
        terminal.wait_for(expected, timeout=5.0)
        terminal.wait_for(is_free_of("Help:"))
        terminal.wait_for(is_free_of(", newest first"))
