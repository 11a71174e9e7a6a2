"""The verdict: its keys, its values against TensorFlow's own protos, and its text."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.recordings.reference import Alert, events, expected_alerts
from tfdbg_tui.cli import main
from tfdbg_tui.verdict.bad_tensor import BadTensor
from tfdbg_tui.verdict.warnings import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.recordings.record import Library

Json = dict[str, Any]

FIRST_BAD_KEYS = {
    *("source", "index", "op_type", "tensor", "slot", "graph", "function", "device", "host"),
    *("wall_time", "dtype", "rank", "size", "neg_inf", "pos_inf", "nan", "location"),
    "via",
}
RUN_KEYS = {
    *("run_id", "directory", "tensorflow_version", "file_version", "started", "hosts"),
    *("verdict", "counts", "tensor_debug_modes", "alerts", "first_bad", "damage", "ending"),
    *("steps", "on_purpose", "muted", "cause", "other_causes", "warnings"),
}
CAUSE_KEYS = {
    *("rule", "verdict", "origin", "layer", "inputs", "chain", "reach", "poisoned_variables"),
    *("step", "suggestion"),
}
WARNING_KEYS = {
    *("kind", "tensor", "function", "op_type", "host", "source", "index", "step", "location"),
    *("count", "evidence", "sentence", "means"),
}
INPUT_KEYS = {
    *("tensor", "op_type", "size", "zero", "negative", "neg_inf", "pos_inf", "nan", "min", "max"),
}
COUNT_KEYS = {
    *("source_files", "stack_frames", "graphs", "graph_ops", "devices"),
    *("executions", "graph_executions"),
}
DAMAGE_KEYS = {
    "corrupt_records", "cut_bytes", "missing_files", "open_references", "unjudged_tensors",
}  # fmt: skip
MAX_LINES = 17
"""For each run."""
"""Of a run: what was first in time, why, what helps, warnings, and that there is more."""


def strict(text: str) -> Json:
    """Parse JSON as a strict reader does: no NaN, no Infinity, no key twice."""

    def refuse(literal: str) -> None:
        raise ValueError(f"{literal} is not JSON")

    def unique(pairs: list[tuple[str, Any]]) -> Json:
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    report: Json = json.loads(text, parse_constant=refuse, object_pairs_hook=unique)
    return report


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Callable[[Path], Json]:
    """What `check --json` prints about a logdir."""

    def check(logdir: Path) -> Json:
        main(["check", str(logdir), "--json"])
        captured = capsys.readouterr()
        assert captured.err == ""
        assert captured.out.endswith("}\n")
        assert captured.out.count("\n") == 1
        return strict(captured.out)

    return check


@pytest.fixture
def text(capsys: pytest.CaptureFixture[str]) -> Callable[[Path], str]:
    """What `check` prints about a logdir, checked to be short and pasteable."""

    def check(logdir: Path) -> str:
        main(["check", str(logdir)])
        captured = capsys.readouterr()
        lines = captured.out.splitlines()
        assert captured.err == ""
        assert len(lines) <= MAX_LINES * captured.out.count("run ")
        assert all(line == line.rstrip() and line.isprintable() for line in lines)
        return captured.out

    return check


# ---------------------------------------------------------------------- JSON


@pytest.mark.parametrize("scenario", ["full_health", "keras_fit", "two_runs", "circular"])
def test_json_has_exactly_the_documented_keys(
    library: Library, report: Callable[[Path], Json], scenario: str
) -> None:
    logdir = library.path(scenario)
    found = report(logdir)
    assert found.keys() == {"logdir", "runs"}
    assert found["logdir"] == str(logdir)
    for run in found["runs"]:
        assert run.keys() == RUN_KEYS
        assert run["counts"].keys() == COUNT_KEYS
        assert run["alerts"].keys() == {"inf_nan", *KINDS}
        assert all(warning.keys() == WARNING_KEYS for warning in run["warnings"])
        assert {warning["kind"] for warning in run["warnings"]} <= set(KINDS)
        assert run["damage"].keys() == DAMAGE_KEYS
        if run["first_bad"] is not None:
            assert run["first_bad"].keys() == FIRST_BAD_KEYS
            location = run["first_bad"]["location"]
            assert location is None or location.keys() == {"file", "line", "function", "code"}
            assert run["cause"].keys() == CAUSE_KEYS
            assert run["cause"]["origin"].keys() == FIRST_BAD_KEYS
            assert all(given.keys() == INPUT_KEYS for given in run["cause"]["inputs"])
            assert all(other.keys() < CAUSE_KEYS for other in run["other_causes"])


@pytest.mark.parametrize("scenario", ["full_health", "curt_health", "keras_fit", "no_tensor"])
def test_counts_and_metadata_equal_tensorflows_protos(
    library: Library, report: Callable[[Path], Json], scenario: str
) -> None:
    logdir = library.path(scenario)
    (run,) = report(logdir)["runs"]
    graphs = [event.WhichOneof("what") for _, event in events(logdir, "graphs")]
    assert run["counts"] == {
        "source_files": len(events(logdir, "source_files")),
        "stack_frames": len(events(logdir, "stack_frames")),
        "graphs": graphs.count("debugged_graph"),
        "graph_ops": graphs.count("graph_op_creation"),
        "devices": graphs.count("debugged_device"),
        "executions": len(events(logdir, "execution")),
        "graph_executions": len(events(logdir, "graph_execution_traces")),
    }
    ((name, metadata),) = events(logdir, "metadata")
    assert run["run_id"] == metadata.debug_metadata.tfdbg_run_id
    assert run["tensorflow_version"] == metadata.debug_metadata.tensorflow_version
    assert run["file_version"] == metadata.debug_metadata.file_version
    assert run["started"] == metadata.wall_time
    assert run["hosts"] == [name.split(".")[2]]
    assert run["alerts"]["inf_nan"] == len(expected_alerts(logdir))
    assert run["tensor_debug_modes"] == [
        {"keras_fit": "FULL_HEALTH"}.get(scenario) or scenario.upper()
    ]


def first_in_time(logdir: Path) -> tuple[Alert, Any]:
    """The earliest bad tensor according to TensorFlow's protos, and its event."""
    files = {"execution": "execution", "graph_execution": "graph_execution_traces"}
    all_events = {source: events(logdir, suffix) for source, suffix in files.items()}
    return min(
        ((alert, all_events[alert.source][alert.index][1]) for alert in expected_alerts(logdir)),
        key=lambda pair: (pair[1].wall_time, pair[0].source != "graph_execution", pair[0].index),
    )


@pytest.mark.parametrize("scenario", ["full_health", "curt_health", "keras_fit"])
def test_first_bad_is_the_first_in_time(
    library: Library, report: Callable[[Path], Json], scenario: str
) -> None:
    logdir = library.path(scenario)
    (run,) = report(logdir)["runs"]
    alert, event = first_in_time(logdir)
    trace, bad = event.graph_execution_trace, run["first_bad"]
    assert (bad["source"], bad["index"]) == (alert.source, alert.index)
    assert bad["wall_time"] == event.wall_time
    assert bad["slot"] == trace.output_slot
    assert bad["tensor"] == f"{trace.op_name}:{trace.output_slot}"
    assert bad["device"] == trace.device_name
    assert [bad[key] for key in ("neg_inf", "pos_inf", "nan")] == [
        alert.neg_inf,
        alert.pos_inf,
        alert.nan,
    ]
    (op,) = [
        found.graph_op_creation
        for _, found in events(logdir, "graphs")
        if found.graph_op_creation.op_name == trace.op_name
        and found.graph_op_creation.graph_id == trace.tfdbg_context_id
    ]
    assert bad["op_type"] == op.op_type
    assert bad["graph"] == op.graph_name


def test_the_guilty_line_of_the_training_loop(
    library: Library, report: Callable[[Path], Json]
) -> None:
    (run,) = report(library.path("full_health"))["runs"]
    bad = run["first_bad"]
    shown = [
        bad[key] for key in ("op_type", "tensor", "graph", "function", "dtype", "rank", "size")
    ]
    assert shown == ["Log", "Log:0", "loss", "loss", "float32", 2, 100]
    assert bad["location"]["file"].endswith("tests/recordings/scenarios/training.py")
    assert bad["location"]["function"] == "loss"
    assert bad["location"]["code"] == "diff = -labels * tf.math.log(probs)"


def test_curt_health_leaves_open_what_it_does_not_tell(
    library: Library, report: Callable[[Path], Json]
) -> None:
    (run,) = report(library.path("curt_health"))["runs"]
    bad = run["first_bad"]
    assert bad["op_type"] == "Log"
    untold = ("dtype", "rank", "size", "neg_inf", "pos_inf", "nan")
    assert [bad[key] for key in untold] == [None] * 6


def test_an_eager_execution_has_neither_graph_nor_function(
    copy_of: Callable[[str], Path], report: Callable[[Path], Json]
) -> None:
    logdir = copy_of("full_health")
    (traces,) = logdir.glob("*.graph_execution_traces")
    traces.write_bytes(b"")
    (run,) = report(logdir)["runs"]
    bad, (alert, event) = run["first_bad"], first_in_time(logdir)
    assert (bad["source"], bad["graph"], bad["function"]) == ("execution", None, None)
    assert (bad["index"], bad["slot"]) == (alert.index, alert.position)
    assert bad["tensor"] == f"{event.execution.op_type}:{alert.position}"
    assert run["alerts"]["inf_nan"] == len(expected_alerts(logdir))


def test_without_a_graphs_file_the_rest_is_told(
    copy_of: Callable[[str], Path], report: Callable[[Path], Json], text: Callable[[Path], str]
) -> None:
    logdir = copy_of("full_health")
    (whole,) = report(logdir)["runs"]
    (graphs,) = logdir.glob("*.graphs")
    graphs.unlink()
    (run,) = report(logdir)["runs"]
    bad = run["first_bad"]
    assert (bad["op_type"], bad["graph"], bad["location"]) == (None, None, None)
    same = FIRST_BAD_KEYS - {"op_type", "graph", "function", "location"}
    assert {key: bad[key] for key in same} == {key: whole["first_bad"][key] for key in same}
    assert run["damage"]["missing_files"] == [graphs.name]
    assert run["damage"]["open_references"] > 0
    assert run["counts"] == whole["counts"] | {"graphs": 0, "graph_ops": 0, "devices": 0}
    assert f"missing or unreadable: {graphs.name}" in text(logdir)


def test_a_parent_folder_tells_its_runs_apart(
    library: Library, tmp_path: Path, report: Callable[[Path], Json]
) -> None:
    for scenario in ("healthy", "full_health"):
        shutil.copytree(library.path(scenario), tmp_path / "runs" / scenario)
    runs = report(tmp_path)["runs"]
    found = {Path(run["directory"]).name: run["alerts"]["inf_nan"] for run in runs}
    assert found == {
        "healthy": 0,
        "full_health": len(expected_alerts(library.path("full_health"))),
    }


# ---------------------------------------------------------------------- text


def test_the_text_names_the_guilty_line(library: Library, text: Callable[[Path], str]) -> None:
    logdir = library.path("full_health")
    shown = text(logdir)
    assert f"BAD: {len(expected_alerts(logdir))} tensors" in shown
    assert "Log:0 (Log)" in shown
    assert "function loss" in shown
    assert "-Inf 66 of 100 elements" in shown
    assert "training.py:29 in loss" in shown
    assert "diff = -labels * tf.math.log(probs)" in shown


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        ("healthy", "CLEAN: no NaN or Inf"),
        ("no_tensor", "NOT JUDGED: this mode does not record NaN or Inf"),
        ("circular", "NOTHING TO JUDGE: no tensor is on disk"),
        ("curt_health", "this mode does not tell which"),
        ("two_runs", "BAD: "),
        ("nan_input", "NaN 1 of 32 elements, float32 2-D, came in with the data"),
        ("keras_fit", "keras_models.py:"),
    ],
)
def test_the_text_says_what_the_mode_can_tell(
    library: Library, text: Callable[[Path], str], scenario: str, words: str
) -> None:
    assert words in text(library.path(scenario))


def test_the_command_prints_what_the_function_returns(
    library: Library, report: Callable[[Path], Json]
) -> None:
    logdir = library.path("keras_fit")
    line = [sys.executable, "-m", "tfdbg_tui", "check", "--json", str(logdir)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert strict(done.stdout) == report(logdir)


def test_the_readme_shows_the_json_as_it_is(
    library: Library, report: Callable[[Path], Json]
) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    shown = strict(readme.partition("```json\n")[2].partition("```")[0])
    printed = report(library.path("full_health"))
    for run in (*shown["runs"], *printed["runs"]):
        # Shown once, and said to be the same; and how many others there are is the recording's.
        run["cause"]["origin"], run["other_causes"] = None, []
    assert shape_of(shown) == shape_of(printed)


def test_the_readme_explains_every_way_to_a_line() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    explained = readme.partition("- `location` is")[2].partition("\n- ")[0]
    ways = re.findall(r"['\"](\w+)['\"]", str(BadTensor.__annotations__["via"]))
    assert ways
    assert [way for way in ("via", *ways) if f"`{way}`" not in explained] == []


def shape_of(value: object) -> object:
    """The keys of nested objects, without their values."""
    if isinstance(value, dict):
        return {key: shape_of(inner) for key, inner in value.items()}
    return (
        [shape_of(inner) for inner in value if isinstance(inner, dict)]
        if (isinstance(value, list))
        else None
    )


def test_what_a_program_that_is_gone_left_half_written_is_missing(
    copy_of: Callable[[str], Path], report: Callable[[Path], Json]
) -> None:
    logdir = copy_of("healthy")
    (traces,) = logdir.glob("*.graph_execution_traces")
    os.truncate(traces, traces.stat().st_size - 7)
    assert report(logdir)["runs"][0]["verdict"] == "incomplete"
    with open(traces, "ab"):  # a program that has it open may write the rest
        assert report(logdir)["runs"][0]["verdict"] == "clean"


# ---------------------------------------------------------------------- early warnings


def test_early_warnings_are_counted_by_kind_and_listed(
    library: Library, report: Callable[[Path], Json]
) -> None:
    (run,) = report(library.path("early_three_layers"))["runs"]
    assert run["verdict"] == "clean"
    counts = {kind: number for kind, number in run["alerts"].items() if number}
    assert counts == {"all_zero": 1, "zero_rising": 1, "sign_collapse": 1}
    dead = next(warning for warning in run["warnings"] if warning["kind"] == "all_zero")
    assert (dead["step"], dead["op_type"], dead["function"]) == (7, "Relu", "train_step")
    assert dead["location"]["code"].endswith("# dead")
    assert dead["evidence"] == {"size": 512, "zero": 512, "invocations": 14}


def test_early_warnings_stand_below_the_verdict_and_never_fail_a_check(
    library: Library, text: Callable[[Path], str]
) -> None:
    lines = text(library.path("early_three_layers")).splitlines()
    verdict = lines.index("  CLEAN: no NaN or Inf in any recorded tensor.")
    assert all(line.startswith("  warning: ") for line in lines[verdict + 1 : verdict + 4])
    assert main(["check", str(library.path("early_three_layers"))]) == 0
