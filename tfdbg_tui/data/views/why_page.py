"""Why a tensor is bad, as the lines of a page: the verdict, the line, the numbers, what came of it.

Knows no width and no colours: who draws it wraps and marks the lines.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.data.cause import sentences
from tfdbg_tui.data.cause.reach import Reach
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.words import counted, first_few, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tfdbg_tui.data.cause.explanation import Explanation, ToldTensor
    from tfdbg_tui.data.stores.event_kind import EventRef

CONTEXT = 2
"""Lines of code above and below the guilty one."""

MAX_CHAIN = 24
"""Tensors of the chain that are listed; of a longer one its beginning and its end."""

MAX_OTHERS, MAX_MEANT, MAX_NAMES = 8, 5, 6
"""Other causes, what is meant, and variables that are listed."""


MANY = 1_000
"""Bad tensors behind a cause from which on there may be more than were counted."""


class Part(Enum):
    """What a line of the page is."""

    BLANK = "blank"
    HEADING = "heading"
    VERDICT = "verdict"
    TEXT = "text"
    CODE = "code"
    GUILTY = "guilty"
    """The line of code that it is about."""
    TENSOR = "tensor"
    CURE = "cure"
    CAUSE = "cause"
    """Another cause, told in a sentence."""


class WhyLine(NamedTuple):
    """One line; where it leads to a tensor, it can be followed."""

    part: Part
    text: str = ""
    lead: str = ""
    """What stands before it: a number, a step, a word."""
    tensor: ToldTensor | None = None
    follows: bool = False
    """Whether the tensor is bad because of another one."""
    link: EventRef | None = None


class WhyPage(NamedTuple):
    """All there is to tell."""

    title: str
    lines: tuple[WhyLine, ...]


class Others(NamedTuple):
    """What else is bad in the run."""

    number: int
    """Which of the causes this is, from 1; 0 for none of them."""
    causes: tuple[Explanation, ...]
    """The first of them, this one among them."""
    total: int
    meant: tuple[Explanation, ...]
    meant_tensors: int
    muted: str = ""
    """How many tensors are muted, and by which rules."""
    muted_by: str = ""
    """The rule that mutes what was asked about."""


BLANK = WhyLine(Part.BLANK)


def why_page(
    cause: Explanation, chain: Sequence[ToldTensor], others: Others, source: Sequence[str] | None
) -> WhyPage:
    """The page on one cause; `chain` leads from it to what was asked about."""
    which = f"cause {others.number} of {others.total}" if others.total > 1 else "the cause"
    sections = (
        [WhyLine(Part.VERDICT, f"{sentences.verdict(cause)}."), *_muted_by(others)],
        _place(cause, source),
        list(_numbers(cause)),
        list(_cures(cause)) if others.number else [],  # what is meant needs none
        list(_chain(cause, chain)),
        list(_reach(cause)),
        list(_earlier(cause)),
        list(_other_causes(cause, others)),
        list(_meant(others)),
        [WhyLine(Part.HEADING, others.muted)] if others.muted else [],
    )
    lines: list[WhyLine] = []
    for section in sections:
        lines += [*([BLANK] if lines and section else []), *section]
    no_cause = "muted" if others.muted_by else "on purpose"
    return WhyPage(which if others.number else no_cause, tuple(lines))


def _muted_by(others: Others) -> list[WhyLine]:
    if not others.muted_by:
        return []
    return [WhyLine(Part.TEXT, f"You have muted it, by {others.muted_by}; M unmutes it.")]


def _place(cause: Explanation, source: Sequence[str] | None) -> list[WhyLine]:
    location = cause.location
    step = f", step {cause.step:,}" if cause.step else ""
    layer = f", layer {cause.layer}" if cause.layer else ""
    if location is None:
        return [WhyLine(Part.HEADING, f"No line of yours made it{layer}{step}")]
    of = " (the op whose gradient it is)" if cause.is_gradient_of else ""
    name = location.file.rpartition("/")[2]
    place = f"{name}:{location.line} in {location.function}{of}{layer}{step}"
    lines = [WhyLine(Part.HEADING, place)]
    if source is None or not 1 <= location.line <= len(source):
        code = location.code or "(source not recorded)"
        return [*lines, WhyLine(Part.GUILTY, code, str(location.line))]
    first = max(1, location.line - CONTEXT)
    shown = source[first - 1 : location.line + CONTEXT]
    margin = min((len(line) - len(line.lstrip()) for line in shown if line.strip()), default=0)
    for number, line in enumerate(shown, first):
        part = Part.GUILTY if number == location.line else Part.CODE
        lines.append(WhyLine(part, line[margin:].rstrip(), str(number)))
    return lines


def _numbers(cause: Explanation) -> Iterator[WhyLine]:
    yield WhyLine(Part.HEADING, "The numbers")
    for number, told in enumerate(cause.inputs):
        lead = "took" if number != cause.culprit else "took this"
        yield WhyLine(Part.TENSOR, told.name, lead, told, link=told.event)
    verb = "read" if cause.is_update else "made"
    yield WhyLine(Part.TENSOR, cause.output.name, verb, cause.output, link=cause.tensor)
    if not cause.inputs:
        yield WhyLine(Part.TEXT, "What it took is not recorded.")
    if not cause.tells_counts:
        yield WhyLine(Part.TEXT, "This mode does not count zeros and signs; FULL_HEALTH does.")
    elif cause.output.lowest is None and all(told.highest is None for told in cause.inputs):
        yield WhyLine(Part.TEXT, "How large the numbers are is not recorded; FULL_TENSOR tells.")


def _chain(cause: Explanation, chain: Sequence[ToldTensor]) -> Iterator[WhyLine]:
    told = list(chain or cause.chain)
    if len(told) < 2:
        return
    yield WhyLine(Part.HEADING, "From there to what was asked" if chain else "From there on")
    left_out = len(told) - MAX_CHAIN
    for number, tensor in enumerate(told):
        if left_out > 0 and number == MAX_CHAIN // 2:
            yield WhyLine(Part.TEXT, f"… {counted(left_out, 'tensor')} between …")
        if left_out <= 0 or number < MAX_CHAIN // 2 or number >= MAX_CHAIN // 2 + left_out:
            lead = f"{number + 1}"
            yield WhyLine(Part.TENSOR, tensor.name, lead, tensor, number > 0, tensor.event)


def _reach(cause: Explanation) -> Iterator[WhyLine]:
    yield WhyLine(Part.HEADING, "How far it came")
    if cause.tensors and cause.reach is not Reach.ABSORBED:
        more = " or more" if cause.tensors >= MANY else ""
        yield WhyLine(Part.TEXT, f"{counted(cause.tensors, 'tensor')}{more} bad because of it.")
    if cause.variables:
        names = listed(first_few(cause.variables, MAX_NAMES))
        verb = "is" if len(cause.variables) == 1 else "are"
        yield WhyLine(Part.TEXT, f"{names} {verb} bad from then on.")
    elif cause.reach is Reach.VARIABLE:
        yield WhyLine(Part.TEXT, "It was written to variables; nothing tells their names.")
    if cause.end is not None:
        what = "The loss" if cause.reach in (Reach.LOSS, Reach.VARIABLE) else "What was put out"
        step = f" in step {cause.end_step:,}" if cause.end_step else ""
        text = f"{what} turned {sentences.bad_words(cause.end)}{step}."
        yield WhyLine(Part.TEXT, text, link=cause.end.event)
    if cause.reach is Reach.ABSORBED:
        yield WhyLine(Part.TEXT, "Nothing that was computed from it is bad.")


def _earlier(cause: Explanation) -> Iterator[WhyLine]:
    if not cause.earlier:
        return
    yield WhyLine(Part.HEADING, "What led to it")
    for earlier in cause.earlier:
        lead = f"step {earlier.step:,}" if earlier.step else "before"
        yield WhyLine(Part.TENSOR, earlier.told.name, lead, earlier.told, link=earlier.event)


def _cures(cause: Explanation) -> Iterator[WhyLine]:
    if cause.cures:
        yield WhyLine(Part.HEADING, "What usually helps")
        for cure in cause.cures:
            yield WhyLine(Part.CURE, cure)


def _other_causes(cause: Explanation, others: Others) -> Iterator[WhyLine]:
    if others.total < 2:
        return
    yield WhyLine(Part.HEADING, "Other causes of this run")
    for number, other in enumerate(others.causes[:MAX_OTHERS], 1):
        if other.tensor != cause.tensor:
            where = "" if other.location is None else f" ({_at(other)})"
            told = f"{sentences.verdict(other)}{where}"
            yield WhyLine(Part.CAUSE, told, str(number), link=other.tensor)
    if others.total > MAX_OTHERS:
        yield WhyLine(Part.TEXT, f"and {others.total - MAX_OTHERS:,} more; ! walks them all")


def _meant(others: Others) -> Iterator[WhyLine]:
    if not others.meant:
        return
    tensors = counted(others.meant_tensors, "tensor")
    yield WhyLine(Part.HEADING, f"On purpose: {tensors}")
    for cause in others.meant[:MAX_MEANT]:
        yield WhyLine(Part.CAUSE, sentences.meant(cause), "", link=cause.tensor)


def _at(cause: Explanation) -> str:
    location = cause.location
    return "" if location is None else f"{location.file.rpartition('/')[2]}:{location.line}"
