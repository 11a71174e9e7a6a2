"""The doctor says of each recording what it cannot show, and nothing that does not hold."""

from __future__ import annotations

import ast
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.recordings.fabricate import split
from tests.recordings.programs import SCENARIOS
from tests.recordings.scenarios import __path__ as scenario_folders
from tests.support.damage import INJURIES, deny
from tests.support.examining import examine
from tests.support.sessions_told import KERAS, SESSIONS
from tfdbg_tui.data.index import function_facts
from tfdbg_tui.data.index.function_facts import Functions
from tfdbg_tui.data.live.snapshot import Activity, Snapshot
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.doctor.finding import Level
from tfdbg_tui.doctor.findings import findings
from tfdbg_tui.doctor.observe import observe

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.doctor.finding import Finding

WIDEST_HEADLINE = 65
"""Cells, where no path is in it: so that the line in the app holds it at 80 columns."""

GOOD = ["all-well", "recorded"]
TRAINED = ["gradient-not-traced", "full-health"]
"""What is said of a custom loop with an eager tape."""

EXPECTED = {
    "no_tensor": ["no-tensor", "recorded", "gradient-not-traced"],
    "curt_health": ["curt-health", "recorded", "gradient-not-traced"],
    "concise_health": [*GOOD, "gradient-not-traced", "concise-health"],
    "full_health": [*GOOD, *TRAINED],
    "shape": ["shape", "recorded", "gradient-not-traced"],
    "full_tensor": [*GOOD, "gradient-not-traced"],
    "filter_op_regex": [*GOOD, *TRAINED],
    "filter_dtypes": [*GOOD, *TRAINED],
    "eager_only": [*GOOD, "functions-run-eagerly", "full-health"],
    "keras_fit": [*GOOD, "full-health"],
    "lstm": [*GOOD, "full-health"],
    "keras_shapes": [*GOOD, "full-health"],
    **{name: [*GOOD, "full-health"] for name in KERAS},
    "keras_eagerly": [*GOOD, "no-functions", "full-health"],
    **{name: [*GOOD, "session-updates", "full-health"] for name in SESSIONS},
    "while_loop": [*GOOD, "full-health"],
    "branches": [*GOOD, "full-health"],
    "retraced": [*GOOD, "full-health"],
    "always_retraced": [*GOOD, "full-health"],
    "gradient_ops": [*GOOD, "full-health"],
    "composed_gradients": [*GOOD, "full-health"],
    "traced_early": ["traced-early", "recorded", "full-health"],
    "mirrored": [*GOOD, "full-health"],
    "tf1_session": [*GOOD, "full-health"],
    "half_types": [*GOOD, "full-health"],
    "half_types_full": GOOD,
    "healthy": [*GOOD, *TRAINED],
    "masked": [*GOOD, "full-health"],
    "nan_input": [*GOOD, "full-health"],
    "tf_data": [*GOOD, "full-health"],
    "compiled": ["xla", "recorded", "full-health"],
    "compiled_by_keras": ["xla", "recorded", "full-health"],
    "first_call_fails": ["call-unfinished", "recorded", "full-health"],
    "gradient_inside": [*GOOD, "full-health"],
    "only_traced": [*GOOD, "never-called", "full-health"],
    "no_functions": [*GOOD, "no-functions", "full-health"],
    "nothing_computed": ["nothing-computed"],
    "newest_only": ["newest-only", "recorded", "full-health"],
    "killed": ["cut-tail", "recorded", *TRAINED],
    "circular": ["lost-in-memory"],
    "same_second": ["torn-files", "recorded", *TRAINED],
    "op_fails": ["script-failed", "recorded", "full-health"],
    "loop_fails": ["script-failed", "recorded", "full-health"],
    "data_fails": ["script-failed", "recorded", "no-functions", "full-health"],
    "eager_fails": ["script-failed", "recorded", "no-functions", "full-health"],
    "tf1_fails": ["script-failed", "recorded", "session-updates", "full-health"],
    "threads": ["traced-early", "other-threads", "recorded", "full-health"],
}
"""All that is said of each recorded program, once it has ended; two_runs has a test of its own."""


def is_fit_to_be_read(finding: Finding) -> bool:
    """Whether a finding keeps to the form that all have."""
    headlines = (finding.headline, *finding.shorter)
    has_path = "/" in headlines[-1]
    return (
        (has_path or len(headlines[-1]) <= WIDEST_HEADLINE)
        and headlines == tuple(sorted(headlines, key=len, reverse=True))
        and not any(headline.endswith(".") for headline in headlines)
        and finding.id == finding.id.lower()
        and all(finding.text)
        and (not finding.text or finding.text[-1][-1] == (":" if finding.code else "."))
    )


def levels(found: tuple[Finding, ...]) -> list[int]:
    return [list(Level).index(finding.level) for finding in found]


@pytest.mark.parametrize("scenario", EXPECTED)
def test_each_recording_gets_its_findings_and_no_other(library: Library, scenario: str) -> None:
    examined = examine(library.path(scenario))
    assert examined.ids == EXPECTED[scenario]
    (found,) = examined.found
    assert levels(found) == sorted(levels(found)), "the most serious first"
    assert all(map(is_fit_to_be_read, found))


def test_no_recorded_program_is_left_out() -> None:
    assert {*EXPECTED, "two_runs"} == set(SCENARIOS)


@pytest.mark.parametrize("scenario", EXPECTED)
def test_a_second_look_says_the_same(library: Library, scenario: str) -> None:
    """Two snapshots of a run that rests are equal, so that nothing is painted."""
    first, second = examine(library.path(scenario)), examine(library.path(scenario))
    assert first.found == second.found
    assert first.states[0].functions == second.states[0].functions


def test_a_good_recording_says_what_is_recorded(library: Library) -> None:
    examined = examine(library.path("full_health"))
    assert examined.finding("all-well").level is Level.FACT
    recorded = examined.finding("recorded")
    assert recorded.headline == "FULL_HEALTH of 110 executions and 108 graph tensors"
    assert recorded.text == ("On 1 host, and the program has ended.",)


# ---------------------------------------------------------------------- nothing to show


def test_a_logdir_that_is_absent_or_empty_says_how_to_record(tmp_path: Path) -> None:
    for path, wanted in ((tmp_path / "later", "no-logdir"), (tmp_path, "no-recording")):
        (finding,) = findings(observe(Logdir(path)), None)
        assert finding.id == wanted
        assert is_fit_to_be_read(finding)
        assert f'"{path}"' in finding.code[1]
        assert "tfdbg-tui run train.py" in " ".join(finding.text)


@pytest.mark.parametrize("suffix", [".metadata", ""])
def test_a_recording_that_has_begun_is_not_said_to_hold_anything_back(
    copy_of: Callable[[str], Path], suffix: str
) -> None:
    logdir = copy_of("nothing_computed")
    for path in logdir.iterdir():
        if not path.name.endswith(suffix):
            path.unlink()
    assert examine(logdir, writer=True).ids == ["begun"]


def test_a_circular_buffer_holds_back_while_the_program_is_there(library: Library) -> None:
    logdir = library.path("circular")
    examined = examine(logdir, writer=True)
    assert examined.ids == ["held-back"]
    finding = examined.finding("held-back")
    assert finding.level is Level.PROBLEM
    assert finding.code[1].strip() == f'"{logdir}",'
    ast.parse("\n".join(finding.code))


def test_loading_says_nothing_that_may_not_last(library: Library) -> None:
    loading = examine(library.path("no_tensor"), activity=Activity.LOADING)
    assert loading.ids == ["loading"]


# ---------------------------------------------------------------------- modes


@pytest.mark.parametrize(
    ("scenario", "level"),
    [
        ("no_tensor", Level.PROBLEM),
        ("shape", Level.WARNING),
        ("curt_health", Level.WARNING),
        ("concise_health", Level.FACT),
        ("full_health", Level.FACT),
    ],
)
def test_a_mode_says_what_it_cannot_tell(library: Library, scenario: str, level: Level) -> None:
    logdir = library.path(scenario)
    finding = examine(logdir).finding(scenario.replace("_", "-"))
    assert finding.level is level
    assert finding.headline.startswith(f"{scenario.upper()}: ")
    if scenario != "full_health":
        assert f'"{logdir}"' in finding.code[1]
        assert 'tensor_debug_mode="FULL_HEALTH"' in finding.code[2]
        ast.parse("\n".join(finding.code))


# ---------------------------------------------------------------------- functions


def line_with(text: str, file: str = "functions.py") -> str:
    """Where a line of a scenario stands, as findings tell it."""
    folder = next(iter(scenario_folders))
    with open(f"{folder}/{file}", encoding="utf-8") as lines:
        number = next(n for n, line in enumerate(lines, 1) if text in line)
    return f"{file}:{number}"


def test_a_compiled_function_is_named_with_the_line_to_change(library: Library) -> None:
    finding = examine(library.path("compiled")).finding("xla")
    assert finding.text[0].startswith("fused was called")
    place, code = finding.code
    assert place.endswith(line_with("@tf.function(jit_compile=True)"))
    assert code == "@tf.function(jit_compile=False)"


def test_a_model_that_keras_compiles_is_named_with_the_line_to_change(library: Library) -> None:
    finding = examine(library.path("compiled_by_keras")).finding("xla")
    assert finding.code[-1] == 'model.compile(optimizer="sgd", loss="mse", jit_compile=False)'


def test_a_function_that_failed_for_its_own_reasons_is_not_blamed_on_xla(
    library: Library,
) -> None:
    finding = examine(library.path("first_call_fails")).finding("call-unfinished")
    assert finding.headline.startswith("fussy: ")
    assert "functions.py:" in finding.text[0]


def test_a_program_that_goes_on_may_yet_come_back_from_its_call(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    logdir = Logdir(library.path("compiled"))
    logdir.load()
    (host,) = logdir.runs[0].hosts
    watched = Functions(host)
    assert watched.facts(ended=False).unfinished == ()
    monkeypatch.setattr(function_facts, "STALLED_AFTER", 0.0)
    assert [called.name for called in watched.facts(ended=False).unfinished] == ["fused"]


def test_facts_about_functions_come_as_their_files_grow(library: Library, tmp_path: Path) -> None:
    """The same is known in the end, whatever came first."""
    source = library.path("full_health")
    logdir = Logdir(tmp_path)
    for suffix in ("metadata", "execution", "graph_execution_traces"):
        shutil.copy2(next(source.glob(f"*.{suffix}")), tmp_path)
    logdir.load()
    (host,) = logdir.runs[0].hosts
    growing = Functions(host)
    assert growing.facts(ended=False).gradients
    for suffix in ("graphs", "stack_frames", "source_files"):
        shutil.copy2(next(source.glob(f"*.{suffix}")), tmp_path)
        logdir.load()
        growing.facts(ended=False)
    assert growing.facts(ended=True) == Functions(host).facts(ended=True)
    assert growing.facts(ended=True).gradients[0].line is not None


def test_a_gradient_is_named_with_the_line_that_takes_it(library: Library) -> None:
    finding = examine(library.path("full_health")).finding("gradient-not-traced")
    assert finding.headline == "Inside the gradient of loss and model nothing is recorded"
    assert line_with("tape.gradient(value, w)", "training.py") in " ".join(finding.text)
    assert finding.code[0] == "@tf.function"


def test_what_was_dropped_from_a_buffer_is_not_said_to_have_failed(
    copy_of: Callable[[str], Path],
) -> None:
    """In a ring of 1,000 the only call of a function may be gone."""
    logdir = copy_of("newest_only")
    ids = examine(logdir).ids
    assert "call-unfinished" not in ids
    assert "newest-only" in ids


# ---------------------------------------------------------------------- files


def test_runs_that_share_a_directory_are_told_of_each_other(library: Library) -> None:
    examined = examine(library.path("two_runs"))
    for found, other in zip(examined.found, reversed(examined.states), strict=True):
        finding = next(f for f in found if f.id == "other-runs")
        assert finding.level is Level.FACT
        assert other.run.key in finding.text[0]


def test_runs_in_folders_of_their_own_do_not_disturb_each_other(
    library: Library, tmp_path: Path
) -> None:
    for scenario in ("healthy", "nan_input"):
        shutil.copytree(library.path(scenario), tmp_path / scenario)
    for found in examine(tmp_path).found:
        assert "other-runs" not in [finding.id for finding in found]


def test_files_torn_by_two_processes_get_folders_of_their_own(library: Library) -> None:
    logdir = library.path("same_second")
    finding = examine(logdir).finding("torn-files")
    assert finding.level is Level.PROBLEM
    assert f'f"{logdir}/{{os.getpid()}}"' in finding.code[1]
    ast.parse("\n".join(finding.code))


@pytest.mark.parametrize("suffix", ["execution", "graph_execution_traces", "graphs"])
def test_one_damaged_file_is_damage_and_not_two_processes(
    copy_of: Callable[[str], Path], suffix: str
) -> None:
    logdir = copy_of("full_health")
    file = next(logdir.glob(f"*.{suffix}"))
    offsets = [offset for offset, _ in split(file)]
    file.write_bytes(INJURIES["payload 40% of record 30%"].apply(file.read_bytes(), offsets))
    examined = examine(logdir)
    assert examined.ids[:2] == ["damaged-records", "recorded"]
    assert "torn-files" not in examined.ids
    finding = examined.finding("damaged-records")
    assert finding.headline == "1 damaged record is left out"
    assert file.name in finding.text[0]


@pytest.mark.parametrize(
    ("suffix", "level"),
    [
        ("graph_execution_traces", Level.PROBLEM),
        ("execution", Level.PROBLEM),
        ("source_files", Level.WARNING),
    ],
)
def test_a_missing_file_is_named(copy_of: Callable[[str], Path], suffix: str, level: Level) -> None:
    logdir = copy_of("retraced")
    file = next(logdir.glob(f"*.{suffix}"))
    file.unlink()
    examined = examine(logdir)
    assert "call-unfinished" not in examined.ids, "its calls may be in that file"
    finding = examined.finding("missing-files")
    assert finding.level is level
    assert finding.text[0].startswith(file.name)


def test_a_file_that_is_denied_is_named(
    copy_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    logdir = copy_of("full_health")
    deny(monkeypatch, "open", ".graph_execution_traces")
    snapshot = observe(Logdir(logdir))
    (state,) = snapshot.runs
    (problem, *others) = findings(snapshot, state)
    assert problem.id == "unreadable"
    assert problem.headline.endswith(".graph_execution_traces cannot be read (Permission denied)")
    assert "missing-files" not in [finding.id for finding in others]


def test_a_logdir_that_was_deleted_is_not_said_to_miss_files(
    copy_of: Callable[[str], Path],
) -> None:
    logdir = copy_of("healthy")
    loaded = examine(logdir)
    shutil.rmtree(logdir)
    (state,) = loaded.states
    for host in state.run.hosts:
        host.refresh()
    gone = Snapshot(str(logdir), exists=False, activity=Activity.ENDED, runs=(state,), gone=True)
    ids = [finding.id for finding in findings(gone, state)]
    assert "logdir-gone" in ids
    assert "missing-files" not in ids
