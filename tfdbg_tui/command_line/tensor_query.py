"""What `lt` is asked to list, as one query: its options are terms like those that are typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.data.records.modes import mode_name
from tfdbg_tui.data.search.expressions import PatternError, expression
from tfdbg_tui.data.search.query import Query, QueryError, parse
from tfdbg_tui.data.search.query_terms import Term, TextTest
from tfdbg_tui.data.search.text_patterns import Pattern
from tfdbg_tui.frozen.frozen import Frozen
from tfdbg_tui.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.data.search.expressions import Expression
    from tfdbg_tui.data.search.text_patterns import Form

_SLOT = re.compile(r":\d+\Z")

_FIELDS = {"-n": ("tensor", False), "-t": ("op", False), "-fenn": ("tensor", True)}
"""The field that an expression behind an option is about, and whether it must not fit."""


class _NameOfOp(Frozen):
    """A pattern for names of ops, which are names of tensors without their slots."""

    form: Form

    @property
    def size(self) -> int:
        return self.form.size

    def finds(self, text: str) -> bool:
        return self.form.finds(_SLOT.sub("", text))

    def spans(self, text: str) -> list[tuple[int, int]]:
        return self.form.spans(_SLOT.sub("", text))


def query_of(context: Context, command: ParsedCommand) -> Query | None:
    """All that must hold of what is listed; None if nothing is asked. Raises CommandError."""
    terms = (*_option_terms(command), *_typed_terms(context, command))
    return Query(command.line, terms) if terms else None


def parsed(context: Context, typed: str) -> Query:
    """What a query asks for; raises CommandError."""
    try:
        return parse(typed, context.filters.find)
    except QueryError as error:
        raise CommandError(str(error)) from None


def _typed_terms(context: Context, command: ParsedCommand) -> Iterator[Term]:
    name = command.options.get("-f")
    if name is not None:
        yield from parsed(context, f"filter:{name}").terms
    if typed := command.arguments.get("QUERY"):
        yield from parsed(context, typed).terms


def _option_terms(command: ParsedCommand) -> Iterator[Term]:
    for flag, (field, negated) in _FIELDS.items():
        told = command.options.get(flag)
        if told is not None:
            yield Term(f"{flag} {told}", negated, TextTest((field,), _pattern(flag, told)))


def _pattern(flag: str, told: str) -> Pattern:
    """An expression that fits from the beginning of a name, as tfdbg's did."""
    try:
        form = expression(f"^(?:{told})")
    except PatternError as error:
        raise _no_expression(flag, told, error) from None
    return Pattern((_NameOfOp(form),))


def untold(context: Context, query: Query | None) -> tuple[str, ...]:
    """A sentence for each mode of the run that does not tell what is asked for."""
    if query is None:
        return ()
    modes = ((mode, query.untold_by(mode)) for mode in context.run.run.modes())
    return tuple(
        f"{mode_name(mode)} does not tell {listed(words)}." for mode, words in modes if words
    )


def searching_expression(flag: str, told: str | None) -> Expression | None:
    """The expression behind an option, found anywhere; None where the option is not given."""
    if told is None:
        return None
    try:
        return expression(told)
    except PatternError as error:
        raise _no_expression(flag, told, error) from None


def _no_expression(flag: str, told: str, error: PatternError) -> CommandError:
    return CommandError(
        f"{flag} {told[:40]} is no regular expression: {error}; write for example {flag} .*Log.*."
    )
