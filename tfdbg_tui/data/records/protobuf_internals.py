"""Every use of a name that protobuf keeps to itself: its own short way from a schema to classes.

The public way leads through modules that import protobuf's second implementation, the one in
Python, whether it is used or not; that takes as long as loading a small recording. Where a version
of protobuf has no such short way, the public one is taken; a test asserts that there is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf.message import Message

    Classes = dict[str, type[Message]]


def classes_of(file: bytes, names: Iterable[str]) -> Classes:
    """The classes of messages by their full names, from a file in a pool of its own.

    Those of messages inside them have to be among them.
    """
    try:
        return classes_by_the_short_way(file, names)
    except (AttributeError, ImportError, SystemError, TypeError):  # there is none in this version
        return classes_by_the_public_way(file, names)


def classes_by_the_short_way(file: bytes, names: Iterable[str]) -> Classes:
    """What generated code does, without what it imports."""
    from google.protobuf import descriptor

    # Imported while classes are made, where an import that fails would end the process.
    from google.protobuf.internal import well_known_types  # noqa: F401
    from google.protobuf.message import Message

    wrapped: Any = descriptor
    compiled = wrapped._message
    pool = compiled.DescriptorPool()
    pool.AddSerializedFile(file)
    found = ((name, pool.FindMessageTypeByName(name)) for name in names)
    return {
        name: compiled.MessageMeta(
            message.name, (Message,), {"DESCRIPTOR": message, "__module__": None}
        )
        for name, message in found
    }


def classes_by_the_public_way(file: bytes, names: Iterable[str]) -> Classes:
    """The same, by what protobuf documents."""
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message_factory import GetMessageClass

    pool = DescriptorPool()
    pool.AddSerializedFile(file)
    return {name: GetMessageClass(pool.FindMessageTypeByName(name)) for name in names}
