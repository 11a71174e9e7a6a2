"""The health of a tensor as it is drawn: what occurs, how it went, in any width."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.recordings.freeze import FROZEN
from tests.support.recorded_rows import browser_of
from tests.support.texts import NAMES
from tests.support.tiny import bare_lines, mounted
from tfdbg_tui.data.records.health import Bad, Health
from tfdbg_tui.data.records.modes import Mode
from tfdbg_tui.data.records.value_facts import ValueFacts
from tfdbg_tui.data.views.health_facts import HealthFacts, health_facts, note_of
from tfdbg_tui.data.views.tensor_history import HistoryCell, TensorHistory
from tfdbg_tui.widgets.glyphs import ASCII
from tfdbg_tui.widgets.health_pane import HealthPane, short_name
from tfdbg_tui.widgets.history_lines import START
from tfdbg_tui.widgets.pieces import width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.recordings.record import Library

LOG = Health(
    bad=Bad.NEG_INF, dtype="float32", rank=2, size=5000, neg_inf=4500, pos_inf=0, nan=0,
    negative=0, zero=500, positive=0,
)  # fmt: skip


def facts(
    health: Health | None = LOG, name: str = "Log:0", mode: int = Mode.FULL_HEALTH
) -> HealthFacts:
    bad = health.bad if health else Bad.NONE
    told = HealthFacts(name, "#52 step 7", "Log", "loss", "", mode, bad, health, note_of(mode))
    return replace(told, number="#52", step=7)


def cell(event: int, bad: Bad = Bad.NONE, times: int = 1, mixed: bool = False) -> HistoryCell:
    health = Health(bad=bad, size=10, zero=0)
    bad_times = 0 if not bad else 1 if mixed else times
    return HistoryCell(event, event + times - 1, times, bad_times, bad, event, health, mixed)


def pane_of(
    told: HealthFacts | None, cells: Sequence[HistoryCell] = (), event: int | None = None
) -> HealthPane:
    pane = HealthPane()
    pane.titled = True
    pane.show(told, event, (lambda room: cells[:room]) if cells else None, "Nothing chosen.")
    return pane


def written(pane: HealthPane, width: int = 46) -> list[str]:
    return ["".join(piece.text for piece in line).rstrip() for line in pane.write(width)]


def test_only_what_occurs_is_told_and_what_is_bad_first() -> None:
    assert written(pane_of(facts()), 50)[:2] == [
        "! -inf  4,500 ███████████████████████████▉     90%",
        "  zero    500 ███▏                             10%",
    ]


def test_signs_stand_for_words_where_it_is_narrow() -> None:
    health = replace_counts(negative=3, positive=7)
    wide, narrow = (written(pane_of(facts(health)), width) for width in (44, 30))
    assert [line.split()[0] for line in wide[:2]] == ["negative", "positive"]
    assert [line.split()[0] for line in narrow[:2]] == ["-", "+"]


def replace_counts(negative: int = 0, positive: int = 0) -> Health:
    return Health(
        dtype="float32", rank=1, size=negative + positive, neg_inf=0, pos_inf=0, nan=0,
        negative=negative, zero=0, positive=positive,
    )  # fmt: skip


def test_bars_have_stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    pane = pane_of(facts(), [cell(0), cell(1, Bad.NAN)], 1)
    monkeypatch.setattr(HealthPane, "glyphs", ASCII)
    assert all(line.isascii() for line in written(pane, 50))
    assert written(pane, 50)[0].split()[3] == "#" * 28


def test_the_title_is_not_repeated() -> None:
    pane = pane_of(replace(facts(), output=(2, 3)))
    assert (pane.subject, pane.measure) == ("Log:0  output :2 of 3 #52", "float32 2D 5,000")
    assert not any("Log" in line or "float32" in line for line in written(pane))
    pane.titled = False
    first, second, *_ = written(pane)
    assert first.split() == ["!", *["Log:0", "output", ":2", "of", "3", "#52", "step", "7"]]
    assert second == "  Log  float32 2D 5,000"
    nothing = pane_of(None)
    assert (nothing.subject, nothing.measure) == ("", "")
    assert written(nothing) == ["  Nothing chosen."]


def test_layer_and_op_stay_of_a_long_name() -> None:
    name = "functional_3/block_2/conv2d_1/BiasAdd:0"
    assert short_name(name, 30) == "…/block_2/conv2d_1/BiasAdd:0"
    assert short_name(name, 24) == "…/conv2d_1/BiasAdd:0"
    assert pane_of(facts(name=name)).subject_in(24) == "…/conv2d_1/BiasAdd:0 #52"
    untitled = pane_of(facts(name=name))
    untitled.titled = False
    assert "…/conv2d_1/BiasAdd:0" in written(untitled, 40)[0]


def test_health_says_that_bad_data_came_in() -> None:
    read = replace(facts(), came_with_data=True)
    assert "  came in with the data" in written(pane_of(read))
    assert "came in" not in " ".join(written(pane_of(replace(read, bad=Bad.NONE))))
    assert "came in" not in " ".join(written(pane_of(facts())))


def test_what_a_mode_does_not_record_is_said() -> None:
    curt = written(pane_of(facts(Health(bad=Bad.UNTOLD), mode=Mode.CURT_HEALTH)))
    assert curt[0] == "! NaN or inf, not counted"
    assert "FULL_HEALTH" in " ".join(curt)
    healthy = written(pane_of(facts(Health(), mode=Mode.CURT_HEALTH)))
    assert healthy[0] == "  no NaN or inf"
    concise = facts(Health(size=5, neg_inf=0, pos_inf=2, nan=0), mode=Mode.CONCISE_HEALTH)
    assert [line.split()[:3] for line in written(pane_of(concise))[:2]] == [
        ["!", "+inf", "2"],
        ["finite", "3", written(pane_of(concise))[1].split()[2]],
    ]
    assert pane_of(concise).measure == "5 elements"
    none = written(pane_of(facts(None, mode=Mode.NO_TENSOR)))
    assert any("NO_TENSOR" in line for line in none)
    too_large = written(pane_of(replace(facts(None), bad=Bad.NAN)))
    assert too_large[0] == "! NaN, not counted"
    assert written(pane_of(facts(replace_counts())))[0] == "  no elements"


KINDS = (Bad.NONE, Bad.POS_INF, Bad.NAN, Bad.UNTOLD, Bad.NAN | Bad.NEG_INF)


def test_history_tells_nan_from_inf_and_marks_the_chosen_one() -> None:
    cells = [cell(event, bad) for event, bad in enumerate(KINDS)]
    pane = pane_of(replace(facts(), bad=Bad.NAN), cells, 2)
    times, signs, words = written(pane)[2:5]
    assert (times.split(), signs.split()) == (["time", *"12345"], list("·iN!N"))
    assert words.strip().startswith("ok 1×, inf 1×, NaN 1×, …; NaN")
    (line,) = (line for line in pane.write(46) if any(piece.text == "!" for piece in line[1:]))
    assert [piece.text for piece in line if piece.role == "hit"] == ["N"]


def test_the_chosen_event_is_drawn_as_what_it_is_itself() -> None:
    cells = [cell(0, times=5), cell(5, Bad.NAN, times=5, mixed=True)]
    healthy, bad = (
        pane_of(replace(facts(LOG), bad=kind), cells, 7) for kind in (Bad.NONE, Bad.NAN)
    )
    for pane, sign in ((healthy, "·"), (bad, "N")):
        (here,) = (piece for line in pane.write(46) for piece in line if piece.role == "hit")
        assert here.text == sign
    assert "NaN in 1 of 10, by turns" in written(healthy)[-3].strip()


def test_a_step_stands_above_its_first_computation() -> None:
    cells = [cell(event, Bad.NAN if event > 3 else Bad.NONE) for event in range(6)]
    steps = replace(facts(), bad=Bad.NONE, step_of=lambda event: event // 2 + 9)
    assert written(pane_of(steps, cells, 1), 30)[2:5] == [
        "  step     9    10    11",
        "           ·  ·  ·  ·  N  N",
        "           ok 4×, then NaN 2×",
    ]


def test_where_not_every_step_fits_the_ends_and_the_first_bad_one_are_told() -> None:
    kinds = [Bad.NONE] * 20 + [Bad.NAN] * 15
    cells = [cell(2 * event, bad, times=2) for event, bad in enumerate(kinds)]
    steps = replace(facts(), bad=Bad.NONE, step_of=lambda event: event + 1)
    signs, axis, words = written(pane_of(steps, cells, 1))[2:5]
    assert signs == " " * START + "·" * 20 + "N" * 15
    assert axis == "  step   1" + " " * 19 + "▲41" + " " * 10 + "70"
    assert axis.index("▲") == signs.index("N")
    assert words.strip() == "ok 40×, then NaN 30×"
    times = written(pane_of(facts(), cells, 1))[3]
    assert times.split() == ["time", "1", "▲41", "70"]


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        ((Bad.NONE, Bad.NONE), "always ok, 2×"),
        ((Bad.NEG_INF, Bad.POS_INF), "always inf, 2×"),
        ((Bad.NONE, Bad.NEG_INF, Bad.NAN), "ok 1×, then inf 1×, then NaN 1×"),
        ((Bad.NAN, Bad.NONE) * 3, "NaN 1×, then ok 1×, then NaN 1×, then …; NaN in 3 of 6"),
        ((Bad.NAN,), "computed once"),
    ],
)
def test_a_course_is_told_in_words(kinds: tuple[Bad, ...], words: str) -> None:
    cells = [cell(event, bad) for event, bad in enumerate(kinds)]
    assert words in [line.strip() for line in written(pane_of(facts(), cells, 0), 80)]


def test_zoomed_it_tells_more() -> None:
    values = ValueFacts(-1.0, 1.0, 0.0, tuple(str(number) for number in range(28)))
    told = replace(facts(mode=Mode.FULL_TENSOR), values=values, device="/device:CPU:0")
    narrow, wide = (written(pane_of(told), width) for width in (46, 120))
    assert wide[0] == "  Log  in ƒ loss  CPU:0  step 7  FULL_TENSOR"
    assert "27" not in " ".join(narrow)
    assert any(line.startswith("  values 0  1  2") and line.endswith("  27") for line in wide)
    cells = [cell(event) for event in range(12)]
    signs = next(line for line in written(pane_of(told, cells), 120) if "·" in line)
    assert len(signs) > 100


@pytest.mark.parametrize("number", [999, 10**6, 123_456_789, 1_234_567_890, 10**12])
def test_a_count_is_written_whole_or_rounded_and_never_cut(number: int) -> None:
    health = Health(size=10**13, neg_inf=0, pos_inf=0, nan=0, negative=0, zero=number, positive=0)
    for width in (30, 44, 80):
        zero = written(pane_of(facts(health)), width)[0].split()
        assert zero[0] == "zero", f"{number:,} is shown as {zero}"
        assert "…" not in zero[1], f"{number:,} is shown as {zero}"


@pytest.mark.parametrize("titled", [True, False])
@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_health_of_any_name_fits_any_width(name: str, titled: bool) -> None:
    cells = [cell(event, Bad.NAN) for event in range(300)]
    pane = pane_of(facts(name=name), cells, 2)
    pane.titled = titled
    for width in range(26, 161, 5):
        wide = [line for line in pane.write(width) if width_of(line) > width]
        assert not wide, f"wider than {width}: {wide}"
        assert pane.subject_in(width).isprintable()
        assert not titled or pane.wanted_height(width) == len(pane.write(width))


def test_health_of_every_tensor_fits_and_adds_up() -> None:
    navigator = browser_of(FROZEN)
    assert navigator.index is not None
    for trace in range(len(navigator.index.host.traces)):
        navigator.select_trace(trace)
        told = health_facts(navigator.index, navigator.selection)
        assert told is not None
        assert told.health is not None
        pane = pane_of(told)
        assert told.shown in pane.subject
        shares = [int(line.split()[-1].strip("<>%")) for line in written(pane) if "%" in line]
        assert 97 <= sum(shares) <= 103


def test_a_recorded_course_is_told_step_by_step(library: Library) -> None:
    navigator = browser_of(library.path("full_health"))
    assert navigator.first_alert()
    assert navigator.index is not None
    traces, event = navigator.index.host.traces, navigator.selection.trace
    assert event is not None
    history = TensorHistory(traces, traces.site_number(event))
    while history.extend():
        pass
    pane = HealthPane()
    pane.titled = True
    pane.show(health_facts(navigator.index, navigator.selection), event, history.cells)
    assert pane.subject == f"Log #{event}"
    lines = [line.split() for line in written(pane)]
    assert ["step", *map(str, range(1, 13))] in lines
    assert list("·······iNNNN") in lines
    assert ["ok", "7×,", "then", "inf", "1×,", "then", "NaN", "4×"] in lines


async def test_a_click_on_a_cell_goes_to_its_computation() -> None:
    cells = [cell(10 * event, Bad.NAN if event > 3 else Bad.NONE) for event in range(6)]
    pane = pane_of(facts(), cells, 0)
    async with mounted(pane, (47, 12)) as hands:
        lines = bare_lines(hands)
        row = next(y for y, line in enumerate(lines) if "N" in line and "·" in line)
        await hands.click(lines[row].index("N"), row)
        assert hands.app.heard == [("InvocationClicked", 40, None)]
        pane.wanted_height(90)  # what another width would take is not what is clicked
        await hands.click(len(lines[row]) - 1, row)
        await hands.click(len(lines[row]) - 1, row - 1)
        assert hands.app.heard[1:] == [("InvocationClicked", 50, None)]
