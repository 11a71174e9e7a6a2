"""A case: one hostile recording, made from a number."""

from __future__ import annotations

import json
import os
import time
from random import Random
from typing import TYPE_CHECKING, Any

from tests.fuzz.byte_changes import changed_bytes, changed_order, changed_payload, framed
from tests.fuzz.field_changes import changed_fields, names_in
from tests.fuzz.hostile_tensors import with_hostile_tensors
from tests.fuzz.hostile_values import hostile
from tests.recordings.fabricate import split_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.fuzz.originals import Original

LONG_AGO = 3600.0
"""Seconds since the files were written: nobody waits whether they grow."""

EVENT_FILES = (".execution", ".graph_execution_traces")

NAMED_RECORDS = 20
"""Records of each file whose names are used elsewhere."""


def write_case(seed: int, originals: Sequence[Original], target: Path) -> int:
    """Write the recording of a case into an empty folder; returns its bytes."""
    chance = Random(seed)
    files = dict(chance.choice(originals))
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        name = chance.choice(sorted(files))
        files[name] = _changed(files, name, chance)
        if chance.random() < 0.02:
            del files[name]
        if not files:
            break
    target.mkdir(parents=True, exist_ok=True)
    then = time.time() - LONG_AGO
    for name, content in files.items():
        (target / name).write_bytes(content)
        os.utime(target / name, (then, then))
    return sum(map(len, files.values()))


def _changed(files: Original, name: str, chance: Random) -> bytes:
    content = files[name]
    if not name.startswith("tfdbg_events."):
        return _changed_notes(content, chance)
    kind = chance.random()
    payloads = split_bytes(content)
    if kind < 0.2 or not payloads:
        return changed_bytes(content, chance)
    if kind < 0.35:
        other = files[chance.choice(sorted(files))]
        return framed(changed_order(payloads, split_bytes(other), chance))
    names = [text for payload in payloads[:NAMED_RECORDS] for text in names_in(payload)]
    rows = range(len(payloads)) if chance.random() < 0.1 else [chance.randrange(len(payloads))]
    for row in rows:
        if kind < 0.45:
            payloads[row] = changed_payload(payloads[row], chance)
        elif kind < 0.65 and name.endswith(EVENT_FILES):
            payloads[row] = with_hostile_tensors(payloads[row], chance)
        else:
            payloads[row] = changed_fields(payloads[row], chance, names)
    return framed(payloads)


def _changed_notes(content: bytes, chance: Random) -> bytes:
    """Notes with other values, or broken ones."""
    if chance.random() < 0.3:
        return changed_bytes(content, chance)
    try:
        noted = json.loads(content)
    except ValueError:
        return content
    key = chance.choice(sorted(noted)) if noted else "command"
    noted[key] = _value(chance)
    return json.dumps(noted).encode()


def _value(chance: Random, depth: int = 0) -> Any:
    kinds = ("TYPE_INT64", "TYPE_DOUBLE", "TYPE_BYTES")
    choice = chance.randrange(6)
    if choice < len(kinds):
        value = hostile(kinds[choice], chance, [])
        return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value
    if choice == 3:
        return None
    some = [_value(chance, depth + 1) for _ in range(3)] if depth < 3 else []
    return some if choice == 4 else dict(zip(("type", "message", "frames"), some, strict=False))
