"""Changes of bytes and of whole records: what crashes, disks and other writers do to files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.recordings.fabricate import frame
from tests.support.damage import SENSELESS, header_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

LENGTHS = (0, 1, 7, 1 << 16, 1 << 31, 1 << 40, 1 << 62, (1 << 64) - 1)


def changed_bytes(content: bytes, chance: Random) -> bytes:
    """A file with some of its bytes changed."""
    start = chance.randrange(len(content) + 1)
    end = min(len(content), start + chance.choice((1, 1, 4, 12, 100, 5000)))
    return chance.choice(BYTES)(content, start, end, chance)


def _flip(content: bytes, start: int, end: int, chance: Random) -> bytes:
    changed = bytearray(content)
    for place in range(start, end):
        changed[place] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _cut(content: bytes, start: int, end: int, chance: Random) -> bytes:
    return content[:start]


def _leave_out(content: bytes, start: int, end: int, chance: Random) -> bytes:
    return content[:start] + content[end:]


def _repeat(content: bytes, start: int, end: int, chance: Random) -> bytes:
    return content[:end] + content[start:]


def _insert(content: bytes, start: int, end: int, chance: Random) -> bytes:
    return content[:start] + chance.randbytes(end - start) + content[start:]


def _blank(content: bytes, start: int, end: int, chance: Random) -> bytes:
    return content[:start] + bytes(end - start) + content[end:]


def _claim(content: bytes, start: int, end: int, chance: Random) -> bytes:
    """A length that lies, with a checksum that holds."""
    return content[:start] + header_of(chance.choice(LENGTHS)) + content[start:]


def _empty(content: bytes, start: int, end: int, chance: Random) -> bytes:
    return b""


BYTES: tuple[Callable[[bytes, int, int, Random], bytes], ...] = (
    _flip, _flip, _cut, _leave_out, _repeat, _insert, _blank, _claim, _empty,
)  # fmt: skip


def changed_payload(payload: bytes, chance: Random) -> bytes:
    """A record with some of its bytes changed, before its checksum is taken."""
    start = chance.randrange(len(payload) + 1)
    end = min(len(payload), start + chance.choice((1, 1, 2, 8)))
    return chance.choice((_flip, _flip, _leave_out, _repeat, _insert))(payload, start, end, chance)


def changed_order(payloads: list[bytes], others: list[bytes], chance: Random) -> list[bytes]:
    """Records that are lost, doubled, mixed up, or of another file."""
    changed = list(payloads)
    kind = chance.randrange(6)
    if kind == 0:
        chance.shuffle(changed)
    elif kind == 1:
        changed = changed[: chance.randrange(len(changed) + 1)]
    elif kind == 2 and changed:
        changed += [chance.choice(changed)] * chance.choice((1, 5, 500))
    elif kind == 3 and others:
        changed.insert(chance.randrange(len(changed) + 1), chance.choice(others))
    elif kind == 4:
        senseless = chance.choice(list(SENSELESS.values()))
        changed.insert(chance.randrange(len(changed) + 1), senseless)
    elif changed:  # protobuf merges what stands twice
        row = chance.randrange(len(changed))
        changed[row] += chance.choice(changed)
    return changed


def framed(payloads: list[bytes]) -> bytes:
    """A file of whole records."""
    return b"".join(map(frame, payloads))
