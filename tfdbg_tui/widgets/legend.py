"""The legend: every sign that panes draw, the role it is drawn in, and what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.widgets.glyphs import Glyphs


class Sign(NamedTuple):
    """One sign: what is drawn, in which role, and its meaning in words."""

    text: str
    role: str
    means: str


def legend(glyphs: Glyphs) -> tuple[Sign, ...]:
    """All signs in the characters that are drawn with, what is looked for most first."""
    low, high = glyphs.blocks[0], glyphs.blocks[-1]
    return (
        Sign("!", "bad", "a cause: it went bad, its recorded inputs did not"),
        Sign("~", "follows", "follows: bad because what it was computed from is"),
        Sign("m", "follows", "muted: bad, and you said that it is meant"),
        Sign(glyphs.warning, "warn", "an early warning: not bad yet, and it goes wrong"),
        Sign(glyphs.cursor, "accent", "what is chosen"),
        Sign(glyphs.input, "linked", "an input: what the chosen tensor was computed from"),
        Sign(glyphs.output, "dim", "a consumer: what was computed from it"),
        Sign(glyphs.above, "dim", "said of the line above"),
        Sign("!2", "bad", "in Source: how many ops of the line went bad"),
        Sign("5", "dim", "in Source: how many ops the line made, none of them bad"),
        Sign(glyphs.function, "keyword", "a call of a function"),
        Sign(glyphs.caller, "dim", "called from"),
        Sign(glyphs.branch.strip(), "dim", "follows from the cause above"),
        Sign(glyphs.last_branch.strip(), "dim", "the last that follows from it"),
        Sign(f"{glyphs.times}6", "dim", "six times"),
        *_of_pages(glyphs),
        Sign(f"{low} {high}", "dim", "few, many; ! in their place where some are bad"),
        Sign(glyphs.bar[-1], "dim", "how much of a tensor"),
        Sign(glyphs.thumb, "thumb", "the scroll bar: where you are"),
        Sign(glyphs.mark, "bad", "the scroll bar: bad rows"),
        Sign(glyphs.match, "accent", "the scroll bar: matches of a search"),
        Sign("+", "dim", "folded: library frames, a part of the tree; numbers above zero"),
        Sign("?", "warn", "not on disk yet"),
        Sign(glyphs.healthy_sign, "good", "nothing bad in the whole run"),
        Sign(glyphs.edge, "", "beside the answer: red for a cause"),
        Sign(glyphs.dot, "", "how the recording goes, in the word behind it"),
        Sign(glyphs.ellipsis, "", "left out for want of room"),
    )


def _of_pages(glyphs: Glyphs) -> tuple[Sign, ...]:
    """Those of what lies over the panes."""
    return (
        Sign(glyphs.healthy, "dim", "in a history: no NaN or inf"),
        Sign("i", "bad", "in a history, in the heat map: inf"),
        Sign("N", "bad", "in a history, in the heat map: NaN"),
        Sign("X", "bad", "in the heat map: NaN and inf"),
        Sign(glyphs.first, "dim", "in a history: the first bad step"),
        Sign(glyphs.here, "notable", "where the cursor is on an axis"),
        Sign(glyphs.shades, "dim", "in the heat map: the part that is zero"),
        Sign("0", "dim", "in the heat map: nothing but zeros"),
        Sign("*", "warn", "in a value: in the ranges that you asked for"),
        Sign("-", "dim", "in the heat map: not told whether bad; unfolded"),
    )


def explained(glyphs: Glyphs) -> frozenset[str]:
    """The characters that the legend explains: of those that differ in height or width, all."""
    texts = "".join(sign.text for sign in legend(glyphs))
    return frozenset(texts + glyphs.blocks + glyphs.bar) - {" "}
