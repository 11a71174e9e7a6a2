"""What a terminal sends to a program when somebody presses a key or moves the mouse."""

from __future__ import annotations

NAMED_KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "shift+tab": "\x1b[Z",
    "space": " ",
    "backspace": "\x7f",
    "delete": "\x1b[3~",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "f1": "\x1bOP",
    "f2": "\x1bOQ",
    "f3": "\x1bOR",
    "f4": "\x1bOS",
    "f5": "\x1b[15~",
}

LEFT_BUTTON, NO_BUTTON, WHEEL_UP, WHEEL_DOWN = 0, 35, 64, 65
"""Button numbers of mouse reports in the SGR form; 35 is a movement."""


def key_bytes(key: str) -> bytes:
    """What is sent for a key by name, `ctrl+x`, or else for typing the text."""
    if key in NAMED_KEYS:
        return NAMED_KEYS[key].encode()
    if key.startswith("ctrl+") and len(key) == len("ctrl+x"):
        return bytes([ord(key[-1].upper()) & 0x1F])
    return key.encode()


def mouse_bytes(button: int, column: int, row: int, *, released: bool = False) -> bytes:
    """A mouse report in the SGR form; columns and rows count from 1."""
    return f"\x1b[<{button};{column};{row}{'m' if released else 'M'}".encode()


def click_bytes(column: int, row: int) -> bytes:
    """The left button pressed and released."""
    released = mouse_bytes(LEFT_BUTTON, column, row, released=True)
    return mouse_bytes(LEFT_BUTTON, column, row) + released
