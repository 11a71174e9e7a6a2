"""Queries mean what the vocabulary says, and say in a sentence when they mean nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfdbg_tui.data.index.site_facts import SiteFacts
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.records.modes import Mode
from tfdbg_tui.data.search.bulk_health import HealthColumns
from tfdbg_tui.data.search.named_filters import NamedFilters
from tfdbg_tui.data.search.query import QueryError, parse, vocabulary
from tfdbg_tui.data.search.query_terms import columns_told_by
from tfdbg_tui.data.stores.sources import Line

LOG = SiteFacts(
    tensor="loss_1/Log:0",
    op_type="Log",
    function="train_step",
    graph="loss",
    line=Line(3, "/home/me/project/train.py", 31, "loss"),
    device="/job:localhost/replica:0/task:0/device:GPU:1",
    is_call=False,
)
UNKNOWN = SiteFacts("mul:0", None, None, None, None, "", is_call=False)
EAGER = SiteFacts("Add", "Add", None, None, LOG.line, LOG.device, is_call=False)
CALL = SiteFacts("f", "__inference_f_3", "f", None, LOG.line, LOG.device, is_call=True)


@pytest.mark.parametrize(
    "text",
    ["Log", "log", "loss_1/Log:0", "train.py:31", "/home/me/project/train.py", "me/project",
     "train_step", "loss", "GPU:1", "/^Log$/", "^Log$", "^train.py$", r"\.py$", "op:Log", "op=Log",
     "fn:loss", "fn=train_step", "fn=loss", "tensor:loss_1/", "tensor:log:0", "file:train.py",
     "file:train.py:31", "file=train.py", "file=train.py:31", "file:project/train", "line:31",
     "line=31", "line:30..40", "line:..31", "line>=31", "line!=30", "line<32", "dev:GPU",
     "op:/^L/", "op:L.g|x", '"Log"', "'Log'", 'op:"Log"', 'op="Log"', "op!=Add", "-Add", "!Add",
     "-op:Add", "!fn:model", '-"Add"', "Log fn:loss -Add", " Log  loss "],
)  # fmt: skip
def test_a_site_fits(text: str) -> None:
    assert parse(text).site_test(LOG)


@pytest.mark.parametrize(
    "text",
    ["Add", "LOG", "train.py:3", "train.py:310", "op:loss", "op=Lo", "op=log_softmax", "fn:Log",
     "tensor:train", "file:Log", "file=train", "file:train.py:3", "line:3", "line:32..", "line>31",
     "line!=31", "dev:CPU", "-Log", "!op:Log", "op!=Log", '"lOG"', "Log Add", "Log -loss",
     '"Log loss"', "/^og/"],
)  # fmt: skip
def test_a_site_does_not_fit(text: str) -> None:
    assert not parse(text).site_test(LOG)


@pytest.mark.parametrize(
    ("text", "fits"),
    [("layer:conv2d", True), ("layer:CONV", False), ("layer=conv2d_1", True),
     ("layer=conv2d", False), ("layer=model/conv2d_1", True), ("layer:/^conv.*1$/", True),
     ("layer:Bias", False), ("-layer:dense", True), ("layer!=model", False),
     ('layer:"conv2d"', True)],
)  # fmt: skip
def test_a_layer_is_a_scope_around_the_op(text: str, fits: bool) -> None:
    convolution = LOG._replace(tensor="gradient_tape/model/conv2d_1/BiasAdd/BiasAddGrad:0")
    assert parse(text).site_test(convolution) is fits
    assert parse("layer:o").site_test(CALL) is False


def test_a_word_does_not_reach_over_the_end_of_a_name() -> None:
    assert not parse("Log:0train").site_test(LOG)


def test_what_is_not_known_fits_no_word_and_every_negation() -> None:
    for field in ("op:Mul", "fn:loss", "file:train", "line>=0", "dev:CPU"):
        assert not parse(field).site_test(UNKNOWN)
        assert parse(f"-{field}").site_test(UNKNOWN)


@pytest.mark.parametrize(
    ("text", "facts", "may_change"),
    [
        ("mul", UNKNOWN, True),
        ("op:Mul", UNKNOWN, True),
        ("fn:loss", UNKNOWN, True),
        ("line:3", UNKNOWN, True),
        ("dev:CPU", UNKNOWN, True),
        ("tensor:mul", UNKNOWN, False),
        ("bad", UNKNOWN, False),
        ("Log", LOG, False),
        ("fn:f", EAGER, False),
        ("fn:f", CALL, True),
        ("tensor:f", CALL, True),
        ("op:f file:x", CALL, False),
    ],
)
def test_gaps_matter_where_the_query_looks(text: str, facts: SiteFacts, may_change: bool) -> None:
    assert parse(text).is_open(facts) is may_change


# ---------------------------------------------------------------------- numbers


def flags(text: str) -> list[bool]:
    """Which kinds of bad numbers fit: none, -∞, +∞, NaN, untold, +∞ with NaN."""
    kinds = [0, Bad.NEG_INF, Bad.POS_INF, Bad.NAN, Bad.UNTOLD, Bad.POS_INF | Bad.NAN]
    query = parse(text)
    assert not query.needs_health
    fits = query.flags_fit(np.array(kinds, np.uint8))
    assert fits is not None
    found: list[bool] = fits.tolist()
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bad", "-fffff"),
        ("nan", "---fff"),
        ("NaN", "---fff"),
        ("inf", "-ff-ff"),
        ("-inf", "-f--f-"),
        ("+Inf", "--f-ff"),
        ("nan>0", "---f-f"),
        ("nan>=1", "---f-f"),
        ("nan!=0", "---f-f"),
        ("inf>0", "-ff--f"),
        ("-inf>0", "-f----"),
        ("+inf>=1", "--f--f"),
        ("-bad", "f-----"),
        ("!nan", "fff---"),
        ("!inf", "f--f--"),
        ("!-inf", "f-ff-f"),
        ("-+inf", "ff-f--"),
        ("bad -nan>0", "-ff-f-"),
        ("nan inf", "----ff"),
    ],
)
def test_bad_numbers_are_found_by_flags(text: str, expected: str) -> None:
    assert flags(text) == [sign == "f" for sign in expected]


def tensors(*rows: tuple[int, Bad, dict[str, float]]) -> HealthColumns:
    names = ("dtype", "rank", "size", "neg_inf", "pos_inf", "nan", "neg", "zero", "pos")
    numbers = [[told.get(name, np.nan) for name in names] for _, _, told in rows]
    return HealthColumns(
        np.array([event for event, _, _ in rows]),
        np.array([bad for _, bad, _ in rows], np.uint8),
        np.array(numbers).reshape(-1, len(names)),
        np.zeros(len(rows), np.uint16),
    )


HALF: dict[str, float] = {
    "dtype": 19, "rank": 2, "size": 200, "neg_inf": 1, "pos_inf": 0, "nan": 99,
    "neg": 0, "zero": 100, "pos": 0,
}  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["zero>49%", "zero>=50%", "zero=50%", "zero=100", "nan<100", "nan>=99", "nan=90..99", "inf=1",
     "inf<=1", "-inf=1", "+inf=0", "+inf<1", "neg=0", "pos=0", "size>=100", "size=200", "size!=100",
     "size>1e2", "size<1,000", "rank=2", "rank==2", "RANK=2", "size=..200", "dtype:float16",
     "dtype:float", "dtype=float16", "dtype:/16$/", "dtype!=float32", "-dtype:int",
     "nan>=1%", "nan>0%", "zero>40% nan>40%", "-zero>50%", "!pos>0", "rank=2 nan"],
)  # fmt: skip
def test_a_tensor_fits(text: str) -> None:
    query = parse(text)
    assert query.needs_health
    assert query.tensors_fit(tensors((0, Bad.NAN | Bad.NEG_INF, HALF)), 1).tolist() == [True]


@pytest.mark.parametrize(
    "text",
    ["zero>50%", "zero<50%", "nan>99", "nan=100", "nan!=99", "pos>0", "size<200", "rank=1..1",
     "dtype:bfloat16", "dtype:float3", "nan>=50%", "dtype=float32", "-dtype:float16", "-size=200",
     "zero>50% size>1"],
)  # fmt: skip
def test_a_tensor_does_not_fit(text: str) -> None:
    found = parse(text).tensors_fit(tensors((0, Bad.NAN | Bad.NEG_INF, HALF)), 1)
    assert found.tolist() == [False]


@pytest.mark.parametrize("text", ["zero>=0", "zero<1", "zero!=3", "zero>=0%", "dtype:float"])
def test_a_number_that_is_not_told_fits_nothing(text: str) -> None:
    assert not parse(text).tensors_fit(tensors((0, Bad.NONE, {})), 1).any()
    assert parse(f"!{text}").tensors_fit(tensors((0, Bad.NONE, {})), 1).all()


def test_an_empty_tensor_has_no_shares() -> None:
    empty = tensors((0, Bad.NONE, {"size": 0, "zero": 0}))
    assert not parse("zero>=0%").tensors_fit(empty, 1).any()
    assert not parse("zero<100%").tensors_fit(empty, 1).any()


def test_a_reference_type_counts_as_its_base() -> None:
    assert parse("dtype:float16").tensors_fit(tensors((0, Bad.NONE, {"dtype": 119})), 1).all()


def test_one_tensor_must_fit_all_terms_and_none_a_negated_one() -> None:
    several = tensors(
        (0, Bad.NAN, {"size": 5}),
        (0, Bad.NONE, {"size": 500}),
        (1, Bad.NAN, {"size": 500}),
        (3, Bad.NONE, {"size": 500}),
    )
    found = parse("nan size>100").tensors_fit(several, 4)
    assert found.tolist() == [False, True, False, False]
    assert parse("size>100").tensors_fit(several, 4).tolist() == [True, True, False, True]
    assert parse("-size>100").tensors_fit(several, 4).tolist() == [False, False, True, False]


def test_events_are_found_by_number() -> None:
    numbers = {"#7": [7], "#6..8": [6, 7, 8], "#8..6": [6, 7, 8], "index>=8": [8, 9],
               "index:..6": [5, 6], "-#7": [5, 6, 8, 9], "index!=7": [5, 6, 8, 9],
               "#7,0": []}  # fmt: skip
    for text, expected in numbers.items():
        fits = parse(text).indices_fit(5, 10)
        assert fits is not None
        assert (np.flatnonzero(fits) + 5).tolist() == expected
    assert parse("Log").indices_fit(5, 10) is None


def test_steps() -> None:
    steps = np.array([1, 2, 3, np.nan])
    assert parse("step:2").steps_fit(steps).tolist() == [False, True, False, False]
    assert parse("step:2..3").steps_fit(steps).tolist() == [False, True, True, False]
    assert parse("step>=2 step<3").steps_fit(steps).tolist() == [False, True, False, False]
    assert parse("-step:2").steps_fit(steps).tolist() == [True, False, True, False]


def test_a_query_knows_what_the_recording_does_not_tell() -> None:
    query = parse("Log nan>0 zero>50% size>1 dtype:int bad")
    assert query.untold_by(Mode.FULL_HEALTH) == query.untold_by(Mode.FULL_TENSOR) == ()
    assert query.untold_by(Mode.CONCISE_HEALTH) == ("zero>50%", "dtype:int")
    assert query.untold_by(Mode.SHAPE) == ("nan>0", "zero>50%", "bad")
    assert query.untold_by(Mode.CURT_HEALTH) == ("nan>0", "zero>50%", "size>1", "dtype:int")
    assert query.untold_by(Mode.NO_TENSOR) == query.untold_by(99)
    assert columns_told_by(99) == set()


# ---------------------------------------------------------------------- what cannot be meant


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Nothing to look for"),
        ("   ", "Nothing to look for"),
        ("op:", "op: needs a value"),
        ("op=", "op= needs a value"),
        ("step:", "step: needs a value"),
        ("step:x", "x is no number"),
        ("step:3..x", "x is no number"),
        ("step:..", "is no number"),
        ("#3.4.5", "is no number"),
        ("nan>", "nan> needs a number"),
        ("nan>x", "x is no number"),
        ("size>inf", "inf is no number"),
        ("size>50%", "size has no share"),
        ("nans>3", "nans is no number of a tensor"),
        ("op>3", "op is no number of a tensor"),
        ("dtype:flot", "no element type flot"),
        ("dtype=float", "no element type float"),
        ("-", "nothing behind it"),
        ("Log !", "nothing behind it"),
        ('"Log', "quote is open"),
        ('""', "nothing between the quotes"),
        ('size:"x"', "size is no field"),
        ("*Log", "regular expression"),
        ("op:(?=a)", "looks ahead or behind"),
        ("op:(a{999}){999}", "repeats too much"),
        ("(.?){90} " * 9, "too large together"),
        ("x" * 2000, "longer than"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(text: str, says: str) -> None:
    with pytest.raises(QueryError, match="write") as caught:
        parse(text)
    assert says in str(caught.value)
    assert str(caught.value).endswith(".")


# fmt: off
PIECES = ["op:", "fn", "=", "!", "-", "inf", "nan", ">", "<=", "%", "..", "#", '"', "'", "/", "(",
          "*", "[", "\\", "dtype:", "step:", "1", "9,9", "Log", " ", "é", "\x1b", "{2,}"]
# fmt: on


@given(st.text(max_size=40) | st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
def test_whatever_is_typed_is_a_query_or_an_error(text: str) -> None:
    try:
        query = parse(text)
    except QueryError:
        return
    for facts in (LOG, UNKNOWN, EAGER, CALL):
        assert query.site_test(facts) in (True, False)
    query.flags_fit(np.zeros(3, np.uint8))
    query.tensors_fit(tensors((0, Bad.NAN, HALF)), 1)
    query.highlights(LOG.tensor)
    assert query == parse(text)


def test_every_example_of_the_vocabulary_is_a_query() -> None:
    filters = NamedFilters()
    filters.define("mine", "op:Log nan>0")
    for word in vocabulary():
        assert parse(word.example, filters.find).terms
        assert word.meaning
    assert parse(" ".join(word.example for word in vocabulary()), filters.find).terms


def test_quotes_take_the_meaning_away() -> None:
    nan = SiteFacts("is_nan:0", "IsNan", None, None, None, "", is_call=False)
    for text in ('"nan"', "'is_nan'", '"is_nan:0"'):
        assert parse(text).site_test(nan)
    assert parse('"step:0"').site_test(nan._replace(tensor="a/step:0"))


def test_an_equals_sign_in_a_path_is_text() -> None:
    line = Line(0, "/runs/lr=0.1/train.py", 3, "f")
    assert parse("lr=0.1").site_test(LOG._replace(line=line))


# ---------------------------------------------------------------------- drawing


@pytest.mark.parametrize(
    ("text", "shown", "spans"),
    [
        ("log", "Log:0 LogSoftmax", [(0, 3), (6, 9)]),
        ("op:Log -mul", "mul Log", [(4, 7)]),
        ("ab bc", "abcd", [(0, 3)]),
        ("a b", "ab", [(0, 2)]),
        ("bad nan>0 size>1", "bad nan", []),
        ("x*", "abc", []),
        ("op=Log", "Log", [(0, 3)]),
        ("op=Log", "Log1p", []),
        ("train.py:31", "train.py:31 train.py:310", [(0, 11)]),
    ],
)
def test_hits_are_shown_where_they_are(text: str, shown: str, spans: list[tuple[int, int]]) -> None:
    assert parse(text).highlights(shown) == spans


def test_hits_of_a_field_are_shown_in_that_field() -> None:
    query = parse("op:Log loss")
    assert query.highlights("Log loss", "op") == [(0, 3), (4, 8)]
    assert query.highlights("Log loss", "fn") == [(4, 8)]
