"""The forms of the names that TensorFlow makes up: of calls, gradients, branches and arguments.

The recorder writes these names and not what they stand for. All that is concluded from the form
of a name is concluded here. The patterns are compiled when first asked for, and kept by `re`: no
program needs them all.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# ------------------------------------------------------------------ calls of functions

_FORWARD = "__forward_"
"""Begins the op type of a call that is to be differentiated later."""

_BACKWARD = "__backward_"
"""Begins the name of the graph of a gradient; behind it comes the name of the function."""

_INFERENCE = "__inference_"
"""Begins the op type of any other call."""

# `__inference_loss_205` calls the graph `loss`; `__inference___backward_loss_161_206` calls
# `__backward_loss_161`, which is the gradient of `loss`.
_GRADIENT = rf"{_BACKWARD}(?P<function>.+)_\d+"
_NUMBER = r"_\d+$"

# The number of a function and, for a gradient, that of the function it belongs to before it.
_TRACE_NUMBERS = r"(?<=[^\d_])(_\d+){1,2}$"

# The op of a call inside a graph; the recorder writes none down, other ops take its outputs.
_CALL_OP = r"(?:.*/)?(?:Stateful)?PartitionedCall(?:_\d+)?"


class CallName(NamedTuple):
    """What the op type of an execution says about the function it calls."""

    graph: str
    """The name of the graph that is called."""
    is_forward: bool
    """Whether the call is made to be differentiated later."""

    @property
    def is_gradient(self) -> bool:
        """Whether the gradient of a function is called."""
        return is_gradient_graph(self.graph) and re.fullmatch(_GRADIENT, self.graph) is not None

    @property
    def function(self) -> str:
        """The user's name of the function or, for a gradient, of the one it belongs to."""
        gradient = re.fullmatch(_GRADIENT, self.graph)
        return self.graph if gradient is None else gradient["function"]


def read_call(op_type: str) -> CallName | None:
    """What an op type calls; None for an op."""
    begin = _FORWARD if is_forward_call(op_type) else _INFERENCE
    graph, _, number = op_type.removeprefix(begin).rpartition("_")
    is_named = graph and "\n" not in graph and number.isdecimal()
    is_call = op_type.startswith(begin) and is_named
    return CallName(graph, is_forward_call(op_type)) if is_call else None


def is_forward_call(op_type: str) -> bool:
    """Whether a call is made to be differentiated later: then it puts out more than it returns."""
    return op_type.startswith(_FORWARD)


def without_trace_numbers(op_type: str) -> str:
    """The op type of a call without what differs each time its function is traced."""
    return re.sub(_TRACE_NUMBERS, "", op_type)


def is_call_op(op_name: str) -> bool:
    """Whether an op inside a graph calls another graph."""
    return "PartitionedCall" in op_name and re.fullmatch(_CALL_OP, op_name) is not None


# ------------------------------------------------------------------ runs of sessions

SESSION_RUN = "Session.run"
"""The op type of a run of a TF1 session."""

_SESSION_RUN = rf"{re.escape(SESSION_RUN)}(?:/(?P<purpose>\w+))?"


def session_run_for(purpose: str) -> str:
    """The op type of a run of a session that is for something."""
    return f"{SESSION_RUN}/{purpose}"


def is_session_run(op_type: str) -> bool:
    """Whether an execution is a run of a TF1 session, as our recorder writes it down."""
    return op_type.startswith(SESSION_RUN) and re.fullmatch(_SESSION_RUN, op_type) is not None


def purpose_of_run(op_type: str) -> str | None:
    """What the recorder says that a run of a session is for: `train`, `init` or nothing."""
    run = re.fullmatch(_SESSION_RUN, op_type)
    return None if run is None else run["purpose"]


# ------------------------------------------------------------------ variables

# Sets and beginnings: to compile patterns would take longer than to judge a short recording.
_ASSIGNMENTS = frozenset({"Assign", "AssignVariableOp"})
_ADDITIONS = frozenset({"AssignAdd", "AssignSub", "AssignAddVariableOp", "AssignSubVariableOp"})
_UPDATES = _ASSIGNMENTS | _ADDITIONS
_SETUPS = _ASSIGNMENTS | {"MakeIterator", "LookupTableImport", "LookupTableImportV2"}
_ENQUEUES = frozenset({"QueueEnqueue", "QueueEnqueueV2", "QueueEnqueueMany", "QueueEnqueueManyV2"})
_READS = frozenset(
    {"ReadVariableOp", "ResourceGather", "ResourceGatherNd", "Variable", "VariableV2"}
)
_VARIABLES = frozenset({"VarHandleOp", "Variable", "VariableV2"})
_TAKING_STORED = _READS | {"StackPop", "StackPopV2"}
_STORED = (
    *(f"TensorList{how}" for how in ("GetItem", "PopBack", "Stack", "Gather", "Concat")),
    *(f"TensorArray{how}" for how in ("Read", "Gather", "Concat")),
    "QueueDequeue",
    "Collective",
)


def is_optimizer(op_type: str) -> bool:
    """Whether an op updates a variable by its gradient."""
    applied = op_type.removeprefix("Resource").removeprefix("Sparse")
    return applied.startswith("Apply") and "A" <= applied[5:6] <= "Z"


def is_setup(op_type: str) -> bool:
    """Whether an op gives a variable, a table or an iterator its contents, whatever it had."""
    return op_type in _SETUPS or op_type.startswith("InitializeTable")


def is_enqueue(op_type: str) -> bool:
    """Whether an op fills a queue, which threads of their own do in TF1."""
    return op_type in _ENQUEUES


def is_update(op_type: str) -> bool:
    """Whether an op writes a variable, other than as an optimizer does."""
    return op_type in _UPDATES or op_type.removeprefix("Resource").startswith("Scatter")


def writes_variable(op_type: str) -> bool:
    """Whether an op writes a variable, as optimizers do or otherwise: it puts out nothing."""
    return is_optimizer(op_type) or is_update(op_type)


def is_variable(op_type: str) -> bool:
    """Whether an op is the variable itself, or hands out its handle."""
    return op_type in _VARIABLES


def is_read(op_type: str) -> bool:
    """Whether an op reads a variable."""
    return op_type in _READS


def takes_stored(op_type: str) -> bool:
    """Whether an op puts out what others left for it: in a variable, a list, a queue, a replica."""
    return op_type in _TAKING_STORED or op_type.startswith(_STORED)


# ------------------------------------------------------------------ graphs of functions

_DATASET = "Dataset_"
"""Begins the names of functions that `tf.data` runs by itself, in threads of its own."""

_KERAS_STEP = "one_step_on_"
"""Begins the names of what Keras compiles: the step of `fit`, `evaluate` and `predict`."""

_SCRATCH = r"scratch_graph(_\d+)?"
"""The graphs in which Keras tries out layers to learn their shapes; nobody ever runs them."""

# What Keras calls at top level: Keras 3 has one name for `fit` and `evaluate`, Keras 2 has three.
_KERAS_CALL = (
    r"(?:one|multi)_step_on_(?:iterator|data)(?:_distributed)?|(?:train|test|predict)_function"
)

# The graphs of a loop or a branch are named after the op that runs them.
_BRANCH = r"(?P<op>.+)_(body|cond|true|false|branch\d+)_\d+(?P<gradient>_grad_\d+)?"
_BRANCH_MARKS = ("_body_", "_cond_", "_true_", "_false_", "_branch")


def is_gradient_graph(name: str) -> bool:
    """Whether a graph computes the gradient of a function."""
    return name.startswith(_BACKWARD)


def computes_gradient(name: str) -> bool:
    """Whether a graph computes the gradient of a function, of a loop or of a branch."""
    branch = _read_branch(name)
    return is_gradient_graph(name) or (branch is not None and branch.is_gradient)


def untraced_name(name: str) -> str:
    """The name of a graph, that of a gradient without the number of its trace."""
    return re.sub(_NUMBER, "", name) if is_gradient_graph(name) else name


def gradient_name(function: str) -> str:
    """The name of the graphs of a function's gradient, without the numbers of their traces."""
    return f"{_BACKWARD}{function}"


def differentiated_function(gradient: str) -> str:
    """The function whose gradient a graph computes, by the name of that graph."""
    return re.sub(_NUMBER, "", gradient).removeprefix(_BACKWARD)


def is_dataset_function(name: str) -> bool:
    """Whether `tf.data` runs a function."""
    return name.startswith(_DATASET)


def is_keras_step(name: str) -> bool:
    """Whether Keras made a function out of a model."""
    return name.startswith(_KERAS_STEP)


def is_scratch_graph(name: str) -> bool:
    """Whether Keras made a graph to infer shapes, which is never run."""
    return re.fullmatch(_SCRATCH, name) is not None


def is_keras_call(function: str) -> bool:
    """Whether a function is what Keras calls once a step, of training or of anything else."""
    return re.fullmatch(_KERAS_CALL, function) is not None


def is_branch(graph: str) -> bool:
    """Whether a graph is the body or the condition of a loop, or one side of a branch."""
    return _read_branch(graph) is not None


def is_body(graph: str) -> bool:
    """Whether a graph is the body of a loop."""
    branch = _read_branch(graph)
    return branch is not None and re.search(r"_body_\d+", graph[len(branch.op) :]) is not None


def runs_branch(op_name: str, graph: str) -> bool:
    """Whether an op runs a graph that is one of its branches."""
    return bool(those_that_run(graph, (op_name,)))


def those_that_run(graph: str, op_names: Iterable[str]) -> list[str]:
    """Those of some ops that run a graph that is one of their branches."""
    branch = _read_branch(graph)
    if branch is None:
        return []
    if not branch.is_gradient:
        length = len(branch.op)
        likely = [name for name in op_names if len(name) == length]
        return [name for name in likely if name.replace("/", "_") == branch.op]
    # The gradient of a loop is named after the loop, inside a scope of its own.
    end = f"_{branch.op}_grad"
    likely = [name for name in op_names if name.endswith("_grad")]
    return [name for name in likely if f"_{name}".replace("/", "_").endswith(end)]


class _Branch(NamedTuple):
    """What the name of the graph of a branch or a loop says."""

    op: str
    """The op that runs it, its scopes joined by underscores."""
    is_gradient: bool


@lru_cache(maxsize=4096)  # each is asked for with all the ops around it
def _read_branch(graph: str) -> _Branch | None:
    may_be = any(mark in graph for mark in _BRANCH_MARKS)
    match = re.fullmatch(_BRANCH, graph) if may_be else None
    return None if match is None else _Branch(match["op"], bool(match["gradient"]))


# ------------------------------------------------------------------ ops of gradients

TAPE = "gradient_tape/"
"""The scope of what a GradientTape creates."""

_GRADIENT_SCOPE = r"(?:^|/)gradient(?:_tape|s(?:_\d+)?)/"
"""The scope of what either creates."""

_SESSION_SCOPE = r"(?:^|(?<=/))gradients(?:_\d+)?/"
"""The scope of what `tf.gradients` creates, in TF1."""

_SESSION_GRADIENT = "_grad/"
"""Ends, in that scope, the name of the op whose gradient is computed."""

MAX_SCOPES = 64
"""Scopes of a gradient op's own that are looked out of; hostile names have any number of them."""

_GRADIENT_TYPE = r"(?P<forward>\w+?)Grad(?:V\d+)?"


def is_of_gradient(op_name: str) -> bool:
    """Whether an op stands in the scope of a gradient."""
    return "gradient" in op_name and re.search(_GRADIENT_SCOPE, op_name) is not None


def forward_names(gradient_op: str) -> Iterator[str]:
    """Names that the forward op of a gradient op may have, the most likely first.

    `gradient_tape/mul/Mul_1` belongs to `mul`, `gradients/Sqrt_grad/SqrtGrad`, as sessions have
    it, to `Sqrt`.
    """
    scope, tape, rest = gradient_op.partition(TAPE)
    for _ in range(MAX_SCOPES if tape else 0):
        # Not the whole rest: its last part names the gradient op itself.
        rest, within, _ = rest.rpartition("/")
        if not within:
            break
        yield scope + rest
    forward = _differentiated_in_session(gradient_op)
    if forward is not None:
        yield forward


def _differentiated_in_session(gradient_op: str) -> str | None:
    """The forward op of what `tf.gradients` created, in the innermost of such scopes."""
    # In steps: one pattern for all of it would try every scope with every end.
    last_end = gradient_op.rfind(_SESSION_GRADIENT)
    if last_end < 0:
        return None
    scopes = (match.span() for match in re.finditer(_SESSION_SCOPE, gradient_op))
    inner = [(start, end) for start, end in scopes if end < last_end]
    if not inner:
        return None
    scope, start = inner[-1]
    return gradient_op[:scope] + gradient_op[start : gradient_op.find(_SESSION_GRADIENT, start + 1)]


def differentiated_type(op_type: str) -> str | None:
    """The type of op whose gradient an op of a type computes: `Sqrt` for `SqrtGrad`."""
    match = re.fullmatch(_GRADIENT_TYPE, op_type) if "Grad" in op_type else None
    return None if match is None else match["forward"]


def without_version(op_type: str) -> str:
    """An op type without the version behind its name: `MaxPool` for `MaxPoolV2`."""
    plain = op_type.rstrip("0123456789")
    return plain[:-1] if plain.endswith("V") and plain != op_type else op_type


# ------------------------------------------------------------------ inputs and arguments

MAX_DIGITS = 9
"""Of the number of an output; a longer one is damage."""


def read_tensor(name: str) -> tuple[str, int] | None:
    """The op and the number of its output that the name of a tensor tells, as `op:slot`."""
    op_name, _, slot = name.rpartition(":")
    is_number = slot.isdecimal() and len(slot) <= MAX_DIGITS
    return (op_name, int(slot)) if op_name and is_number else None


ARGUMENT = "Placeholder"
"""The op type of arguments, and of what a function takes from outside."""


def is_unnamed_argument(op_name: str) -> bool:
    """Whether an argument has no name of its own.

    Those are the gradients that a backward function is given, or what a function takes from
    outside at the time of the call, which then comes last.
    """
    number = op_name.removeprefix(f"{ARGUMENT}_")
    return op_name == ARGUMENT or (number != op_name and number.isdecimal())


def short_tensor_name(op: str, slot: int | None, outputs: int | None) -> str:
    """`op:slot`, as it is shown: where there is but one output, `:0` tells nothing."""
    return op if slot is None or (slot, outputs) == (0, 1) else f"{op}:{slot}"
