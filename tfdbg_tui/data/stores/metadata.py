"""The first file of a set: which run this is, and what wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.records.debug_event_schema import parse, text

if TYPE_CHECKING:
    from tfdbg_tui.data.files.tfrecord import Block, RecordFile


class Metadata:
    """What the metadata record states; None until it is on disk."""

    def __init__(self, file: RecordFile) -> None:
        self.file = file
        self.run_id: str | None = None
        self.tensorflow_version: str | None = None
        self.file_version: str | None = None
        self.started: float | None = None

    def extend(self, block: Block) -> None:
        """Take the first record; two processes in one file cannot both be right."""
        for payload in block.payloads():
            event = parse(payload)
            if event is None or not event.HasField("debug_metadata"):
                self.file.count_unparsable()
            elif self.started is None:
                stated = event.debug_metadata
                self.tensorflow_version = text(stated.tensorflow_version) or None
                self.file_version = text(stated.file_version) or None
                self.run_id = text(stated.tfdbg_run_id) or None
                self.started = event.wall_time
