"""One tensor over all its computations, as a page tells it: frozen values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.records.health import Bad
    from tfdbg_tui.data.views.tensor_history import HistoryCell
    from tfdbg_tui.data.views.tensor_samples import Sample


class Computation(NamedTuple):
    """The one at the cursor."""

    number: int
    """From 1."""
    event: int
    step: int | None
    bad: Bad
    sample: Sample


class HistoryPage(NamedTuple):
    """What is on the screen."""

    facts: SiteFacts
    output: int | None
    """Which recorded output, of an execution that has several."""
    note: str
    """What the mode leaves out."""
    computations: int
    bad: int
    shown: tuple[int, int]
    """The first computation that is shown, from 1, and the last."""
    cells: tuple[HistoryCell, ...]
    samples: tuple[Sample | None, ...]
    steps: tuple[tuple[int | None, int | None], ...]
    """Of each cell the first and the last step, as far as they are known."""
    cursor: int
    """The cell that the cursor is in."""
    here: Computation
    is_reading: bool
    """Whether more becomes known."""
