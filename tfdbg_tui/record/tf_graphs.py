"""Where TensorFlow's recorder would harm a graph, or look at the same thing over and over.

For every op that is created, the recorder adds ops that note its outputs. Some need other care:

- A reference to a variable of TF1 may be what gives the variable its first value: before that it
  cannot be looked at. What it holds is noted where it is read.
- Functions of `tf.data` may be given whole arrays, of which they take a batch each time. The
  batch is noted, the array is not.
- What XLA is to compile must not hold the recorder's ops: it cannot compile them.
- Values may be wanted of a few ops alone, which TensorFlow's filter tells by their types only.

How all this is run in sessions of TF1 is told in `tf_sessions`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakSet

from tfdbg_tui.record.tf_sessions import Notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tfdbg_tui.record.recorder import Graph, Operation, Recorder, Tensor


READ = "Identity"
"""The type of op that reads the value of a reference; the recorder never notes it."""

PLACEHOLDER = "Placeholder"
"""The type of arguments."""

TAKE_A_PART = frozenset({"Gather", "GatherV2", "GatherNd", "Slice", "StridedSlice"})
"""Types of ops that take a part of their first input."""

DATA_FUNCTION = "Dataset_"
"""Begins the names of the functions that `tf.data` runs."""

TPU = "tensorflow.python.tpu."
"""Begins the names of the modules that compile for a TPU."""

GRADIENT = "__backward_"
"""Begins the name of the graph of a gradient; behind it come the function's name and a number."""

NUMBER = re.compile(r"_\d+$")


class OpOutputs(NamedTuple):
    """The outputs of an op that was created, as the recorder is told of them."""

    tensors: Sequence[Tensor]
    op_type: str
    op_name: str
    context_id: str
    tensor_ids: Sequence[int]


class GraphCare:
    """Takes part in what a recorder does to graphs."""

    def __init__(self, recorder: Recorder, op_names: Iterable[str] | None = None) -> None:
        self._op_names = None if op_names is None else frozenset(op_names)
        self._note = recorder._instrument_symbolic_tensors
        self._notes = Notes(recorder)
        self._compiled = CompiledGraphs()
        self._references: dict[object, OpOutputs] = {}
        """References to variables whose value nobody has read yet, by their tensors."""
        self._arguments: dict[Graph, list[OpOutputs]] = {}
        """Arguments of functions of `tf.data` of which so far at most a part was taken."""
        recorder._instrument_symbolic_tensors = self._noted

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
        if op_type == READ and outputs:
            self._note_read(inputs[0], outputs[0])
        self._note_used_arguments(graph)
        self._notes.await_in(op_type, op_name, outputs, graph)
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
        is_wanted = self._op_names is None or op_name in self._op_names
        if not is_wanted or graph in self._compiled:
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


class CompiledGraphs:
    """Knows which graphs XLA is to compile: those of functions that ask for it, and all inside."""

    def __init__(self) -> None:
        self._functions: WeakSet[Graph] = WeakSet()
        self._gradients: set[str] = set()
        """Names of the graphs of their gradients, without numbers."""

    def __contains__(self, graph: Graph) -> bool:
        outer: Graph | None = graph
        function = graph
        while outer is not None:
            if _is_in_xla_context(outer):
                if function is not outer:  # else it may be the caller, just before the call
                    self._functions.add(function)
                    self._gradients.add(f"{GRADIENT}{_name(function)}")
                return True
            # Gradients are made when the function has long been traced.
            if outer in self._functions or NUMBER.sub("", _name(outer)) in self._gradients:
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
