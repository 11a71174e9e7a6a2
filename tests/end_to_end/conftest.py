"""What end-to-end tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a script and its logdir lie."""
    (tmp_path / "logdir").mkdir()
    return tmp_path
