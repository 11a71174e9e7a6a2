"""The characters beyond ASCII that panes draw with, and what stands in for each without them."""

from __future__ import annotations

from tfdbg_tui.frozen.named_tuple import NamedTuple


class Glyphs(NamedTuple):
    """One set of characters; every meaning has a word or a position of its own, too."""

    cursor: str
    function: str
    blocks: str
    """Eight heights, lowest first."""
    bar: str
    """Parts of a full cell, the narrowest first: a bar is made of the last, and ends in any."""
    ellipsis: str
    dot: str
    separator: str
    healthy: str
    """A computation that was not bad, in a history."""
    input: str
    output: str
    source: str
    """Before a row that the chosen one was computed from; two cells."""
    times: str
    first: str
    """Below the first bad one of a history."""
    mark: str
    """In the scroll bar, where there are bad rows."""
    match: str
    """In the scroll bar, where there is what was searched for."""
    thumb: str
    """The scroll bar."""
    edge: str
    """At the left of the band that tells the answer."""
    caller: str
    """Between a frame and the one that called it."""
    above: str
    """Before what is said of the line above."""
    healthy_sign: str
    """Before what is well."""
    group: str
    """Between groups of keys."""
    branch: str
    """Before what follows from the cause above; two cells."""
    last_branch: str
    """The same, before the last of them."""
    shades: str
    """Four parts of a tensor that are zeros, the smallest first."""
    here: str
    """Above the column of the cursor."""
    warning: str
    """Before an early warning."""


UNICODE = Glyphs(
    cursor="▸",
    function="ƒ",
    blocks="▁▂▃▄▅▆▇█",
    bar="▏▎▍▌▋▊▉█",
    ellipsis="…",
    dot="●",
    separator="·",
    healthy="·",
    input="←",
    output="→",
    source="← ",
    times="×",
    first="▲",
    mark="▐",
    match="◆",
    thumb="┃",
    edge="▌",
    caller="‹",
    above="↑",
    healthy_sign="✓",
    group="│",
    branch="├ ",
    last_branch="└ ",
    shades="░▒▓█",
    here="▼",
    warning="▵",
)

ASCII = Glyphs(
    cursor=">",
    function="f",
    blocks="_.,:-=+#",
    bar="#",
    ellipsis="$",
    dot="*",
    separator="|",
    healthy=".",
    input="<-",
    output="->",
    source="<-",
    times="x",
    first="^",
    mark="!",
    match="*",
    thumb="#",
    edge="|",
    caller="<",
    above="^",
    healthy_sign="o",
    group="|",
    branch="|-",
    last_branch="`-",
    shades=":-=#",
    here="v",
    warning="%",
)
