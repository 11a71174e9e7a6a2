"""The parts of a user's line that an op was made from: the call of a function, or an operator.

A line may be a part of a statement, so it is parsed if that can be done, and else searched for
the call alone. What is found is text out of the recording, to be cleaned before it is shown.
"""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

MAX_LINE = 2_000
"""Characters of a line that is looked at."""

CALLS: dict[str, tuple[str, ...]] = {
    "Log": ("log",),
    "Log1p": ("log1p",),
    "Sqrt": ("sqrt",),
    "Rsqrt": ("rsqrt",),
    "Exp": ("exp",),
    "Expm1": ("expm1",),
    "Reciprocal": ("reciprocal",),
    "RealDiv": ("divide", "truediv", "div"),
    "Div": ("divide", "truediv", "div"),
    "Pow": ("pow",),
    "Acos": ("acos",),
    "Acosh": ("acosh",),
    "Asin": ("asin",),
    "Atanh": ("atanh",),
    "Erfinv": ("erfinv",),
    "Lgamma": ("lgamma",),
    "Mean": ("reduce_mean", "mean"),
    "Softmax": ("softmax",),
    "LogSoftmax": ("log_softmax",),
    "Xlogy": ("xlogy",),
    "Square": ("square",),
    "Norm": ("norm",),
}
"""What users call the functions that make ops of a type."""

_OPERATORS: dict[str, type[ast.operator]] = {
    "RealDiv": ast.Div,
    "Div": ast.Div,
    "FloorDiv": ast.FloorDiv,
    "FloorMod": ast.Mod,
    "Pow": ast.Pow,
}


class CodePart(NamedTuple):
    """The call, or the operation, that made an op."""

    whole: str
    function: str
    """As it is written: `tf.math.log`; the operator for one."""
    arguments: tuple[str, ...]


def part_of(code: str, op_type: str, calls: tuple[str, ...] | None = None) -> CodePart | None:
    """What in a line made an op of a type; None where that cannot be told."""
    code = code.strip()
    if not code or len(code) > MAX_LINE:
        return None
    names = CALLS.get(op_type, ()) if calls is None else calls
    tree = _parsed(code)
    if tree is None:
        return _called(code, names)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in names and node.args:
            return _part(code, node, _text(code, node.func), node.args)
    wanted = _OPERATORS.get(op_type)
    for node in ast.walk(tree):
        if wanted is not None and isinstance(node, ast.BinOp) and isinstance(node.op, wanted):
            return _part(code, node, "/", [node.left, node.right])
    return None


def assigned_name(code: str) -> str | None:
    """The name that a line gives to what it makes, or the variable that it assigns to."""
    updated = re.match(r"\s*([\w.\[\]]+)\.(?:assign|assign_add|assign_sub|scatter_\w+)\(", code)
    if updated:
        return updated[1]
    given = re.match(r"\s*([A-Za-z_][\w.\[\]]*)\s*(?::[^=]+)?=[^=]", code)
    return given[1] if given else None


def _parsed(code: str) -> ast.AST | None:
    texts = (code, f"{code} pass", code.removeprefix("el") + " pass")
    return next((tree for tree in map(_parsed_as_it_is, texts) if tree is not None), None)


def _parsed_as_it_is(text: str) -> ast.AST | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _part(code: str, node: ast.AST, function: str, arguments: list[ast.expr]) -> CodePart:
    return CodePart(_text(code, node), function, tuple(_text(code, given) for given in arguments))


def _text(code: str, node: ast.AST) -> str:
    return ast.get_source_segment(code, node) or ""


def _called(code: str, names: tuple[str, ...]) -> CodePart | None:
    """A call in a part of a statement, by its brackets."""
    for name in names:
        found = re.search(rf"(?<![\w.])((?:\w+\.)*{name})\(", code)
        if not found:
            continue
        end = _closing(code, found.end())
        if end is not None:
            inside = code[found.end() : end]
            return CodePart(code[found.start() : end + 1], found[1], tuple(_split(inside)))
    return None


def _closing(code: str, start: int) -> int | None:
    depth = 1
    for place in range(start, len(code)):
        depth += (code[place] in "([{") - (code[place] in ")]}")
        if not depth:
            return place
    return None


def _split(arguments: str) -> list[str]:
    parts, depth = [""], 0
    for character in arguments:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]
