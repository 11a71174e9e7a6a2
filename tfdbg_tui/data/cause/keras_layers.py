"""In which Keras layer an op was made, as its user calls that layer.

Scopes are no proof: loops, losses, optimizers and many functions of TensorFlow have some, too. On
the stack of an op stands each layer that was being called, and no other scope of a layer is in its
name. Keras 3 enters the scope of a layer twice, to build it and to call it, and TensorFlow numbers
the second: what `dense` computes is in `dense_1`, and what `dense_1` computes in `dense_1_2`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.layer_names import layer_and_op

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex

_LAYER_FILE = r"/(tf_)?keras/(src/)?(layers/layer|engine/base_layer(_v1)?)\.py$"
_NUMBERED = r"/keras/src/layers/layer\.py$"
"""Keras 3, where the scope of a call has a number of its own."""

_CONTROL = r"(while|cond|case|switch_case|map|scan|foldl|foldr)(_\d+)?"
"""Scopes of loops and branches, which may stand between layers."""


def layer_of(index: HostIndex, stack: tuple[str, ...], name: str) -> str:
    """The path of the layer in its model; "" where no layer was called."""
    files = [
        file
        for file, function in index.stacks.functions(stack)
        if function == "__call__" and "keras" in file and re.search(_LAYER_FILE, file)
    ]
    scopes = [part for part in layer_and_op(name)[0].split("/") if part]
    layers = [part for part in scopes if re.fullmatch(_CONTROL, part) is None][: len(files)]
    if files and re.search(_NUMBERED, files[0]):
        layers = [re.sub(r"_\d+$", "", part) for part in layers]
    return "/".join(layers[1:] or layers)
