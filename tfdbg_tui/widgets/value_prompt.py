"""Where slices, elements, ranges and names of files are typed for a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tfdbg_tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Mapping


class ValuePrompt(Prompt):
    """A line for each of these purposes, with what was typed before."""

    HINTS: ClassVar[Mapping[str, str]] = {
        "[": "a slice as numpy's: 0:50, :, -1]  nothing shows all",
        "@": "the indices of an element: 10,0",
        "=": "numbers that stand out: >1  <=-3  [1, inf]  [[-inf,-1],[1,inf]]",
        "-": "subtract a tensor of the same shape: #52, or of the same call: add:0",
        ">": "save what is selected: value.npy  table.csv  picture.png",
    }
