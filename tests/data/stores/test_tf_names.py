"""What the names that TensorFlow makes up tell."""

from __future__ import annotations

import pytest

from tfdbg_tui.data.stores import tf_names
from tfdbg_tui.data.stores.data_ops import hands_on, is_data, is_data_in
from tfdbg_tui.data.stores.tf_names import (
    differentiated_function,
    differentiated_type,
    forward_names,
    gradient_name,
    is_branch,
    is_call_op,
    is_dataset_function,
    is_forward_call,
    is_gradient_graph,
    is_keras_step,
    is_unnamed_argument,
    read_call,
    read_tensor,
    runs_branch,
    untraced_name,
    without_trace_numbers,
    without_version,
)


@pytest.mark.parametrize(
    ("op_type", "meaning"),
    [
        ("__inference_loss_205", ("loss", False)),
        ("__forward_loss_205", ("loss", False)),
        ("__inference_step_2_205", ("step_2", False)),
        ("__inference___backward_loss_161_206", ("loss", True)),
        ("__inference___backward_step_2_161_206", ("step_2", True)),
        ("__inference___backward_loss_206", ("__backward_loss", False)),
        ("__inference_loss", None),
        ("__inference__205", None),
        ("MatMul", None),
        ("", None),
    ],
)
def test_the_name_of_a_call_tells_the_function(
    op_type: str, meaning: tuple[str, bool] | None
) -> None:
    call = read_call(op_type)
    assert (None if call is None else (call.function, call.is_gradient)) == meaning


@pytest.mark.parametrize(
    ("op_type", "graph"),
    [
        ("__inference_loss_205", "loss"),
        ("__forward_step_2_205", "step_2"),
        ("__inference___backward_loss_161_206", "__backward_loss_161"),
    ],
)
def test_the_name_of_a_call_tells_its_graph(op_type: str, graph: str) -> None:
    call = read_call(op_type)
    assert call is not None
    assert call.graph == graph
    assert call.is_forward == is_forward_call(op_type) == op_type.startswith("__forward_")


def test_the_graphs_of_a_gradient_are_found_by_its_function() -> None:
    assert is_gradient_graph("__backward_loss_161")
    assert not is_gradient_graph("loss_161")
    assert untraced_name("__backward_loss_161") == gradient_name("loss")
    assert untraced_name("loss_161") == "loss_161"
    assert differentiated_function("__backward_step_2_161") == "step_2"


def test_traces_of_one_function_have_one_name_without_their_numbers() -> None:
    assert without_trace_numbers("__inference_loss_205") == "__inference_loss"
    assert without_trace_numbers("__inference___backward_loss_1_2") == "__inference___backward_loss"
    assert without_trace_numbers("MatMul") == "MatMul"


@pytest.mark.parametrize(
    ("name", "is_call"),
    [
        ("PartitionedCall", True),
        ("model/dense/StatefulPartitionedCall_12", True),
        ("StatefulPartitionedCall_x", False),
        ("MyPartitionedCall", False),
    ],
)
def test_ops_that_call_graphs(name: str, is_call: bool) -> None:
    assert is_call_op(name) == is_call


def test_functions_that_others_than_the_user_call() -> None:
    assert is_dataset_function("Dataset_map_invert")
    assert not is_dataset_function("my_Dataset_map")
    assert is_keras_step("one_step_on_data")
    assert not is_keras_step("one_step")


@pytest.mark.parametrize(
    ("op_name", "graph", "runs"),
    [
        ("while", "while_body_40", True),
        ("model/while", "model_while_cond_40", True),
        ("while", "while_1_body_40", False),
        ("cond", "cond_branch12_40", True),
        ("gradient_tape/while/while_grad", "while_body_40_grad_61", True),
        ("while", "while_body_40_grad_61", False),
        ("while", "loss", False),
    ],
)
def test_branches_are_named_after_the_op_that_runs_them(
    op_name: str, graph: str, runs: bool
) -> None:
    assert runs_branch(op_name, graph) == runs
    assert is_branch(graph) == (graph != "loss")


@pytest.mark.parametrize(
    ("gradient", "forward"),
    [
        ("gradient_tape/mul/Mul_1", ["mul"]),
        ("scope/gradient_tape/model/dense/MatMul_1", ["scope/model/dense", "scope/model"]),
        ("gradient_tape/Sqrt", []),
        ("gradients/Sqrt_grad/SqrtGrad", ["Sqrt"]),
        ("train/gradients_1/loss/Log_grad/mul", ["train/loss/Log"]),
        ("mul/Mul_1", []),
    ],
)
def test_a_gradient_op_names_its_forward_op(gradient: str, forward: list[str]) -> None:
    assert list(forward_names(gradient)) == forward


def test_types_of_gradients_hold_the_type_of_their_forward_op() -> None:
    assert differentiated_type("SqrtGrad") == "Sqrt"
    assert differentiated_type("MaxPoolGradV2") == "MaxPool"
    assert differentiated_type("Sqrt") is None
    assert without_version("MaxPoolV2") == "MaxPool"


def test_arguments_without_a_name() -> None:
    assert is_unnamed_argument("Placeholder")
    assert is_unnamed_argument("Placeholder_12")
    assert not is_unnamed_argument("x")
    assert not is_unnamed_argument("Placeholder_x")


@pytest.mark.parametrize(
    ("graph", "op_type", "expected"),
    [
        ("Dataset_map_grab_batch", "Placeholder", True),
        ("", "Placeholder", True),  # fed to a session
        ("loss", "Placeholder", False),
        ("Dataset_map_lambda", "Log", False),
        ("Dataset_map_lambda", "PyFunc", False),
        ("Dataset_from_generator_generator_next_fn", "PyFunc", True),
        ("multi_step_on_iterator", "IteratorGetNext", True),
        ("while_cond_true_134", "OptionalGetValue", True),
        ("parse", "DecodeCSV", True),
    ],
)
def test_data_is_told_from_what_is_computed(graph: str, op_type: str, expected: bool) -> None:
    assert is_data_in(graph, op_type) is expected


def test_what_keras_hands_out_after_a_step_is_no_data() -> None:
    assert not is_data("OptionalGetValue")
    assert is_data("IteratorGetNext")


def test_casts_may_overflow_and_hand_nothing_on() -> None:
    assert hands_on("GatherV2")
    assert not hands_on("Cast")


def test_a_tensor_is_an_op_and_the_number_of_its_output() -> None:
    assert read_tensor("a/b:0:12") == ("a/b:0", 12)
    assert read_tensor("x") is read_tensor(":1") is read_tensor("x:") is None
    assert read_tensor("x:" + "1" * 5000) is None, "no number of Python's either"


# ------------------------------------------------------------------ names that are no names

LONG, LONGEST = 50_000, 1_000_000

ENDLESS = (
    "gradients/", "gradient_tape/", "a/", "_grad/", "gradients/a_grad", "_1", "1", "_body_1",
    "_branch1", "PartitionedCall_1/", "__inference_", "__backward_", "GradV1", "V1", "A",
)  # fmt: skip
BEGINNINGS = ("", "gradients/", "gradient_tape/", "__inference_", "__inference___backward_")
ENDINGS = ("x", "_grad/x", "_2_1")


@pytest.mark.parametrize("part", ENDLESS)
def test_a_name_of_any_length_is_read_at_once(part: str) -> None:
    """What tries all ends for each beginning would take minutes for such names."""
    of_a_name = (
        read_call, without_trace_numbers, is_call_op, is_branch, untraced_name, read_tensor,
        differentiated_function, differentiated_type, without_version, is_unnamed_argument,
        tf_names.computes_gradient, tf_names.is_session_run, tf_names.writes_variable,
    )  # fmt: skip
    for ending in ENDINGS:
        for beginning in BEGINNINGS:
            name = beginning + part * (LONG // len(part)) + ending
            for function in of_a_name:
                function(name)
            tf_names.CallName(name, is_forward=False).function.isascii()
            assert len(list(forward_names(name))) <= tf_names.MAX_SCOPES + 1
    assert len(list(forward_names(part * (LONGEST // len(part))))) <= tf_names.MAX_SCOPES + 1


@pytest.mark.parametrize(
    ("gradient", "forward"),
    [
        ("gradients/Sqrt_grad/SqrtGrad", "Sqrt"),
        ("scope/gradients_1/a/b_grad/mul", "scope/a/b"),
        ("gradients/gradients/Sqrt_grad/SqrtGrad_grad/mul", "gradients/Sqrt"),
        ("gradients/a_grad/gradients/x", "a"),
        ("gradients/_grad/x_grad/y", "_grad/x"),
        ("my_gradients/Sqrt_grad/x", None),
        ("gradients/_grad/x", None),
        ("gradients_x/Sqrt_grad/x", None),
    ],
)
def test_gradients_in_a_session_are_named_after_forward_ops(
    gradient: str, forward: str | None
) -> None:
    assert list(forward_names(gradient)) == ([] if forward is None else [forward])
