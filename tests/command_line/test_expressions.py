"""Expressions that strangers type: as numpy has it, and nothing that could do harm."""

from __future__ import annotations

import numpy as np
import pytest

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.expressions.evaluating import evaluate
from tfdbg_tui.command_line.expressions.functions import functions
from tfdbg_tui.command_line.expressions.parsing import parse_expression
from tfdbg_tui.command_line.pauses import finished

X = np.array([[1.0, 2.0, np.nan], [0.0, -np.inf, 5.0]], np.float32)
N = np.arange(6).reshape(2, 3)
TENSORS = {"x": X, "n": N, "s": np.array([b"a", b"b"], object)}


def value_of(text: str) -> object:
    expression = parse_expression(text)
    named = {stand_in: TENSORS[name] for stand_in, name in expression.tensors.items()}
    return finished(evaluate(expression, named))


@pytest.mark.parametrize(
    "text",
    [
        "np.mean(`x` > 0)",
        "np.isnan(`x`).sum()",
        "`x`[0, 1:] * 2",
        "`x`[..., ::-1]",
        "`x`[np.isfinite(`x`)].mean()",
        "`n`[[0, 1], [2, 2]]",
        "np.where(`x` > 0, `x`, 0)",
        "~(`n` > 2) & (`n` < 5)",
        "`n` @ `n`.T",
        "`n` ** 2 // 3 % 4",
        "np.quantile(`n`, [0.1, 0.5])",
        "`x`.astype(np.float64).shape",
        "np.linalg.norm(`n`)",
        "np.concatenate((`n`, `n`), axis=1)",
        "np.histogram(`n`, 3)[0]",
        "2 ** 62",
        "-1 << 3",
        "np.max(`n`, axis=0, keepdims=True)",
    ],
)
def test_what_is_allowed_is_as_numpy_has_it(text: str) -> None:
    source = text.replace("`x`", "x").replace("`n`", "n")
    expected = eval(source, {"np": np, "x": X, "n": N})
    np.testing.assert_equal(value_of(text), expected)


def test_a_chain_holds_where_each_link_does() -> None:
    np.testing.assert_equal(value_of("0 < `n` <= 3"), (N > 0) & (N <= 3))


def test_strings_are_compared() -> None:
    np.testing.assert_equal(value_of("`s` == 'a'"), np.array([True, False]))


def test_every_function_is_one_of_numpy() -> None:
    for name, function in functions().items():
        assert callable(function.call), name


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "`x`.__class__.__base__.__subclasses__()",
        "`x`.tofile(1)",
        "`x`.ctypes",
        "np.load('a')",
        "np.fromfile(`x`)",
        "np.lib.npyio.os.system(1)",
        "np.frompyfunc(1, 1, 1)",
        "np.sum(`x`, out=`x`)",
        "np.vectorize(np.sum)",
        "open('a')",
        "x",
        "np",
        "np.mean",
        "lambda: 1",
        "[i for i in `x`]",
        "(i for i in `x`)",
        "{i: 1 for i in `x`}",
        "(a := 1)",
        "f'{`x`}'",
        "*`x`",
        "1 if 2 else 3",
        "import os",
        "a = 1",
        "",
        "`x",
    ],
)
def test_what_is_not_listed_is_refused(text: str) -> None:
    assert_sentence(text)


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9",
        "9**99**99",
        "2**64",
        "1 << 10**9",
        "10**18 * 10**18",
        "9" * 30,
        "2.0**100000",
        "np.power(9, 99999)",
        "np.zeros(10**10)",
        "np.ones((10**6, 10**6))",
        "np.full((10**5, 10**5), 1)",
        "np.arange(10**12)",
        "np.arange(0, 1, 0)",
        "np.linspace(0, 1, 10**12)",
        "np.tile(`x`, (10**9, 10**9))",
        "np.repeat(`x`, 10**12)",
        "np.broadcast_to(`x`, (10**9, 2, 3))",
        "np.outer(np.ones(10**5), np.ones(10**5))",
        "np.kron(np.ones(10**4), np.ones(10**4))",
        "np.ones((10**5, 1)) + np.ones((1, 10**5))",
        "np.ones((10**5, 1)) @ np.ones((1, 10**5))",
        "np.diff(`x`, 10**9)",
        "np.round(`x`, 10**9)",
        "np.histogram(`n`, 10**9)",
        "np.quantile(`n`, np.ones(10**5))",
        "np.clip(np.ones((10**4, 1)), a_min=np.ones((1, 10**4)), a_max=3)",
        "np.isclose(np.ones((10**4, 1)), 1, rtol=np.ones((1, 10**4)))",
        "np.nonzero(np.ones((1,) * 5 + (10**7,)))",
        "`x`[np.zeros(10**8)]",
        "`s` * 10**9",
        "`s` + `s`",
        "(1, 2) * 10**9",
        "1 / 0",
        "`x`[99]",
        "`n` @ `x`",
        "`x` > 0 and `x` < 1",
        "np.sum(`x`, axis=7)",
        "1" + "+1" * 600,
        "1" + "+1" * 150,
        "-" * 300 + "1",
        "(" * 300 + "1" + ")" * 300,
    ],
)
def test_what_would_take_too_much_or_makes_no_sense_gets_a_sentence(text: str) -> None:
    assert_sentence(text)


def assert_sentence(text: str) -> None:
    with pytest.raises(CommandError) as raised:
        value_of(text)
    assert str(raised.value).endswith(".")
    assert "\n" not in str(raised.value)
