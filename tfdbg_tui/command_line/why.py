"""`why`: the page on the cause of a tensor, or on the worst of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.naming import tensor_named
from tfdbg_tui.command_line.result import Cell, Result
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.asking_why import AskingWhy
from tfdbg_tui.data.views.number_words import count_words
from tfdbg_tui.data.views.selection import Selection
from tfdbg_tui.data.views.why_page import Part
from tfdbg_tui.frozen.frozen import Frozen

if TYPE_CHECKING:
    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer, Line
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.views.found_causes import FoundCauses
    from tfdbg_tui.data.views.why_page import WhyLine

ROLES = {Part.HEADING: "head", Part.GUILTY: "bad", Part.CODE: "dim"}
INDENTED = (Part.CODE, Part.GUILTY, Part.TENSOR, Part.CURE, Part.CAUSE, Part.TEXT)


class _Asked(Frozen):
    """What is asked about without a navigator."""

    run: RunIndex
    causes: FoundCauses
    selection: Selection


def run(context: Context, command: ParsedCommand) -> Answer:
    """Why what is named, chosen or recorded is bad."""
    causes = yield from context.with_causes()
    name = command.arguments.get("TENSOR")
    asked = context.chosen if name is None else tensor_named(context, name).ref
    if name is not None and (asked is None or not _is_bad(causes, asked)):
        return Result(f"{name} is not bad in what is recorded.", is_empty=True)
    page = AskingWhy(_Asked(context.run, causes, _selection(asked))).page()
    if isinstance(page, str):
        return Result(page, is_empty=True)
    return Result(page.title, tuple(map(_line, page.lines)))


def _is_bad(causes: FoundCauses, tensor: EventRef) -> bool:
    host = causes.of_host(tensor.host)
    return host is not None and host.is_bad(tensor)


def _selection(tensor: EventRef | None) -> Selection:
    if tensor is None:
        return Selection()
    is_trace = tensor.kind is EventKind.TRACE
    return Selection(
        tensor.host,
        tensor.kind,
        trace=tensor.event if is_trace else None,
        execution=None if is_trace else tensor.event,
        output=tensor.output or 0,
    )


def _line(told: WhyLine) -> Line:
    role = ROLES.get(told.part, "")
    lead = "  " if told.part in INDENTED else ""
    if told.lead:
        lead += f"{told.lead:>4}  " if told.part in (Part.CODE, Part.GUILTY) else f"{told.lead}  "
    if told.tensor is None:
        return (Cell(lead, role="dim"), Cell(told.text, link=told.link, role=role))
    tensor = told.tensor
    words = count_words(tensor.health, tensor.bad)
    if tensor.lowest is not None and tensor.highest is not None:
        words += f"  {tensor.lowest:.4g} … {tensor.highest:.4g}"
    kind = f" ({tensor.op_type})" if tensor.op_type else ""
    return (
        Cell(lead, role="dim"),
        Cell(told.text, link=told.link),
        Cell(f"{kind}  ", role="dim"),
        Cell(words, role="bad" if tensor.bad else ""),
    )
