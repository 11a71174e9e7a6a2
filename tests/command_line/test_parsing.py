"""Typed lines: words, options, arguments, the file they are written to; a sentence for the rest."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.parsing import Redirect, parse
from tfdbg_tui.command_line.table import COMMANDS


@pytest.mark.parametrize("definition", COMMANDS, ids=lambda one: one.name)
def test_every_example_is_a_command_of_its_name(definition: object) -> None:
    assert definition in COMMANDS
    for known in COMMANDS:
        for example in known.examples:
            assert parse(example).definition is known


def test_options_and_arguments_are_told_apart() -> None:
    command = parse("list_inputs -rt --depth=5 'a b/Log:0'")
    assert command.definition.name == "li"
    assert command.options == {"-r": "", "-t": "", "-d": "5"}
    assert command.arguments == {"TENSOR": "a b/Log:0"}


def test_a_query_keeps_its_quotes_its_minus_and_what_it_compares() -> None:
    command = parse("""lt -n lo.* -op:Const nan>0 tensor:"a b" -s size""")
    assert command.arguments == {"QUERY": """-op:Const nan>0 tensor:"a b\""""}
    assert command.options == {"-n": "lo.*", "-s": "size"}


def test_a_slice_may_have_blanks() -> None:
    assert parse("pt w[0:5, :] -r >1").arguments == {"TENSOR[slice]": "w[0:5, :]"}
    assert parse("pt w -r >1").options == {"-r": ">1"}


@pytest.mark.parametrize(
    ("line", "redirect"),
    [
        ("ri > a.txt", Redirect("a.txt", False)),
        ("ri >a.txt", Redirect("a.txt", False)),
        ("ri >! 'a b'", Redirect("a b", True)),
        ("lt nan>0 > a", Redirect("a", False)),
        ('lt nan > "0"', Redirect("0", False)),
        ("lt nan>0", None),
        ("lt '>'", None),
        ("eval `a` > 0", None),
        ("eval `a` > `b`", None),
        ("eval `a` > np.mean(`b`)", None),
        ("eval `a` >= 1", None),
        ("eval `a` > 0 > out.txt", Redirect("out.txt", False)),
    ],
)
def test_what_leads_to_a_file_is_no_comparison(line: str, redirect: Redirect | None) -> None:
    assert parse(line).redirect == redirect


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "Nothing was typed; `help` lists the commands."),
        ("alert", "There is no command alert; did you mean `alerts`?"),
        ("frobnicate", "There is no command frobnicate; `help` lists them."),
        ("li", "`li` needs TENSOR; write for example `li -r -t loss/Log:0`."),
        ("li -x Log", "`li` has no option -x; it takes -d, -r, -t and -c."),
        ("lt -x", "`lt` has no option -x; it takes -n, -t, -f, -fenn, -s and -r. Write !x for "
         "what does not hold x."),
        ("ri -x", "`ri` has no option -x; it takes none."),
        ("ps -t a b", "`ps [-t] [-b LINE] FILE` is all there is; b is one word too many."),
        ("li -d", "-d needs a value: -d DEPTH, how many levels, 20 with -r and 1 without."),
        ("li -r=3 a", "-r takes no value; write -r alone."),
        ("lt 'a", "A quote is open; write ' where it ends."),
        ("ri >", "> takes the name of one file, at the end: > out.txt."),
        ("ri > a b", "> takes the name of one file, at the end: > out.txt."),
        ("lt nan > 0", '> writes to a file; write a comparison without spaces, such as nan>0, '
         'or > "0" for a file of that name.'),
        ("x" * 5000, "This is longer than 4,000 characters; write a shorter command."),
    ],
)  # fmt: skip
def test_what_makes_no_sense_gets_a_sentence(line: str, sentence: str) -> None:
    with pytest.raises(CommandError) as raised:
        parse(line)
    assert str(raised.value) == sentence


@pytest.mark.parametrize("number", ["x", "-1", "0", "1e3", "99999999999999999999"])
def test_a_number_is_a_number(number: str) -> None:
    command = parse(f"li -d {number} a")
    with pytest.raises(CommandError, match="-d takes a whole number from 1 on"):
        command.number("-d", 1, least=1)


@settings(max_examples=100)
@given(st.text(st.sampled_from("lt >!'\"`[]-nra=0:,é\t"), max_size=20))
def test_any_line_is_a_command_or_gets_a_sentence(line: str) -> None:
    with suppress(CommandError):
        assert parse(f"lt {line}").definition.name == "lt"
