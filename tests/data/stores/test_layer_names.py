"""The layer of a tensor is what Keras calls it, and no scope of an op is taken for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.reading import hosts_of, load
from tfdbg_tui.data.stores.layer_names import layer_and_op

if TYPE_CHECKING:
    from tests.recordings.record import Library


@pytest.mark.parametrize(
    ("name", "layer", "op"),
    [
        ("sequential_1/conv2d_1/BiasAdd", "sequential_1/conv2d_1", "BiasAdd"),
        ("sequential_1/conv2d_1/BiasAdd:0", "sequential_1/conv2d_1", "BiasAdd"),
        ("m/dense/BiasAdd/ReadVariableOp", "m/dense", "BiasAdd/ReadVariableOp"),
        ("m/dense/Add/ReadVariableOp/resource", "m/dense", "Add/ReadVariableOp/resource"),
        ("m/add_1/Add", "m/add_1", "Add"),
        ("m/norm/batchnorm/mul_1", "m/norm/batchnorm", "mul_1"),
        ("compile_loss/mse/Mean/reduction_indices", "compile_loss/mse", "Mean/reduction_indices"),
        ("gradient_tape/m/dense/BiasAdd/BiasAddGrad", "m/dense", "BiasAddGrad"),
        ("gradient_tape/m/dense/ReluGrad", "m/dense", "ReluGrad"),
        ("gradient_tape/compile_loss/mse/sub/Neg", "compile_loss/mse", "Neg"),
        ("while/gradient_tape/while/m/gru/MatMul/MatMul_1", "while/while/m/gru", "MatMul_1"),
        ("gradients/m/dense/MatMul_grad/MatMul_1", "m/dense", "MatMul_1"),
        ("gradients/Sqrt_grad/SqrtGrad", "", "SqrtGrad"),
        ("StatefulPartitionedCall/m/dense/MatMul", "m/dense", "MatMul"),
        ("StatefulPartitionedCall:1", "", "StatefulPartitionedCall"),
        ("gradient_tape/SqrtGrad", "", "SqrtGrad"),
        ("Encoder/MatMul", "Encoder", "MatMul"),
        ("MatMul/ReadVariableOp", "", "MatMul/ReadVariableOp"),
        ("Log:0", "", "Log"),
        ("truediv/y", "", "truediv/y"),
        ("/", "", "/"),
        ("", "", ""),
    ],
)
def test_layer_and_op(name: str, layer: str, op: str) -> None:
    assert layer_and_op(name) == (layer, op)


def test_a_hostile_name_has_an_end() -> None:
    assert layer_and_op("gradient_tape/" + "A/" * 100_000 + "B")[1]


def test_the_layers_of_a_keras_model(library: Library) -> None:
    (host,) = hosts_of(load(library.path("keras_fit")))
    layers = {layer_and_op(site.op_name)[0] for site in host.traces.sites}
    models = {layer for layer in layers if layer.startswith("sequential")}
    assert models == {"sequential_1/dense_1", "sequential_1/dense_1_2"}
