"""`eval`: numpy on tensors in backquotes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.expressions.evaluating import evaluate
from tfdbg_tui.command_line.expressions.limits import refuse_many
from tfdbg_tui.command_line.expressions.parsing import EXAMPLE, parse_expression
from tfdbg_tui.command_line.naming import tensor_named
from tfdbg_tui.command_line.print_tensor import saved
from tfdbg_tui.command_line.result import Cell, Result, line
from tfdbg_tui.command_line.value_lines import lines_of, plain_values, shown_of
from tfdbg_tui.data.values.recorded_value import NotRecorded, RecordedValue, value_of
from tfdbg_tui.data.values.slices import parse_name, parse_slice
from tfdbg_tui.data.values.value_error import ValueQueryError

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer, Line

    Array = npt.NDArray[Any]


class _Held:
    """An array that was computed, to be written as recorded ones are."""

    def __init__(self, array: Array) -> None:
        self._elements = np.ascontiguousarray(array).reshape(-1)
        self.element = self._elements.dtype
        self.settled = len(self._elements)

    def read(self, start: int, end: int) -> Array:
        """The elements between two places."""
        return self._elements[start:end]


def run(context: Context, command: ParsedCommand) -> Answer:
    """Compute an expression, and print or write its value."""
    expression = parse_expression(command.arguments["EXPR"])
    tensors: dict[str, Array] = {}
    yield from context.with_steps()
    try:
        for stand_in, name in expression.tensors.items():
            tensors[stand_in] = _tensor(context, name)
            yield
    except ValueQueryError as error:
        raise CommandError(str(error)) from None
    value = yield from evaluate(expression, tensors)
    if command.has("-w"):
        array = _array(value)
        held = RecordedValue(str(array.dtype), array.shape, array.size, _Held(array))
        return (yield from saved(held, held.whole, command))
    return _told(command.arguments["EXPR"], value, command.has("-a"))


def _tensor(context: Context, typed: str) -> Array:
    """The recorded value, or the part of it, that backquotes name."""
    name, cut = parse_name(typed)
    tensor = tensor_named(context, name)
    ref = tensor.ref
    if ref is None:
        raise CommandError(f"{name} was not recorded in any call.")
    value = value_of(context.run.hosts[ref.host].host, ref.kind, ref.event, ref.output)
    if isinstance(value, NotRecorded):
        raise CommandError(f"{name} has no value here: {value.reason}")
    selected = parse_slice(cut).on(value.shape) if cut else value.whole
    refuse_many(selected.size)
    return value.window(selected)


def _told(expression: str, value: Any, is_whole: bool) -> Result:
    """A value as text: several arrays, as some functions give, one below the other."""
    if isinstance(value, tuple):
        lines: list[Line] = []
        for part in value:
            lines += [*_lines(_array(part), is_whole), line("")]
        values = [plain_values(_array(part)) for part in value]
        return Result(expression, tuple(lines[:-1]), facts={"value": values})
    if isinstance(value, str):
        return Result(expression, (line(value),), facts={"value": value})
    array = _array(value)
    facts = {"dtype": str(array.dtype), "shape": list(array.shape), "value": plain_values(array)}
    return Result(expression, tuple(_lines(array, is_whole)), facts=facts)


def _lines(array: Array, is_whole: bool) -> list[Line]:
    shown = shown_of(array.shape, lambda parts: array[parts], is_whole)
    head: list[Line] = []
    if array.shape:
        head = [(Cell(f"{array.dtype} {'×'.join(map(str, array.shape))}", role="dim"),)]
    return [*head, *lines_of(shown)]


def _array(value: Any) -> Array:
    if value is None or value is ...:
        raise CommandError(f"That is no value; {EXAMPLE}.")
    return np.asarray(value)
