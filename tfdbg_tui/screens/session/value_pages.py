"""What is looked at of a value, as a page tells it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.values.formatting import Notation
from tfdbg_tui.data.views.value_page import CurvePage, PicturePage, SummaryPage, ValuePage, Way

if TYPE_CHECKING:
    from typing import Any

    from tfdbg_tui.data.values.over_time import Moment
    from tfdbg_tui.data.values.pooling import PoolingJob
    from tfdbg_tui.data.views.value_page import GridPage
    from tfdbg_tui.screens.session.value_look import ValueLook

    Room = tuple[int, int]
    """Rows and columns of what is drawn."""


def value_page(look: ValueLook, room: Room) -> ValuePage:
    """All that is on the screen."""
    event, value = look.event, look.value
    store = look.index.host.store_of(event.kind)
    step = look.index.steps.step_of(store.wall_time(event.event))
    facts = look.index.sites.of(event.kind, store.site_number(event.event))
    body = _body(look, room)  # it moves the window, and asks for work
    index, told, is_bad = look.here
    return ValuePage(
        facts.tensor,
        f"#{event.event:,}, step {step:,}" if step else f"#{event.event:,}",
        value.dtype,
        value.shape,
        _selected_words(look),
        look.way,
        look.minus,
        (f"[{', '.join(map(str, index))}]", told, is_bad),
        _notation(look),
        body,
        look.work.is_working,
    )


def _body(look: ValueLook, room: Room) -> GridPage | PicturePage | CurvePage | SummaryPage:
    height, width = room
    if look.way is Way.SUMMARY and look.summary is not None:
        summary = look.summary
        histogram = None if summary.histogram is None else summary.histogram.result
        return SummaryPage(summary.statistics.result, histogram, summary.looked_at)
    if look.way is Way.PICTURE:
        plane = look.cursor.plane
        if len(plane.shape) == 1:
            return _curve(look, look.paint(1, width))
        turned = look.cursor.is_turned
        painted = look.paint(*((width, height) if turned else (height, width)))
        return _picture(painted, turned)
    if look.way in (Way.OVER_TIME, Way.RANGES_OVER_TIME):
        return _over_time(look)
    return look.cursor.page(width, height)


def _picture(job: PoolingJob, is_turned: bool) -> PicturePage:
    strongest = job.strongest()
    finite = np.abs(strongest[np.isfinite(strongest)])
    limit = float(finite.max(initial=0.0)) or 1.0
    parts = strongest / limit
    per_cell = (-(-job.rows // job.height), -(-job.columns // job.width))
    if is_turned:
        parts, per_cell = parts.T, (per_cell[1], per_cell[0])
    return PicturePage(tuple(map(tuple, parts.tolist())), limit, per_cell, job.looked_at)


def _curve(look: ValueLook, job: PoolingJob) -> CurvePage:
    low, high, bad = job.low[0], job.high[0], job.bad[0]
    points = [(a, b) if a <= b else None for a, b in zip(low.tolist(), high.tolist(), strict=True)]
    axis = look.cursor.axes[1]
    place = 0 if axis is None else look.cursor.index[axis]
    return CurvePage(
        tuple(points),
        tuple(bad.tolist()),
        ("0", f"{job.columns - 1:,}"),
        place * job.width // max(job.columns, 1),
        "its elements",
        job.looked_at,
    )


def _over_time(look: ValueLook) -> CurvePage:
    events, moments = look.over_time()
    told = [moments.of(event) for event in events]
    found = [_point(moment) for moment in told]
    here = look.history.invocation_of(look.event.event)
    apart = max(1, -(-look.history.count // max(len(events), 1)))
    known = sum(moment is not None for moment in told)
    of_all = look.way is Way.RANGES_OVER_TIME
    return CurvePage(
        tuple(point for point, _ in found),
        tuple(is_bad for _, is_bad in found),
        ("1", f"{look.history.count:,}"),
        here // apart,
        f"{'from lowest to highest' if of_all else 'this element'} in each computation",
        known / max(len(events), 1),
    )


def _point(moment: Moment | None) -> tuple[tuple[float, float] | None, bool]:
    """The range that a curve has at one computation, and whether anything there is bad."""
    if moment is None:
        return None, False
    if (told := moment.statistics) is not None:
        is_there = told.lowest is not None and told.highest is not None
        counts = told.counts
        is_bad = bool(counts.nan or counts.neg_inf or counts.pos_inf)
        return ((told.lowest, told.highest) if is_there else None), is_bad  # type: ignore[return-value]
    number = _number(moment.element)
    if number is None or not math.isfinite(number):
        return None, number is not None
    return (number, number), False


def _number(element: Any) -> float | None:
    if isinstance(element, complex):
        return abs(element)
    return float(element) if isinstance(element, (bool, int, float)) else None


def _selected_words(look: ValueLook) -> str:
    """The dimensions in view as `:`, and the index of each other: as numpy would name it."""
    cursor = look.cursor
    words = []
    shown = [cursor.selected.kept[axis] for axis in cursor.axes if axis is not None]
    indices = look.here[0]
    for axis, (part, size) in enumerate(
        zip(cursor.selected.axes, cursor.selected.tensor_shape, strict=True)
    ):
        if axis in shown:
            assert isinstance(part, range)
            is_all = part == range(size)
            step = "" if part.step == 1 else f":{part.step}"
            words.append(":" if is_all else f"{part.start}:{part.stop}{step}")
        else:
            words.append(str(indices[axis]) if indices else "")
    return f"[{', '.join(words)}]"


def _notation(look: ValueLook) -> str:
    how, ranges = look.cursor.format, look.cursor.ranges
    words = [] if how.notation is Notation.SHORT else [how.notation.value]
    words += [f"{ranges.words} *"] if ranges is not None else []
    return "  ".join(words)
