"""Has what is noted in graphs of TF1 computed, and leaves those graphs as the program wants them.

A session runs only what it is asked for, and nobody asks for the ops of the recorder. So it hands
out a copy in place of each tensor, which asks for the op that notes the tensor. But programs look
at what they are handed out: `Saver` at the type of a variable's op, assignments at its being a
reference, queues at the inputs of their op, moving averages at the name of a tensor, which is then
the name in a checkpoint. So every tensor stays itself here. Whatever uses it waits until it is
noted, as the recorder itself has it with placeholders, and who fetches it has it noted too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tfdbg_tui.record.recorder import Graph, Operation, Recorder, Tensor


PLACEHOLDER = "Placeholder"
"""The type of op of which the recorder hands out no copies."""

LOOPS = frozenset({"While", "StatelessWhile"})
"""Types of ops that get more inputs later, for their gradients. TensorFlow fails if these come
behind what the op waits for, so loops are given copies, which wait."""

NO_MODE = 0
"""None of the recorder's modes. In one it hands out what notes a tensor in place of a copy, and
TensorFlow cannot follow fixed numbers through that, which it needs to know shapes."""

_all_notes: list[Notes] = []
"""Those of all recorders, for sessions to look into."""


class Notes:
    """The ops that note tensors, by these tensors; the recorder itself looks here."""

    def __init__(self, recorder: Recorder) -> None:
        self._ops = recorder._placeholder_to_debug_tensor
        self._copy = recorder._process_v1_graph_mode_tensor
        self._is_of_loop = False
        recorder._placeholder_to_debug_tensor = self
        recorder._process_v1_graph_mode_tensor = self._handed_out
        if not _all_notes:
            _note_what_is_fetched()
        _all_notes.append(self)

    def __contains__(self, tensor: Tensor) -> bool:
        return not self._is_of_loop and tensor in self._ops

    def __getitem__(self, tensor: Tensor) -> Tensor:
        return self._ops[tensor]

    def __setitem__(self, tensor: Tensor, noting: Tensor) -> None:
        self._ops[tensor] = noting

    def await_in(
        self, op_type: str, op_name: str | None, outputs: Sequence[Tensor], graph: Graph
    ) -> None:
        """Have a new op wait for what it uses, as far as the recorder will not see to that."""
        self._is_of_loop = op_type in LOOPS
        if not self._ops:
            return
        try:
            op = outputs[0].op if outputs else graph.get_operation_by_name(op_name)
        except KeyError:
            return  # some gradients create their ops in another graph than they say
        if self._is_of_loop:
            self._copy_inputs(op)
            return
        used = [tensor for earlier in op.control_inputs for tensor in earlier.outputs]
        for noting in self.of(used if outputs else [*used, *op.inputs]):
            op._add_control_input(noting)

    def of(self, tensors: Iterable[Tensor]) -> Iterator[Operation]:
        """The ops that note some of these tensors."""
        return (self._ops[tensor].op for tensor in tensors if tensor in self._ops)

    def _copy_inputs(self, op: Operation) -> None:
        for number, tensor in enumerate(op.inputs):
            if tensor in self._ops:
                op._update_input(number, self._copy(op.type, tensor, self._ops[tensor], NO_MODE))

    def _handed_out(self, op_type: str, tensor: Tensor, noting: Tensor, mode: int) -> Tensor:
        """What stands for a tensor: itself.

        In the graphs of branches and loops it is a copy: they return tensors that nothing in them
        uses, and nobody looks at what these are.
        """
        if noting.graph is not tensor.graph:
            return tensor  # the gradient of a loop puts ops into the graph of the loop
        is_function = hasattr(tensor.graph, "outer_graph")
        return self._copy(op_type if is_function else PLACEHOLDER, tensor, noting, NO_MODE)


def _note_what_is_fetched() -> None:
    """Have sessions run what notes the tensors that they are to fetch."""
    from tensorflow.python.client.session import BaseSession

    run = BaseSession._do_run

    def run_and_note(
        session: object, handle: object, ops: Sequence[Operation], tensors: Any, *rest: Any
    ) -> Any:
        if handle is None:  # else this is part of a run whose ops were all told before
            used = [*tensors, *(tensor for op in ops for tensor in op.outputs)]
            ops = [*ops, *(noting for notes in _all_notes for noting in notes.of(used))]
        return run(session, handle, ops, tensors, *rest)

    BaseSession._do_run = run_and_note
