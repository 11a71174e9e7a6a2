"""The words of the cause band: what and when, the whole line of code, and what it came from."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tfdbg_tui.data.index.stacks import FrameKind
from tfdbg_tui.data.stores.tf_names import forward_names
from tfdbg_tui.data.views.number_words import bad_words
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.widgets.cause_band import BandLine
from tfdbg_tui.widgets.numbers import alarm, counts, holds
from tfdbg_tui.widgets.pieces import (
    Piece,
    Pieces,
    base_name,
    clean,
    cut,
    op_path,
    width_of,
)
from tfdbg_tui.words import CAME_WITH_DATA, counted, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfdbg_tui.data.early.warning import EarlyWarning
    from tfdbg_tui.data.flow.graph_nodes import GraphNode
    from tfdbg_tui.data.index.stacks import StackFrame
    from tfdbg_tui.data.records.health import Health
    from tfdbg_tui.data.views.health_facts import HealthFacts
    from tfdbg_tui.data.views.selection import Selection
    from tfdbg_tui.widgets.glyphs import Glyphs

LABEL = 7
"""Cells of what stands before each row's words."""

MIN_NAME = 12
"""Cells of a tensor's name that no other word takes away."""

MAY_BE_MEANT = "a constant, perhaps a mask that is meant; /nan finds what became NaN"

NO_FORWARD_LINE = "a gradient: which line it is of is not told"

INPUT_NAMES = (32, 24, 18, 14, 10)
"""Cells of the names of inputs, as many as leave room for what they hold."""

MAX_CALLERS = 3
"""Frames that are named behind the line."""


class Answer(NamedTuple):
    """What the band tells of the selection."""

    facts: HealthFacts | None
    is_call: bool
    is_first: bool
    """Whether it is the first bad tensor of the run."""
    follows: bool
    """Whether a recorded input of a bad tensor is bad already."""
    frames: tuple[StackFrame, ...]
    """The user's frames, the chosen one first, then its callers."""
    code: str | None
    """The chosen line, without its indentation."""
    code_note: str
    """What to say where there is no line."""
    inputs: tuple[GraphNode, ...]
    bad_inside: int
    """Bad tensors inside the chosen call."""
    run_note: str
    """What is known of the whole run, where no bad tensor is chosen."""
    run_mood: str
    step: str
    note: str = ""
    """What else is to be known of a cause: `one of 3 in this call`."""
    is_constant: bool = False
    """Whether it is computed from nothing."""
    is_loading: bool = False
    """Whether something earlier may still be read."""
    why: tuple[str, ...] = ()
    """Why a cause is one: from the whole sentence to the shortest."""
    is_on_purpose: bool = False
    """Whether its numbers are meant."""
    muted_by: str = ""
    """The rule that mutes it; empty if it is not muted."""
    warning: EarlyWarning | None = None
    """The early warning that is chosen."""

    @property
    def mood(self) -> str:
        """The role of the band's edge."""
        if self.warning is not None:
            return "warn"
        if self.facts is not None and self.facts.bad:
            is_calm = self.follows or self.muted_by or self.is_on_purpose
            return "follows" if is_calm else "bad"
        return "bad" if self.bad_inside else self.run_mood


def writer(answer: Answer, glyphs: Glyphs) -> Callable[[int], list[BandLine]]:
    """The rows of the band, once their width is known."""
    return partial(_lines, answer, glyphs)


def _lines(answer: Answer, glyphs: Glyphs, width: int) -> list[BandLine]:
    return [
        _what(answer, glyphs, width),
        _where(answer, width),
        _why(answer, glyphs, width),
    ]


# What and when.


def _what(answer: Answer, glyphs: Glyphs, width: int) -> BandLine:
    trail = _trail(answer.frames, glyphs)
    if answer.warning is not None:
        return _warned(answer.warning, trail, glyphs, width)
    if answer.facts is None or not (answer.facts.bad or answer.bad_inside):
        sign = {"good": glyphs.healthy_sign, "bad": "!", "warn": "!"}.get(answer.run_mood, " ")
        start = [Piece(f"{sign} ", answer.run_mood), Piece(answer.run_note, "title")]
        return BandLine(start, _fitting_trail(trail, width - width_of(start)))
    sign, role = alarm(answer.follows, bool(answer.muted_by))
    label = "AFTER" if answer.follows else "ALSO"
    if answer.is_first:
        label = "SO FAR" if answer.is_loading else "FIRST"
    if answer.is_on_purpose:
        sign, role, label = " ", "follows", "MEANT"
    label = "MUTED" if answer.muted_by else label
    lead = [Piece(f"{sign} {label}".ljust(LABEL + 2), role)]
    least, name = width_of(trail[:1]), _wanted_name(answer)
    for tail in _deeds(answer):
        room = width - width_of(lead) - width_of(tail) - least - 3
        if len(name) <= room:
            break
    start = [*lead, *_name(answer, glyphs, max(MIN_NAME, room)), *tail]
    return BandLine(start, _fitting_trail(trail, width - width_of(start)))


def _warned(warning: EarlyWarning, trail: Pieces, glyphs: Glyphs, width: int) -> BandLine:
    """A warning: its subject, what it goes by, and since when."""
    lead = Piece(f"{glyphs.warning} EARLY".ljust(LABEL + 2), "warn")
    since = "" if warning.step is None else f", since step {warning.step:,}"
    told = Piece(f" {clean(warning.told)}{since}", "warn")
    room = width - LABEL - 2 - width_of([told]) - width_of(trail[:1]) - 3
    name = op_path(warning.name, max(MIN_NAME, min(room, 60)))
    start = [lead, Piece(name, "title"), told]
    return BandLine(start, _fitting_trail(trail, width - width_of(start)))


def _wanted_name(answer: Answer) -> str:
    """What should be read of the name: the layer and the op."""
    return "" if answer.facts is None else "/".join(clean(answer.facts.shown).split("/")[-2:])


def _name(answer: Answer, glyphs: Glyphs, room: int) -> Pieces:
    facts = answer.facts
    assert facts is not None
    if answer.is_call:
        name = op_path(facts.shown, max(1, room - 2))
        return [Piece(f"{glyphs.function} ", "keyword"), Piece(name, "title")]
    place = "" if not facts.function else f" in {glyphs.function} {clean(facts.function)}"
    name = op_path(facts.shown, room)
    if len(name) + len(place) > room:
        place = ""
    return [Piece(name, "title"), Piece(place)]


def _deeds(answer: Answer) -> list[Pieces]:
    """What it did to the numbers, and when: from the whole of it to the shortest form."""
    facts = answer.facts
    assert facts is not None
    when = Piece(f", {answer.step}" if answer.step else "")
    role = alarm(answer.follows, bool(answer.muted_by)).role
    if not facts.bad:
        inside = Piece(f"{counted(answer.bad_inside, 'bad tensor')} inside", role)
        return [[Piece(" holds "), inside, when], [Piece(" holds "), inside]]
    verb = "holds" if answer.follows else "brought" if facts.came_with_data else "made"
    whole, short = (Piece(text, role) for text in bad_numbers(facts))
    return [[Piece(f" {verb} "), *end] for end in ([whole, when], [short, when], [short])]


def bad_numbers(facts: HealthFacts) -> tuple[str, str]:
    """Which bad numbers, and how many of how many: in words, and in short."""
    health = facts.health
    kinds = [] if health is None else _kinds(health)
    if health is None or not kinds:
        return bad_words(facts.bad), bad_words(facts.bad)
    if health.size == 1:
        return kinds[0][0], kinds[0][0]
    of = "" if health.size is None else f" of {health.size:,}"
    whole = listed([f"{name} in {number:,}" for name, number in kinds])
    return whole + of, ", ".join(f"{name} {number:,}" for name, number in kinds) + of


def _kinds(health: Health) -> list[tuple[str, int]]:
    named = (("NaN", health.nan), ("-inf", health.neg_inf), ("+inf", health.pos_inf))
    return [(name, number) for name, number in named if number]


# Where.


def _trail(frames: Sequence[StackFrame], glyphs: Glyphs) -> Pieces:
    """The file and line of the chosen frame, then its function and who called it."""
    if not frames or frames[0].path is None:
        return []
    first, *callers = frames
    pieces = [Piece(f"{clean(base_name(first.path or ''))}:{first.line}", "notable")]
    names = [clean(first.function or "?")]
    names += [f"{clean(frame.function or '?')}:{frame.line}" for frame in callers[:MAX_CALLERS]]
    return [*pieces, *(Piece(f" {glyphs.caller} {name}", "dim") for name in names)]


def _fitting_trail(trail: Pieces, room: int) -> Pieces:
    """As much of the trail as there is room for; its callers go first."""
    while len(trail) > 1 and width_of(trail) + 3 > room:
        trail = trail[:-1]
    return trail


def _where(answer: Answer, width: int) -> BandLine:
    """The whole line of code; a layer's path behind it, which the line may not tell."""
    line = answer.frames[0].line if answer.frames else None
    lead = Piece(f"  {'' if line is None else line}".ljust(LABEL + 2), "dim")
    if answer.code is None:
        return BandLine([lead, Piece(answer.code_note, "dim")])
    code = cut(answer.code, max(0, width - LABEL - 2))
    layer = "" if answer.facts is None or answer.is_call else _layer(answer.facts.shown)
    end = [Piece(f"in {layer}", "dim")] if layer else []
    return BandLine([lead, Piece(code, "code")], end)


def _layer(name: str) -> str:
    """The path of the layer, or scope, that an op belongs to."""
    return clean(name.rpartition("/")[0])


# Why.


def _why(answer: Answer, glyphs: Glyphs, width: int) -> BandLine:
    facts = answer.facts
    if answer.warning is not None:
        return _reason((answer.warning.means,), [], width)
    if facts is None:
        return BandLine([])
    end = [Piece(answer.note, "warn")] if answer.note else []
    if answer.bad_inside:
        inside = f"{counted(answer.bad_inside, 'bad tensor')} inside; enter goes to the first"
        return BandLine([_lead("why"), Piece(inside)], end)
    if facts.bad and facts.came_with_data:
        return BandLine([_lead("why"), Piece(f"it {CAME_WITH_DATA}")], end)
    if facts.gradient_of:
        end = [Piece(f"gradient of {op_path(facts.gradient_of, 40)}", "dim")]
    elif facts.bad and next(forward_names(facts.name), ""):
        end = [Piece(NO_FORWARD_LINE, "warn")]
    if answer.muted_by and facts.bad:
        end = [Piece(f"muted by {cut(answer.muted_by, max(8, width // 2))}", "dim")]
    if not facts.bad:
        name = op_path(facts.shown, 40)
        told = [_lead("chosen"), Piece(name), Piece("  "), *counts(facts.health, facts.bad)]
        return BandLine(told, end)
    if answer.why:
        return _reason(answer.why, [] if facts.gradient_of or answer.is_on_purpose else end, width)
    if answer.inputs:
        return BandLine(_inputs(answer.inputs, glyphs, width), end)
    if answer.is_constant:
        return BandLine([_lead("why"), Piece(MAY_BE_MEANT)], end)
    said = answer.note or "its inputs are not recorded"
    return BandLine([_lead("from"), Piece(said, "dim")], [] if answer.note else end)


def _reason(why: tuple[str, ...], end: Pieces, width: int) -> BandLine:
    """Why, as much of it as there is room for beside what stands at the end, or without that."""
    room = width - LABEL - 2
    told = [Piece(clean(text)) for text in why]
    for behind in (end, []) if end else (end,):
        for piece in told:
            if width_of([piece]) + (width_of(behind) + 3 if behind else 0) <= room:
                return BandLine([_lead("why"), piece], behind)
    return BandLine([_lead("why"), Piece(cut(told[-1].text, room))])


def _inputs(inputs: Sequence[GraphNode], glyphs: Glyphs, width: int) -> Pieces:
    """What was computed from; names give way before numbers do."""
    for room in INPUT_NAMES:
        told = [_lead("from")]
        for node in inputs:
            name = op_path(node.shown, room)
            held = _held(node) or [Piece("holds numbers", "dim")]
            told += [Piece(f"{glyphs.input} {name}  ", ""), *held, Piece("   ")]
        if width_of(told) - 3 <= width:
            break
    return told


def _held(node: GraphNode) -> Pieces:
    """What an input holds, with a sign only if that is bad."""
    if node.bad:
        return holds(node.health, node.bad, node.follows, node.is_muted)
    return counts(node.health, node.bad)


def under_line(
    facts: HealthFacts | None, follows: bool, inputs: Sequence[GraphNode], glyphs: Glyphs
) -> Pieces:
    """What stands below the chosen line of source: its tensor, and what that came from."""
    if facts is None or facts.health is None:
        return []
    told = [Piece(f"{glyphs.above} {op_path(facts.shown, 30)}  ", "dim")]
    told += (
        holds(facts.health, facts.bad, follows, facts.is_muted)
        if facts.bad
        else counts(facts.health, facts.bad)
    )
    for node in inputs:
        if node.health is not None:
            told += [Piece(f"   {glyphs.input} {op_path(node.shown, 24)}  ", "dim")]
            told += _held(node)
    return told


def _lead(word: str) -> Piece:
    return Piece(f"  {word}".ljust(LABEL + 2), "dim")


def trail_text(selection: Selection, glyphs: Glyphs) -> str:
    """The stack in one line, for a title: the user's frames, and how many of the library's."""
    frames = [f for f in selection.stack if f.kind is FrameKind.USER and f.line is not None]
    library = sum(frame.kind is FrameKind.LIBRARY for frame in selection.stack)
    names = [f"{clean(frame.function or '?')}:{frame.line}" for frame in frames[:MAX_CALLERS]]
    if not names:
        return ""
    more = [f"{library} library"] if library else []
    return f"6 Stack: {f' {glyphs.caller} '.join([*names, *more])}"


def user_frames(stack: Sequence[StackFrame], chosen: str | None) -> tuple[StackFrame, ...]:
    """The chosen frame and the user's frames outside it."""
    depth = next((frame.depth for frame in stack if frame.id == chosen), None)
    if depth is None:
        return ()
    outer = stack[depth + 1 :]
    return (stack[depth], *(frame for frame in outer if frame.kind is FrameKind.USER))
