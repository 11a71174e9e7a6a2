"""The verdict on a logdir as a text to paste into a chat: short lines, nothing hostile in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.verdict import cause_text, warnings
from tfdbg_tui.verdict.cause_text import place_lines
from tfdbg_tui.verdict.verdict import Conclusion
from tfdbg_tui.words import CAME_WITH_DATA, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.records.health import Health
    from tfdbg_tui.verdict.bad_tensor import BadTensor
    from tfdbg_tui.verdict.filtered import Filtered
    from tfdbg_tui.verdict.verdict import Counts, Damage, RunVerdict, Verdict


def as_text(verdict: Verdict) -> str:
    """The verdict for people: a paragraph for each run."""
    paragraphs = ["\n".join(_run_lines(run, verdict.logdir)) for run in verdict.runs]
    return "\n\n".join(paragraphs) + "\n"


def _run_lines(run: RunVerdict, logdir: str) -> list[str]:
    return [
        heading(run.run_id, run.tensorflow_version, run.modes, len(run.hosts)),
        *([] if run.directory == logdir else [f"  in {sanitise(run.directory)}"]),
        *(f"  {line}" for line in _ending_lines(run)),
        f"  {_counts(run.counts)}",
        *(f"  {line}" for line in _conclusion_lines(run)),
        *(f"  {line}" for line in warnings.lines(run.causes.warnings)),
        *(f"  {line}" for line in _filter_lines(run.filtered)),
        *(f"  note: {fact}" for fact in _damage_facts(run.damage)),
    ]


def _ending_lines(run: RunVerdict) -> list[str]:
    if run.ending is None:
        return []
    from tfdbg_tui.verdict import ending_text

    return ending_text.lines(run.ending)


def heading(run_id: str | None, version: str | None, modes: Sequence[str], hosts: int) -> str:
    """Which run this is, in one line."""
    parts = [
        f"run {sanitise(run_id or 'without an id')}",
        f"TensorFlow {sanitise(version or '?')}",
        ", ".join(modes) or "no mode known yet",
        counted(hosts, "host"),
    ]
    return " · ".join(parts)


def _counts(counts: Counts) -> str:
    parts = [
        counted(counts.executions, "execution"),
        counted(counts.graph_executions, "graph tensor"),
    ]
    if counts.graphs:
        graphs, ops = counted(counts.graphs, "graph"), counted(counts.graph_ops, "op")
        parts.append(f"{graphs} with {ops}")
    return ", ".join(parts)


def _conclusion_lines(run: RunVerdict) -> list[str]:
    has_events = bool(run.counts.events)
    if run.first_bad is not None and run.conclusion is Conclusion.BAD:
        return _bad_lines(run, run.first_bad)
    if run.conclusion is Conclusion.INCOMPLETE:
        found = "no NaN or Inf in what could be read" if has_events else "no tensor could be read"
        return [f"INCOMPLETE: {found};", f"events are {_why_incomplete(run.damage)}."]
    if run.conclusion is Conclusion.FAILED:
        return [f"FAILED: the program ended with an error; {_found_nothing(run)}."]
    if run.conclusion is Conclusion.CLEAN:
        return _clean_lines(run)
    if not has_events:
        return [
            "NOTHING TO JUDGE: no tensor is on disk.",
            "`tfdbg-tui doctor` says why, and what to change.",
        ]
    return [
        "NOT JUDGED: this mode does not record NaN or Inf.",
        "Record in mode FULL_HEALTH.",
    ]


def _clean_lines(run: RunVerdict) -> list[str]:
    muted = cause_text.muted_lines(run)
    if not run.alerts and muted:
        return ["CLEAN: no NaN or Inf but what is muted.", *muted]
    if not run.alerts:
        return ["CLEAN: no NaN or Inf in any recorded tensor."]
    tensors = counted(run.alerts, "tensor")
    told = f"CLEAN: {tensors} with NaN or Inf, all on purpose."
    return [told, *cause_text.meant_lines(run), *muted]


def _why_incomplete(damage: Damage) -> str:
    too_large = "too large to be read whole"
    if not damage.unjudged_tensors:
        return "damaged, missing or cut off"
    is_whole = not (damage.corrupt_records or damage.missing_files or damage.cut_bytes)
    return too_large if is_whole else f"damaged, missing, cut off or {too_large}"


def _found_nothing(run: RunVerdict) -> str:
    """What is known of the numbers of a program that failed."""
    if not run.counts.events:
        return "no tensor is on disk"
    return "no NaN or Inf in what was recorded" if run.can_tell else "its mode tells no NaN or Inf"


def _bad_lines(run: RunVerdict, bad: BadTensor) -> list[str]:
    damage = run.damage
    lost = damage.corrupt_records or damage.missing_files
    which = "The first that could be read" if lost else "The first"
    lines = [
        f"BAD: {counted(run.alerts, 'tensor')} with NaN or Inf. {which}:",
        f"  {_tensor(bad)}",
        *(f"  {line}" for line in _event_lines(bad)),
        f"  {_numbers(bad)}",
    ]
    if bad.location is None:
        missing = lost or damage.open_references
        reason = "its stack is not all on disk" if missing else "no frame of your own code is in it"
        lines.append(f"  line not known: {reason}")
    else:
        lines += place_lines(bad.location, bad.via)
    return [*lines, *cause_text.cause_lines(run)]


def first_bad(bad: BadTensor) -> str:
    """One line about the first bad tensor, for those who watch."""
    location = bad.location
    where = f", {sanitise(location.file)}:{location.line}" if location else ""
    return f"first NaN or Inf: {_tensor(bad)}, {_numbers(bad)}{where}"


def _filter_lines(filtered: Filtered | None) -> list[str]:
    """What the filter holds for that was asked for."""
    if filtered is None:
        return []
    first = filtered.first
    if first is None:
        return [f"filter {filtered.name}: holds for nothing here."]
    return [
        f"filter {filtered.name}: holds for {counted(filtered.events, 'event')}. The first:",
        f"  {_tensor(first)}",
        *(f"  {line}" for line in _event_lines(first)),
        *([] if first.location is None else place_lines(first.location, first.via)),
    ]


def tensor_in_short(told: BadTensor) -> str:
    """A tensor with its line, within a sentence."""
    location = told.location
    return _tensor(told) + (f", {sanitise(location.file)}:{location.line}" if location else "")


def _tensor(bad: BadTensor) -> str:
    op = f" ({sanitise(bad.op_type)})" if bad.op_type else ""
    return f"{sanitise(bad.tensor)}{op}"


def _event_lines(bad: BadTensor) -> list[str]:
    """Which event it belongs to, and of which graph."""
    if bad.source == "execution":
        return [f"eager execution #{bad.event}"]
    tensor = f"graph tensor #{bad.event}"
    if bad.function is None:
        graph = "the default graph" if bad.op_type else "a graph that is not on disk"
        return [f"{tensor} in {graph}"]
    function = f"function {sanitise(bad.function)}"
    if bad.graph in (None, bad.function):
        return [f"{tensor} in {function}"]
    return [f"{tensor} in {sanitise(bad.graph)}", f"inside {function}"]


def _numbers(bad: BadTensor) -> str:
    """How many are bad, and whether they were so on arrival."""
    return _counted(bad.health) + (f", {CAME_WITH_DATA}" if bad.came_with_data else "")


def _counted(health: Health) -> str:
    kinds = (("NaN", health.nan), ("-Inf", health.neg_inf), ("+Inf", health.pos_inf))
    numbers = [f"{word} {number:,}" for word, number in kinds if number]
    if not numbers:
        return "NaN or Inf; this mode does not tell which or how many"
    of = f" of {counted(health.size, 'element')}" if health.size is not None else ""
    if health.unread and health.size is not None:
        of = f" among the first {health.size - health.unread:,}{of}"
    kind = f", {health.dtype} {health.rank}-D" if health.dtype is not None else ""
    return ", ".join(numbers) + of + kind


def _damage_facts(damage: Damage) -> list[str]:
    facts = [f"missing or unreadable: {sanitise(name)}" for name in damage.missing_files]
    if damage.corrupt_records:
        facts.append(f"damaged in {counted(damage.corrupt_records, 'place')}")
    if damage.unjudged_tensors:
        tensors = counted(damage.unjudged_tensors, "tensor")
        facts.append(f"{tensors} not read whole: one record holds too many values or tensors")
    if damage.cut_bytes:
        unfinished = counted(damage.cut_bytes, "byte")
        facts.append(f"{unfinished} of unfinished records at the end: it runs, or was killed")
    if damage.open_references:
        references = counted(damage.open_references, "reference")
        facts.append(f"{references} to what is not on disk: it runs, or was killed")
    return facts
