"""To the worst cause, from one to the next, and from cause to cause in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import store_number
from tfdbg_tui.sanitise import sanitise

if TYPE_CHECKING:
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.views.alert_tree import AlertTree
    from tfdbg_tui.data.views.navigator import Navigator


def first_bad(navigator: Navigator) -> EventRef | None:
    """Where the worst cause began; while that is not known, what is first in time."""
    causes, run = navigator.causes, navigator.run
    first, ranked = causes.first_alert(), causes.ranked or causes.meant
    if run is not None and first is not None and ranked and causes.job is not None:
        time = run.hosts[first.host].host.store_of(first.kind).wall_time(first.event)
        is_newer = time < ranked[0].time and not causes.job.has_judged(first)
        return first if is_newer else ranked[0].tensor
    return first


def go_to_first_bad(navigator: Navigator) -> bool:
    """Choose what to look at first, with its own line; False if nothing is bad."""
    first = first_bad(navigator)
    if first is not None:
        navigator.jump_to(first)
    return first is not None


def is_at_first_bad(navigator: Navigator) -> bool:
    """Whether what to look at first is chosen."""
    chosen, first = navigator.selection.event, first_bad(navigator)
    return chosen is not None and first is not None and chosen[:3] == first[:3]


def go_to_next_cause(navigator: Navigator) -> int | None:
    """Choose the next worst cause behind the one that is chosen, behind the last the first again.

    The number of the cause, from 0; None if no cause is chosen, or there is no other.
    """
    chosen, ranked = navigator.selection.event, navigator.causes.ranked
    here = None if chosen is None else navigator.causes.rank_of(chosen)
    if here is None or len(ranked) < 2:
        return None
    number = (here + 1) % len(ranked)
    navigator.jump_to(ranked[number].tensor)
    return number


def step_cause(navigator: Navigator, steps: int) -> bool:
    """Choose the next cause in time or, from one, the one before; False if there is none.

    Back from what only follows, no cause is meant but the alert before it, so that both ways
    lead along the same path.
    """
    run, tree, chosen = navigator.run, navigator.causes.tree, navigator.selection.nearest_event
    if run is None or tree is None:
        return False
    here = None if chosen is None else tree.number_of_cause(chosen)
    if here is None and steps < 0:
        return False
    if here is None:
        here = -1 if chosen is None else _causes_up_to(run, tree, chosen) - 1
    wanted = tree.cause(here + steps)
    if wanted is None:
        return False
    navigator.select_at(wanted)
    return True


def which_alert(navigator: Navigator) -> str:
    """Which cause is chosen or, where it is none, which alert of all; nothing for others."""
    run, tree, chosen = navigator.run, navigator.causes.tree, navigator.selection.event
    if run is None or tree is None or chosen is None:
        return ""
    cause = tree.number_of_cause(chosen)
    if cause is not None:
        return f"Cause {cause + 1:,} of {tree.causes:,}."
    store = run.hosts[chosen.host].host.store_of(chosen.kind)
    rank, is_there = run.log.rank_of(store.wall_time(chosen.event), chosen)
    if not is_there:
        return ""
    rule = navigator.causes.muting.rule_of(chosen)
    if rule is not None:
        return f"Alert {rank + 1:,} of {len(run.log):,}, muted by {sanitise(rule.text)}."
    follows = navigator.causes.follows(chosen)
    return f"Alert {rank + 1:,} of {len(run.log):,}{', which follows from a cause' * follows}."


def _causes_up_to(run: RunIndex, tree: AlertTree, tensor: EventRef) -> int:
    """How many causes come before a tensor in time, by bisection."""
    wanted = _in_time(run, tensor)
    low, high = 0, tree.causes
    while low < high:
        middle = (low + high) // 2
        cause = tree.cause(middle)
        if cause is not None and _in_time(run, cause) < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def _in_time(run: RunIndex, tensor: EventRef) -> tuple[float, int, int, int]:
    """What the order of causes goes by, as that of alerts does."""
    store = run.hosts[tensor.host].host.store_of(tensor.kind)
    number = store_number(tensor.host, tensor.kind)
    return store.wall_time(tensor.event), number, tensor.event, tensor.output or 0
