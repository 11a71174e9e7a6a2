"""Reads the next block of a file while the last one is still being taken in.

To read and to compute checksums needs the interpreter little, to recognise records not all the
time: two processors have both done in little more than half of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor
    from types import TracebackType

    from tfdbg_tui.data.files.tfrecord import Block, RecordFile


class ReadAhead:
    """A thread that reads ahead, for as long as a `with` block; blocks come in file order.

    While a block is on its way, nobody else may read its file forward or look at it.
    """

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._coming: dict[RecordFile, Future[Block | None]] = {}

    def __enter__(self) -> ReadAhead:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._thread is not None:
            self._thread.shutdown()

    @property
    def is_any_coming(self) -> bool:
        """Whether a block was read that nobody has taken yet."""
        return bool(self._coming)

    def wait_for(self, file: RecordFile) -> None:
        """Let what is read of a file come to its end."""
        if file in self._coming:
            self._coming[file].exception()  # which the next to read it gets

    def read(self, file: RecordFile, limit: int) -> Block | None:
        """The next block of a file; the one behind it is on its way when this returns."""
        coming = self._coming.pop(file, None)
        block = file.read(limit) if coming is None else coming.result()
        if block is not None and file.size - file.position >= limit:
            self._coming[file] = self._begun().submit(file.read, limit)
        return block

    def _begun(self) -> ThreadPoolExecutor:
        """The thread, once there is something for it to do: small recordings need none."""
        if self._thread is None:
            from concurrent.futures import ThreadPoolExecutor

            self._thread = ThreadPoolExecutor(1, "read-ahead")
        return self._thread
