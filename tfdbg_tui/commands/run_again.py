"""`tfdbg-tui run --again LOGDIR TENSOR`: records a script again, with the values of one tensor.

What is run comes from the notes beside a recording, which may be anybody's: all of it is shown, and
run only when somebody at a terminal has agreed.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.commands import run_headless
from tfdbg_tui.commands.again import options_of
from tfdbg_tui.commands.loading import chosen_runs, loaded
from tfdbg_tui.commands.outcome import BAD, Outcome
from tfdbg_tui.data.index.run_index import RunIndex
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.errors import UserError
from tfdbg_tui.program.record_again import Refusal, Request, has_values, request
from tfdbg_tui.sanitise import one_line, sanitise

if TYPE_CHECKING:
    from types import SimpleNamespace

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.stores.logdir import Logdir

YES = ("y", "yes")


def run(options: SimpleNamespace) -> Outcome:
    """Ask, and run the script to the step of the tensor's first bad computation, or its last."""
    if len(options.script) != 1:
        raise UserError("give the logdir and one tensor: `tfdbg-tui run --again LOGDIR Log:0`.")
    answer = _answer(loaded(options.again), options.script[0])
    if isinstance(answer, Refusal):
        code = "".join(f"\n{one_line(line)}" for line in answer.code)
        return Outcome(BAD, f"{one_line(answer.sentence)}{code}\n")
    _show(answer)
    if sys.stdin is None or not sys.stdin.isatty():
        raise UserError("nothing is run: only somebody at a terminal can agree to this.")
    if not _agreed():
        return Outcome(BAD, "Nothing is run.\n")
    return run_headless.run(options_of(answer))


def _answer(logdir: Logdir, name: str) -> Request | Refusal:
    """How to record the newest run again that computed a tensor and has no values of it."""
    is_computed = False
    for recorded in reversed(chosen_runs(logdir, None)):
        indexes = RunIndex(recorded)
        while indexes.extend_steps():
            pass
        for number, index in enumerate(indexes.hosts):
            event = _event_of(index, number, name)
            is_computed |= event is not None
            if event is not None and not has_values(index, event):
                return request(recorded, index, event, logdir.path)
    if is_computed:
        raise UserError(f"the values of {name} are recorded already.")
    raise UserError(f"{logdir.path} has no tensor {name}; names are like Log:0.")


def _event_of(index: HostIndex, host: int, name: str) -> EventRef | None:
    """The first bad computation of a tensor or, if none is, the last."""
    for kind in EventKind:
        store = index.host.store_of(kind)
        names = (index.sites.of(kind, site) for site in range(len(store.sites)))
        wanted = np.array([name in (facts.tensor, facts.name) for facts in names], np.bool_)
        if not wanted.any():
            continue
        bad = store.bad_events[wanted[store.site_numbers[store.bad_events]]]
        found = bad[:1] if len(bad) else np.flatnonzero(wanted[store.site_numbers])[-1:]
        if len(found):
            return EventRef(host, kind, int(found[0]))
    return None


def _show(wanted: Request) -> None:
    """The whole command, and what is to be known of it."""
    lines = [f"  {one_line(line)}" for line in wanted.lines]
    lines += [f"! {sanitise(remark)}" for remark in wanted.remarks]
    sys.stderr.write("The notes beside this recording say that its script is run like this:\n")
    sys.stderr.write("".join(f"{line}\n" for line in lines))


def _agreed() -> bool:
    sys.stderr.write("A recording may be anybody's: read it. Run it? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in YES
