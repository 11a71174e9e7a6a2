"""The parts of a user's line that an op was made from: the call of a function, or an operator.

A line may be a part of a statement, so it is parsed if that can be done, and else searched for
the call alone. What is found is text out of the recording, to be cleaned before it is shown.
"""

from __future__ import annotations

import ast
import re

from tfdbg_tui.frozen.named_tuple import NamedTuple

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
    "Std": ("reduce_std",),
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
    keywords: tuple[str, ...] = ()
    """Those that are given by name: `axis=1`."""


def part_of(code: str, op_type: str, number: int | None = None) -> CodePart | None:
    """What in a line made an op of a type; None where that cannot be told.

    Of several, the one of a number, from 0, of a line that may run again; none without a number.
    """
    code = code.strip()
    if not code or len(code) > MAX_LINE:
        return None
    names = CALLS.get(op_type, ())
    tree = _parsed(code)
    if tree is None:
        return _called(code, names)
    parts = _calls(tree, code, names) or _operations(tree, code, _OPERATORS.get(op_type))
    if len(parts) > 1 and number is None:
        return None
    return parts[(number or 0) % len(parts)] if parts else None


def _calls(tree: ast.AST, code: str, names: tuple[str, ...]) -> list[CodePart]:
    """The calls of some functions in a line, as they stand there."""
    nodes = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _name(node.func) in names and node.args
    ]
    nodes.sort(key=lambda node: (node.end_lineno or 0, node.end_col_offset or 0))
    return [_part(code, node, _text(code, node.func), node.args, node.keywords) for node in nodes]


def _operations(tree: ast.AST, code: str, wanted: type[ast.operator] | None) -> list[CodePart]:
    """The uses of an operator in a line, as they stand there."""
    if wanted is None:
        return []
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.BinOp) and isinstance(n.op, wanted)]
    nodes.sort(key=lambda node: (node.end_lineno or 0, node.end_col_offset or 0))
    return [_part(code, node, "/", [node.left, node.right]) for node in nodes]


def assigned_name(code: str) -> str | None:
    """The name that a line gives to what it makes, or the variable that it assigns to."""
    if ".assign" in code or ".scatter_" in code:
        updated = re.match(r"\s*([\w.\[\]]+)\.(?:assign|assign_add|assign_sub|scatter_\w+)\(", code)
        if updated:
            return updated[1]
    if "=" not in code:
        return None
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


def _part(
    code: str,
    node: ast.AST,
    function: str,
    arguments: list[ast.expr],
    keywords: list[ast.keyword] | None = None,
) -> CodePart:
    return CodePart(
        _text(code, node),
        function,
        tuple(_text(code, given) for given in arguments),
        tuple(f"{given.arg}={_text(code, given.value)}" for given in keywords or () if given.arg),
    )


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
            given = _split(inside)
            named = [text for text in given if re.match(r"\w+\s*=[^=]", text)]
            unnamed = tuple(text for text in given if text not in named)
            return CodePart(code[found.start() : end + 1], found[1], unnamed, tuple(named))
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
