"""Walks the tree of an expression: one part after the other, with a pause between."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.expressions.functions import Function, functions
from tfdbg_tui.command_line.expressions.limits import (
    MAX_WORK,
    broadcast_size,
    checked,
    refuse_many,
    refuse_power,
    refuse_product,
    refuse_shift,
    size_of,
)
from tfdbg_tui.command_line.expressions.names import (
    ARRAYS,
    CONSTANTS,
    KEYWORDS,
    METHODS,
    PROPERTIES,
)
from tfdbg_tui.command_line.expressions.parsing import EXAMPLE, NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tfdbg_tui.command_line.expressions.parsing import ParsedExpression

Walk = Generator[None, None, Any]

BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}

UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}

COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def evaluate(expression: ParsedExpression, tensors: Mapping[str, Any]) -> Walk:
    """The value of an expression, given its tensors; raises CommandError."""
    walker = _Walker(tensors)
    try:
        return (yield from walker.value(expression.body))
    except CommandError:
        raise
    except MemoryError:
        raise CommandError("There is not enough memory for that.") from None
    except (ValueError, TypeError, IndexError, ArithmeticError) as error:
        reason = " ".join(str(error.args[-1] if error.args else "").split())[:160].rstrip(".")
        raise CommandError(f"That cannot be computed: {reason or type(error).__name__}.") from None


class _Walker:
    """Computes the parts of one expression."""

    def __init__(self, tensors: Mapping[str, Any]) -> None:
        self._tensors = tensors
        self._functions: Mapping[str, Function] = functions()
        self._work = 0

    def value(self, node: ast.expr) -> Walk:
        """The value of a part."""
        yield
        if isinstance(node, ast.Constant):
            return node.value.encode() if isinstance(node.value, str) else node.value
        if isinstance(node, ast.Name):
            return self._named(node)
        found = yield from self._computed(node)
        self._work += getattr(found, "nbytes", 0)
        if self._work > MAX_WORK:
            raise CommandError("That is more work than is done here; take parts of the tensors.")
        return checked(found)

    def _named(self, node: ast.Name) -> Any:
        if node.id in NAMES:
            raise CommandError(f"np has functions, and is no value itself; {EXAMPLE}.")
        return self._tensors[node.id]

    def _computed(self, node: ast.expr) -> Walk:
        with np.errstate(all="ignore"):
            if isinstance(node, ast.BinOp):
                return (yield from self._binary(node))
            if isinstance(node, ast.UnaryOp):
                return UNARY[type(node.op)](_computable((yield from self.value(node.operand))))
            if isinstance(node, ast.Compare):
                return (yield from self._compared(node))
            if isinstance(node, ast.BoolOp):
                return (yield from self._both(node))
            if isinstance(node, ast.Call):
                return (yield from self._called(node))
            if isinstance(node, ast.Attribute):
                return (yield from self._attribute(node))
            if isinstance(node, ast.Subscript):
                return (yield from self._subscript(node))
            return (yield from self._collected(node))

    # Operators.

    def _binary(self, node: ast.BinOp) -> Walk:
        left = _computable((yield from self.value(node.left)))
        right = _computable((yield from self.value(node.right)))
        if isinstance(node.op, ast.MatMult):
            refuse_product(left, right)
        else:
            refuse_many(broadcast_size((left, right)))
        if isinstance(node.op, ast.Pow):
            refuse_power(left, right)
        if isinstance(node.op, (ast.LShift, ast.RShift)):
            refuse_shift(right)
        return BINARY[type(node.op)](left, right)

    def _compared(self, node: ast.Compare) -> Walk:
        left = yield from self.value(node.left)
        found: Any = True
        for number, (op, following) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = yield from self.value(following)
            refuse_many(broadcast_size((left, right)))
            held = COMPARED[type(op)](left, right)
            found = np.logical_and(found, held) if number else held
            left = right
        return found

    def _both(self, node: ast.BoolOp) -> Walk:
        values = []
        for part in node.values:
            value = yield from self.value(part)
            if np.size(value) != 1:
                sign = "&" if isinstance(node.op, ast.And) else "|"
                raise CommandError(f"Arrays are joined by {sign}, each side in parentheses.")
            values.append(bool(value))
        return all(values) if isinstance(node.op, ast.And) else any(values)

    # Calls.

    def _called(self, node: ast.Call) -> Walk:
        target = node.func
        if not isinstance(target, ast.Attribute):
            raise CommandError(f"Only functions of np are called; {EXAMPLE}.")
        arguments: list[Any] = []
        if not _is_numpy(target.value):
            if target.attr not in (*METHODS, "astype"):
                raise CommandError(f".{target.attr[:40]}() is not for expressions; {EXAMPLE}.")
            arguments.append((yield from self.value(target.value)))
        elif target.attr == "astype":
            raise _unknown(target.attr)
        function = self._functions.get(target.attr)
        if function is None:
            raise _unknown(target.attr)
        arguments += yield from _each(self._argument, node.args)
        named = yield from self._keywords(node)
        function.bound(arguments)
        for argument in (*arguments, *named.values()):
            _computable(argument, is_plain=False)
        return function.call(*arguments, **named)

    def _keywords(self, node: ast.Call) -> Walk:
        named: dict[str, Any] = {}
        for keyword in node.keywords:
            if keyword.arg not in KEYWORDS:
                raise CommandError(f"{(keyword.arg or '**')[:40]}= is not for expressions here.")
            value = yield from self._argument(keyword.value)
            if np.size(value) > 1 and keyword.arg not in ARRAYS and not isinstance(value, tuple):
                raise CommandError(f"{keyword.arg}= takes a single number here.")
            named[keyword.arg] = value
        return named

    def _argument(self, node: ast.expr) -> Walk:
        """An argument: a value, or a type such as np.float32."""
        if isinstance(node, ast.Attribute) and _is_numpy(node.value):
            found = getattr(np, node.attr, None) if node.attr in self._functions else None
            if isinstance(found, type) and issubclass(found, np.generic):
                return found
        return (yield from self.value(node))

    # Parts of values.

    def _attribute(self, node: ast.Attribute) -> Walk:
        if _is_numpy(node.value):
            if node.attr not in CONSTANTS:
                raise _unknown(node.attr)
            return CONSTANTS[node.attr]
        if node.attr not in PROPERTIES:
            raise CommandError(f".{node.attr[:40]} is not for expressions; {EXAMPLE}.")
        value = np.asarray((yield from self.value(node.value)))
        found = getattr(value, node.attr)
        return str(found) if node.attr == "dtype" else found

    def _subscript(self, node: ast.Subscript) -> Walk:
        value = yield from self.value(node.value)
        if not isinstance(value, (np.ndarray, tuple)):
            raise CommandError("Only arrays have parts; a single number has none.")
        index = yield from self._index(node.slice)
        if isinstance(value, np.ndarray):
            parts = index if isinstance(index, tuple) else (index,)
            # A mask chooses no more than there is; numbers may choose the same part many times.
            chosen = [p for p in parts if isinstance(p, np.ndarray) and p.dtype.kind != "b"]
            many = broadcast_size(chosen)
            refuse_many(many * max(1, value.size // max(1, len(value) if value.ndim else 1)))
        return value[index]

    def _index(self, node: ast.expr) -> Walk:
        if isinstance(node, ast.Tuple):
            return tuple((yield from _each(self._index, node.elts)))
        if isinstance(node, ast.Slice):
            ends = (end or ast.Constant(None) for end in (node.lower, node.upper, node.step))
            return slice(*(yield from _each(self.value, ends)))
        return (yield from self.value(node))

    def _collected(self, node: ast.expr) -> Walk:
        """A list, which is an array; or a tuple, which is a shape or several arrays."""
        assert isinstance(node, (ast.List, ast.Tuple, ast.Slice))
        if isinstance(node, ast.Slice):
            raise CommandError(f"a:b stands in brackets behind a tensor; {EXAMPLE}.")
        values = yield from _each(self.value, node.elts)
        refuse_many(sum(map(size_of, values)))
        return tuple(values) if isinstance(node, ast.Tuple) else np.array(values)


def _each(walk: Callable[[ast.expr], Walk], nodes: Iterable[ast.expr]) -> Walk:
    """The values of several parts."""
    values: list[Any] = []
    for node in nodes:
        values += [(yield from walk(node))]
    return values


def _is_numpy(node: ast.expr) -> bool:
    """Whether functions stand behind it: `np`, or `np.linalg` for the one that is known of it."""
    if isinstance(node, ast.Attribute) and node.attr == "linalg":
        node = node.value
    return isinstance(node, ast.Name) and node.id in NAMES


def _computable(value: Any, is_plain: bool = True) -> Any:
    """A value that can be computed with: no strings and, as an operand, no shapes."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        raise CommandError("Strings can be compared by == and !=, and not computed with.")
    if is_plain and (value is None or value is ... or isinstance(value, (tuple, str, bytes))):
        raise CommandError("Numbers and arrays are computed with, not tuples or None.")
    return value


def _unknown(name: str) -> CommandError:
    return CommandError(f"np.{name[:40]} is not among the functions that can be used; {EXAMPLE}.")
