"""Panes of text, written for the width they have: health, notices, help, source lines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.recordings.freeze import FROZEN
from tests.support.recorded_rows import browser_of
from tests.support.texts import NAMES
from tests.support.tiny import bare_lines, mounted
from tfdbg_tui.data.index.line_index import LineFacts
from tfdbg_tui.data.records.health import Bad, Health
from tfdbg_tui.data.records.modes import Mode
from tfdbg_tui.data.views.health_facts import HealthFacts, health_facts, note_of
from tfdbg_tui.data.views.tensor_history import HistoryCell
from tfdbg_tui.screens.dialogs.help import PANE_HELP, HelpPane
from tfdbg_tui.screens.keys import BINDINGS
from tfdbg_tui.screens.pane_names import PANES
from tfdbg_tui.widgets.health_pane import HealthPane
from tfdbg_tui.widgets.highlight import HighlightedSource
from tfdbg_tui.widgets.notice_pane import NoticePane
from tfdbg_tui.widgets.pieces import Pieces, width_of
from tfdbg_tui.widgets.source_pane import SourceLine, SourcePane

if TYPE_CHECKING:
    from collections.abc import Sequence

WHOLE = Health(
    bad=Bad.NAN, dtype="float32", rank=2, size=1000, neg_inf=1, pos_inf=0, nan=998, negative=0,
    zero=1, positive=0,
)  # fmt: skip
WIDTHS = range(20, 161, 5)


def facts(
    health: Health | None = WHOLE, name: str = "Log:0", mode: int = Mode.FULL_HEALTH
) -> HealthFacts:
    bad = health.bad if health else Bad.NONE
    return HealthFacts(name, "#52 step 7", "Log", "loss", "", mode, bad, health, note_of(mode))


def cell(event: int, bad: Bad, zero: int = 0) -> HistoryCell:
    health = Health(bad=bad, size=10, zero=zero)
    return HistoryCell(event, event, 1, int(bool(bad)), bad, event, health)


def written(
    told: HealthFacts | None, width: int = 44, cells: Sequence[HistoryCell] = ()
) -> list[str]:
    pane = HealthPane()
    pane.show(told, 2, (lambda room: cells[:room]) if cells else None, "Nothing chosen.")
    return ["".join(piece.text for piece in line) for line in pane.write(width)]


def test_health_says_what_a_tensor_holds() -> None:
    lines = [line.split() for line in written(facts())]
    assert lines[0] == ["!", "Log:0", "#52", "step", "7"]
    assert lines[1] == ["Log", "float32", "2-D", "1,000", "elements"]
    rows = {line[-4] if len(line) > 3 else line[0]: line for line in lines[2:8]}
    assert rows["NaN"][1:] == ["NaN", "998", rows["NaN"][3], ">99%"]
    assert rows["-inf"][-1] == "<1%"
    assert rows["0"][-1] == "<1%"
    assert rows["+inf"] == ["+inf", "0"]


def test_health_says_that_bad_data_came_in() -> None:
    read = replace(facts(), came_with_data=True)
    assert "  came in with the data" in written(read)
    assert "came in" not in " ".join(written(replace(read, bad=Bad.NONE)))
    assert "came in" not in " ".join(written(facts()))


def test_what_a_mode_does_not_record_is_said() -> None:
    curt = written(facts(Health(bad=Bad.UNTOLD), mode=Mode.CURT_HEALTH))
    assert "! NaN or inf" in curt
    assert "FULL_HEALTH" in " ".join(curt)
    healthy = written(facts(Health(), mode=Mode.CURT_HEALTH))
    assert any("no NaN or inf" in line for line in healthy)
    concise = written(facts(Health(size=5, neg_inf=0, pos_inf=0, nan=0), mode=Mode.CONCISE_HEALTH))
    assert sum("not recorded" in line for line in concise) == 3
    none = written(facts(None, mode=Mode.NO_TENSOR))
    assert any("NO_TENSOR" in line for line in none)
    assert written(None) == ["  Nothing chosen."]


def test_history_tells_nan_from_inf_and_marks_the_chosen_one() -> None:
    kinds = (Bad.NONE, Bad.POS_INF, Bad.NAN, Bad.UNTOLD, Bad.NAN | Bad.NEG_INF)
    cells = [cell(event, bad, 5 * event) for event, bad in enumerate(kinds)]
    lines = written(facts(), cells=cells)
    (bad,) = (line for line in lines if line.strip().startswith("5 times"))
    assert bad.split() == ["5", "times", "·iN!N"]
    pane = HealthPane()
    pane.show(facts(), 2, lambda room: cells)
    (line,) = (line for line in pane.write(44) if line[1].text.strip() == "5 times")
    assert [piece.text for piece in line if piece.role == "hit"] == ["N"]


@pytest.mark.parametrize("number", [0, 999, 10**6, 123_456_789, 1_234_567_890, 10**12])
def test_a_count_is_written_whole_or_rounded_and_never_cut(number: int) -> None:
    health = Health(size=10**13, neg_inf=0, pos_inf=0, nan=0, negative=0, zero=number, positive=0)
    for width in (30, 44, 80):
        lines = written(facts(health), width)
        zero = lines[4].split()
        assert zero[0] == "0", f"{number:,} is shown as {zero}"
        assert "…" not in zero[1], f"{number:,} is shown as {zero}"


def assert_fits(lines: list[Pieces], width: int) -> None:
    wide = [line for line in lines if width_of(line) > width]
    assert not wide, f"wider than {width}: {wide}"


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_health_of_any_name_fits_any_width(name: str) -> None:
    pane = HealthPane()
    cells = [cell(event, Bad.NAN) for event in range(300)]
    pane.show(facts(name=name), 2, lambda room: cells[:room])
    for width in range(26, 161, 5):
        first, _, *rest = pane.write(width)
        assert_fits([first, *rest], width)


def test_health_of_every_tensor_fits_and_adds_up() -> None:
    navigator = browser_of(FROZEN)
    assert navigator.index is not None
    for trace in range(len(navigator.index.host.traces)):
        navigator.select_trace(trace)
        told = health_facts(navigator.index, navigator.selection)
        assert told is not None
        assert told.health is not None
        assert told.name in written(told)[0]
        counts = [line.split()[-3:] for line in written(told)[2:8] if "%" in line]
        shares = [int(share.strip("<>%")) for *_, share in counts]
        assert 97 <= sum(shares) <= 103


def test_a_notice_stands_in_the_middle_and_fits() -> None:
    pane = NoticePane()
    code = ("tf.debugging.experimental.enable_dump_debug_info(", '    "/tmp/logdir")')
    pane.show("Waiting for /tmp/logdir", ("It does not exist yet. " * 4,), code)
    for width in (60, 80, 160):
        lines = pane.write(width)
        assert_fits(lines, width)
        text = ["".join(piece.text for piece in line) for line in lines]
        assert any("Waiting for /tmp/logdir" in line for line in text)
        assert any(line.strip() == code[0] for line in text)


@pytest.mark.parametrize("name", [name for name in NAMES if name])
def test_a_notice_about_any_path_fits(name: str) -> None:
    pane = NoticePane()
    pane.show(f"Waiting for {name}", ("It does not exist yet.",), ())
    for width in WIDTHS:
        assert_fits(pane.write(width), width)


@pytest.mark.parametrize("pane", PANES)
async def test_help_has_every_key_and_scrolls(pane: str) -> None:
    help_pane = HelpPane(pane, lambda binding: binding.key)
    async with mounted(help_pane, (90, 20)) as hands:
        seen = set(bare_lines(hands))
        assert " ".join(PANE_HELP[pane])[:40] in " ".join(line.strip() for line in hands.lines())
        while help_pane.top < help_pane.last_top:
            await hands.press("pagedown")
            seen |= set(bare_lines(hands))
        text = "\n".join(seen)
        missing = [b.id for b in BINDINGS if (b.tooltip or b.description) not in text]
        assert missing == []
        await hands.press("g")
        assert help_pane.top == 0


def source_line(number: int, line_facts: LineFacts | None = None) -> str:
    pane = SourcePane()
    told = {} if line_facts is None else {number: line_facts}
    pane.show_source(HighlightedSource(["x = 1"] * 120), told, 7)
    return "".join(piece.text for piece in pane.draw(SourceLine(number), 60))


def test_the_gutter_counts_ops_and_bad_ones() -> None:
    assert source_line(5).split() == ["5", "x", "=", "1"]
    assert source_line(5, LineFacts(5, 12, 12, 0, 0, 0)).split()[:2] == ["5", "12"]
    assert source_line(5, LineFacts(5, 12, 12, 3, 99, 99)).split()[:2] == ["5", "!3"]
    assert source_line(5, LineFacts(5, 123_456, 0, 0, 0, 0)).split()[1] == "many"
    widths = {source_line(n).index("x") for n in (5, 120)}
    assert len(widths) == 1, "the text of all lines begins in one column"
