"""The forms of the names that TensorFlow makes up: of calls, gradients, branches and arguments.

The recorder writes these names and not what they stand for. All that is concluded from the form
of a name is concluded here. The patterns are compiled when first asked for, and kept by `re`: no
program needs them all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

# ------------------------------------------------------------------ calls of functions

_FORWARD = "__forward_"
"""Begins the op type of a call that is to be differentiated later."""

_BACKWARD = "__backward_"
"""Begins the name of the graph of a gradient; behind it comes the name of the function."""

# `__inference_loss_205` calls the graph `loss`; `__inference___backward_loss_161_206` calls
# `__backward_loss_161`, which is the gradient of `loss`.
_CALL = r"__(?:forward|inference)_(?P<graph>.+)_\d+"
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
        return re.fullmatch(_GRADIENT, self.graph) is not None

    @property
    def function(self) -> str:
        """The user's name of the function or, for a gradient, of the one it belongs to."""
        gradient = re.fullmatch(_GRADIENT, self.graph)
        return self.graph if gradient is None else gradient["function"]


def read_call(op_type: str) -> CallName | None:
    """What an op type calls; None for an op."""
    match = re.fullmatch(_CALL, op_type)
    return None if match is None else CallName(match["graph"], is_forward_call(op_type))


def is_forward_call(op_type: str) -> bool:
    """Whether a call is made to be differentiated later: then it puts out more than it returns."""
    return op_type.startswith(_FORWARD)


def without_trace_numbers(op_type: str) -> str:
    """The op type of a call without what differs each time its function is traced."""
    return re.sub(_TRACE_NUMBERS, "", op_type)


def is_call_op(op_name: str) -> bool:
    """Whether an op inside a graph calls another graph."""
    return re.fullmatch(_CALL_OP, op_name) is not None


# ------------------------------------------------------------------ runs of sessions

SESSION_RUN = "Session.run"
"""The op type of a run of a TF1 session."""

_SESSION_RUN = rf"{re.escape(SESSION_RUN)}(?:/(?P<purpose>\w+))?"


def session_run_for(purpose: str) -> str:
    """The op type of a run of a session that is for something."""
    return f"{SESSION_RUN}/{purpose}"


def is_session_run(op_type: str) -> bool:
    """Whether an execution is a run of a TF1 session, as our recorder writes it down."""
    return re.fullmatch(_SESSION_RUN, op_type) is not None


def purpose_of_run(op_type: str) -> str | None:
    """What the recorder says that a run of a session is for: `train`, `init` or nothing."""
    run = re.fullmatch(_SESSION_RUN, op_type)
    return None if run is None else run["purpose"]


# ------------------------------------------------------------------ variables

_OPTIMIZER = r"(?:Resource)?(?:Sparse)?Apply[A-Z]\w*"
_SETUP = r"Assign(?:VariableOp)?|MakeIterator|InitializeTable\w*|LookupTableImport(?:V2)?"
_ENQUEUE = r"QueueEnqueue(?:Many)?(?:V2)?"
_UPDATE = r"Assign(?:Add|Sub)?(?:VariableOp)?|(?:Resource)?Scatter\w+"
_READ = r"ReadVariableOp|ResourceGather(?:Nd)?|Variable(?:V2)?"
_VARIABLE = r"VarHandleOp|Variable(?:V2)?"
_STORED = (
    r"TensorList(?:GetItem|PopBack|Stack|Gather|Concat)\w*|TensorArray(?:Read|Gather|Concat)\w*"
    r"|StackPop(?:V2)?|QueueDequeue\w*|Collective\w+"
)


def is_optimizer(op_type: str) -> bool:
    """Whether an op updates a variable by its gradient."""
    return re.fullmatch(_OPTIMIZER, op_type) is not None


def is_setup(op_type: str) -> bool:
    """Whether an op gives a variable, a table or an iterator its contents, whatever it had."""
    return re.fullmatch(_SETUP, op_type) is not None


def is_enqueue(op_type: str) -> bool:
    """Whether an op fills a queue, which threads of their own do in TF1."""
    return re.fullmatch(_ENQUEUE, op_type) is not None


def is_update(op_type: str) -> bool:
    """Whether an op writes a variable, other than as an optimizer does."""
    return re.fullmatch(_UPDATE, op_type) is not None


def writes_variable(op_type: str) -> bool:
    """Whether an op writes a variable, as optimizers do or otherwise: it puts out nothing."""
    return is_optimizer(op_type) or is_update(op_type)


def is_variable(op_type: str) -> bool:
    """Whether an op is the variable itself, or hands out its handle."""
    return re.fullmatch(_VARIABLE, op_type) is not None


def is_read(op_type: str) -> bool:
    """Whether an op reads a variable."""
    return re.fullmatch(_READ, op_type) is not None


def takes_stored(op_type: str) -> bool:
    """Whether an op puts out what others left for it: in a variable, a list, a queue, a replica."""
    return is_read(op_type) or re.fullmatch(_STORED, op_type) is not None


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


def is_gradient_graph(name: str) -> bool:
    """Whether a graph computes the gradient of a function."""
    return name.startswith(_BACKWARD)


def computes_gradient(name: str) -> bool:
    """Whether a graph computes the gradient of a function, of a loop or of a branch."""
    branch = re.fullmatch(_BRANCH, name)
    return is_gradient_graph(name) or (branch is not None and branch["gradient"] is not None)


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
    return re.fullmatch(_BRANCH, graph) is not None


def is_body(graph: str) -> bool:
    """Whether a graph is the body of a loop."""
    branch = re.fullmatch(_BRANCH, graph)
    return branch is not None and re.search(r"_body_\d+", graph[branch.end("op") :]) is not None


def runs_branch(op_name: str, graph: str) -> bool:
    """Whether an op runs a graph that is one of its branches."""
    branch = re.fullmatch(_BRANCH, graph)
    if branch is None:
        return False
    flat_name = op_name.replace("/", "_")
    if not branch["gradient"]:
        return flat_name == branch["op"]
    # The gradient of a loop is named after the loop, inside a scope of its own.
    return f"_{flat_name}".endswith(f"_{branch['op']}_grad")


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
_VERSION = r"V\d+$"


def is_of_gradient(op_name: str) -> bool:
    """Whether an op stands in the scope of a gradient."""
    return re.search(_GRADIENT_SCOPE, op_name) is not None


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
    scopes = (match.span() for match in re.finditer(_SESSION_SCOPE, gradient_op))
    inner = [(start, end) for start, end in scopes if end < last_end]
    if not inner:
        return None
    scope, start = inner[-1]
    return gradient_op[:scope] + gradient_op[start : gradient_op.find(_SESSION_GRADIENT, start + 1)]


def differentiated_type(op_type: str) -> str | None:
    """The type of op whose gradient an op of a type computes: `Sqrt` for `SqrtGrad`."""
    match = re.fullmatch(_GRADIENT_TYPE, op_type)
    return None if match is None else match["forward"]


def without_version(op_type: str) -> str:
    """An op type without the version behind its name: `MaxPool` for `MaxPoolV2`."""
    return re.sub(_VERSION, "", op_type)


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

_UNNAMED = rf"{ARGUMENT}(_\d+)?"


def is_unnamed_argument(op_name: str) -> bool:
    """Whether an argument has no name of its own.

    Those are the gradients that a backward function is given, or what a function takes from
    outside at the time of the call, which then comes last.
    """
    return re.fullmatch(_UNNAMED, op_name) is not None


def short_tensor_name(op: str, slot: int | None, outputs: int | None) -> str:
    """`op:slot`, as it is shown: where there is but one output, `:0` tells nothing."""
    return op if slot is None or (slot, outputs) == (0, 1) else f"{op}:{slot}"
