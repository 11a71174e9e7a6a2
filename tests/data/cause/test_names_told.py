"""What a cause tells by name: the user's variables, layers, lines and code, and the step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.data.cause.test_programs import first_in, found_in
from tfdbg_tui.data.cause.code_parts import part_of
from tfdbg_tui.data.cause.cures import cures
from tfdbg_tui.data.cause.rules import Rule

if TYPE_CHECKING:
    from tests.recordings.record import Library


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("generalised_mean", {"weights"}),
        ("two_sided_logs", {"weights", "bias"}),
        ("units_of_length", {"length"}),
        ("likelihood_of_all", {"middle"}),
        ("determinant_of_a_flow", {"mixing"}),
    ],
)
def test_variables_are_called_as_their_line_calls_them(
    library: Library, name: str, variables: set[str]
) -> None:
    assert set(first_in(library.path(f"judged_{name}")).variables) == variables


def test_a_layer_is_called_as_its_user_calls_it(library: Library) -> None:
    cause = first_in(library.path("judged_spread_of_a_batch"))
    assert cause.layer == "spread"
    assert "features" in cause.variables, "past the numbers that Adam keeps"


@pytest.mark.parametrize("name", ["generalised_mean", "jacobian_of_roots", "logs_of_a_table"])
def test_what_no_layer_computed_is_in_none(library: Library, name: str) -> None:
    assert not first_in(library.path(f"judged_{name}")).layer


@pytest.mark.parametrize("name", ["two_sided_logs", "angle_by_keras_optimizer"])
def test_a_copy_or_a_read_without_an_op_is_no_cause_of_its_own(library: Library, name: str) -> None:
    rules = {cause.rule for cause in found_in(library.path(f"judged_{name}")).ranked}
    assert "data" not in rules


def test_data_went_bad_in_the_step_that_took_it(library: Library) -> None:
    """A dataset runs ahead: row 21 is in the third batch of ten."""
    assert first_in(library.path("judged_logs_of_a_table")).step == 3


def test_the_cure_of_a_slope_is_on_the_users_own_names(library: Library) -> None:
    mean = first_in(library.path("judged_generalised_mean")).cures[0]
    assert mean == "tf.pow(pooled + 1e-7, 0.4)"
    spread = first_in(library.path("judged_spread_of_a_batch")).cures[0]
    assert spread == "tf.sqrt(tf.math.reduce_variance(x, axis=0, keepdims=True) + 1e-12)"


@pytest.mark.parametrize(
    ("op_type", "cure"),
    [
        ("Lgamma", "tf.math.lgamma(tf.maximum(k, 1e-7))"),
        ("Acosh", "tf.math.acosh(tf.maximum(k, 1.0))"),
        ("Acos", "tf.math.acos(tf.clip_by_value(k, -1 + 1e-7, 1 - 1e-7))"),
    ],
)
def test_an_argument_is_kept_inside_its_own_domain(op_type: str, cure: str) -> None:
    code = f"y = tf.math.{op_type.lower()}(k)"
    assert cures(Rule.DOMAIN, op_type, code)[0] == cure


def test_of_several_calls_in_a_line_the_one_that_broke_is_told() -> None:
    code = "loss = y * tf.math.log(p) + (1 - y) * tf.math.log(1 - p)"
    found = [part_of(code, "Log", number) for number in range(3)]
    assert [part and part.arguments for part in found] == [("p",), ("1 - p",), ("p",)]
    assert part_of(code, "Log") is None, "which one is not known"


def test_the_axes_of_a_norm_are_kept() -> None:
    cure = cures(Rule.GRADIENT_AT_SINGULARITY, "SqrtGrad", "d = tf.norm(a - b, axis=1)", "Sqrt")
    assert cure == ("tf.sqrt(tf.reduce_sum(tf.square(a - b), axis=1) + 1e-12)",)
