"""The layer and the op that the name of a tensor tells: `sequential_1/dense_1` and `BiasAdd`.

Keras gives every layer a scope, and TensorFlow gives some ops a scope of their own inside it:
`dense_1/BiasAdd/ReadVariableOp`. What stands before the first such scope is the layer. A name
without scopes has no layer, and no scope of an op is ever taken for one.
"""

from __future__ import annotations

import re

from tfdbg_tui.data.stores.tf_names import forward_names, is_call_op, read_tensor

_TAPE = "gradient_tape/"
"""The scope of what a GradientTape creates."""

_SESSION_GRADIENT = "_grad/"
"""Ends the name of an op that `tf.gradients` differentiates; its gradient's ops stand behind."""

_OP_SCOPE = r"[A-Z][A-Za-z0-9]*(?:_\d+)?"
"""Scopes that ops have: layers are written in small letters, unless the user names them."""

_OPERATOR = r"(?:add|sub|mul|truediv|div|div_no_nan|floordiv|mod|pow|matmul|neg)(?:_\d+)?"
"""What Python's operators are called; a Keras layer may be called so as well."""

_OPERAND = (
    r"(?:x|y|a|b|axis|axes|shape|dims?|begin|size|multiples|perm|paddings|resource|values?|stack"
    r"|stack_1|stack_2|reduction_indices|concat_dim|split_dim|start|limit|delta|input|min|max"
    r"|fill_value|Initializer)(?:_\d+)?"
)
"""What TensorFlow calls the constants that it makes for an op, in the scope of that op."""

_NUMBER = r"_\d+$"

MAX_PARTS = 64
"""Scopes of a name that are looked at; hostile names have any number of them."""


def layer_and_op(name: str) -> tuple[str, str]:
    """The path of the layer and the rest of the name, which is the op; "" where there is no layer.

    Of a gradient it is the layer whose gradient it is. A name may have its slot behind it.
    """
    told = read_tensor(name)
    name = name if told is None else told[0]
    before, tape, rest = name.rpartition(_TAPE)
    if tape:
        return _split(before + rest, in_tape=True)
    forward = next(forward_names(name), None)
    if forward is not None:
        return _split(forward)[0], name[name.rfind(_SESSION_GRADIENT) + len(_SESSION_GRADIENT) :]
    return _split(name)


def _split(name: str, in_tape: bool = False) -> tuple[str, str]:
    parts = [part for part in name.split("/", MAX_PARTS) if part and not is_call_op(part)]
    if not parts:
        return "", name
    first = len(parts) - 1
    while first and _is_op_scope(parts, first - 1, in_tape):
        first -= 1
    return "/".join(parts[:first]), parts[-1] if in_tape else "/".join(parts[first:])


def _is_op_scope(parts: list[str], number: int, in_tape: bool) -> bool:
    """Whether a part is the scope of an op, given that the part behind it is one, or the op."""
    scope, inner = parts[number], parts[number + 1]
    is_last = number == len(parts) - 2
    if is_last and re.fullmatch(_OPERAND, inner):
        return True
    if in_tape and is_last and re.fullmatch(_OPERATOR, scope):
        return True  # the op whose gradient it is
    if re.fullmatch(_OP_SCOPE, scope) is None:
        return False
    is_same = re.sub(_NUMBER, "", scope) == re.sub(_NUMBER, "", inner)
    # A layer that its user has named with a capital letter stands first, as models do.
    return is_same or in_tape or number > 0 or inner.startswith("ReadVariableOp")
