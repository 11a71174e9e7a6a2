"""The verdict on a logdir as a text to paste into a chat: short lines, nothing hostile in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.verdict import judgement
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

Json = dict[str, Any]


def as_text(report: Json) -> str:
    """The verdict for people, from what `judgement.verdict` tells machines."""
    paragraphs = ["\n".join(_run_lines(run, report["logdir"])) for run in report["runs"]]
    return "\n\n".join(paragraphs) + "\n"


def _run_lines(run: Json, logdir: str) -> list[str]:
    modes, hosts = run["tensor_debug_modes"], len(run["hosts"])
    return [
        heading(run["run_id"], run["tensorflow_version"], modes, hosts),
        *([] if run["directory"] == logdir else [f"  in {sanitise(run['directory'])}"]),
        f"  {_counts(run['counts'])}",
        *(f"  {line}" for line in _judgement(run)),
        *(f"  note: {fact}" for fact in _damage_facts(run["damage"])),
    ]


def heading(run_id: str | None, version: str | None, modes: Sequence[str], hosts: int) -> str:
    """Which run this is, in one line."""
    parts = [
        f"run {sanitise(run_id or 'without an id')}",
        f"TensorFlow {sanitise(version or '?')}",
        ", ".join(modes) or "no mode known yet",
        counted(hosts, "host"),
    ]
    return " · ".join(parts)


def _counts(counts: Json) -> str:
    parts = [
        counted(counts["executions"], "execution"),
        counted(counts["graph_executions"], "graph tensor"),
    ]
    if counts["graphs"]:
        graphs, ops = counted(counts["graphs"], "graph"), counted(counts["graph_ops"], "op")
        parts.append(f"{graphs} with {ops}")
    return ", ".join(parts)


def _judgement(run: Json) -> list[str]:
    no_events = not (run["counts"]["executions"] or run["counts"]["graph_executions"])
    if run["verdict"] == judgement.BAD:
        return _bad_lines(run)
    if run["verdict"] == judgement.INCOMPLETE:
        found = "no tensor could be read" if no_events else "no NaN or Inf in what could be read"
        return [f"INCOMPLETE: {found};", "events are damaged, missing or cut off."]
    if run["verdict"] == judgement.CLEAN:
        return ["CLEAN: no NaN or Inf in any recorded tensor."]
    if no_events:
        return [
            "NOTHING TO JUDGE: no tensor is on disk.",
            "`tfdbg-tui doctor` says why, and what to change.",
        ]
    return [
        "NOT JUDGED: this mode does not record NaN or Inf.",
        'Record with tensor_debug_mode="FULL_HEALTH".',
    ]


def _bad_lines(run: Json) -> list[str]:
    bad, damage = run["first_bad"], run["damage"]
    lost = damage["corrupt_records"] or damage["missing_files"]
    which = "The first that could be read" if lost else "The first"
    op = f" ({sanitise(bad['op_type'])})" if bad["op_type"] else ""
    lines = [
        f"BAD: {counted(run['alerts']['inf_nan'], 'tensor')} with NaN or Inf. {which}:",
        f"  {sanitise(bad['tensor'])}{op}",
        *(f"  {line}" for line in _place(bad)),
        f"  {_numbers(bad)}",
    ]
    location = bad["location"]
    if location is None:
        missing = damage["open_references"] or damage["missing_files"] or damage["corrupt_records"]
        reason = "its stack is not all on disk" if missing else "no frame of your own code is in it"
        return [*lines, f"  line not known: {reason}"]
    return [
        *lines,
        f"  {sanitise(location['file'])}:{location['line']} in {sanitise(location['function'])}",
        f"    {sanitise(location['code'] or '(source not recorded)')}",
    ]


def first_bad(bad: Json) -> str:
    """One line about the first bad tensor, for those who watch."""
    location = bad["location"]
    place = f", {sanitise(location['file'])}:{location['line']}" if location else ""
    op = f" ({sanitise(bad['op_type'])})" if bad["op_type"] else ""
    return f"first NaN or Inf: {sanitise(bad['tensor'])}{op}, {_numbers(bad)}{place}"


def _place(bad: Json) -> list[str]:
    if bad["source"] == "execution":
        return [f"eager execution #{bad['index']}"]
    tensor = f"graph tensor #{bad['index']}"
    if bad["function"] is None:
        graph = "the default graph" if bad["op_type"] else "a graph that is not on disk"
        return [f"{tensor} in {graph}"]
    function = f"function {sanitise(bad['function'])}"
    if bad["graph"] in (None, bad["function"]):
        return [f"{tensor} in {function}"]
    return [f"{tensor} in {sanitise(bad['graph'])}", f"inside {function}"]


def _numbers(bad: Json) -> str:
    numbers = [
        f"{word} {bad[name]:,}"
        for name, word in (("nan", "NaN"), ("neg_inf", "-Inf"), ("pos_inf", "+Inf"))
        if bad[name]
    ]
    if not numbers:
        return "NaN or Inf; this mode does not tell which or how many"
    of = f" of {counted(bad['size'], 'element')}" if bad["size"] is not None else ""
    kind = f", {bad['dtype']} {bad['rank']}-D" if bad["dtype"] is not None else ""
    return ", ".join(numbers) + of + kind


def _damage_facts(damage: Json) -> list[str]:
    facts = [f"missing or unreadable: {sanitise(name)}" for name in damage["missing_files"]]
    if damage["corrupt_records"]:
        facts.append(f"damaged in {counted(damage['corrupt_records'], 'place')}")
    if damage["cut_bytes"]:
        unfinished = counted(damage["cut_bytes"], "byte")
        facts.append(f"{unfinished} of unfinished records at the end: it runs, or was killed")
    if damage["open_references"]:
        references = counted(damage["open_references"], "reference")
        facts.append(f"{references} to what is not on disk: it runs, or was killed")
    return facts
