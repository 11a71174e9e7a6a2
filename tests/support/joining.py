"""Recordings for tests of joins: real ones opened, awkward ones made event by event."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.support.damage import event, write_files
from tests.support.reading import hosts_of, load
from tfdbg_tui.data.index.joins import Joins
from tfdbg_tui.data.index.site_facts import SiteIndex

if TYPE_CHECKING:
    from pathlib import Path

    from tfdbg_tui.data.stores.host import Host


def opened(path: Path) -> tuple[Host, Joins]:
    """The first host of a recording, and its joins."""
    host = hosts_of(load(path))[0]
    return host, Joins(host, SiteIndex(host))


def called_graph(host: Host, execution: int) -> str:
    """The name of the graph that a call runs, by the recorder's own name for the function."""
    match = re.fullmatch(r"__(?:forward|inference)_(.+)_\d+", host.executions.site_of(execution)[0])
    return match[1] if match else ""


class Fabricated:
    """A recording, event by event: a millisecond passes with each."""

    def __init__(self) -> None:
        self.payloads: dict[str, list[bytes]] = {
            "metadata": [event(wall_time=0.0, debug_metadata={"tfdbg_run_id": b"run"})],
            "graphs": [],
            "execution": [],
            "graph_execution_traces": [],
        }
        self.time = 1000.0

    def _add(self, suffix: str, **fields: Any) -> int:
        self.time += 0.001
        self.payloads[suffix].append(event(wall_time=self.time, **fields))
        return len(self.payloads[suffix]) - 1

    def graph(
        self,
        graph_id: str,
        *ops: tuple[str, str, tuple[str, ...]],
        name: str | None = None,
        outer: str = "",
    ) -> None:
        """A graph with ops (name, type, inputs); its name is its id unless told otherwise."""
        described = {"graph_id": graph_id.encode(), "graph_name": (name or graph_id).encode()}
        self._add("graphs", debugged_graph={**described, "outer_context_id": outer.encode()})
        for op_name, op_type, inputs in ops:
            self._add(
                "graphs",
                graph_op_creation={
                    "op_type": op_type.encode(),
                    "op_name": op_name.encode(),
                    "graph_id": graph_id.encode(),
                    "input_names": [tensor.encode() for tensor in inputs],
                    "num_outputs": 1,
                },
            )

    def trace(self, graph: str, op_name: str) -> int:
        """Computes a tensor; gives its number."""
        fields = {"tfdbg_context_id": graph.encode(), "op_name": op_name.encode()}
        return self._add("graph_execution_traces", graph_execution_trace=fields)

    def execution(
        self, op_type: str, graph: str = "", takes: tuple[int, ...] = (), puts: tuple[int, ...] = ()
    ) -> int:
        """Ends an eager op or a call; gives its number."""
        fields = {"op_type": op_type.encode(), "graph_id": graph.encode()}
        ids = {"input_tensor_ids": takes, "output_tensor_ids": puts, "num_outputs": len(puts)}
        return self._add("execution", execution={**fields, **ids})

    def opened(self, directory: Path) -> tuple[Host, Joins]:
        """Written and read."""
        return opened(write_files(directory, **self.payloads))
