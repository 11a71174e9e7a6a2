"""Changes of what records say: any field, set to anything, with checksums that hold."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from google.protobuf.descriptor import FieldDescriptor

from tests.fuzz.hostile_values import hostile
from tfdbg_tui.data.records.debug_event_schema import parse

if TYPE_CHECKING:
    from random import Random

MANY = (2, 3, 40, 300, 2000)
"""How often something is repeated that stands once."""

MAX_REPEATED = 100_000
"""Bytes that repeating makes of one record at the most: a case is to be quick."""

KIND_NAMES = {
    number: name for name, number in vars(FieldDescriptor).items() if name.startswith("TYPE_")
}


def changed_fields(payload: bytes, chance: Random, names: list[bytes]) -> bytes:
    """A record with some of its fields changed."""
    event = parse(payload)
    if event is None:
        return payload
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        message, field = _chosen(event, chance)
        _change(message, field, chance, names)
    changed: bytes = event.SerializeToString()
    return changed


def names_in(payload: bytes) -> list[bytes]:
    """The texts of a record, to be used where they do not belong."""
    event = parse(payload)
    return [] if event is None else [text for text in _texts(event) if 0 < len(text) < 200]


def _texts(message: Any) -> list[bytes]:
    found: list[bytes] = []
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        if field.message_type is not None:
            found += [text for inner in values for text in _texts(inner)]
        elif field.type == FieldDescriptor.TYPE_BYTES:
            found += list(values)[:5]
    return found


def _chosen(message: Any, chance: Random) -> tuple[Any, FieldDescriptor]:
    """A field somewhere in a message: deep ones as often as others, unset ones too."""
    while True:
        field = chance.choice(_fields_to_change(message))
        if field.message_type is None or chance.random() < 0.1:
            return message, field
        if not field.is_repeated:
            message = getattr(message, field.name)
        elif len(getattr(message, field.name)):
            message = chance.choice(getattr(message, field.name))
        else:
            return message, field


def _fields_to_change(message: Any) -> tuple[FieldDescriptor, ...]:
    """Those that are set count more: what a record is about is what is read of it."""
    told = tuple(field for field, _ in message.ListFields())
    submessages = tuple(field for field in told if field.message_type is not None)
    return (*told, *told, *submessages, *submessages, *_all_fields(message.DESCRIPTOR))


@cache
def _all_fields(descriptor: Any) -> tuple[FieldDescriptor, ...]:
    return tuple(descriptor.fields)


def _change(message: Any, field: FieldDescriptor, chance: Random, names: list[bytes]) -> None:
    if chance.random() < 0.1:
        message.ClearField(field.name)
    elif field.is_repeated:
        _change_repeated(getattr(message, field.name), field, chance, names)
    elif field.message_type is not None:
        getattr(message, field.name).SetInParent()
    else:
        setattr(message, field.name, hostile(KIND_NAMES[field.type], chance, names))


def _change_repeated(
    values: Any, field: FieldDescriptor, chance: Random, names: list[bytes]
) -> None:
    if field.message_type is not None:
        first = values[0] if len(values) else values.add()
        size = max(1, first.ByteSize())
        values.extend([first] * min(chance.choice(MANY), MAX_REPEATED // size))
        return
    value = hostile(KIND_NAMES[field.type], chance, names)
    if len(values) and chance.random() < 0.5:
        values[chance.randrange(len(values))] = value
        return
    size = len(value) if isinstance(value, bytes) else 1
    values.extend([value] * min(chance.choice((1, *MANY)), 1 + MAX_REPEATED // max(1, size)))
