"""What is muted, as text: rules, comments, errors, and the rules that name a site."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfdbg_tui.data.cause.mutes import MAX_RULES, MuteError, Mutes, read_mutes
from tfdbg_tui.data.cause.naming_mutes import RecordedLines, proposals
from tfdbg_tui.data.index.site_facts import SiteFacts
from tfdbg_tui.data.stores.sources import Line
from tfdbg_tui.sanitise import one_line

TEXT = """\
# why: the recall of no positives is NaN

op=RealDiv fn=recall   # until #12 is done
file=train.py code="x = 1 / y  # a # b"
  tensor=mask_1:0
"""

HOSTILE = (
    "plain",
    "a b",
    'say "hi"',
    "it's",
    "both \" and '",
    "line\nbreak",
    "\x1b[31mred\x1b[0m",
    "[bold]x[/bold]",
    "#52",
    "-op:Log",
    "(*+?",
    "\u202eevil",
    "x" * 5000,
    "ünï",
)


def site(tensor: str = "Log:0", **more: object) -> SiteFacts:
    facts = SiteFacts(tensor, "Log", "loss", "loss", None, "CPU:0", is_call=False)
    return facts._replace(**more)  # type: ignore[arg-type]


def no_code(facts: SiteFacts) -> str | None:
    return None


def lines(*code: str) -> RecordedLines:
    return RecordedLines(["/home/ada/train.py"], lambda file: code)


def test_a_rule_a_line_with_comments_behind_and_between() -> None:
    mutes = read_mutes(TEXT)
    assert [rule.text for rule in mutes.rules] == [
        "op=RealDiv fn=recall",
        'file=train.py code="x = 1 / y  # a # b"',
        "tensor=mask_1:0",
    ]
    assert [mutes.number_of(rule) for rule in range(3)] == [3, 4, 5]


def test_what_is_read_is_written_as_it_was() -> None:
    assert read_mutes(TEXT).to_text() == TEXT
    assert read_mutes("") == Mutes()
    assert read_mutes("op=Log\r\n").rules[0].text == "op=Log"


def test_a_rule_comes_at_the_end_once_and_goes_without_its_neighbours() -> None:
    mutes = read_mutes(TEXT)
    more = mutes.adding("op=Log")
    assert more.to_text() == f"{TEXT}op=Log\n"
    assert more.adding("op=Log") is more
    assert more.without(more.rules[-1]).to_text() == TEXT
    assert read_mutes(TEXT).without(mutes.rules[0]).to_text() == TEXT.replace(
        "op=RealDiv fn=recall   # until #12 is done\n", ""
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("op=Log\n\nbad", "line 3: bad asks about numbers"),
        ("step:3", "line 1: step:3 asks about numbers"),
        ("nan>0", "line 1: nan>0 asks"),
        ("op:", "line 1: op: needs a value"),
        ("code=", "line 1: code= needs a text"),
        ('op="Log', "line 1: A quote is open"),
        ("op:/[/", "line 1: "),
        ("#52 is a comment\nindex=52", "line 2: index=52 asks"),
        ("\x1b[31m>=3", "line 1: \\x1b[31m>=3 as a regular"),
        ("x" * 2000, "line 1: This is longer than"),
        ("op=Log\n" * (MAX_RULES + 1), f"line {MAX_RULES + 1}: there are more than"),
    ],
)
def test_what_makes_no_sense_is_one_sentence_with_its_line(text: str, said: str) -> None:
    with pytest.raises(MuteError) as caught:
        read_mutes(text)
    assert str(caught.value).startswith(said)
    assert one_line(str(caught.value)) == str(caught.value)


def test_a_rule_is_the_whole_name_unless_it_says_part() -> None:
    whole, part, regular = read_mutes("op=Log\nop:Log\nop:/^Log/").rules
    log1p = site(op_type="Log1p")
    assert whole.fits(site(), no_code)
    assert not whole.fits(log1p, no_code)
    assert part.fits(log1p, no_code)
    assert regular.fits(log1p, no_code)


def test_a_line_is_known_by_its_text_wherever_it_stands() -> None:
    (rule,) = read_mutes('file=train.py code="x = 1 / y"').rules
    moved = site(line=Line(0, "/builds/7/train.py", 99, "f"))
    assert rule.fits(moved, lambda facts: "x = 1 / y")
    assert not rule.fits(moved, lambda facts: "x = 1 / (y + 1e-7)")
    assert not rule.fits(moved, no_code)
    assert not rule.fits(site(), lambda facts: "x = 1 / y")
    assert rule.is_open(site())
    assert not rule.is_open(moved)


def test_a_line_of_which_there_are_two_is_known_by_its_number() -> None:
    facts = site(line=Line(0, "/home/ada/train.py", 2, "f"))

    def of_line(*code: str) -> str:
        found = {one.what: one.text for one in proposals(facts, lines(*code))}
        return found["this line"]

    assert of_line("def f():", "  return 1 / x") == 'file=train.py code="return 1 / x"'
    assert of_line("  return 1 / x", "  return 1 / x") == "file=train.py:2"
    assert of_line() == "file=train.py:2"


def test_a_file_is_named_with_folders_where_others_are_called_the_same() -> None:
    facts = site(line=Line(0, "/home/ada/net/model.py", 1, "f"))
    sources = RecordedLines(["/home/ada/net/model.py", "/home/ada/gan/model.py"], lambda file: None)
    texts = [one.text for one in proposals(facts, sources) if one.what == "this line"]
    assert texts == ["file:/net/model.py:1"]
    (rule,) = read_mutes(texts[0]).rules
    assert rule.fits(facts, no_code)
    assert not rule.fits(site(line=Line(0, "/home/ada/gan/model.py", 1, "f")), no_code)
    assert not rule.fits(site(line=Line(0, "/home/ada/net/model.py", 10, "f")), no_code)


def test_what_is_proposed_for_an_op_of_a_layer_and_for_an_eager_one() -> None:
    layer = site("encoder/conv2d_1/Log:0")
    assert [(one.what, one.text) for one in proposals(layer, lines())] == [
        ("this tensor", "tensor=encoder/conv2d_1/Log:0 fn=loss"),
        ("this layer", "layer=encoder/conv2d_1"),
        ("this function", "fn=loss"),
        ("this op type", "op=Log"),
    ]
    eager = SiteFacts("Log", "Log", None, None, Line(0, "/t.py", 1, "f"), "CPU:0", is_call=False)
    assert [(one.what, one.text) for one in proposals(eager, lines())] == [
        ("this tensor", "op=Log file=t.py:1"),
        ("this line", "file=t.py:1"),
        ("this op type", "op=Log"),
    ]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_make_rules_of_one_clean_line_that_name_them(name: str) -> None:
    facts = site(f"layer/{name}/Log:0", op_type=name, function=name, graph=name)
    facts = facts._replace(line=Line(0, f"/home/{name}.py", 1, "f"))
    sources = RecordedLines([f"/home/{name}.py"], lambda file: (name,))
    for proposal in proposals(facts, sources):
        assert one_line(proposal.text) == proposal.text
        (rule,) = read_mutes(Mutes().adding(proposal.text).to_text()).rules
        assert rule.text == proposal.text
        assert rule.fits(facts, lambda facts: name.strip())


@given(st.text(min_size=1, max_size=80))
def test_any_name_makes_a_rule_that_is_read_as_it_was_written(name: str) -> None:
    facts = site(name, op_type=name, function=name, graph=name)
    for proposal in proposals(facts, lines()):
        (rule,) = read_mutes(Mutes().adding(proposal.text).to_text()).rules
        assert rule.text == proposal.text
        assert rule.fits(facts, no_code)
