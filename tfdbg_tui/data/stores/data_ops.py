"""Types of ops whose numbers come from outside: out of datasets, files, feeds, and Python."""

from __future__ import annotations

from tfdbg_tui.data.stores.tf_names import ARGUMENT, is_dataset_function

_DATA = frozenset(
    {
        "DecodeCSV",
        "DecodePaddedRaw",
        "DecodeRaw",
        "IteratorGetNext",
        "IteratorGetNextSync",
        "MultiDeviceIteratorGetNextFromShard",
        "ParseExample",
        "ParseExampleV2",
        "ParseSequenceExample",
        "ParseSequenceExampleV2",
        "ParseSingleExample",
        "ParseSingleSequenceExample",
        "ParseTensor",
        "Restore",
        "RestoreSlice",
        "RestoreV2",
        "StringToNumber",
    }
)
"""Types of ops that put out what a dataset yields, or what is written in a file."""

_NEXT = "OptionalGetValue"
"""The type of op that puts out what a dataset yields, in a loop in a graph. Eager, it is how Keras
hands out what a step has computed."""

_GENERATOR = "Dataset_from_generator_"
"""Begins the names of functions that call a generator, in Python."""

_PYTHON = frozenset({"EagerPyFunc", "PyFunc", "PyFuncStateless"})
"""Types of ops that call Python."""

_HANDS_ON = frozenset(
    {
        "ExpandDims",
        "Gather",
        "GatherNd",
        "GatherV2",
        "Identity",
        "Reshape",
        "Slice",
        "Squeeze",
        "StridedSlice",
        "Transpose",
    }
)
"""Types of ops that put out numbers of their first input as they are, or some of them."""


def hands_out(op_type: str) -> bool:
    """Whether an eager op puts out what a step of Keras has computed."""
    return op_type == _NEXT


def is_data(op_type: str) -> bool:
    """Whether what an op puts out was read, not computed."""
    return op_type in _DATA


def is_data_in(graph: str, op_type: str) -> bool:
    """The same for an op of a graph; "" is the graph of a session, whose arguments are fed."""
    if op_type == ARGUMENT:
        return not graph or is_dataset_function(graph)
    is_generator = op_type in _PYTHON and graph.startswith(_GENERATOR)
    return is_generator or op_type == _NEXT or is_data(op_type)


def hands_on(op_type: str) -> bool:
    """Whether the numbers that an op puts out are those of its first input."""
    return op_type in _HANDS_ON
