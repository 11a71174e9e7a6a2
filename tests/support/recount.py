"""What lines of source files created, counted anew from ops, frames and alerts one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tfdbg_tui.data.index.line_index import LineFacts, LineIndex
from tfdbg_tui.data.stores.user_code import is_user_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.stores.event_store import EventStore
    from tfdbg_tui.data.stores.host import Host


class Created(NamedTuple):
    """A graph op or a site of executions, with the lines of its stack."""

    lines: list[tuple[int, int]]
    """File and line of every frame on disk, outermost first."""
    own: tuple[int, int] | None
    sites: dict[int, list[int]]
    """Its sites, each with its alerts as events."""


def created(host: Host) -> Iterator[Created]:
    """All that was ever created, looked up one by one."""
    alerts = {store: alerts_by_site(store) for store in (host.traces, host.executions)}
    for graph in host.graphs.by_id.values():
        for op in graph.ops.values():
            sites = {
                number: alerts[host.traces].get(number, [])
                for number, site in enumerate(host.traces.sites)
                if (site.graph_id, site.op_name) == (graph.id, op.name)
            }
            yield Created(*lines_of(host, host.graphs.stack_of(op)), sites)
    for number, site in enumerate(host.executions.sites):
        sites = {number: alerts[host.executions].get(number, [])}
        yield Created(*lines_of(host, site.stack), sites)


def alerts_by_site(store: EventStore[Any]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for event in store.alerts["event"].tolist():
        found.setdefault(int(store.events["site"][event]), []).append(event)
    return found


def lines_of(
    host: Host, stack: tuple[str, ...]
) -> tuple[list[tuple[int, int]], tuple[int, int] | None]:
    frames = host.frames.resolve(stack)
    lines = [(known.file_index, known.line) for known in frames if known]
    for known in reversed(frames):
        source = None if known is None else host.sources.get(known.file_index)
        if known is None or source is None:
            return lines, None
        if is_user_file(source.path):
            return lines, (known.file_index, known.line)
    return lines, None


def recounted(host: Host) -> dict[int, dict[int, LineFacts]]:
    """The facts of every line of every file, counted anew."""
    facts: dict[int, dict[int, LineFacts]] = {}
    for thing in created(host):
        alerts = sum(map(len, thing.sites.values()))
        bad_sites = sum(map(bool, thing.sites.values()))
        for file, line in set(thing.lines):
            own = thing.own == (file, line)
            before = facts.setdefault(file, {}).get(line, LineFacts(line, 0, 0, 0, 0, 0))
            facts[file][line] = LineFacts(
                line,
                before.ops + 1,
                before.own + own,
                before.bad_sites + bad_sites,
                before.alerts + alerts,
                before.own_alerts + own * alerts,
            )
    return facts


def assert_equals_a_recount(line_index: LineIndex, host: Host) -> None:
    expected = recounted(host)
    for file in range(len(host.sources.files) + 5):
        assert line_index.lines(file) == expected.get(file, {})
