"""The characters beyond ASCII that panes draw with, and what stands in for each without them."""

from __future__ import annotations

from typing import NamedTuple


class Glyphs(NamedTuple):
    """One set of characters; every meaning has a word or a position of its own, too."""

    cursor: str
    function: str
    blocks: str
    """Eight heights, lowest first."""
    bar: str
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
    mark: str
    """Beside the scroll bar."""
    thumb: str
    """The scroll bar."""


UNICODE = Glyphs(
    cursor="▸",
    function="ƒ",
    blocks="▁▂▃▄▅▆▇█",
    bar="█",
    ellipsis="…",
    dot="●",
    separator="·",
    healthy="·",
    input="←",
    output="→",
    source="→ ",
    times="×",
    mark="▐",
    thumb="┃",
)

ASCII = Glyphs(
    cursor=">",
    function="f",
    blocks="_.,:-=+#",
    bar="#",
    ellipsis="~",
    dot="*",
    separator="|",
    healthy=".",
    input="<-",
    output="->",
    source="->",
    times="x",
    mark="!",
    thumb="#",
)
