"""The cause band: the answer is on the screen before any key is pressed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tfdbg_tui.data.index.stacks import FrameKind
from tfdbg_tui.screens.present.answer import answer_of
from tfdbg_tui.screens.present.band_text import writer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library


def band(driven: Driven) -> list[str]:
    """The rows of the band as they are drawn."""
    return [row.strip("▌| ") for row in driven.lines()[1:4]]


@pytest.mark.parametrize("size", [SMALL, WIDE, (60, 20), (240, 70)], ids=str)
async def test_the_first_bad_tensor_its_line_and_its_inputs_are_told_at_once(
    frozen: Path, size: tuple[int, int]
) -> None:
    async with opened(frozen, size) as driven:
        what, where, why = band(driven)
        assert what.startswith("! FIRST  Log")
        assert "-inf" in what
        assert "1,312 of 5,000" in what
        assert "train.py:20" in what
        assert where.split(maxsplit=1) == ["20", "diff = -labels * tf.math.log(probs)"]
        assert why.startswith("why    took 1,312 zeros of Softmax: log(0) is -inf")


async def test_it_follows_the_selection(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("n")
        assert band(driven)[0].startswith("~ AFTER  mul in ƒ loss holds NaN in 1,185")
        assert "← Log  ! -inf 1,312" in band(driven)[2]
        await driven.press("3", "g")
        assert "-inf came from Log in train.py:20; ! goes there." in band(driven)[0]
        await driven.press("2", ":")
        await driven.write("#70", "enter")
        assert band(driven)[0].startswith("! ALSO   ƒ loss made NaN")


async def test_a_healthy_run_is_said_to_be_so(library: Library) -> None:
    async with opened(library.path("healthy"), WIDE) as driven:
        assert band(driven)[0].startswith("✓ No NaN or Inf in ")
        assert driven.focused != "alerts", "an empty list has not the keys"
        # As soon as it is known that the program has ended: "so far" has no room there.
        await driven.until(lambda: "1 Alerts · No NaN or Inf in" in driven.panes.alerts.title_text)


async def test_a_mode_that_cannot_tell_is_said_to_be_so(library: Library) -> None:
    async with opened(library.path("shape")) as driven:
        assert "SHAPE does not tell NaN or Inf" in band(driven)[0]


async def test_what_came_with_the_data_is_not_blamed_on_an_op(library: Library) -> None:
    async with opened(library.path("nan_input")) as driven:
        assert "IteratorGetNext brought NaN in 1 of 32" in band(driven)[0]
        assert band(driven)[2] == "why    it came in with the data"


async def test_a_constant_may_be_meant(library: Library) -> None:
    async with opened(library.path("masked")) as driven:
        await driven.press("e")
        assert band(driven)[0].startswith("MEANT  SelectV2/e in ƒ causal_attention made -inf")
        assert band(driven)[2] == "why    -inf on purpose: nothing computed from it is bad"


async def test_the_layer_is_told_where_the_line_is_only_a_fit(library: Library) -> None:
    async with opened(library.path("keras_fit"), WIDE) as driven:
        assert "model.fit(" in band(driven)[1]
        assert band(driven)[1].endswith("in sequential_1/dense_1_2")
    async with opened(library.path("keras_fit"), SMALL) as driven:
        assert "dense_1_2/MatMul" in band(driven)[0], "of a name the layer and the op stay"


@pytest.mark.parametrize(("size", "rows"), [((80, 24), 3), ((80, 15), 1), ((40, 10), 0)], ids=str)
async def test_a_low_screen_keeps_its_rows_for_the_panes(
    frozen: Path, size: tuple[int, int], rows: int
) -> None:
    async with opened(frozen, size) as driven:
        assert sum(line.startswith("▌") for line in driven.lines()) == rows


async def test_eager_inputs_are_the_nearest(library: Library) -> None:
    async with opened(library.path("eager_only")) as driven:
        assert "took 66 zeros of Softmax" in band(driven)[2]
        await driven.press("n")
        assert "← Log  ! -inf 66" in band(driven)[2]


async def test_no_line_is_told_before_it_is_known_whose_code_it_is(frozen: Path) -> None:
    async with opened(frozen) as driven:
        details, chosen, index = driven.main.view.details, driven.chosen, driven.navigator.index
        assert index is not None
        (frame,) = (frame for frame in chosen.stack if frame.id == chosen.frame)
        assert details.code_of(index, frame) == "diff = -labels * tf.math.log(probs)"
        unknown = frame._replace(path=None, kind=FrameKind.OPEN)
        assert details.code_of(index, unknown) is None
        early = replace(chosen, stack=(unknown, *chosen.stack[1:]))
        details.tell_loading(True)
        assert details.why_no_code(index, early) == "The source is not read yet."


async def test_a_line_that_created_no_op_takes_nothing_from_the_answer(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        before = band(driven)
        await driven.press("7", "G", "enter")
        assert driven.chosen.frame is None, "it is of no frame"
        assert band(driven) == before


async def test_names_of_inputs_give_way_before_numbers(frozen: Path) -> None:
    async with opened(frozen) as driven:
        answer = answer_of(driven.main.session, driven.main.view.details)
        assert answer is not None
        (node,) = answer.inputs
        long = node._replace(name="functional_1/pooling_layer_1/Softmax:0", short_name="")
        many = answer._replace(inputs=(long, long), why=())
        line = writer(many, driven.panes.alerts.glyphs)(78)[2]
        text = "".join(piece.text for piece in line.start)
        assert text.count("zero 1,312  + 3,688") == 2
        assert len(text.rstrip()) <= 78


async def test_while_loading_the_first_may_not_be_the_last_word(frozen: Path) -> None:
    async with opened(frozen) as driven:
        answer = answer_of(driven.main.session, driven.main.view.details)
        assert answer is not None
        glyphs = driven.panes.alerts.glyphs
        loading = writer(answer._replace(is_loading=True), glyphs)(78)[0].start
        assert "".join(piece.text for piece in loading).startswith("! SO FAR Log")


async def test_a_gradient_of_an_unknown_line_is_said_to_be_one(library: Library) -> None:
    async with opened(library.path("gradient_ops"), WIDE) as driven:
        answer = answer_of(driven.main.session, driven.main.view.details)
        assert answer is not None
        assert answer.facts is not None
        assert answer.facts.gradient_of is not None
        untold = answer._replace(facts=replace(answer.facts, gradient_of=None), why=())
        end = writer(untold, driven.panes.alerts.glyphs)(150)[2].end
        assert "which line it is of is not told" in end[0].text
