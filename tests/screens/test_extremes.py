"""Numbers beyond all bounds on the screen: every pane and list draws them, or does without."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from tests.screens.test_hostile import visit_panes
from tests.support.app_under_test import WIDE, opened
from tests.support.damage import BAD_VECTOR, event, trace, write_files
from tests.support.sessions import opened as session_over
from tests.support.sessions import said

if TYPE_CHECKING:
    from pathlib import Path

DIGITS = b"9" * 4301


@pytest.mark.parametrize("started", [1e18, -1e300])
async def test_every_pane_survives_what_no_recorder_writes(tmp_path: Path, started: float) -> None:
    lines = [b"first", b"second"]
    claim = {"dtype": 1, "tensor_shape": {"dim": [{"size": 1 << 40}]}, "float_val": [math.nan]}
    stack = {"stack_frame_ids": [b"f"]}
    creation = {"graph_id": b"g", "op_type": b"Log", "op_name": b"x", "code_location": stack}
    executed = {"op_type": b"Log", "num_outputs": 1, "tensor_debug_mode": 7}
    located = {**executed, "tensor_protos": [claim], "code_location": stack}
    place = {"file_index": 0, "line": -100, "func": b"f"}
    write_files(
        tmp_path,
        metadata=[event(wall_time=started, debug_metadata={"tfdbg_run_id": b"r"})],
        source_files=[event(source_file={"file_path": b"/home/me/t.py", "lines": lines})],
        stack_frames=[event(stack_frame_with_id={"id": b"f", "file_line_col": place})],
        graphs=[event(graph_op_creation={**creation, "input_names": [b"y:" + DIGITS]})],
        graph_execution_traces=[
            trace(mode=7, tensor_proto=claim),
            trace(wall_time=started, tensor_proto=BAD_VECTOR),
        ],
        execution=[event(wall_time=2.0, execution=located)] * 2,
    )
    async with opened(tmp_path, WIDE) as driven:
        await visit_panes(driven)
        assert not driven.has_quit


def test_a_number_of_thousands_of_digits_is_beyond_every_list(frozen: Path) -> None:
    session = session_over(frozen)
    many = DIGITS.decode()
    for text, sentence in (
        (many, "This list ends at #107."),
        (f"step {many}", "There are 12 steps."),
    ):
        change = session.go_to(text)
        assert change is not None
        assert said(change) == sentence
    assert session.go_to(f"train.py:{many}") is None
