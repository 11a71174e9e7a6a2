"""The library tells what the stores hold, record by record; what it cannot it says."""

from __future__ import annotations

import html.parser
import re
import subprocess
import sys
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.recordings.hostile import HOSTILE, MARKERS, hostile_recording
from tests.support.reading import load
from tfdbg_tui import open_logdir
from tfdbg_tui.data.index.run_index import RunIndex
from tfdbg_tui.data.records.health import Health
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.errors import UserError
from tfdbg_tui.library.columns import COUNTS
from tfdbg_tui.library.event import TensorHealth
from tfdbg_tui.verdict.judgement import verdict_on_run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.recordings.record import Library

SCENARIOS = (
    "full_health", "full_tensor", "curt_health", "concise_health", "shape", "no_tensor",
    "eager_only", "filter_dtypes", "half_types_full", "mirrored", "tf1_session",
    "while_loop", "keras_fit",
)  # fmt: skip


def one_by_one(index: RunIndex) -> Iterator[tuple[tuple[int, bool, int, int], Any, Health | None]]:
    """Each tensor of a run with its health, read by protobuf."""
    for number, one in enumerate(index.hosts):
        for event in range(len(one.host.traces)):
            yield (number, False, event, 0), one.host.traces, one.host.traces.health(event)
        executions = one.host.executions
        for event in range(len(executions) if executions.is_recorded else 0):
            told = executions.read(event)
            for output, health in enumerate(() if told is None else told.health):
                yield (number, True, event, output), executions, health


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_rows_are_what_protobuf_reads_one_by_one(library: Library, scenario: str) -> None:
    index = RunIndex(load(library.path(scenario)).runs[-1])
    while index.extend():
        pass
    run = open_logdir(library.path(scenario)).run()
    rows = run.tensors.to_numpy()
    keys = zip(rows["host"], rows["eager"], rows["event"], rows["output"], strict=True)
    by_key = dict(zip(map(tuple, keys), rows, strict=True))
    dtypes = dict(zip(by_key, run.tensors["dtype"], strict=True))
    names = dict(zip(by_key, run.tensors["name"], strict=True))
    seen = 0
    for key, store, health in one_by_one(index):
        seen += 1
        row, health = by_key[key], health or Health()
        told = {name: getattr(health, name) for name in COUNTS}
        assert {name: None if row[name] < 0 else int(row[name]) for name in COUNTS} == told
        assert dtypes[key] == (health.dtype or "")
        assert row["rank"] == (-1 if health.rank is None else health.rank)
        assert row["bad"] == bool(health.bad)
        assert row["time"] == store.wall_time(key[2])
        step = index.hosts[key[0]].steps.step_of(row["time"])
        assert row["step"] == (-1 if step is None else step)
        if not key[1]:
            assert names[key] == store.site_of(key[2]).tensor_name
    assert seen == len(rows) == len(run.tensors)
    assert (np.diff(rows["time"]) >= 0).all()


@pytest.mark.parametrize("scenario", ["full_health", "tf1_session", "eager_only"])
def test_executions_are_rows_too(library: Library, scenario: str) -> None:
    run = open_logdir(library.path(scenario)).run()
    index = RunIndex(load(library.path(scenario)).runs[-1])
    while index.extend_steps():
        pass
    table = run.executions
    rows = table.to_numpy()
    executions = index.hosts[0].host.executions
    assert sorted(rows["event"].tolist()) == list(range(len(executions)))
    for row, one in zip(rows[::7], list(table)[::7], strict=True):
        tensors = one.tensors
        assert one.event == row["event"]
        assert row["outputs"] == len(tensors)
        assert row["bad"] == executions.is_bad(one.event) == one.is_bad
        assert row["nan"] == sum(n for n in tensors["nan"].tolist() if n >= 0) - (
            not (tensors["nan"] >= 0).any()
        )
        assert [tensor.name for tensor in tensors] == tensors["name"].tolist()


def test_one_tensor_is_what_its_row_says(library: Library) -> None:
    run = open_logdir(library.path("full_tensor")).run()
    table = run.tensors
    for number in range(0, len(table), 9):
        tensor = table[number]
        health = tensor.health
        assert tensor.name == table["name"][number]
        assert tensor.op_type == table["op_type"][number]
        assert tensor.is_bad == health.is_bad == table["bad"][number]
        assert (health.size or 0) == max(0, table["size"][number])
        assert health.dtype == table["dtype"][number]
        if health.nan is not None:
            value = tensor.value()
            assert value.shape == health.shape
            assert np.count_nonzero(np.isnan(value)) == health.nan
            if value.ndim:
                part = tensor.value("[..., :1]")
                assert np.array_equal(part, value[..., :1], equal_nan=True)
        line = tensor.source
        assert (
            (line.file, line.line) == (table["file"][number], table["line"][number])
            if line
            else (not table["line"][number])
        )
        assert not tensor.stack or any(frame.is_user for frame in tensor.stack) == bool(line)


@pytest.mark.parametrize(
    "query", ["bad", "op:Log nan>0", "-bad size>=1", "step:2..3", "dtype:int32"]
)
def test_a_query_gives_the_rows_that_fit(library: Library, query: str) -> None:
    run = open_logdir(library.path("full_tensor")).run()
    table = run.tensors
    fits = {
        "bad": table["bad"],
        "op:Log nan>0": (table["op_type"] == "Log") & (table["nan"] > 0),
        "-bad size>=1": ~table["bad"].astype(bool) & (table["size"] >= 1),
        "step:2..3": (table["step"] >= 2) & (table["step"] <= 3),
        "dtype:int32": table["dtype"] == "int32",
    }[query]
    expected = table[fits].to_numpy()
    if query == "-bad size>=1":  # a negated term holds for none of the tensors of an event
        bad = {(row["eager"], row["event"]) for row in table[table["bad"]].to_numpy()}
        expected = expected[[(row["eager"], row["event"]) not in bad for row in expected]]
    found = run.query(query).to_numpy()
    assert len(found)
    assert found.tolist() == expected.tolist()


def test_of_an_execution_with_several_tensors_those_come_that_a_function_holds_for(
    library: Library,
) -> None:
    filters = {"second": lambda tensor, value: tensor.output == 1}
    run = open_logdir(library.path("full_tensor"), filters=filters).run()
    found = run.query("filter:second")
    assert len(found)
    assert set(found["output"].tolist()) == {1}
    assert len(found) == np.count_nonzero(run.tensors["output"] == 1)


def test_causes_are_those_of_check(library: Library) -> None:
    run = open_logdir(library.path("full_health")).run()
    told = verdict_on_run(load(library.path("full_health")).runs[-1]).causes.ranked
    assert [cause.sentence for cause in run.causes] == [cause.sentence for cause in told]
    cause = run.cause()
    assert cause is not None
    (first, *_) = run.query(f"tensor={cause.tensor} bad")
    own = first.cause()
    assert own == cause
    assert first.source == cause.source
    fine = next(tensor for tensor in run.tensors if not tensor.is_bad)
    assert fine.cause() is None
    assert open_logdir(library.path("healthy")).run().cause() is None


def test_a_history_is_every_computation_of_the_same_tensor(library: Library) -> None:
    run = open_logdir(library.path("full_health")).run()
    (log, *_) = run.query("op=Log")
    history = run.history(log)
    assert history["event"].tolist() == run.query("op=Log")["event"].tolist()
    assert set(history["site"].tolist()) == {log.site}
    assert len(set(history["step"].tolist())) == len(history)


def test_a_frame_of_pandas_has_the_same_rows(library: Library) -> None:
    pandas = pytest.importorskip("pandas")
    run = open_logdir(library.path("full_health")).run()
    frame = run.tensors.to_pandas()
    assert tuple(frame.columns) == run.tensors.columns
    assert len(frame) == len(run.tensors)
    assert frame["name"].tolist() == run.tensors["name"].tolist()
    told = run.tensors["nan"] >= 0
    assert frame["nan"].isna().tolist() == (~told).tolist()
    assert frame["nan"].sum() == run.tensors["nan"][told].sum()
    assert frame["time"].dt.year.min() >= 2024
    assert isinstance(run.executions.to_pandas(), pandas.DataFrame)


# ---------------------------------------------------------------------- sentences


def test_what_is_wrong_is_said_in_a_sentence(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(UserError, match=r"does not exist\.$"):
        open_logdir(tmp_path / "none")
    with pytest.raises(UserError, match=r"is a file; open the directory it is in\.$"):
        open_logdir(file)
    with pytest.raises(UserError, match=r"there is no file of filters"):
        open_logdir(tmp_path, filters=tmp_path / "none.py")
    with pytest.raises(ValueError, match=r"a b is no name for a filter"):
        open_logdir(tmp_path, filters={"a b": lambda tensor, value: True})
    assert len(open_logdir(tmp_path)) == 0
    with pytest.raises(ValueError, match=r"There is no tfdbg recording in"):
        open_logdir(tmp_path).run()
    logdir = open_logdir(library.path("full_health"))
    with pytest.raises(ValueError, match=r"There is no run zz; there is "):
        logdir.run("zz")
    run = logdir.run()
    with pytest.raises(ValueError, match=r"is no number; write for example nan>100"):
        run.query("nan>x")
    with pytest.raises(ValueError, match=r"There is no column numbers; there are time, "):
        run.tensors["numbers"]
    with pytest.raises(ValueError, match=r"FULL_HEALTH does not record values; FULL_TENSOR does\."):
        run.tensors[0].value()
    with pytest.raises(ValueError, match=r"There is no filter mine"):
        run.query("filter:mine")


def test_a_slice_that_makes_no_sense_is_told(library: Library) -> None:
    (log, *_) = open_logdir(library.path("full_tensor")).run().query("op=Log")
    for part in ("[0:2", "[9, 9, 9]", "[x]"):
        with pytest.raises(ValueError, match=r"\.$"):
            log.value(part)


def test_a_function_that_fails_is_a_warning(library: Library) -> None:
    filters = {"wrong": lambda tensor, value: tensor.no_such_thing}
    run = open_logdir(library.path("full_health"), filters=filters).run()
    with pytest.warns(
        UserWarning, match=r"wrong raised AttributeError: .*; that counts as False\."
    ):
        assert len(run.query("op:Log filter:wrong")) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run.query("op:Log filter:wrong")


# ---------------------------------------------------------------------- what a notebook shows


class Tags(html.parser.HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"style"}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_recorded_text_is_text_in_a_notebook_and_harmless_when_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evil = "<script>alert(1)</script><b onmouseover='x'>"
    monkeypatch.setitem(HOSTILE, "web", evil.encode())
    logdir = open_logdir(hostile_recording(tmp_path / "<i>logdir", together=True))
    run = logdir.run()
    (first, *_) = run.query("bad")
    cause = run.cause()
    assert cause is not None
    page = Tags()
    shown = (logdir, run, run.tensors, run.executions, first, run.executions[0], cause)
    for one in shown:
        page.feed(one._repr_html_())
    assert page.tags <= {"p", "b", "table", "thead", "tbody", "tr", "th", "td"}
    assert "<script>alert(1)</script>" in page.text, "it is there, as text"
    names = [*run.tensors["name"].tolist(), *run.tensors["file"].tolist(), str(first.stack)]
    printed = "".join([page.text, *map(repr, shown), *names, cause.sentence, str(first.source)])
    assert not [marker for marker in MARKERS if marker.decode() in printed]
    assert re.search(r"[\x00-\x1f]", printed) is None


def test_it_is_imported_when_it_is_asked_for() -> None:
    program = (
        "import sys, tfdbg_tui\n"
        "before = [n for n in sys.modules if n.startswith(('numpy', 'tfdbg_tui.'))]\n"
        "from tfdbg_tui import open_logdir\n"
        "heavy = {'textual', 'rich', 'tensorflow', 'pandas'} & set(sys.modules)\n"
        "print(before, heavy, hasattr(tfdbg_tui, 'nothing'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[] set() False\n"


def test_health_of_nothing_told_is_none(library: Library) -> None:
    tensor = open_logdir(library.path("no_tensor")).run().tensors[0]
    assert tensor.health == TensorHealth(is_bad=False, mode="NO_TENSOR")
    assert tensor._kind in EventKind
