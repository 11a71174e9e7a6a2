"""Runs of TF1 sessions are written down, once each, with their lines and what they are for."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from tests.record.test_record import run, runs_in
from tests.support.reading import hosts_of, load
from tfdbg_tui.data.index.phases import Phase
from tfdbg_tui.data.stores.tf_names import SESSION_RUN, purpose_of_run
from tfdbg_tui.record.session_runs import Purpose

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.host import Host

PROGRAM = """
v1 = tf.compat.v1
recording = record.enable(logdir)
graph = tf.Graph()
with graph.as_default(), v1.Session() as session:
    x = v1.placeholder(tf.float32, (None,), name="x")
    weight = v1.get_variable("weight", (), use_resource=True)
    loss = tf.reduce_mean(tf.square(x * weight - 1.0))
    train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
    checked = tf.debugging.check_numerics(tf.math.log(x), "bad")
    with tf.control_dependencies([train]):
        trained_loss = tf.identity(loss)
    session.run(v1.global_variables_initializer())
"""


def op_types(host: Host) -> list[str]:
    return [host.executions.site_of(row).op_type for row in range(len(host.executions))]


def recorded(program: str, logdir: Path) -> tuple[Host, list[dict[str, object]]]:
    body = "".join(f"    {line}\n" for line in program.strip().splitlines())
    said = run(PROGRAM + body, logdir)
    return hosts_of(load(logdir))[0], said


def test_each_way_to_run_is_written_down_once(tmp_path: Path) -> None:
    host, said = recorded(
        """
session.run(loss, {x: [1.0]})
loss.eval({x: [1.0]})
train.run({x: [1.0]})
session.run({"nested": [loss, (train, x)]}, {x: [1.0]})
session.run(trained_loss, {x: [1.0]})
session.make_callable(train, feed_list=[x])([1.0])
session.make_callable(weight.read_value())()
session.run(loss, {x: [1.0]}, options=v1.RunOptions(), run_metadata=v1.RunMetadata())
from tensorflow.core.protobuf.config_pb2 import CallableOptions
options = CallableOptions(feed=["x:0"], target=[train.name])
import numpy as np
session._make_callable_from_options(options)(np.float32([1.0]))
session.run([])
try:
    session.run(loss, {x: "no number"})
except ValueError:
    say(refused=True)
try:
    session.run(checked, {x: [0.0]})
except tf.errors.InvalidArgumentError as error:
    say(failed=True)
""",
        tmp_path,
    )
    assert said == [{"refused": True}, {"failed": True}]
    train, plain = Purpose.TRAINING.value, Purpose.ANYTHING.value
    assert op_types(host) == [
        Purpose.SETTING_UP.value,
        plain, plain, train, train, train, train, plain, plain, train,
        plain,  # which fails; what never ran is not there
    ]  # fmt: skip
    sites = [host.executions.site_of(row) for row in range(len(host.executions))]
    graphs = {site.graph_id for site in sites}
    assert graphs == {graph.id for graph in host.graphs.by_id.values() if graph.name == ""}
    assert {site.num_outputs for site in sites} == {0}
    lines = [host.line_of(site.stack) for site in sites]
    assert None not in lines
    assert len({line.line for line in lines if line}) == len(sites), "each from its own line"


def test_tensorflows_reader_reads_them(tmp_path: Path) -> None:
    _, said = recorded(
        """
session.run([train, loss], {x: [1.0]})
recording.stop()
session.run([train, loss], {x: [1.0]})  # which nobody records
from tensorflow.python.debug.lib.debug_events_reader import DebugDataReader
with DebugDataReader(logdir) as reader:
    reader.update()
    for digest in reader.executions(digest=True):
        execution = reader.read_execution(digest)
        graph = reader.graph_by_id(execution.graph_id)
        _, frames = reader.read_execution_stack_trace(execution)
        say(op=execution.op_type, name=graph.name or "", last=frames[0][2])
    say(traces=reader.num_graph_execution_traces())
""",
        tmp_path,
    )
    assert [line["op"] for line in said[:-1]] == ["Session.run/init", "Session.run/train"]
    assert {line["name"] for line in said[:-1]} == {""}
    assert {line["last"] for line in said[:-1]} == {"<module>"}
    assert isinstance(said[-1]["traces"], int)
    assert said[-1]["traces"] > 0


def test_what_it_costs_a_program_if_tensorflow_is_another(tmp_path: Path) -> None:
    """Nothing: a run that cannot be written down is run all the same."""
    host, said = recorded(
        """
from tfdbg_tui.record import session_runs, tf_internals
def fail(*_):
    raise AttributeError("gone")
session_runs.purpose_of = fail
session.run(loss, {x: [1.0]})
tf_internals.write_execution = fail
say(loss=float(session.run(loss, {x: [1.0]})) >= 0)
""",
        tmp_path,
    )
    assert said == [{"loss": True}]
    assert op_types(host) == ["Session.run/init", "Session.run"]


def test_a_run_that_finds_no_more_data_has_not_trained(tmp_path: Path) -> None:
    host, said = recorded(
        """
batches = v1.data.make_initializable_iterator(tf.data.Dataset.from_tensors([1.0]).repeat(2))
error = tf.reduce_mean(batches.get_next() * weight)
learn = v1.train.GradientDescentOptimizer(0.1).minimize(error)
session.run(batches.initializer)
try:
    while True:
        session.run(learn)
        say(step=True)
except tf.errors.OutOfRangeError:
    session.run(batches.initializer)
""",
        tmp_path,
    )
    train, init = Purpose.TRAINING.value, Purpose.SETTING_UP.value
    assert len(said) == 2
    assert op_types(host) == [init, init, train, train, Purpose.ANYTHING.value, init]


def test_a_run_that_writes_no_variable_sets_nothing_up(tmp_path: Path) -> None:
    host, _ = recorded(
        """
saver = v1.train.Saver()
saver.save(session, logdir + "/model")
session.run(v1.summary.scalar("loss", loss), {x: [1.0]})
saver.restore(session, logdir + "/model")
""",
        tmp_path,
    )
    init, plain = Purpose.SETTING_UP.value, Purpose.ANYTHING.value
    assert op_types(host) == [init, plain, plain, init]


def test_without_an_optimizer_assignments_of_what_is_computed_train(tmp_path: Path) -> None:
    host, _ = recorded(
        """
session.run(weight.assign_sub(0.1 * loss), {x: [1.0]})  # there is an optimizer in this graph
with tf.Graph().as_default(), v1.Session() as other:
    own = v1.get_variable("own", (), use_resource=True)
    @tf.function
    def learn():
        return own.assign_sub(0.1 * own)
    learned = learn()
    other.run(own.initializer)
    other.run(own.assign(2.0).op)
    other.run(own.read_value())
    other.run(learned)
""",
        tmp_path,
    )
    train, init, plain = (
        Purpose.TRAINING.value, Purpose.SETTING_UP.value, Purpose.ANYTHING.value,
    )  # fmt: skip
    assert op_types(host) == [init, plain, init, init, plain, train]


def test_reader_and_recorder_agree_on_words() -> None:
    assert {purpose_of_run(purpose.value) for purpose in Purpose} == {
        None, Phase.TRAIN.value, Phase.INIT.value,
    }  # fmt: skip
    assert Purpose.ANYTHING.value == SESSION_RUN


def test_what_programs_ran_is_what_is_written_down(library: Library) -> None:
    for scenario in ("tf1_training", "tf1_monitored", "tf1_by_hand"):
        path = library.path(scenario)
        told = json.loads((path / "told.json").read_text())
        counts = Counter(op_types(hosts_of(load(path))[0]))
        assert counts[Purpose.TRAINING.value] == told["steps"]
        (found,) = runs_in(path)
        assert found.counts()["executions"] == counts.total()
