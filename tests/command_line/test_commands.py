"""What each command says of real recordings, and what it says to those who ask wrongly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.command_line.asking import asked_about, column, told
from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.help import help_on
from tfdbg_tui.command_line.parsing import parse
from tfdbg_tui.command_line.running import Running, answer
from tfdbg_tui.command_line.table import COMMANDS
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library


@pytest.fixture
def health(library: Library) -> Path:
    return library.path("full_health")


@pytest.fixture
def values(library: Library) -> Path:
    return library.path("full_tensor")


# ---------------------------------------------------------------------- lt, q


def test_lt_lists_every_event_in_time(health: Path) -> None:
    run = asked_about(health).run
    host = run.hosts[0].host
    assert len(column(health, "lt", "event")) == len(host.traces) + len(host.executions)
    times = column(health, "lt", "time")
    assert times == sorted(times)  # type: ignore[type-var]


@pytest.mark.parametrize("key", ["size", "op", "name"])
def test_lt_sorts_by_a_column_and_leaves_the_unknown_to_the_end(health: Path, key: str) -> None:
    for flag, is_reversed in (("", False), (" -r", True)):
        found = column(health, f"lt -s {key}{flag}", key)
        known = [value for value in found if value is not None]
        if key == "name":  # which is shown without the slot that tells nothing
            known = [str(name).removesuffix(":0") for name in known]
        assert known == sorted(known, reverse=is_reversed)  # type: ignore[type-var]
        assert found[: len(known)].count(None) == 0


def test_lt_sorts_the_worst_first(health: Path) -> None:
    words = column(health, "lt -s health", "health")
    bad = column(health, "lt bad", "health")
    assert bad
    assert all("NaN" in str(word) or "inf" in str(word) for word in words[: len(bad)])
    assert not any("NaN" in str(word) or "inf" in str(word) for word in words[len(bad) :])


def test_lt_combines_options_and_a_query(health: Path) -> None:
    assert set(column(health, "lt -t Log -f nan", "op")) == {"Log"}
    assert column(health, "lt -t Log -f nan", "event") == [78, 87, 96, 105]
    assert column(health, "lt -t Log$ step:9", "event") == [78]
    assert column(health, "lt -n Log$ -f inf nan=0", "event") == [69]
    assert "MatMul:0" in column(health, "lt -f bad", "name")
    assert "MatMul:0" not in column(health, "lt -f has_inf_or_nan -fenn Mat", "name")
    assert set(column(health, "lt -n Mul$", "name")) == {"Mul"}


def test_what_a_mode_does_not_tell_is_said(library: Library) -> None:
    assert "NO_TENSOR does not tell nan.\n" in told(library.path("no_tensor"), "lt nan")


def test_q_tells_step_function_and_line(health: Path) -> None:
    assert column(health, "q op:Log nan>0", "step") == [9, 10, 11, 12]
    assert set(column(health, "q op:Log nan>0", "function")) == {"loss"}
    (line,) = set(column(health, "q op:Log nan>0", "line"))
    assert str(line).endswith("training.py:29")


def test_rows_are_made_when_they_are_looked_at(health: Path) -> None:
    result = answer(asked_about(health), "lt")
    (row,) = result.rows.rows(100, 101)
    assert row[3].link == EventRef(0, EventKind.TRACE, row[5].value)  # type: ignore[arg-type]
    assert result.rows.sorted_by("event", False).rows(0, 1)[0][5].value == 0


# ---------------------------------------------------------------------- ni, li, lo


def test_ni_tells_an_op(health: Path) -> None:
    text = told(health, "ni -d -t Log")
    assert "type:     Log\n" in text
    assert "1 input:\n  probs (Placeholder)  not recorded\n" in text
    assert "1 consumer:\n  mul (Mul)  NaN 58 +inf 8\n" in text
    assert "     7  #69  step 8  -inf 66\n" in text
    assert "    diff = -labels * tf.math.log(probs)\n" in text


def test_li_goes_down_to_what_was_computed_first(health: Path) -> None:
    text = told(health, "li -r -t Mean:0")
    assert "└ Log " in text
    assert "Softmax" in text
    assert told(health, "li Mean:0").splitlines()[1:] == [
        "tensor   health         event",
        "Mean     NaN 1          #71",
        "├ mul    NaN 58 +inf 8  #70",
        "└ Const  not recorded",
    ]


def test_lo_goes_on_to_what_takes_it(health: Path) -> None:
    assert [str(name) for name in column(health, "lo -r Log", "tensor")] == [
        "Log:0", "mul:0", "Mean:0", "Identity:0", "loss:0",
    ]  # fmt: skip


@pytest.mark.parametrize("line", ["li -c Log", "ni -a Log"])
def test_what_is_not_recorded_is_said(health: Path, line: str) -> None:
    assert "not recorded" in told(health, line).splitlines()[-1]


def test_the_chosen_call_is_the_one_that_is_told(health: Path) -> None:
    context = asked_about(health)
    chosen = EventRef(0, EventKind.TRACE, 8, 0)
    here = type(context)(context.logdir, context.run, context.observe, chosen=chosen)
    assert answer(here, "pt Log").title.startswith("Log:0 #6, step 1")
    assert answer(context, "pt Log").title.startswith("Log:0 #69, step 8")


# ---------------------------------------------------------------------- ps, ls, ri, steps


def test_sources_are_listed_and_printed(health: Path) -> None:
    assert "training.py" in str(column(health, "ls -p training", "path"))
    assert column(health, "ls -n Softmax$ -p scenarios", "ops") == column(
        health, "ls -p scenarios/training", "ops"
    )
    text = told(health, "ps -t training.py -b 29")
    assert text.splitlines()[1:4] == [
        "   29     diff = -labels * tf.math.log(probs)",
        "        Neg:0",
        "        Log:0  5 bad tensors",
    ]


def test_ri_tells_the_run(library: Library, health: Path) -> None:
    facts = answer(asked_about(health), "ri").facts
    assert facts["steps"] == 12
    assert facts["tensor_debug_modes"] == ["FULL_HEALTH"]
    assert answer(asked_about(library.path("tf1_session")), "ri").facts["session_runs"]


def test_steps_tell_what_is_bad_in_each(health: Path) -> None:
    assert column(health, "steps", "bad") == [0, 0, 0, 0, 0, 0, 0, 10, 19, 19, 19, 26]
    result = answer(asked_about(health), "steps").rows.sorted_by("bad", True)
    assert [row[0].value for row in result.rows(0, 2)] == [12, 9]


def test_a_run_without_steps_says_so(library: Library) -> None:
    result = answer(asked_about(library.path("circular")), "steps")
    assert result.is_empty


# ---------------------------------------------------------------------- why, alerts, doctor


def test_why_tells_the_cause_and_of_a_tensor_its_own(health: Path) -> None:
    assert "Log took 66 zeros of Softmax and made -inf in 66 of 100" in told(health, "why")
    assert "From there to what was asked" in told(health, "why Mean:0")
    assert told(health, "why Neg") == "Neg is not bad in what is recorded.\n"


def test_a_clean_run_has_no_why_and_no_alerts(library: Library) -> None:
    path = library.path("healthy")
    assert answer(asked_about(path), "why").is_empty
    assert "0 bad tensors" in told(path, "alerts")


def test_alerts_are_causes_above_what_follows(health: Path) -> None:
    words = column(health, "alerts", "is")
    assert words[:2] == ["cause", "follows"]
    assert words[-1] == "warning"


def test_the_doctor_says_what_he_says_elsewhere(health: Path) -> None:
    assert "fact      All is well" in told(health, "doctor")


# ---------------------------------------------------------------------- filter, help


def test_a_filter_is_a_name_for_a_query(health: Path) -> None:
    assert "dead stands for zero=100%" in told(health, "filter dead zero=100%")
    assert column(health, "lt -f dead", "event") == column(health, "lt zero=100%", "event")
    assert "dead" in column(health, "filter", "name")
    with pytest.raises(CommandError, match="bad is a filter of ours"):
        told(health, "filter bad nan")
    with pytest.raises(CommandError, match="begins with a letter"):
        told(health, "filter 1x nan")


def test_help_tells_every_command_and_option(health: Path) -> None:
    listed = told(health, "help")
    for definition in COMMANDS:
        assert f"\n{definition.name} " in f"\n{listed}"
        page = help_on(definition.name)
        assert page.title == definition.usage
        text = "".join(cell.text for line in page.lines for cell in line)
        assert all(option.meaning in text for option in definition.options)


# ---------------------------------------------------------------------- pt


def test_pt_prints_a_slice_with_what_lies_in_ranges(values: Path) -> None:
    lines = told(values, "pt Log:0[0, :3] -n 0 -r '<-3'").splitlines()
    assert lines[0] == "Log:0 #6, step 1, number 0 of 12 from 0"
    assert lines[3] == " -2.177  -3.081*  -3.541*"
    assert lines[-1] == "* marks what lies in <-3."


def test_pt_prints_what_the_mode_tells(health: Path) -> None:
    lines = told(health, "pt Log").splitlines()
    assert lines[1:] == [
        "float32 2D 100",
        "-inf 66  zero 4  - 30",
        "FULL_HEALTH does not record values; FULL_TENSOR does.",
    ]


def test_pt_writes_what_numpy_reads(values: Path, tmp_path: Path) -> None:
    import numpy as np

    told(values, f"pt Log:0[2:4] -n 0 -w '{tmp_path}/log.npy'")
    assert np.load(tmp_path / "log.npy").shape == (2, 5)
    with pytest.raises(CommandError, match=r"is there already; write >!"):
        told(values, f"pt Log:0 -w '{tmp_path}/log.npy'")
    told(values, f"pt Log:0 -w '>!{tmp_path}/log.npy'")
    assert np.load(tmp_path / "log.npy").shape == (20, 5)


def test_eval_computes_with_recorded_values(values: Path) -> None:
    facts = answer(asked_about(values), "eval np.isinf(`Log:0`).sum()").facts
    assert facts["value"] == 66
    assert "`Log:0`" in told(values, "eval `Log:0`[0, :2] * 2")


# ---------------------------------------------------------------------- wrong


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("lt -n [", "-n [ is no regular expression: a [ is not closed"),
        ("lt -s colour", "-s colour is no column; write one of time, size, op, name and health."),
        ("lt -f dead_", "There is no filter dead_, only bad, nan, inf"),
        ("lt nan>x", "x is no number; write for example nan>100."),
        ("q nan>", "nan> needs a number"),
        ("ni Nope", "No tensor is called Nope"),
        ("li og:0", "No tensor is called og:0; there are Log:0"),
        ("li Log:7", "Log has 1 output; Log:7 is none of them."),
        ("pt graph#999999", "There are 108 graph tensors; graph#999999 is none of them."),
        ("pt Log -n 99", "Log has 12 computations, counted from 0; -n 99 is none of them."),
        ("pt Log -r abc", "A range looks like >1"),
        ("ps nope.py", "No recorded source file is called nope.py; yours: "),
        ("ls -p (", "-p ( is no regular expression"),
        ("eval `Log:0` > 0", "Log:0 has no value here: FULL_HEALTH does not record values"),
        ("help nope", "There is no command nope; `help` lists them."),
        ("exit", "`exit` does something in the app only."),
        ("ri > /", "/ is no file that could be written."),
    ],
)
def test_wrong_commands_get_a_sentence(health: Path, line: str, words: str) -> None:
    with pytest.raises(CommandError) as raised:
        told(health, line)
    assert words in str(raised.value)
    assert str(raised.value)[-1] in ".?"


@pytest.mark.parametrize("cut", ["[99]", "[0,0,0]", "[a]", "[0", "[::0]"])
def test_wrong_slices_get_a_sentence(values: Path, cut: str) -> None:
    with pytest.raises(CommandError) as raised:
        told(values, f"pt 'Log:0{cut}'")
    assert str(raised.value).endswith(".")


# ---------------------------------------------------------------------- files


def test_a_result_is_written_once_and_never_through_a_link(health: Path, tmp_path: Path) -> None:
    target = tmp_path / "ri.txt"
    told(health, f"ri > '{target}'")
    assert target.read_text().startswith("run: ")
    with pytest.raises(CommandError, match="is there already"):
        told(health, f"ri > '{target}'")
    told(health, f"ls >! '{target}'")
    assert "source files" in target.read_text()
    link = tmp_path / "link"
    link.symlink_to(target)
    for sign in (">", ">!"):
        with pytest.raises(CommandError, match="symbolic link"):
            told(health, f"ri {sign} '{link}'")


def test_in_the_app_a_command_is_worked_on_in_slices(health: Path) -> None:
    running = Running(asked_about(health), parse("lt -f bad -s size"))
    while running.extend():
        assert not running.is_done
    assert running.result is not None
    assert len(running.result.rows) == 62
    wrong = Running(asked_about(health), parse("li Nope"))
    while wrong.extend():
        pass
    assert str(wrong.error).startswith("No tensor is called Nope")
