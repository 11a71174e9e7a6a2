"""An expression as a tree of allowed parts, with the tensors that stand in it in backquotes."""

from __future__ import annotations

import ast
import re

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.expressions.limits import (
    MAX_DEPTH,
    MAX_NODES,
    MAX_SOURCE,
    WORD,
    told_limits,
)
from tfdbg_tui.frozen.named_tuple import NamedTuple

OPERATORS = (
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult, ast.BitAnd,
    ast.BitOr, ast.BitXor, ast.LShift, ast.RShift, ast.USub, ast.UAdd, ast.Invert, ast.Not,
    ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.And, ast.Or,
)  # fmt: skip

PARTS = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Call, ast.keyword,
    ast.Attribute, ast.Name, ast.Load, ast.Constant, ast.Subscript, ast.Slice, ast.Tuple,
    ast.List,
)  # fmt: skip

NAMES = ("np", "numpy")
"""The names that may stand in an expression; all others are numpy's, behind one of these."""

WORDS = {
    ast.ListComp: "a comprehension",
    ast.SetComp: "a comprehension",
    ast.DictComp: "a comprehension",
    ast.GeneratorExp: "a comprehension",
    ast.Lambda: "a function of your own",
    ast.NamedExpr: "an assignment",
    ast.JoinedStr: "a text",
    ast.IfExp: "if and else",
    ast.Starred: "a star before a value",
}
"""What parts are called that are not allowed."""

EXAMPLE = "write for example np.mean(`loss/Log:0` > 0)"

_TENSOR = re.compile(r"`([^`]*)`")


class ParsedExpression(NamedTuple):
    """An expression that may be computed."""

    body: ast.expr
    tensors: dict[str, str]
    """The names that stand in it for tensors → what was written in backquotes."""


def parse_expression(text: str) -> ParsedExpression:
    """The tree of an expression; raises CommandError for what is not allowed."""
    if len(text) > MAX_SOURCE:
        raise CommandError(f"An expression has at most {told_limits()}; this one is longer.")
    tensors: dict[str, str] = {}
    source = _TENSOR.sub(lambda match: _stand_in(match[1], tensors), text)
    if "`" in source:
        raise CommandError("A backquote is open; write ` where the name of the tensor ends.")
    try:
        tree = ast.parse(source.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise CommandError(f"That is no expression; {EXAMPLE}.") from None
    _refuse_strangers(tree, tensors)
    return ParsedExpression(tree.body, tensors)


def _stand_in(name: str, tensors: dict[str, str]) -> str:
    known = next((stand_in for stand_in, one in tensors.items() if one == name), None)
    if known is None:
        known = f"tensor_{len(tensors)}"
        tensors[known] = name
    return f" {known} "


def _refuse_strangers(tree: ast.AST, tensors: dict[str, str]) -> None:
    pending: list[tuple[ast.AST, int]] = [(tree, 0)]
    seen = 0
    while pending:
        node, depth = pending.pop()
        seen += 1
        if seen > MAX_NODES or depth > MAX_DEPTH:
            raise CommandError(f"An expression has at most {told_limits()}; take a simpler one.")
        _refuse_stranger(node, tensors)
        children = ast.iter_child_nodes(node)
        is_compared = isinstance(node, ast.Compare)
        pending += [(n, depth + 1) for n in children if not (is_compared and _is_text(n))]


def _is_text(node: ast.AST) -> bool:
    """Whether it is a text, which strings can be compared with."""
    return isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))


def _refuse_stranger(node: ast.AST, tensors: dict[str, str]) -> None:
    if not isinstance(node, (*PARTS, *OPERATORS)):
        what = WORDS.get(type(node), f"what Python calls {type(node).__name__}")
        raise CommandError(f"An expression here has numbers, tensors and np, not {what}.")
    if isinstance(node, ast.Name) and node.id not in (*NAMES, *tensors):
        raise CommandError(
            f"{_short(node.id)} is nothing here: tensors stand in backquotes, functions behind np; "
            f"{EXAMPLE}."
        )
    if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
        raise CommandError(f".{_short(node.attr)} is not for expressions; {EXAMPLE}.")
    if isinstance(node, ast.Constant):
        _refuse_constant(node.value)


def _refuse_constant(value: object) -> None:
    if isinstance(value, (str, bytes)):
        raise CommandError(f"A text is compared by == or !=, and not computed with; {EXAMPLE}.")
    if isinstance(value, int) and value.bit_length() > WORD:
        raise CommandError("That is larger than whole numbers of 64 bits go.")


def _short(name: str) -> str:
    return name if len(name) <= 40 else f"{name[:39]}…"
