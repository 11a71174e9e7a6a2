"""`pt`: the value of a tensor, or what the mode tells of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.naming import tensor_named
from tfdbg_tui.command_line.parsing import REPLACING
from tfdbg_tui.command_line.result import Cell, Result, line
from tfdbg_tui.command_line.value_lines import lines_of, plain_values, shown_of
from tfdbg_tui.command_line.writing import written
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.values.ranges import parse_ranges
from tfdbg_tui.data.values.recorded_value import NotRecorded, value_of
from tfdbg_tui.data.values.slices import parse_name, parse_slice
from tfdbg_tui.data.values.value_error import ValueQueryError
from tfdbg_tui.data.views.number_words import COUNTED, count_words, extent
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.naming import NamedTensor
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer, Line
    from tfdbg_tui.data.records.health import Health
    from tfdbg_tui.data.values.ranges import Ranges
    from tfdbg_tui.data.values.recorded_value import RecordedValue
    from tfdbg_tui.data.values.slices import Selected
    from tfdbg_tui.data.values.statistics import Statistics


def run(context: Context, command: ParsedCommand) -> Answer:
    """Print a tensor, or write it."""
    yield from context.with_steps()
    try:
        return (yield from _answer(context, command))
    except ValueQueryError as error:
        raise CommandError(str(error)) from None


def _answer(context: Context, command: ParsedCommand) -> Answer:
    name, cut = parse_name(command.arguments["TENSOR[slice]"])
    ranges = parse_ranges(command.options["-r"]) if command.has("-r") else None
    which = command.number("-n", 0) if command.has("-n") else None
    tensor = tensor_named(context, name, which)
    ref = tensor.ref
    title = _title(context, tensor)
    if ref is None:
        return Result(title, (line("It was not recorded in any call."),), is_empty=True)
    host = context.run.hosts[ref.host].host
    value = value_of(host, ref.kind, ref.event, ref.output)
    yield
    if isinstance(value, NotRecorded):
        return _told(context, tensor, title, value.reason)
    selected = parse_slice(cut).on(value.shape) if cut else value.whole
    if command.has("-w"):
        return (yield from saved(value, selected, command))
    return (yield from _printed(command, (value, selected), ranges, title, tensor))


def _printed(
    command: ParsedCommand,
    chosen: tuple[RecordedValue, Selected],
    ranges: Ranges | None,
    title: str,
    tensor: NamedTensor,
) -> Answer:
    value, selected = chosen
    shown = shown_of(
        selected.shape, lambda parts: value.window(selected.narrowed(*parts)), command.has("-a")
    )
    yield
    whole = "×".join(map(str, value.shape)) or "scalar"
    part = "" if selected.is_whole else f", {'×'.join(map(str, selected.shape)) or 'one element'}"
    lines = [line(f"{value.dtype} {whole}{part}"), line(""), *lines_of(shown, ranges)]
    if command.has("-s"):
        told = yield from _statistics(value, selected)
        lines += [line(""), *_statistics_lines(told)]
    facts: dict[str, object] = {
        "tensor": tensor.name,
        "event": None if tensor.ref is None else tensor.ref.event,
        "dtype": value.dtype,
        "shape": list(selected.shape),
        "value" if shown.array.size == selected.size else "edges": plain_values(shown.array),
    }
    notes = [tensor.note] if tensor.note else []
    if ranges is not None:
        notes.append(f"* marks what lies in {ranges.words}.")
    return Result(title, tuple(lines), notes=tuple(notes), facts=facts)


def _title(context: Context, tensor: NamedTensor) -> str:
    if tensor.ref is None:
        return tensor.name
    index = context.run.hosts[tensor.host]
    store = index.host.store_of(tensor.kind)
    step = index.steps.step_of(store.wall_time(tensor.ref.event))
    at_step = f", step {step:,}" if step else ""
    many = len(tensor.events)
    which = f", number {tensor.at} of {many:,} from 0" if many > 1 else ""
    return f"{tensor.name} #{tensor.ref.event:,}{at_step}{which}"


# Where values are not recorded.


def _told(context: Context, tensor: NamedTensor, title: str, reason: str) -> Result:
    """What the mode tells of a tensor."""
    ref = tensor.ref
    assert ref is not None
    host = context.run.hosts[ref.host].host
    store = host.store_of(ref.kind)
    if ref.kind is EventKind.TRACE:
        health, bad = host.traces.health(ref.event), store.bad(ref.event)
    else:
        health = host.executions.health(ref.event, ref.output or 0)
        bad = host.executions.bad_outputs(ref.event).get(ref.output or 0, store.bad(ref.event) & 0)
    words = count_words(health, bad)
    lines: list[Line] = []
    if health is not None:
        lines.append(line(f"{health.dtype or ''} {extent(health)}".strip()))
    lines.append((Cell(words or "nothing is told of its numbers", role="bad" if bad else ""),))
    facts = {"tensor": tensor.name, "event": ref.event, **_numbers(health)}
    notes = (reason, *filter(None, [tensor.note]))
    return Result(title, tuple(lines), notes=notes, facts=facts)


def _numbers(health: Health | None) -> dict[str, object]:
    names = ("dtype", "rank", "size", "nan", "neg_inf", "pos_inf", "zero", "negative", "positive")
    return {} if health is None else {name: getattr(health, name) for name in names}


# Statistics.


def _statistics(value: RecordedValue, selected: Selected) -> Generator[None, None, Statistics]:
    from tfdbg_tui.data.values.statistics import StatisticsJob

    job = StatisticsJob(value, selected)
    while job.extend():
        yield
    return job.to_the_end()


def _statistics_lines(told: Statistics) -> Iterator[Line]:
    counts = [
        f"{name} {getattr(told.counts, field):,}"
        for field, name in COUNTED
        if getattr(told.counts, field, 0)
    ]
    yield line(f"{counted(told.size, 'element')}, {told.finite:,} finite: {', '.join(counts)}")
    if told.mean is None or told.deviation is None:
        return
    yield line(
        f"min {told.lowest:.6g}  max {told.highest:.6g}  mean {told.mean:.6g}  "
        f"std {told.deviation:.6g}"
    )
    if told.quantiles:
        shares = "  ".join(f"{share:.0%} {number:.4g}" for share, number in told.quantiles)
        of = "" if told.sampled is None else f" of a sample of {told.sampled:,}"
        yield line(f"quantiles{of}: {shares}")


# Files.


def saved(value: RecordedValue, selected: Selected, command: ParsedCommand) -> Answer:
    """Write what is selected to the file that `-w` names."""
    from tfdbg_tui.data.values.saving import SavingJob

    told = command.options["-w"]
    path = told.removeprefix(REPLACING)
    may_replace = command.may_replace or told.startswith(REPLACING)

    def begin() -> Iterator[None]:
        job = SavingJob(value, selected, Path(path), may_replace)
        while job.extend():
            yield
        if job.error is not None:
            raise job.error

    yield from written(begin, path)
    return Result(f"{counted(selected.size, 'element')} written to {path}.", facts={"path": path})
