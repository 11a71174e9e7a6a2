"""Early warnings: programs that deserve them get them, at their lines; healthy ones get none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.recordings.early.table import EARLY, FOLDER, HEALTHY, WARNED
from tests.recordings.judged.table import JUDGED
from tests.support.growing import Growing
from tests.support.navigating import browsed, browsing, finish
from tests.support.reading import drain, load
from tfdbg_tui.data.early.run_warnings import RunWarnings
from tfdbg_tui.data.early.thresholds import Thresholds

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.early.warning import EarlyWarning

JUDGED_HEALTHY = [f"judged_{judged.name}" for judged in JUDGED if judged.healthy]

ORDINARY = (
    *("healthy", "masked", "tf_data", "branches", "while_loop", "retraced", "no_tensor", "shape"),
    *("keras_shapes", "keras_plots", "keras_batches", "keras_evaluation", "keras_several", "lstm"),
    *("keras_eagerly", "keras_own_loop", "tf1_training", "tf1_loops", "tf1_two_players"),
    *("composed_gradients", "nothing_computed", "circular", "op_fails", "threads"),
)
"""Scenarios in which nothing deserves a warning."""


def warnings_of(path: Path, thresholds: Thresholds | None = None) -> tuple[EarlyWarning, ...]:
    """All warnings of the newest run of a logdir."""
    navigator = browsed(path)
    assert navigator.run is not None
    job = RunWarnings(navigator.run, navigator.causes.job, thresholds)
    finish(job)
    return job.warnings


def told(warnings: tuple[EarlyWarning, ...]) -> list[tuple[str, int | None]]:
    """The kind and the line of each."""
    return sorted((w.kind.value, w.line.line if w.line else None) for w in warnings)


@pytest.mark.parametrize("program", WARNED)
def test_what_goes_wrong_is_told_with_its_line_and_nothing_else_is(
    library: Library, program: str
) -> None:
    found = warnings_of(library.path(EARLY + program))
    assert told(found) == sorted((truth.kind, truth.line) for truth in WARNED[program])
    assert all(w.line is not None and w.line.path == str(FOLDER / "warned.py") for w in found)


@pytest.mark.parametrize("program", [*(EARLY + name for name in HEALTHY), *JUDGED_HEALTHY])
def test_healthy_programs_get_no_warning(library: Library, program: str) -> None:
    assert warnings_of(library.path(program)) == ()


@pytest.mark.parametrize("scenario", ORDINARY)
def test_ordinary_recordings_get_no_warning(library: Library, scenario: str) -> None:
    assert warnings_of(library.path(scenario)) == ()


@pytest.mark.parametrize(
    ("program", "kinds"),
    [
        ("three_layers.CONCISE_HEALTH", set()),
        ("three_layers.NO_TENSOR", set()),
        ("hoarder.CURT_HEALTH", {"retraced"}),
        ("hoarder.SHAPE", {"retraced", "shape_drift"}),
    ],
)
def test_a_mode_that_tells_less_gives_fewer_warnings_and_no_others(
    library: Library, program: str, kinds: set[str]
) -> None:
    found = warnings_of(library.path(EARLY + program))
    lines = {truth.line for truth in WARNED[program.partition(".")[0]]}
    assert {w.kind.value for w in found} == kinds
    assert {w.line.line for w in found if w.line} <= lines


# What a warning says.


def one(warnings: tuple[EarlyWarning, ...], kind: str) -> EarlyWarning:
    (found,) = (warning for warning in warnings if warning.kind.value == kind)
    return found


def test_a_dead_layer_is_told_from_its_first_dead_step_on(library: Library) -> None:
    found = one(warnings_of(library.path(EARLY + "three_layers")), "all_zero")
    assert (found.step, found.op_type) == (7, "Relu")
    assert dict(found.evidence) == {"size": 512, "zero": 512, "invocations": 14}
    assert found.sentence == (
        "Relu, since step 7: all 512 elements are zero in the last 14 invocations."
    )


def test_the_gradient_that_vanished_is_the_one_told_not_those_beside_it(library: Library) -> None:
    found = one(warnings_of(library.path(EARLY + "left_behind")), "all_zero")
    assert found.step == 6
    assert found.evidence["size"] == 6


def test_a_retraced_function_is_told_with_what_changed(library: Library) -> None:
    found = warnings_of(library.path(EARLY + "hoarder"))
    changed = {w.name: w.evidence["changed"] for w in found if w.kind.value == "retraced"}
    assert changed == {
        "scaled": "nothing that is recorded changed, so a Python argument did",
        "total": "argument 0 had 1-D, 14 elements, now 1-D, 15 elements",
    }


def test_a_function_traced_in_each_of_its_few_calls_is_retraced(library: Library) -> None:
    found = one(warnings_of(library.path("always_retraced")), "retraced")
    assert (found.name, found.evidence["traces"]) == ("weigh", 5)


def test_growth_towards_overflow_is_one_warning_for_all_tensors(library: Library) -> None:
    found = one(warnings_of(library.path(EARLY + "exploding")), "growing")
    before, now = found.evidence["magnitude_before"], found.evidence["magnitude_now"]
    assert isinstance(before, float)
    assert isinstance(now, float)
    assert now > 1e6 * before
    assert found.count > 1


def test_a_variable_that_turns_bad_is_told_where_it_is_read_next(library: Library) -> None:
    found = one(warnings_of(library.path("full_health")), "poisoned_variable")
    assert (found.name, found.step, found.op_type) == ("w", 9, "ReadVariableOp")


def test_one_replica_that_goes_bad_alone_is_told(library: Library) -> None:
    found = one(warnings_of(library.path("mirrored")), "first_replica")
    assert dict(found.evidence) == {"replica": "CPU:1", "clean_replicas": 1}


def test_infinity_in_half_precision_is_told_but_not_a_step_that_loss_scaling_skips(
    library: Library,
) -> None:
    found = warnings_of(library.path("half_types"))
    assert {w.kind.value for w in found} == {"half_inf"}
    assert {w.evidence["dtype"] for w in found} == {"float16"}
    assert warnings_of(library.path(EARLY + "half")) == ()


def test_loss_scaling_that_skips_nearly_all_steps_is_told(library: Library) -> None:
    strict = Thresholds(half_inf_share=0.01, half_inf_invocations=1)
    found = warnings_of(library.path(EARLY + "half"), strict)
    assert {w.kind.value for w in found} == {"half_inf"}


def test_thresholds_decide(library: Library) -> None:
    path = library.path(EARLY + "three_layers")
    patient = Thresholds(zero_invocations=15, sign_elements=1000, rising_from=0.2)
    assert warnings_of(path, patient) == ()


# While a recording grows, or where it was cut.


def test_what_is_found_while_files_grow_is_what_is_found_at_the_end(
    library: Library, tmp_path: Path
) -> None:
    source = library.path(EARLY + "three_layers")
    growing = Growing(source, tmp_path / "growing")
    logdir = load(growing.path)
    navigator = browsing(logdir.runs[-1])
    while not growing.is_whole:
        growing.grow(blocks=4)
        drain(logdir)
        finish(*navigator.jobs(), *navigator.causes.patient_jobs)
    assert navigator.causes.warnings is not None
    assert told(navigator.causes.warnings.warnings) == told(warnings_of(source))


def test_a_cut_recording_gives_no_other_warnings(
    library: Library, copy_of: Callable[[str], Path]
) -> None:
    copy = copy_of(EARLY + "three_layers")
    for file in copy.glob("*.graph_execution_traces"):
        with file.open("r+b") as cut:
            cut.truncate(file.stat().st_size * 3 // 4)
    navigator = browsing(load(copy).runs[-1])
    assert navigator.causes.warnings is not None
    found = told(navigator.causes.warnings.warnings)
    assert set(found) <= set(told(warnings_of(library.path(EARLY + "three_layers"))))
    assert found
