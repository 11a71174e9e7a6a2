"""What we use of Textual that is not public: it is there, and nowhere but in one module."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from textual.app import App
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget

import tfdbg_tui
from tfdbg_tui import textual_internals

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(tfdbg_tui.__file__).parent
HOME = Path(textual_internals.__file__)

PRIVATE_NAMES = {
    "_fatal_error": App,
    "_close_messages_no_wait": MessagePump,
    "_display": App,
    "_batch_count": App,
    "_end_batch": App,
    "_set_dirty": Widget,
    "_dirty_widgets": Screen,
    "_driver": App,
    "_mouse": Driver,
    "_enable_mouse_support": LinuxDriver,
    "_disable_mouse_support": LinuxDriver,
}
"""The private names in use, and whose they are."""


@pytest.mark.parametrize("name", PRIVATE_NAMES)
def test_it_is_still_there(name: str) -> None:
    owner = PRIVATE_NAMES[name]
    if not hasattr(owner, name):
        assert f"self.{name} = " in inspect.getsource(owner) or f"self.{name}:" in (
            inspect.getsource(owner)
        )


def test_the_list_is_whole() -> None:
    used = {name for name in private_names(HOME) if not name.startswith("__")}
    assert used == set(PRIVATE_NAMES)


def private_names(path: Path) -> Iterator[str]:
    """Private attributes, methods and texts that name one."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            yield node.attr
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("_"):
            yield node.name
        elif isinstance(node, ast.Constant) and str(node.value).startswith("_"):
            yield str(node.value)


def test_no_other_module_reaches_into_an_object_of_textuals() -> None:
    """Private attributes are those of `self`, `cls`, or of a class of our own in the same file."""
    offenders = [
        f"{path.relative_to(PACKAGE)}:{node.lineno} {ast.unparse(node)}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.is_relative_to(PACKAGE / "screens")
        or path.is_relative_to(PACKAGE / "widgets")
        or path.parent == PACKAGE
        if path != HOME
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and node.attr not in ("_replace", "_asdict", "_fields", "_exit")
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    ]
    assert offenders == []


def our_classes() -> Iterator[type]:
    """All classes of ours that inherit from one of Textual's."""
    for info in pkgutil.walk_packages(tfdbg_tui.__path__, "tfdbg_tui."):
        if info.name.split(".")[1] in ("app", "screens", "widgets"):
            for found in vars(importlib.import_module(info.name)).values():
                is_ours = isinstance(found, type) and found.__module__ == info.name
                if is_ours and issubclass(found, MessagePump):
                    yield found


def test_no_class_of_ours_overrides_or_sets_a_private_name_of_textuals() -> None:
    offenders = []
    for ours in our_classes():
        theirs = {
            name
            for base in ours.__mro__
            if base.__module__.startswith("textual.")
            for name in (*vars(base), *_set_on_self(base))
        }
        mine = {*vars(ours), *_set_on_self(ours)}
        clash = {name for name in mine & theirs if name.startswith("_") and name[1] != "_"}
        clash -= MADE_BY_TEXTUAL
        offenders += [f"{ours.__qualname__}.{name}" for name in sorted(clash)]
    assert offenders == []


MADE_BY_TEXTUAL = {
    "_css_type_name",
    "_css_type_names",
    "_decorated_handlers",
    "_merged_bindings",
    "_reactives",
    "_inherit_bindings",
    "_inherit_component_classes",
    "_inherit_css",
    "_computes",
}
"""What Textual itself puts on each class that is made from one of its own."""


@cache
def _set_on_self(owner: type) -> set[str]:
    """The attributes that the methods of a class assign."""
    tree = ast.parse(inspect.cleandoc("\n" + inspect.getsource(owner)))
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }
