"""The health of what is chosen, and a word about everything that a mode does not tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.damage import BAD_VECTOR, trace, write_files
from tests.support.navigating import browsed, index_of, indexed, unrecorded
from tfdbg_tui.data.records.health import Bad, read_health
from tfdbg_tui.data.records.modes import Mode
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.values.value_error import GONE
from tfdbg_tui.data.views.health_facts import LEAVES_OUT, health_facts, note_of
from tfdbg_tui.data.views.selection import Node, Selection

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.views.health_facts import HealthFacts

RECORDED = ("full_health", "curt_health", "concise_health", "shape", "full_tensor", "no_tensor")


def of_trace(index: HostIndex, event: int) -> HealthFacts:
    found = health_facts(index, Selection(kind=EventKind.TRACE, trace=event))
    assert found is not None
    return found


def of_execution(index: HostIndex, event: int, output: int = 0) -> HealthFacts:
    chosen = Selection(kind=EventKind.EXECUTION, execution=event, output=output)
    found = health_facts(index, chosen)
    assert found is not None
    return found


@pytest.mark.parametrize("scenario", RECORDED)
def test_a_trace_tells_what_its_record_tells(library: Library, scenario: str) -> None:
    index = indexed(library.path(scenario))
    traces = index.host.traces
    for number in range(0, len(traces), 5):
        record = traces.event(number)
        assert record is not None
        told = record.graph_execution_trace
        found = of_trace(index, number)
        facts = index.sites.trace(int(traces.events["site"][number]))
        assert found.health == read_health(told.tensor_debug_mode, told.tensor_proto)
        assert found.bad == (found.health.bad if found.health else Bad.NONE)
        assert (found.mode, found.output) == (told.tensor_debug_mode, None)
        assert (found.name, found.op_type) == (facts.tensor, facts.op_type)
        assert (found.function, found.device) == (facts.function, facts.device)


@pytest.mark.parametrize("scenario", RECORDED)
def test_each_output_of_an_execution_tells_its_own_health(library: Library, scenario: str) -> None:
    index = indexed(library.path(scenario))
    executions = index.host.executions
    for number in range(len(executions)):
        read = executions.read(number)
        assert read is not None
        for output, health in enumerate(read.health):
            found = of_execution(index, number, output)
            assert found.health == health
            assert found.bad == (health.bad if health else Bad.NONE)
            many = len(read.health)
            assert found.output == ((output, many) if many > 1 else None)


def test_the_label_names_the_computation_and_its_step(library: Library) -> None:
    navigator = browsed(library.path("full_health"))
    index = index_of(navigator)
    navigator.first_alert()
    number = navigator.selection.trace or 0
    step = index.steps.step_of(float(index.host.traces.events["wall_time"][number]))
    assert step
    assert of_trace(index, number).label == f"#{number} step {step}"
    assert of_execution(index, 0).label == "#0"


# ---------------------------------------------------------------------- what is not told


@pytest.mark.parametrize(
    ("scenario", "mode", "says"),
    [
        ("full_health", Mode.FULL_HEALTH, "no shape and no values; FULL_TENSOR does"),
        ("curt_health", Mode.CURT_HEALTH, "only whether there is NaN or inf; FULL_HEALTH counts"),
        ("concise_health", Mode.CONCISE_HEALTH, "no dtype, shape or signs; FULL_HEALTH does"),
        ("shape", Mode.SHAPE, "nothing about NaN or inf; FULL_HEALTH does"),
        ("no_tensor", Mode.NO_TENSOR, "records no numbers; FULL_HEALTH tells"),
    ],
)
def test_every_mode_says_what_it_leaves_out_and_which_one_does_not(
    library: Library, scenario: str, mode: Mode, says: str
) -> None:
    index = indexed(library.path(scenario))
    found = of_trace(index, 0)
    assert found.mode == mode
    assert found.note.startswith(mode.name)
    assert says in found.note
    floats = [of_execution(index, n) for n in range(len(index.host.executions))]
    assert found.note in {facts.note for facts in floats}


def test_full_tensor_leaves_nothing_out(library: Library) -> None:
    index = indexed(library.path("full_tensor"))
    assert of_trace(index, 0).note == ""


@pytest.mark.parametrize("mode", [*Mode, 99])
def test_whatever_the_mode_a_tensor_of_which_nothing_is_told_has_a_note(mode: int) -> None:
    note = note_of(mode, told=False)
    assert note.endswith(".")
    assert len(note) < 90
    assert note_of(mode) or mode == Mode.FULL_TENSOR


@pytest.mark.parametrize("mode", [Mode.FULL_NUMERICS, Mode.REDUCE_INF_NAN_THREE_SLOTS, 99])
def test_a_mode_that_cannot_be_read_is_named(tmp_path: Path, mode: int) -> None:
    payload = trace(mode=mode, tensor_proto=BAD_VECTOR)
    index = indexed(write_files(tmp_path, graph_execution_traces=[payload]))
    found = of_trace(index, 0)
    name = Mode(mode).name if mode in list(Mode) else f"MODE_{mode}"
    assert (found.health, found.note) == (None, f"{name} is not a mode that this program knows.")


def test_modes_that_tell_something_of_all_tensors_name_a_better_one() -> None:
    better = {Mode.FULL_HEALTH.name, Mode.FULL_TENSOR.name}
    for mode, note in LEAVES_OUT.items():
        assert any(name in note for name in better - {mode.name})


def test_a_tensor_without_floats_says_so(library: Library) -> None:
    index = indexed(library.path("full_health"))
    executions = index.host.executions
    names = [executions.site_of(row).op_type for row in range(len(executions))]
    filled = of_execution(index, names.index("SparseFillEmptyRows"), 0)
    assert filled.health is None
    assert filled.note == "Nothing is recorded of this tensor: FULL_HEALTH looks at floats only."
    bad = of_execution(index, names.index("SparseFillEmptyRows"), 1)
    assert (bad.bad, bad.output) == (Bad.NAN, (1, 4))
    assert bad.note == LEAVES_OUT[Mode.FULL_HEALTH]


def test_the_step_of_any_computation_is_told(library: Library) -> None:
    index = indexed(library.path("full_health"))
    for event in range(len(index.host.traces)):
        found = of_trace(index, event)
        assert found.number == f"#{event:,}"
        assert found.label.split() == [found.number, "step", str(found.step)]
        assert found.step_of is not None
        assert found.step_of(event) == found.step


def test_an_execution_without_recorded_outputs_says_so(library: Library) -> None:
    for scenario, note in (
        ("full_health", "This execution has no output."),
        ("filter_op_regex", "This execution has no output that the mode records."),
    ):
        index = indexed(library.path(scenario))
        executions = index.host.executions
        number = next(
            row
            for row in range(len(executions))
            if not executions.site_of(row).tensors
            and bool(executions.site_of(row).num_outputs) == (scenario == "filter_op_regex")
        )
        found = of_execution(index, number)
        assert (found.health, found.note, found.output) == (None, note, None)


def test_an_output_that_is_not_there_has_no_health(library: Library) -> None:
    found = of_execution(indexed(library.path("full_health")), 5, output=99)
    assert (found.health, found.bad) == (None, Bad.NONE)


def test_a_record_that_is_gone_says_so(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("full_health")
    navigator = browsed(logdir)
    for suffix in ("graph_execution_traces", "execution"):
        for path in logdir.glob(f"*.{suffix}"):
            path.write_bytes(b"")
    index = index_of(navigator)
    navigator.first_alert()
    found = of_trace(index, navigator.selection.trace or 0)
    assert (found.health, found.bad, found.note) == (None, Bad.NEG_INF, GONE)
    assert of_execution(index, 5).note == GONE


def test_a_tensor_that_was_not_recorded_says_so(library: Library) -> None:
    index = indexed(library.path("full_health"))
    graph_id = index.host.traces.site_of(40).graph_id
    node = Node(graph_id, unrecorded(index, graph_id), 0)
    found = health_facts(index, Selection(node=node))
    assert found is not None
    assert (found.name, found.label) == (node.tensor_name, "not recorded")
    assert found.function == index.host.graphs.function_of(graph_id)
    assert found.op_type
    assert found.note
    unknown = health_facts(index, Selection(node=Node("", "", 0)))
    assert unknown is not None
    assert unknown.op_type is None


def test_nothing_chosen_has_no_health(library: Library) -> None:
    assert health_facts(indexed(library.path("full_health")), Selection()) is None


def test_what_was_read_is_told_from_what_was_computed(library: Library) -> None:
    index = indexed(library.path("nan_input"))
    executions, traces = index.host.executions, index.host.traces
    read = {of_execution(index, event).op_type for event in range(len(executions))
            if of_execution(index, event).came_with_data}  # fmt: skip
    assert read == {"IteratorGetNext"}
    assert not any(of_trace(index, event).came_with_data for event in range(len(traces)))
    session = indexed(library.path("tf1_session"))
    fed = {of_trace(session, event).name for event in range(len(session.host.traces))
           if of_trace(session, event).came_with_data}  # fmt: skip
    assert fed == {"x:0"}
