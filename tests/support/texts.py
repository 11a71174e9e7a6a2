"""Recorded names, from ordinary ones to those that are hard to measure."""

from __future__ import annotations

from hypothesis import strategies as st

COMBINING = "e\u0301o\u0308n\u0303"
WIDE = "損失関数"
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
HEART = "\u2764\ufe0f"
FLAG = "\U0001f1e9\U0001f1ea"

NAMES = (
    "",
    "x",
    "Log:0",
    "gradient_tape/model/dense_12/MatMul/ReadVariableOp/resource:0",
    COMBINING * 9,
    WIDE * 8,
    f"a{WIDE}b" * 5,
    FAMILY * 6,
    HEART * 9,
    FLAG * 9,
    "\u0301" * 40,
    "[/x][@click=app.quit]evil[/]",
    "\x1b[2J\x1b]0;title\x07",
    "\u202eevil\u2066",
    "a\tb\nc\0d",
    "n" * 10_000,
)

NARROW = ("a", "b/", "_", " ", "\u0301", "\u200d", "\ufe0f", "\u1161", "❤", "\U0001f1e9")
CONTROLS = ("\x1b[", "\t", "\n", "\0", "\u202e", "\ud800")
PARTS = st.sampled_from((*NARROW, *CONTROLS, "損", "한", "\U0001f469"))

TEXTS = st.lists(PARTS, max_size=40).map("".join)
"""Texts in which characters of every width meet."""
