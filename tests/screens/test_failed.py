"""A recording whose program failed, in the app: said at once, and shown where it happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.doctor.test_findings import line_with
from tests.recordings.hostile import HOSTILE
from tests.screens.test_hostile import assert_harmless
from tests.support.app_under_test import SMALL, WIDE, opened
from tests.support.noting import error_of, note

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library

MADE = line_with("tf.matmul(tf.exp(x), w)", "failures.py")
ENDED = f"train.py ended with InvalidArgumentError at {MADE}"


@pytest.mark.parametrize(
    ("size", "said"), [(SMALL, f" ! {ENDED}   d Doctor"), (WIDE, f" ! {ENDED} in MatMul   d ")]
)
async def test_the_line_below_the_panes_says_how_the_program_ended(
    library: Library, size: tuple[int, int], said: str
) -> None:
    async with opened(library.path("op_fails"), size) as driven:
        assert driven.lines()[-2].startswith(said)
        await driven.until(lambda: "ENDED exit 1" in driven.status)
        assert any("▸" in line and "tf.exp(x), w)" in line for line in driven.lines_of("source"))
        await driven.press("d")
        assert driven.lines_of("doctor-text")[1].startswith(f" ! problem   {ENDED}")


async def test_panes_show_the_op_that_failed_and_its_error(library: Library) -> None:
    async with opened(library.path("op_fails"), WIDE) as driven:
        health = " ".join(driven.lines_of("health"))
        assert "MatMul failed" in driven.panes.health.title_text
        assert "Matrix size-" in health
        assert MADE in driven.main.view.headings.band.text
        graph = driven.lines_of("graph")
        assert any("▸ MatMul" in line for line in graph)
        assert any("Exp    + 6" in line for line in graph), "what it was given"


async def test_the_key_says_why_it_goes_there(library: Library) -> None:
    async with opened(library.path("op_fails")) as driven:
        await driven.press("2", "g", "!")
        said = "No NaN or Inf. train.py ended here, with InvalidArgumentError."
        assert said in driven.lines()[-2]
        assert driven.chosen.is_node


async def test_a_script_that_recorded_nothing_is_explained_in_place_of_panes(
    tmp_path: Path,
) -> None:
    error = error_of("import json\nraise ImportError('no such thing')")
    note(tmp_path, error=error, exit_code=1)
    async with opened(tmp_path, loaded=False) as driven:
        wanted = "train.py ended with ImportError at train.py:2"
        await driven.until(lambda: any(wanted in line for line in driven.lines()))
        assert any("no such thing." in line for line in driven.lines())
        assert "ENDED exit 1" in driven.status


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=str)
async def test_notes_of_anybody_do_no_harm(
    copy_of: Callable[[str], Path], size: tuple[int, int]
) -> None:
    logdir = copy_of("op_fails")
    for known in logdir.glob("tfdbg_program*"):
        known.unlink()
    evil = b"".join(HOSTILE.values()).decode(errors="replace")
    message = f"{evil}\n\t [[{{{{node StatefulPartitionedCall/MatMul}}}}]] [Op:__inference_step_1]"
    error = {"type": evil, "message": message, "frames": [[evil, 1, evil, evil]]}
    note(logdir, command=[evil], error=error, exit_code=1, op_regex=evil, dtypes=[evil])
    async with opened(logdir, size) as driven:
        assert driven.chosen.is_node, "the op is known all the same"
        for key in ("!", "1", "2", "3", "4", "5", "6", "7", "d"):
            await driven.press(key)
            assert_harmless(driven)
