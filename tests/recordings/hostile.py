"""Recordings whose every text is hostile: the frozen one, with its names rewritten.

What was recorded comes from programs nobody vouches for. Here names, lines, hosts and devices
hold markup, commands for terminals, text that runs backwards and text without end, while
everything that refers to anything still does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.recordings.fabricate import frame, split
from tests.recordings.freeze import FROZEN
from tfdbg_tui.data.records.debug_event_schema import parse

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Rewrite = Callable[[bytes], bytes]

HOSTILE = {
    "closing markup": b"[/x]",
    "click markup": b"[@click=app.quit]evil[/]",
    "style markup": b"[bold red link=https://evil.example]evil[/]",
    "clear screen": b"\x1b[2J\x1b[H",
    "window title": b"\x1b]0;evil-title\x07",
    "clipboard": b"\x1b]52;c;ZXZpbA==\x07",
    "eight-bit controls": "\x9b2J\x9d0;evil-title\x9c".encode(),
    "reset": b"\x1bc",
    "bidi": "\u202eevil\u2066\u200f".encode(),
    "tabs": b"a\tb\t",
    "newlines": b"a\nb\r\nc\x0b\x0c\xe2\x80\xa8",
    "nul": b"a\0b",
    "cjk": "損失関数".encode(),
    "combining": "e\u0301\u0327\u0308o\u0336".encode(),
    "emoji": "\U0001f469\u200d\U0001f469\u200d\U0001f467\U0001f44d\U0001f3fd".encode(),
    "surrogate": b"a\xed\xa0\x80b",
    "invalid": b"\xff\xfe\xc0\x80",
    "long": b"n" * 10_000,
}
"""Kinds of hostile text."""

MARKERS = (b"\x1b[2J", b"\x1b]0;", b"\x1b]52;c;ZXZpbA==", b"\x1bc", b"\0", "\u202e".encode())
"""What must never reach a terminal."""

MAX_HOST = 100
"""Bytes of a host name: it is a part of the names of files."""


def hostile_recording(target: Path, *kinds: str, together: bool = False) -> Path:
    """The frozen recording with texts of these kinds before its names: in turn, or all of them."""
    texts = [HOSTILE[kind] for kind in kinds or tuple(HOSTILE)]
    if together:
        texts = [b"".join(texts[n:] + texts[:n]) for n in range(len(texts))]
    rewrite = _Rewriter(texts)
    host = rewrite(b"gpu-box").translate(None, b"/\0\r\n")[-MAX_HOST:]
    target.mkdir(parents=True, exist_ok=True)
    for path in FROZEN.iterdir():
        events = [parse(payload) for _, payload in split(path)]
        content = b"".join(frame(_rewritten(event, rewrite)) for event in events)
        start, _, suffix = path.name.partition(".gpu-box.")
        name = f"{start}.".encode() + host + b"." + suffix.encode()
        with open(bytes(target) + b"/" + name, "wb") as file:
            file.write(content)
    return target


class _Rewriter:
    """Puts a hostile text before every name; the same name always gets the same."""

    def __init__(self, texts: list[bytes]) -> None:
        self._texts = texts
        self._chosen: dict[bytes, bytes] = {}

    def __call__(self, name: bytes) -> bytes:
        """A name with its hostile text; the empty name means that there is none."""
        if not name:
            return name
        return (
            self._chosen.setdefault(name, self._texts[len(self._chosen) % len(self._texts)]) + name
        )

    def tensor(self, name: bytes) -> bytes:
        """The name of a tensor, `op:slot`."""
        op, colon, slot = name.rpartition(b":")
        return self(op) + colon + slot if colon else self(name)

    def path(self, path: bytes) -> bytes:
        """A path, whose folders say whether the file is the user's."""
        folder, slash, name = path.rpartition(b"/")
        return folder + slash + self(name)

    def call(self, op_type: bytes) -> bytes:
        """An op type; that of a call names a function."""
        for start in (b"__inference___backward_", b"__inference_", b"__forward_"):
            if op_type.startswith(start):
                name, _, number = op_type.removeprefix(start).rpartition(b"_")
                return start + self(name) + b"_" + number
        return self(op_type)


def _rewritten(event: Any, rewrite: _Rewriter) -> bytes:
    for name, change in _CHANGES.items():
        if event.HasField(name):
            change(getattr(event, name), rewrite)
    serialized: bytes = event.SerializeToString()
    return serialized


def _metadata(metadata: Any, rewrite: _Rewriter) -> None:
    metadata.tfdbg_run_id = rewrite(metadata.tfdbg_run_id)
    metadata.tensorflow_version = rewrite(metadata.tensorflow_version)


def _source(source: Any, rewrite: _Rewriter) -> None:
    source.file_path = rewrite.path(source.file_path)
    source.host_name = rewrite(source.host_name)
    source.lines[:] = [rewrite(line) for line in source.lines]


def _frame(recorded: Any, rewrite: _Rewriter) -> None:
    place = recorded.file_line_col
    place.func, place.code = rewrite(place.func), rewrite(place.code)


def _graph(graph: Any, rewrite: _Rewriter) -> None:
    graph.graph_name = rewrite(graph.graph_name)
    graph.instrumented_ops[:] = [rewrite(name) for name in graph.instrumented_ops]


def _op(op: Any, rewrite: _Rewriter) -> None:
    op.op_type, op.op_name = rewrite.call(op.op_type), rewrite(op.op_name)
    op.graph_name, op.device_name = rewrite(op.graph_name), rewrite(op.device_name)
    op.input_names[:] = [rewrite.tensor(name) for name in op.input_names]
    op.code_location.host_name = rewrite(op.code_location.host_name)


def _execution(execution: Any, rewrite: _Rewriter) -> None:
    execution.op_type = rewrite.call(execution.op_type)
    execution.code_location.host_name = rewrite(execution.code_location.host_name)


def _trace(trace: Any, rewrite: _Rewriter) -> None:
    trace.op_name = rewrite(trace.op_name)
    trace.device_name = rewrite(trace.device_name)


def _device(device: Any, rewrite: _Rewriter) -> None:
    device.device_name = rewrite(device.device_name)


_CHANGES: dict[str, Callable[[Any, _Rewriter], None]] = {
    "debug_metadata": _metadata,
    "source_file": _source,
    "stack_frame_with_id": _frame,
    "debugged_graph": _graph,
    "graph_op_creation": _op,
    "execution": _execution,
    "graph_execution_trace": _trace,
    "debugged_device": _device,
}
"""How each kind of record is rewritten."""
