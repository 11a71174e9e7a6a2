"""What messages of TensorFlow say, word for word as TensorFlow 2.21 wrote them."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tfdbg_tui.data.stores.tf_errors import (
    MAX_NODES,
    MAX_REASON,
    Blamed,
    blamed,
    reason,
    traced_line,
)

NO_LINES: frozenset[tuple[str, int]] = frozenset()

FUNCTION = dedent(
    """\
    Graph execution error:

    Detected at node while/GatherV2 defined at (most recent call last):
      File "/home/me/train.py", line 48, in loop

      File "/invented/site-packages/keras/src/trainer.py", line 9, in fit

      File "/home/me/train.py", line 44, in step

    indices = 3 is not in [0, 3)
    \t [[{{node while/GatherV2}}]] [Op:__inference_step_164]"""
)
INLINED = dedent(
    """\
    Graph execution error:

    Detected at node StatefulPartitionedCall/MatMul defined at (most recent call last):
    <stack traces unavailable>
    Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]
    \t [[{{node StatefulPartitionedCall/MatMul}}]] [Op:__inference_outer_43]"""
)
EAGER = (
    "{{function_node __wrapped____MklMatMul_device_/job:localhost/replica:0/task:0/device:CPU:0}} "
    "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3] [Op:MatMul] name: "
)
DATASET = (
    "{{function_node __wrapped__IteratorGetNext_output_types_1_device_/job:localhost/CPU:0}} "
    "Error in user-defined function passed to MapDataset:1 transformation with iterator: "
    "Iterator::Root::Prefetch::Map: StringToNumberOp could not correctly convert string: x\n"
    "\t [[{{node StringToNumber}}]] [Op:IteratorGetNext] name: "
)
SESSION = dedent(
    """\
    Graph execution error:

    Detected at node 'product' defined at (most recent call last):
        File "/home/me/train.py", line 104, in session
    Node: 'product'
    Matrix size-incompatible: In[0]: [2,4], In[1]: [3,2]
    \t [[{{node product}}]]

    Original stack trace for 'product':
      File "/home/me/train.py", line 104, in session
    """
)
REPLICAS = dedent(
    """\
    Graph execution error:

    Detected at node GatherV2 defined at (most recent call last):
      File "/home/me/train.py", line 167, in rep

    2 root error(s) found.
      (0) INVALID_ARGUMENT:  indices[0] = 7 is not in [0, 3)
    \t [[{{node GatherV2}}]]
      (1) CANCELLED:  Function was cancelled before it was started
    0 successful operations.
    0 derived errors ignored. [Op:__inference_step_29]"""
)
TRACED = dedent(
    """\
    in user code:

        File "/home/me/train.py", line 153, in step  *
            return tf.matmul(a, b)

        ValueError: Dimensions must be equal, but are 3 and 2 for '{{node MatMul}} = \
MatMul[T=DT_FLOAT, grad_a=false](a, b)' with input shapes: [2,3], [2,3].
    """
)
XLA = (
    "Detected unsupported operations when trying to compile graph "
    "__inference_fused_17[_XlaMustCompile=true,config_proto=1356] on XLA_CPU_JIT: "
    "DebugNumericSummaryV2 (No registered 'DebugNumericSummaryV2' OpKernel compatible with node "
    "{{node DebugNumericSummaryV2}}){{node DebugNumericSummaryV2}}\n"
    "\ttf2xla conversion failed [Op:__inference_fused_17]"
)
OLD = "Bad input\n\t [[node loss/Log (defined at train.py:3) ]] [Op:__inference_f_3]"


@pytest.mark.parametrize(
    ("message", "nodes", "call"),
    [
        (FUNCTION, ("while/GatherV2",), "__inference_step_164"),
        (INLINED, ("StatefulPartitionedCall/MatMul",), "__inference_outer_43"),
        (EAGER, (), "MatMul"),
        (DATASET, ("StringToNumber",), "IteratorGetNext"),
        (SESSION, ("product",), None),
        (REPLICAS, ("GatherV2",), "__inference_step_29"),
        (TRACED, (), None),
        (XLA, (), "__inference_fused_17"),
        (OLD, ("loss/Log",), "__inference_f_3"),
        ("", (), None),
    ],
)
def test_a_message_blames_an_op_that_ran(
    message: str, nodes: tuple[str, ...], call: str | None
) -> None:
    found = blamed(message)
    assert (found.nodes, found.call) == (nodes, call)


def test_the_users_lines_of_a_stack_are_told() -> None:
    assert blamed(FUNCTION).lines == {("/home/me/train.py", 48), ("/home/me/train.py", 44)}
    assert blamed(INLINED).lines == NO_LINES


def test_the_function_that_holds_an_op_is_kept_where_the_message_has_it() -> None:
    message = "{{function_node __inference_Dataset_map_parse_12}} bad [[{{node Log}}]] [Op:Next]"
    assert blamed(message) == Blamed(
        ("Log",), ("__inference_Dataset_map_parse_12",), "Next", NO_LINES
    )
    assert blamed(EAGER).functions == (), "made around an eager op, it is nobody's"


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (FUNCTION, "indices = 3 is not in [0, 3)"),
        (INLINED, "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]"),
        (EAGER, "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]"),
        (DATASET, "StringToNumberOp could not correctly convert string: x"),
        (SESSION, "Matrix size-incompatible: In[0]: [2,4], In[1]: [3,2]"),
        (REPLICAS, "indices[0] = 7 is not in [0, 3)"),
        (
            TRACED,
            "Dimensions must be equal, but are 3 and 2 for MatMul with input shapes: [2,3], [2,3].",
        ),
        ("\n\n  only this  \n", "only this"),
        ("", ""),
    ],
)
def test_the_line_that_says_what_went_wrong(message: str, words: str) -> None:
    assert reason(message) == words


def test_what_xla_cannot_compile_is_told_without_its_attributes() -> None:
    start = "Detected unsupported operations when trying to compile graph __inference_fused_17 on "
    assert reason(XLA).startswith(start)


def test_an_error_while_tracing_has_the_line_that_was_traced() -> None:
    found = traced_line(TRACED)
    assert found is not None
    assert found == ("/home/me/train.py", 153, "step", "return tf.matmul(a, b)")
    assert traced_line(FUNCTION) is None


@pytest.mark.parametrize(
    "part", ["\n", " \n", "A", "AError", "[_Xla", "[[node ", 'File "', "(0) A: "]
)
def test_a_message_of_a_megabyte_is_read_at_once(part: str) -> None:
    for beginning in ("", "in user code:\n"):
        message = beginning + part * (1_000_000 // len(part))
        assert len(reason(message)) <= MAX_REASON
        assert len(blamed(message).nodes) <= MAX_NODES
