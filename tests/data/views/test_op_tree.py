"""The tree of ops in the engine: where ops hang, what is added up, in which order."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.support.damage import BAD_VECTOR, event, trace, write_files
from tests.support.growing import Growing
from tests.support.many_ops import DEVICE, METADATA, many_ops, op_name
from tests.support.navigating import finish
from tests.support.reading import load
from tfdbg_tui.data.index.run_index import RunIndex
from tfdbg_tui.data.search.text_patterns import typed
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.views.op_tree import OpTree
from tfdbg_tui.data.views.op_tree_nodes import MAX_PARTS, NO_DEVICE, OPEN, short_device

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library

ALL = 99


def tree_of(path: Path, **looked: Any) -> OpTree:
    """The tree of the first host, when the feed has done all."""
    index = RunIndex(load(path).runs[0])
    finish(index)
    tree = OpTree(index.hosts[0])
    tree.looked = tree.looked._replace(**looked)
    finish(tree)
    return tree


def path_of(tree: OpTree, node: int) -> tuple[str, ...]:
    """The labels from the outermost group to a node."""
    path: list[str] = []
    while node >= 0:
        path.insert(0, tree.nodes.labels[node])
        node = tree.nodes.parents[node]
    return tuple(path)


def above(tree: OpTree, node: int) -> list[int]:
    """A node and all that it is in."""
    found = []
    while node >= 0:
        found.append(node)
        node = tree.nodes.parents[node]
    return found


def lines(tree: OpTree) -> list[tuple[str, ...]]:
    return [path_of(tree, node) for node in tree.order.lines.tolist()]


def leaves(tree: OpTree) -> list[int]:
    return [node for node, op in enumerate(tree.nodes.ops) if op is not None]


@pytest.mark.parametrize("scenario", ["frozen", "keras_fit", "loop_fails", "tf1_session"])
def test_every_op_hangs_where_its_device_function_and_scopes_say(
    frozen: Path, library: Library, scenario: str
) -> None:
    path = frozen if scenario == "frozen" else library.path(scenario)
    tree = tree_of(path, levels=ALL)
    host, named = tree.index.host, tree.nodes.ops
    devices = {(site.graph_id, site.op_name): site.device for site in host.traces.sites}
    expected = Counter[tuple[str, ...]]()
    for graph_id, graph in host.graphs.by_id.items():
        for op in graph.ops.values():
            device = short_device(devices.get((graph_id, op.name)) or op.device)
            start = (device, host.graphs.function_of(graph_id) or "graph")
            expected[(*start, *op.name.split("/")[:-1], op.name.split("/")[-1])] += 1
    found = Counter[tuple[str, ...]]()
    for node in leaves(tree):
        known, where = named[node], path_of(tree, node)
        assert known is not None
        if where[1] != "top level":
            parts = tuple(known.name.split("/"))
            assert where[-len(parts) :] == parts
            found[(where[0], where[1], *parts)] += 1
    assert found == expected
    executions = [node for node in leaves(tree) if path_of(tree, node)[1] == "top level"]
    ran = len(host.executions.sites) if host.executions.is_recorded else 0
    assert len(executions) == ran


def test_what_is_below_a_node_is_added_up(frozen: Path) -> None:
    tree = tree_of(frozen, levels=ALL)
    host, sums = tree.index.host, tree.order.sums
    assert sums is not None
    for node in tree.order.lines.tolist():
        below = [leaf for leaf in leaves(tree) if node in above(tree, leaf)]
        assert sums.ops[node] == len(below)
        sites = {
            (kind, site)
            for kind in EventKind
            for site, leaf in enumerate(tree.nodes.node_of_site[kind])
            if leaf in below
        }
        bad = [
            alert
            for kind in EventKind
            for alert in host.store_of(kind).site_alerts.all()
            if (kind, alert.site) in sites
        ]
        assert sums.bad[node] == len(bad)
        assert sums.first_bad[node] == min((alert.first_time for alert in bad), default=np.inf)
        tensors = [
            1 if kind is EventKind.TRACE else host.executions.sites[site].tensors
            for kind, site in sites
        ]
        assert sums.tensors[node] == sum(tensors)
    assert max(sums.bad) == 21


def test_zeros_are_the_mean_of_what_was_computed_last(frozen: Path) -> None:
    tree = tree_of(frozen, levels=ALL)
    host, sums = tree.index.host, tree.order.sums
    assert sums is not None
    shares = {}
    for site, node in enumerate(tree.nodes.node_of_site[EventKind.TRACE]):
        last = int(np.flatnonzero(host.traces.site_numbers[: len(host.traces)] == site)[-1])
        health = host.traces.health(last)
        assert health is not None
        assert health.zero is not None
        assert health.size
        shares[node] = health.zero / health.size
        assert sums.zero_share(node) == pytest.approx(shares[node])
    loss = next(n for n in tree.order.lines.tolist() if path_of(tree, n) == ("CPU:0", "loss"))
    inside = [share for node, share in shares.items() if path_of(tree, node)[1] == "loss"]
    assert sums.zero_share(loss) == pytest.approx(np.mean(inside))


def test_what_went_bad_first_stands_first_then_zeros_then_names(frozen: Path) -> None:
    found = lines(tree_of(frozen, levels=ALL))
    below_loss = [path[-1] for path in found if path[:2] == ("CPU:0", "loss") and len(path) == 3]
    assert below_loss == ["Log", "mul", "Mean", "Neg"]
    by_name = lines(tree_of(frozen, levels=ALL, by_name=True))
    below_loss = [path[-1] for path in by_name if path[:2] == ("CPU:0", "loss") and len(path) == 3]
    assert below_loss == ["Log", "Mean", "mul", "Neg"]
    assert sorted(found) == sorted(by_name)


def test_numbers_in_names_count_as_numbers(tmp_path: Path) -> None:
    tree = tree_of(many_ops(tmp_path / "many", 120), levels=ALL, by_name=True)
    ends = [path[-1] for path in lines(tree) if len(path) == 6]
    assert ends == [f"op_{number}" for number in range(120)]


def test_only_what_is_unfolded_has_lines(frozen: Path) -> None:
    tree = tree_of(frozen)
    assert {len(path) for path in lines(tree)} == {1, 2, 3}
    loss = next(n for n in tree.order.lines.tolist() if path_of(tree, n) == ("CPU:0", "loss"))
    tree.looked = tree.looked._replace(folds={loss: False})
    finish(tree)
    assert not [path for path in lines(tree) if path[:2] == ("CPU:0", "loss") and len(path) > 2]
    assert tree.order.line_above(tree.nodes.leaf_of(*key_of(tree, "Log")) or 0) == (
        tree.order.line_of(loss)
    )
    places = tree.order.place[tree.order.lines]
    assert places.tolist() == list(range(len(tree.order.lines)))


def key_of(tree: OpTree, name: str) -> tuple[str, str]:
    """The graph and the name of an op of the function `loss`."""
    sites = tree.index.host.traces.sites
    return next((site.graph_id, site.op_name) for site in sites if site.op_name == name)


def test_a_search_lists_what_fits_and_what_it_is_in(frozen: Path) -> None:
    tree = tree_of(frozen, pattern=typed("log"), text="log")
    found = {path_of(tree, node)[-1] for node in tree.order.found.tolist()}
    assert "Log" in found
    fitting = {
        node
        for node in leaves(tree)
        if "log" in f"{tree.nodes.ops[node].name} {tree.op_type(node)}".lower()  # type: ignore[union-attr]
    }
    assert set(tree.order.found.tolist()) == fitting
    shown = {other for node in fitting for other in above(tree, node)}
    assert set(tree.order.lines.tolist()) == shown
    tree.looked = tree.looked._replace(pattern=typed("nothing like it"), text="nothing like it")
    finish(tree)
    assert not len(tree.order.lines)


def test_it_grows_with_the_recording_and_keeps_its_numbers(frozen: Path, tmp_path: Path) -> None:
    growing = Growing(frozen, tmp_path / "growing", growing=("graphs", "graph_execution_traces"))
    logdir = Logdir(growing.path)
    logdir.load()
    index = RunIndex(logdir.runs[0])
    tree = OpTree(index.hosts[0])
    before: list[str] = []
    while not growing.is_whole:
        finish(index, tree)
        assert tree.nodes.labels[: len(before)] == before
        before = list(tree.nodes.labels)
        growing.grow()
        logdir.load()
    finish(index, tree)
    whole = tree_of(frozen)
    assert sorted(lines(tree)) == sorted(lines(whole))
    assert sorted(tree.order.sums.bad.tolist())[-5:] == sorted(whole.order.sums.bad.tolist())[-5:]  # type: ignore[union-attr]


@pytest.mark.parametrize("created", [True, False])
def test_it_grows_while_it_is_put_in_order(tmp_path: Path, created: bool) -> None:
    many = many_ops(tmp_path / "many", 300, created)
    growing = Growing(many, tmp_path / "growing", growing=("graphs", "graph_execution_traces"))
    logdir = Logdir(growing.path)
    logdir.load()
    index = RunIndex(logdir.runs[0])
    tree = OpTree(index.hosts[0])
    tree.looked = tree.looked._replace(levels=ALL)
    while not growing.is_whole:
        for _ in range(3):  # some slices of putting it in order, never all
            while tree.extend() and tree._arranging is None:
                pass
            growing.grow()
            logdir.load()
    finish(index, tree)
    assert sorted(lines(tree)) == sorted(lines(tree_of(many, levels=ALL)))


def test_an_op_moves_when_its_function_comes_to_disk(tmp_path: Path) -> None:
    bad = [trace(2, op_name=b"a/x", device_name=DEVICE, tensor_proto=BAD_VECTOR)]
    early = write_files(tmp_path / "early", metadata=METADATA, graph_execution_traces=bad)
    logdir = Logdir(early)
    logdir.load()
    index = RunIndex(logdir.runs[0])
    tree = OpTree(index.hosts[0])
    finish(index, tree)
    assert lines(tree)[-1] == ("CPU:0", OPEN, "a")
    graphs = [event(wall_time=1, debugged_graph={"graph_id": b"g", "graph_name": b"step"})]
    write_files(early, graphs=graphs)
    logdir.load()
    index = RunIndex(logdir.runs[0])
    if index.hosts[0].host.graphs is not tree.index.host.graphs:
        tree = OpTree(index.hosts[0])
    finish(index, tree)
    assert lines(tree)[-1] == ("CPU:0", "step", "a")


def test_hostile_names_make_no_deep_tree(tmp_path: Path) -> None:
    name = b"/" * 3000 + b"\x1b[31m" + b"x" * 10_000
    traces = [trace(2, op_name=name, device_name=b"\xff", tensor_proto=BAD_VECTOR)]
    path = write_files(tmp_path / "deep", metadata=METADATA, graph_execution_traces=traces)
    tree = tree_of(path, levels=ALL)
    assert int(tree.order.depths.max()) <= MAX_PARTS + 3
    assert len(tree.order.bad) == 1


def test_devices_in_short() -> None:
    start = "/job:localhost/replica:0/task:0/device:"
    assert short_device(f"{start}GPU:1") == "GPU:1"
    assert short_device("/job:worker/replica:0/task:1/device:GPU:0") == "GPU:0 (worker task 1)"
    assert short_device("") == NO_DEVICE


def test_many_ops_are_many_slices_and_few_lines(tmp_path: Path) -> None:
    index = RunIndex(load(many_ops(tmp_path / "many", 5000)).runs[0])
    finish(index)
    tree = OpTree(index.hosts[0])
    assert tree.extend(), "not all of it at once"
    finish(tree)
    assert len(leaves(tree)) == 5000
    assert len(tree.order.lines) == 2 + 5
    assert tree.order.sums is not None
    assert tree.order.sums.ops[tree.order.lines[0]] == 5000
    worst = tree.nodes.ops[int(tree.order.bad[0])]
    assert worst is not None
    assert worst.name == op_name(996)
