"""Where TensorFlow's recorder would harm a graph, or look at the same thing over and over.

For every op that is created, the recorder adds ops that note its outputs. In graphs of TF1, where
nothing runs unless something asks for it, it even hands out a copy in place of each output, which
asks for those ops. Three kinds of tensors need other care:

- What stands for a variable in a graph of TF1 is looked up by what it is: `Saver` by the type of
  its op, assignments by its being a reference. Of those no copy is handed out. What was read is
  noted before any op uses it, as the recorder does with placeholders.
- Functions of `tf.data` may be given whole arrays, of which they take a batch each time. The
  batch is noted, the array is not.
- What XLA is to compile must not hold the recorder's ops: it cannot compile them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.record.recorder import Recorder

    Tensor = Any
    Graph = Any
    Operation = Any

READ_VARIABLE = "ReadVariableOp"
READ_REFERENCE = "Identity"

NEVER_COPIED = frozenset({"Const", READ_VARIABLE, READ_REFERENCE})
"""Types of ops whose outputs others look up: by these, a variable and a fixed number are known."""

PLACEHOLDER = "Placeholder"
"""The type of arguments; in graphs of TF1 the recorder hands out no copies of them."""

LOOPS = frozenset({"While", "StatelessWhile"})

NO_MODE = 0
"""None of the recorder's modes."""

TAKE_A_PART = frozenset({"Gather", "GatherV2", "GatherNd", "Slice", "StridedSlice"})
"""Types of ops that take a part of their first input."""

DATA_FUNCTION = "Dataset_"
"""Begins the names of the functions that `tf.data` runs."""

TPU = "tensorflow.python.tpu."
"""Begins the names of the modules that compile for a TPU."""

GRADIENT = re.compile(r"__backward_(?P<function>.+)_\d+")
"""The name of the graph of a function's gradient."""


class OpOutputs(NamedTuple):
    """The outputs of an op that was created, as the recorder is told of them."""

    tensors: Sequence[Tensor]
    op_type: str
    op_name: str
    context_id: str
    tensor_ids: Sequence[int]


class GraphCare:
    """Takes part in what a recorder does to graphs."""

    def __init__(self, recorder: Recorder) -> None:
        self._note = recorder._instrument_symbolic_tensors
        self._copy = recorder._process_v1_graph_mode_tensor
        self._awaited = AwaitedNotes(recorder._placeholder_to_debug_tensor)
        self._compiled = CompiledGraphs()
        self._references: dict[object, OpOutputs] = {}
        """References to variables whose value nobody has read yet, by their tensors."""
        self._arguments: dict[Graph, list[OpOutputs]] = {}
        """Arguments of functions of `tf.data` of which so far at most a part was taken."""
        recorder._instrument_symbolic_tensors = self._noted
        recorder._process_v1_graph_mode_tensor = self._handed_out
        recorder._placeholder_to_debug_tensor = self._awaited

    def before_op(
        self,
        op_type: str,
        inputs: Sequence[Tensor],
        attributes: object,
        outputs: Sequence[Tensor],
        op_name: str | None = None,
        graph: Graph | None = None,
    ) -> Sequence[Tensor] | None:
        """An op callback, to be called before the recorder's for each op that is created."""
        if graph is None:
            return None  # an op that was executed
        self._awaited.are_asked_for = op_type not in LOOPS
        if op_type == READ_REFERENCE and outputs:
            self._note_read(inputs[0], outputs[0])
        self._note_used_arguments(graph)
        return outputs

    def _noted(
        self,
        tensors: Sequence[Tensor],
        op_type: str,
        op_name: str,
        context_id: str,
        tensor_ids: Sequence[int],
    ) -> Sequence[Tensor] | None:
        """Have the outputs of a new op noted; None to leave them as they are."""
        outputs = OpOutputs(tensors, op_type, op_name, context_id, tensor_ids)
        graph = tensors[0].graph
        if graph in self._compiled:
            return None
        if any(tensor.dtype._is_ref_dtype for tensor in tensors):
            # Whatever takes it may be what gives the variable its first value.
            if len(tensors) == 1:
                self._references[tensors[0].ref()] = outputs
            return None
        if op_type == PLACEHOLDER and _is_in_data_function(graph):
            self._arguments.setdefault(graph, []).append(outputs)
            return None
        noted: Sequence[Tensor] | None = self._note(*outputs)
        return noted

    def _handed_out(self, op_type: str, tensor: Tensor, noting: Tensor, mode: int) -> Tensor:
        """What stands for an output in a graph of TF1: itself, or a copy behind its noting.

        Never the output of what notes it, as the recorder has it for some modes: TensorFlow knows
        the shape that a copy of fixed numbers describes.
        """
        keeps_itself = tensor.op.type in NEVER_COPIED
        return self._copy(PLACEHOLDER if keeps_itself else op_type, tensor, noting, NO_MODE)

    def _note_read(self, reference: Tensor, value: Tensor) -> None:
        """Note what a variable holds, in its own name, where it is read for the first time."""
        outputs = self._references.pop(reference.ref(), None)
        if outputs is not None and value.graph not in self._compiled:
            self._note(*outputs._replace(tensors=(value,)))

    def _note_used_arguments(self, graph: Graph) -> None:
        """Note those arguments that are used for more than taking a part of them."""
        for outputs in self._arguments.get(graph, ())[:]:
            argument = outputs.tensors[0]
            if not all(_takes_a_part(op, argument) for op in argument.consumers()):
                self._arguments[graph].remove(outputs)
                self._note(*outputs)


class AwaitedNotes:
    """What ops that use a tensor wait for: that it is noted; the recorder looks here.

    Loops wait for nothing. Their gradients give them more inputs later, and TensorFlow fails if
    these come behind what they wait for.
    """

    def __init__(self, notes: Any) -> None:
        self._notes = notes
        self.are_asked_for = True

    def __contains__(self, tensor: Tensor) -> bool:
        return self.are_asked_for and tensor in self._notes

    def __getitem__(self, tensor: Tensor) -> Tensor:
        return self._notes[tensor]

    def __setitem__(self, tensor: Tensor, noting: Tensor) -> None:
        self._notes[tensor] = noting


class CompiledGraphs:
    """Knows which graphs XLA is to compile: those of functions that ask for it, and all inside."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        """Of functions that are compiled, and their gradients with them."""

    def __contains__(self, graph: Graph) -> bool:
        outer: Graph | None = graph
        function = graph
        while outer is not None:
            if _is_in_xla_context(outer):
                self._names.add(_name(function))
                return True
            gradient = GRADIENT.fullmatch(_name(outer))
            if gradient is not None and gradient["function"] in self._names:
                return True
            function, outer = outer, getattr(outer, "outer_graph", None)
        return False


def _is_in_xla_context(graph: Graph) -> bool:
    """Whether what is created in a graph now, inner graphs among it, is to be compiled.

    Not on a TPU, where TensorFlow itself keeps the recorder's ops out of what is compiled.
    """
    from tensorflow.python.ops.control_flow_ops import XLAControlFlowContext

    context = graph._get_control_flow_context()
    while context is not None:
        if isinstance(context, XLAControlFlowContext):
            return not type(context).__module__.startswith(TPU)
        context = context.outer_context
    return False


def _name(graph: Graph) -> str:
    """The name of a function's graph; that of a program has none."""
    name: str = getattr(graph, "name", "")
    return name


def _is_in_data_function(graph: Graph | None) -> bool:
    while graph is not None:
        if _name(graph).startswith(DATA_FUNCTION):
            return True
        graph = getattr(graph, "outer_graph", None)
    return False


def _takes_a_part(op: Operation, tensor: Tensor) -> bool:
    return op.type in TAKE_A_PART and [at for at, i in enumerate(op.inputs) if i is tensor] == [0]
