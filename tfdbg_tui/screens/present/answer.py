"""Gathers what the cause band tells of the selection, from what the detail panes know already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause import sentences
from tfdbg_tui.data.index.stacks import chosen_frame
from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.tf_names import ARGUMENT, takes_stored
from tfdbg_tui.data.views.alert_tree import muted_note
from tfdbg_tui.data.views.cause_walk import is_at_first_bad
from tfdbg_tui.data.views.neighbourhood import nearest_inputs
from tfdbg_tui.data.views.number_words import bad_words
from tfdbg_tui.data.views.warning_walk import chosen_warning
from tfdbg_tui.screens.present.band_text import Answer, user_frames
from tfdbg_tui.screens.session.first_bad import healthy, tells_health
from tfdbg_tui.widgets.pieces import base_name, clean, op_path
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.stacks import StackFrame
    from tfdbg_tui.data.live.snapshot import RunState
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.views.found_causes import FoundCauses
    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.data.views.selection import Selection
    from tfdbg_tui.screens.present.detail_panes import DetailPanes
    from tfdbg_tui.screens.session.session import Session

MAX_INPUTS = 4
"""Inputs that are told in one row."""

ABSORBED = "absorbed: nothing computed from it is bad"

NO_USER_LINE = "no frame of your own code made this op"


def answer_of(session: Session, details: DetailPanes) -> Answer | None:
    """What there is to tell; None before there is anything."""
    navigator, state = session.navigator, session.state
    index, chosen = navigator.index, navigator.selection
    if state is None or index is None:
        return None
    facts = details.facts
    inputs = tuple(nearest_inputs(details.nodes))
    is_first = facts is not None and bool(facts.bad) and is_at_first_bad(navigator)
    cause = _cause(navigator.causes, chosen.event)
    is_call, bad_inside = _call(index, chosen)
    note, mood = _run_note(state, navigator)
    follows = _follows(navigator.causes, chosen.event, is_call)
    frame = _frame(chosen)
    frames = user_frames(chosen.stack, None if frame is None else frame.id)
    return Answer(
        facts,
        is_call,
        is_first,
        follows,
        frames,
        details.code_of(index, frame),
        details.why_no_code(index, chosen) if frames else NO_USER_LINE,
        inputs[:MAX_INPUTS],
        bad_inside,
        note,
        mood,
        f"step {facts.step:,}" if facts is not None and facts.step else "",
        _note(session, chosen.event, follows),
        _is_constant(index, chosen),
        session.snapshot is not None and session.snapshot.activity is Activity.LOADING,
        _why(navigator.causes, cause),
        cause is not None and cause.on_purpose,
        _muted_by(navigator.causes, chosen.event),
        chosen_warning(navigator),
    )


def _muted_by(causes: FoundCauses, event: EventRef | None) -> str:
    """The rule that mutes what is chosen, for people; empty if none does."""
    rule = None if event is None else causes.muting.rule_of(event)
    if rule is None and event is not None:
        is_muted = causes.muting.is_row_muted(event.host, event.kind, event.event)
        return "rules for what is inside" if is_muted else ""
    return "" if rule is None else clean(rule.text)


def _cause(causes: FoundCauses, chosen: EventRef | None) -> FoundCause | None:
    """The cause that is chosen, if it is one; what is meant, in any step."""
    every = (*causes.ranked, *causes.meant, *causes.muted)
    own = next((c for c in every if chosen is not None and _is_same(c.tensor, chosen)), None)
    if own is not None or chosen is None or not causes.meant or causes.follows(chosen):
        return own
    cause = causes.cause_of(chosen)
    return cause if cause is not None and cause.on_purpose else None


def _why(causes: FoundCauses, cause: FoundCause | None) -> tuple[str, ...]:
    """Why what is chosen is bad, where it is a cause: from the whole sentence to the shortest."""
    told = None if cause is None else causes.explain(cause)
    if cause is None or told is None:
        return ()
    return (sentences.held_on_purpose(told),) if cause.on_purpose else sentences.reasons(told)


def _frame(chosen: Selection) -> StackFrame | None:
    """The frame whose line is told: the chosen one, whatever line is looked at beside it."""
    depth = next((frame.depth for frame in chosen.stack if frame.id == chosen.frame), None)
    depth = chosen_frame(chosen.stack) if depth is None else depth
    return None if depth is None else chosen.stack[depth]


def _is_constant(index: HostIndex, chosen: Selection) -> bool:
    """Whether what is chosen is computed from nothing, nor stored before, nor handed in."""
    op = None if chosen.node is None else index.host.graphs.op(*chosen.node[:2])
    if op is None or chosen.kind is not EventKind.TRACE or op.inputs:
        return False
    return not takes_stored(op.type) and op.type != ARGUMENT


def _follows(causes: FoundCauses, event: EventRef | None, is_call: bool) -> bool:
    """Whether what is chosen is bad because of something else; a call is what is inside it."""
    if event is None:
        return False
    calls = causes.of_calls(event.host)
    if not is_call or calls is None:
        return causes.follows(event)
    return calls.row_follows(event.event)


def _note(session: Session, event: EventRef | None, follows: bool) -> str:
    """What else there is to know of something bad."""
    causes = session.navigator.causes
    host = None if event is None else causes.of_host(event.host)
    if event is not None and host is not None and host.is_bad(event) and host.is_absorbed(event):
        return ABSORBED
    return "" if follows else _place_among_causes(session, event)


def _place_among_causes(session: Session, event: EventRef | None) -> str:
    """Where several things went wrong by themselves in one call: which of them this is."""
    causes = session.navigator.causes.in_call(session.navigator.selection)
    if event is None or len(causes) < 2:
        return ""
    numbers = [number for number, cause in enumerate(causes, 1) if _is_same(cause, event)]
    which = f"cause {numbers[0]} of {len(causes)}" if numbers else f"{len(causes)} causes"
    return f"{which} in this call; e walks them"


def _is_same(one: EventRef, other: EventRef) -> bool:
    return (one.host, one.kind, one.event) == (other.host, other.kind, other.event)


def _call(index: HostIndex, chosen: Selection) -> tuple[bool, int]:
    """Whether a call is chosen, and how many bad tensors are inside it."""
    if chosen.kind is not EventKind.EXECUTION or chosen.execution is None:
        return False, 0
    site = index.host.executions.site_number(chosen.execution)
    is_call = index.sites.execution(site).is_call
    return is_call, len(index.bad_inside(chosen.execution)) if is_call else 0


def _run_note(state: RunState, navigator: Navigator) -> tuple[str, str]:
    """What to say where nothing bad is chosen, and its role."""
    if not state.alerts:
        if not tells_health(state):
            return healthy(state), "warn"
        program = state.program
        if program is not None and program.failed and program.failure is not None:
            return f"{program.name} ended with {program.failure.name}. {healthy(state)}", "warn"
        alerts = navigator.causes.alerts
        if alerts is not None and alerts.warnings:
            warnings = counted(len(alerts.warnings), "warning")
            return f"{healthy(state)} {warnings}: e goes there.", "good"
        return healthy(state), "good" if state.executions + state.traces else ""
    muting = navigator.causes.muting
    if navigator.causes.first_alert() is None and muting.muted.tensors:
        return f"{muted_note(muting.muted)}; nothing else is bad.", ""
    if navigator.causes.meant and not navigator.causes.ranked:
        tensors = counted(navigator.causes.meant_tensors(), "tensor")
        return f"NaN or Inf on purpose in {tensors}, and nothing came of it.", "good"
    return _first_of_run(navigator), "bad"


def _first_of_run(navigator: Navigator) -> str:
    """What went wrong first, for who looks at something else: a run may have turned bad since."""
    run = navigator.run
    worst = next(iter(navigator.causes.ranked), None)
    first = navigator.causes.first_alert() if worst is None else worst.tensor
    if run is None or first is None:
        return "Something went bad; ! goes there."
    index = run.hosts[first.host]
    store = index.host.store_of(first.kind)
    facts = index.sites.of(first.kind, store.site_number(first.event))
    line = f" in {clean(base_name(facts.line.path))}:{facts.line.line}" if facts.line else ""
    outputs = store.bad_outputs(first.event)
    what = bad_words(outputs.get(first.output or 0, store.bad(first.event)))
    return f"{what} came from {op_path(facts.name, 40)}{line}; ! goes there."
