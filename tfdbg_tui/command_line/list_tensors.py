"""`lt`: the tensors that were recorded, filtered and sorted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.finding import find
from tfdbg_tui.command_line.result import Result
from tfdbg_tui.command_line.table import SORT_KEYS
from tfdbg_tui.command_line.tensor_query import query_of, untold
from tfdbg_tui.command_line.tensor_rows import TensorRows
from tfdbg_tui.words import counted, listed

if TYPE_CHECKING:
    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer

TFDBG_KEYS = {
    "timestamp": "time",
    "dump_size": "size",
    "op_type": "op",
    "tensor_name": "name",
}
"""How tfdbg called them."""


def run(context: Context, command: ParsedCommand) -> Answer:
    """The tensors that are asked for."""
    key = _sort_key(command.options.get("-s", "time"))
    query = query_of(context, command)
    found = yield from find(context, query)
    rows = TensorRows(context, found)
    if key != "time" or command.has("-r"):
        rows = yield from rows.put_in_order(key, command.has("-r"))
    asked = "" if query is None else f" of {counted(_all(context), 'recorded one')}"
    title = f"{counted(len(rows), 'tensor')}{asked}, by {key}"
    notes = untold(context, query)
    return Result(title, heads=rows.heads, rows=rows, notes=notes, is_empty=not len(rows))


def _sort_key(told: str) -> str:
    key = TFDBG_KEYS.get(told, told)
    if key not in SORT_KEYS:
        raise CommandError(f"-s {told[:40]} is no column; write one of {listed(SORT_KEYS)}.")
    return key


def _all(context: Context) -> int:
    hosts = [index.host for index in context.hosts.values()]
    return sum(len(host.traces) + len(host.executions) for host in hosts)
