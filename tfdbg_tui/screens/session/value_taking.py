"""Taking a value along: into a file, or into what the terminal pastes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.values.new_files import FileThereError
from tfdbg_tui.data.values.saving import SavingJob
from tfdbg_tui.data.values.value_error import ValueQueryError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.screens.session.value_cursor import ValueCursor

MAX_COPIED = 2000
"""Elements that are copied; a terminal refuses much more."""


class ValueTaking:
    """What is taken along of the value that is looked at."""

    def __init__(self, work: Callable[[], None]) -> None:
        """Told what has the feed work for it."""
        self._work = work
        self.job: SavingJob | None = None
        """What is written now."""

    def copied(self, cursor: ValueCursor) -> str | None:
        """What the dimensions in view have, as lines of numbers; None if that is too much."""
        plane = cursor.plane
        if plane.size > MAX_COPIED:
            return None
        if not plane.size:
            return ""
        values = cursor.value.window(plane)
        rows = values.reshape(-1, values.shape[-1]) if values.ndim else values.reshape(1, 1)
        return "\n".join("\t".join(cursor.format.texts(row)) for row in rows)

    def save(self, cursor: ValueCursor, name: str, replace: bool = False) -> str:
        """Save what the slice selects; a question if the file is there."""
        try:
            self.job = SavingJob(cursor.value, cursor.selected, name, replace)
        except FileThereError as error:
            return f"{error} Type it again with ! behind it to replace it."
        except ValueQueryError as error:
            return str(error)
        self._work()
        return f"Saving {name} …"

    def told(self) -> str:
        """What came of it, once it is written."""
        job = self.job
        if job is None or not job.is_done:
            return ""
        self.job = None
        return str(job.error) if job.error else f"Saved {job.name}."
