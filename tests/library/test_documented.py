"""docs/api.md says what the library does: its examples give what stands behind them."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.data.search.user_filters import FilteredTensor
from tfdbg_tui.library.cause import RecordedCause
from tfdbg_tui.library.event import RecordedEvent, RecordedExecution, RecordedTensor, TensorHealth
from tfdbg_tui.library.opening import RecordedLogdir
from tfdbg_tui.library.run import RecordedHost, RecordedRun
from tfdbg_tui.library.source import Frame, SourceLine
from tfdbg_tui.library.table import EventTable

if TYPE_CHECKING:
    import pytest

    from tests.recordings.record import Library

DOCUMENT = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
ANSWER = re.compile(r"  # -> (.*)")


def test_the_examples_give_what_they_say(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "today").symlink_to(library.path("full_tensor"))
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    answers = 0
    for block in BLOCKS:
        lines = block.splitlines()
        for statement in ast.parse(block).body:
            code = ast.unparse(statement)
            said = ANSWER.search(lines[(statement.end_lineno or 0) - 1])
            if said is None:
                exec(code, names)
            else:
                answers += 1
                assert repr(eval(code, names)) == said[1], code
    assert answers > 20


def test_every_public_name_is_documented() -> None:
    told = set(re.findall(r"[a-z_]+", DOCUMENT))
    classes = (RecordedLogdir, RecordedRun, RecordedEvent, RecordedTensor, RecordedExecution)
    public = {name for owner in (*classes, EventTable) for name in vars(owner)}
    public |= {
        field
        for values in (RecordedHost, TensorHealth, Frame, SourceLine, RecordedCause, FilteredTensor)
        for field in values._fields
    }
    assert {name for name in public if not name.startswith("_")} - told == set()
