"""The first file of a set: which run this is, and what wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.records.debug_event_schema import parse, text
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.files.tfrecord import Block, RecordFile


class Stated(NamedTuple):
    """What the metadata record states; None where it does not, or is not on disk."""

    run_id: str | None = None
    tensorflow_version: str | None = None
    file_version: str | None = None
    started: float | None = None
    """When recording began, in seconds since 1970."""


class Metadata:
    """The metadata of one host.

    The feed's thread reads it from disk, any thread asks: `stated` is published in one assignment.
    """

    def __init__(self, file: RecordFile) -> None:
        self.file = file
        self.stated = Stated()

    def extend(self, block: Block) -> None:
        """Read the first record; a second one is from another process, and is ignored."""
        for payload in block.payloads():
            event = parse(payload)
            if event is None or not event.HasField("debug_metadata"):
                self.file.count_unparsable()
            elif self.stated.started is None:
                record = event.debug_metadata
                self.stated = Stated(
                    run_id=text(record.tfdbg_run_id) or None,
                    tensorflow_version=text(record.tensorflow_version) or None,
                    file_version=text(record.file_version) or None,
                    started=event.wall_time,
                )
