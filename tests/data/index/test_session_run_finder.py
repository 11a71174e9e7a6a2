"""Runs in a stream of traces: what collides cannot be of one run; the rest is told otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.joining import Fabricated
from tfdbg_tui.data.index.session_graphs import Roles, SessionGraphs, has_session_traces
from tfdbg_tui.data.index.session_run_finder import INITIAL, PLAIN, TRAINING, SessionRunFinder
from tfdbg_tui.data.index.session_run_stretch import _BySite, _collisions
from tfdbg_tui.data.index.session_runs import SessionRuns

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from tfdbg_tui.data.stores.host import Host

OP, PAUSE = 10e-6, 1e-3
"""Seconds from op to op, and from run to run."""


# ---------------------------------------------------------------------- collisions


@given(
    st.lists(st.integers(0, 5), max_size=30),
    st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=6),
)
def test_collisions_in_bulk_equal_those_one_by_one(
    sites: list[int], edges: set[tuple[int, int]]
) -> None:
    edges = {(producer, consumer) for producer, consumer in edges if producer != consumer}
    pairs = np.array(sorted(edges), np.int64).reshape(-1, 2)
    found = _collisions(_BySite(np.array(sites, np.int32)), (pairs[:, 0], pairs[:, 1]))
    for first in range(len(sites)):
        collides = (
            later
            for later in range(first + 1, len(sites))
            for earlier in range(first, later)
            if sites[earlier] == sites[later] or (sites[later], sites[earlier]) in edges
        )
        assert found[first] == next(collides, len(sites))


# ---------------------------------------------------------------------- runs of one graph


class Stream:
    """Traces of a graph whose ops are letters; each word is a run, `~` a pause inside one."""

    def __init__(
        self, edges: str = "", trains: str = "", loops: str = "", initial: str = ""
    ) -> None:
        self.letters = "abcdefghijklmnopqrstuvwxyz"
        sites = len(self.letters)
        self.roles = Roles(
            np.zeros(sites, np.int32),
            counts=~self.mask(loops),
            trains=self.mask(trains),
            is_initial=self.mask(initial),
            is_fed=self.mask("xyz"),
        )
        pairs = [[self.letters.index(c) for c in pair] for pair in edges.split()]
        columns = np.array(pairs, np.int64).reshape(-1, 2)
        self.edges = (columns[:, 0], columns[:, 1])

    def mask(self, chosen: str) -> npt.NDArray[np.bool_]:
        return np.array([letter in chosen for letter in self.letters])

    def runs(self, words: str, rows: int = 10_000) -> str:
        """The runs that are found, written in the same way; taken so many traces at a time."""
        sites, times, now = [], [], 1000.0
        for word in words.split():
            now += PAUSE
            for letter in word:
                now += PAUSE * 3 if letter == "~" else OP
                if letter != "~":
                    sites.append(self.letters.index(letter))
                    times.append(now)
        finder = SessionRunFinder()
        ends: list[float] = []
        self.purposes: list[int] = []
        for first in range(0, len(sites), rows):
            own = slice(first, first + rows)
            switches = np.zeros(len(sites[own]), np.bool_)
            found = finder.extend(
                np.array(sites[own], np.int32),
                np.array(times[own]),
                switches,
                self.roles,
                self.edges,
            )
            ends += found.ends.tolist()
            self.purposes += found.purposes.tolist()
        ends += finder.open_runs.ends.tolist()
        self.purposes += finder.open_runs.purposes.tolist()
        text = ""
        for site, time in zip(sites, times, strict=True):
            text += self.letters[site]
            text += " " if time in ends else ""
        return text.strip()


FORWARD = "ab bc cd"
"""a feeds b, b feeds c, and so on."""


@pytest.mark.parametrize(
    "words",
    [
        "abcd abcd abcd",
        "abcd abc abcd abc abcd",  # train, and the loss alone
        "abcd abc abc abcd",
        "ef~gab efgab efgab",  # slow at first
        "abc abc kabc abc kabc abc",  # a constant that only some have, and have first
        "abcd bcd abcd bcd abcd",  # a was fed
        "abcd cd abcd cd abcd",
        "abcd abcd u abcd abcd u abcd",  # something else now and then
        "u abcd abcd abcd",  # or once before
        "abcd abcd abcd u",  # or behind
        "xabc xabc yef xabc yef xabc yef xabc",
        "xabc yef xabc yef xabc yef xabc yef",  # two with what is fed, in turns from the start
    ],
)  # fmt: skip
def test_runs_are_found(words: str) -> None:
    stream = Stream(edges="ab bc cd xa ye ef")
    assert stream.runs(words) == words.replace("~", "")
    for rows in (1, 2, 5):
        assert Stream(edges="ab bc cd xa ye ef").runs(words, rows) == words.replace("~", "")


def test_runs_that_share_nothing_and_follow_each_other_are_one() -> None:
    """What is computed after an update, in the same run, looks just so."""
    assert Stream(edges="ab bc").runs("abc u abc u abc u") == "abcu abcu abcu"


def test_loops_do_not_end_a_run() -> None:
    stream = Stream(edges="ab", loops="l", trains="l")
    words = "allllb allb alllb allb"
    assert stream.runs(words) == words
    assert set(stream.purposes) == {TRAINING}


def test_a_loop_that_comes_first_belongs_to_its_run() -> None:
    words = "llab llab llab llab"
    assert Stream(edges="ab", loops="l").runs(words) == words
    assert Stream(edges="ab", loops="l").runs(words, rows=1) == words


def test_what_a_run_is_for() -> None:
    stream = Stream(edges=FORWARD, trains="d", initial="ij")
    words = "ij abcd abc abcd ij abcd"
    assert stream.runs(words) == words
    assert stream.purposes == [INITIAL, TRAINING, PLAIN, TRAINING, INITIAL, TRAINING]


@given(st.lists(st.sampled_from(["abcd", "abc", "xabc", "ij"]), max_size=20), st.integers(1, 9))
def test_slices_make_no_difference(words: list[str], rows: int) -> None:
    text = " ".join(words)
    one, other = (Stream("ab bc cd xa", initial="ij") for _ in range(2))
    assert one.runs(text) == other.runs(text, rows)
    assert one.purposes == other.purposes


# ---------------------------------------------------------------------- graphs of sessions


def unnamed(recording: Fabricated, directory: Path) -> Host:
    """A recording whose graphs have no names, as those of sessions."""
    host, _ = recording.opened(directory)
    for graph in host.graphs.by_id.values():
        assert graph.description is not None
        graph.description = graph.description._replace(name="")
    return host


def found(host: Host) -> SessionRuns:
    runs = SessionRuns(host)
    while runs.extend_runs():
        pass
    return runs


def test_ops_of_loops_of_tf1_are_told_by_enter_and_exit(tmp_path: Path) -> None:
    recording = Fabricated()
    recording.graph(
        "g",
        ("x", "Placeholder", ()),
        ("zero", "Const", ()),
        ("while/Enter", "Enter", ("zero:0",)),
        ("while/Merge", "Merge", ("while/Enter:0", "while/Enter:0")),
        ("while/one", "Const", ()),
        ("while/add", "AddV2", ("while/Merge:0", "while/one:0")),
        ("while/Exit", "Exit", ("while/Merge:0",)),
        ("after", "Mul", ("while/Exit:0", "x:0")),
    )
    for op in ("x", "zero", "while/one", "while/add", "after"):
        recording.trace("g", op)
    host = unnamed(recording, tmp_path)
    graphs = SessionGraphs(host)
    graphs.refresh()
    counts = dict(zip((s.op_name for s in host.traces.sites), graphs.roles.counts, strict=True))
    assert counts == {
        "x": True, "zero": True, "while/one": False, "while/add": False, "after": True,
    }  # fmt: skip


def test_two_graphs_in_turns(tmp_path: Path) -> None:
    recording = Fabricated()
    for graph in ("g", "h"):
        recording.graph(graph, ("a", "Const", ()), ("b", "Log", ("a:0",)), name=graph)
    for graph in "gghgh":
        for op in "ab":
            recording.trace(graph, op)
    host, _ = recording.opened(tmp_path / "named")
    assert not has_session_traces(host)
    host = unnamed(recording, tmp_path / "unnamed")
    assert has_session_traces(host)
    runs = found(host)
    graphs = [runs.site_of(run).graph_id for run in range(len(runs))]
    assert "".join(graphs) == "gghgh"
    assert runs.read(0) is not None
    assert (runs.event(0), runs.worst_health(0), runs.record_size(0)) == (None, None, 0)


def test_damaged_times_hold_nothing_up(tmp_path: Path) -> None:
    recording = Fabricated()
    recording.graph("g", ("a", "Const", ()), ("b", "Log", ("a:0",)))
    for time in (1.0, np.nan, np.inf, 2.0, -np.inf, 1e300, 3.0, 4.0):
        recording.time = time
        recording.trace("g", "a")
        recording.trace("g", "b")
    assert len(found(unnamed(recording, tmp_path))) == 8
