"""The panes by name: which there are, in which order, and what each is called.

The names are also the ids of the widgets. No Textual here: the session speaks of panes, too.
"""

from __future__ import annotations

from tfdbg_tui.data.stores.event_kind import EventKind

ALERTS, EXECUTIONS, TRACES = "alerts", "executions", "traces"
HEALTH, GRAPH, STACK, SOURCE = "health", "graph", "stack", "source"

LISTS = (ALERTS, EXECUTIONS, TRACES)
DETAILS = (HEALTH, GRAPH, STACK, SOURCE)
PANES = (*LISTS, *DETAILS)
"""In the order of their numbers."""

OUTPUT = "output"
"""One more where a script runs: what it prints."""

WATCHED = "watched"
"""One more where something is watched."""

LISTED = (*LISTS, WATCHED)
"""The panes above, where one stands above another."""

NUMBERS = {name: number for number, name in enumerate((*PANES, OUTPUT, WATCHED), 1)}
"""The key of each."""

LIST_OF = {EventKind.TRACE: TRACES, EventKind.EXECUTION: EXECUTIONS}
"""The pane that lists the events of a kind."""

TITLES = {
    ALERTS: "Alerts",
    EXECUTIONS: "Executions",
    TRACES: "Graph tensors",
    HEALTH: "Health",
    GRAPH: "Graph",
    STACK: "Stack",
    SOURCE: "Source",
    OUTPUT: "Output",
    WATCHED: "Watched",
}

ABOUT = {
    ALERTS: "what went bad, causes first",
    EXECUTIONS: "what ran at top level",
    TRACES: "what was computed inside graphs (graph executions)",
    HEALTH: "what the chosen tensor holds",
    GRAPH: "what it was computed from, and what takes it",
    STACK: "the calls that created it",
    SOURCE: "the program as it was recorded",
    OUTPUT: "what the script prints",
    WATCHED: "the tensors that you have pinned, with their latest",
}
"""What each shows, in a few words."""
