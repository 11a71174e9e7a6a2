"""A typed line as a command: its options, its arguments, and the file it is written to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfdbg_tui.command_line.definition import CommandDefinition, Names, OptionDefinition
from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.table import COMMANDS, definition_of
from tfdbg_tui.command_line.words import TypedWord, words_of
from tfdbg_tui.frozen.frozen import Frozen, replace
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.words import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

REPLACING = ">!"

MAX_NAME = 40
"""Characters of a word that may be meant for a command."""

_OPERAND = re.compile(r"[-+~(\[`]|\.?\d|np\.|(?:True|False|None)$")
"""How what is compared with begins: behind `>`, in an expression, that is no file."""


class Redirect(NamedTuple):
    """The file that the result is written to instead of being shown."""

    path: str
    replaces: bool
    """Whether a file that is there is to be replaced."""


class ParsedCommand(Frozen):
    """One command as it was typed."""

    definition: CommandDefinition
    line: str
    options: Mapping[str, str]
    """By flag; empty for switches."""
    arguments: Mapping[str, str]
    """By name."""
    redirect: Redirect | None = None

    def has(self, flag: str) -> bool:
        """Whether an option was given."""
        return flag in self.options

    def number(self, flag: str, default: int, least: int = 0, most: int = 1 << 31) -> int:
        """The whole number behind an option."""
        told = self.options.get(flag)
        if told is None:
            return default
        if not re.fullmatch(r"-?\d{1,12}", told) or not least <= int(told) <= most:
            raise CommandError(
                f"{flag} takes a whole number from {least:,} on, such as {flag} {max(least, 2)}; "
                f"{told} is none."
            )
        return int(told)

    @property
    def unanswered(self) -> tuple[str, ...]:
        """What is said of options that no recording can answer."""
        known = map(self.definition.option, self.options)
        return tuple(option.unanswered for option in known if option and option.unanswered)

    def replacing(self) -> ParsedCommand:
        """The same, that may replace the file it writes to."""
        if self.redirect is None:
            return replace(self, options={**self.options, REPLACING: ""})
        return replace(self, redirect=self.redirect._replace(replaces=True))

    @property
    def may_replace(self) -> bool:
        """Whether a file that an option names may be replaced."""
        return REPLACING in self.options


def parse(line: str) -> ParsedCommand:
    """The command that a line means; raises CommandError."""
    words = words_of(line)
    if not words:
        raise CommandError("Nothing was typed; `help` lists the commands.")
    definition = _definition(words[0])
    options, others = _options(definition, words[1:])
    others, redirect = _redirect(definition, others)
    return ParsedCommand(definition, line, options, _arguments(definition, others), redirect)


def _definition(word: TypedWord) -> CommandDefinition:
    found = definition_of(word.text)
    if found is not None:
        return found
    close = nearest_command(word.text)
    hint = f"did you mean `{close}`?" if close else "`help` lists them."
    raise CommandError(f"There is no command {_short(word.text)}; {hint}")


def nearest_command(word: str) -> str | None:
    """The command whose name is nearly so, if there is one."""
    from difflib import get_close_matches  # most commands are there

    known = [name for one in COMMANDS for name in (one.name, *one.aliases)]
    close = get_close_matches(word[:MAX_NAME], known, n=1)
    return close[0] if close else None


def _options(
    definition: CommandDefinition, words: list[TypedWord]
) -> tuple[dict[str, str], list[TypedWord]]:
    """The options among the words, and the other words."""
    options: dict[str, str] = {}
    others: list[TypedWord] = []
    following = iter(words)
    for word in following:
        if word.is_quoted or not word.text.startswith("-"):
            others.append(word)
            continue
        name, equals, told = word.text.partition("=")
        option = definition.option(name)
        if option is None:
            _add_switches_or_text(definition, word, options, others)
            continue
        if option.takes is None:
            if equals:
                raise CommandError(f"{option.flag} takes no value; write {option.flag} alone.")
        elif not equals:
            value = next(following, None)
            if value is None:
                raise CommandError(f"{option.flag} needs a value: {_value_of(option)}.")
            told = value.text
        options[option.flag] = told
    return options, others


def _value_of(option: OptionDefinition) -> str:
    return f"{option.flag} {option.takes}, {option.meaning}"


def _add_switches_or_text(
    definition: CommandDefinition,
    word: TypedWord,
    options: dict[str, str],
    others: list[TypedWord],
) -> None:
    """A word with a dash that is no option: several switches, or a word of what takes any text."""
    switches = [definition.option(f"-{letter}") for letter in word.text[1:]]
    known = [one for one in switches if one is not None and one.takes is None]
    if switches and len(known) == len(switches):
        options.update((one.flag, "") for one in known)
        return
    takes_text = any(argument.takes_rest for argument in definition.arguments)
    is_flag = re.fullmatch("-[A-Za-z]|--.*", word.text) is not None
    if len(word.text) > 1 and (is_flag or not takes_text):
        flags = [option.flag for option in definition.options]
        told = f"it takes {listed(flags)}" if flags else "it takes none"
        letter = word.text.lstrip("-")
        hint = f" Write !{letter} for what does not hold {letter}." if takes_text and letter else ""
        raise CommandError(f"`{definition.name}` has no option {_short(word.text)}; {told}.{hint}")
    others.append(word)


def _redirect(
    definition: CommandDefinition, words: list[TypedWord]
) -> tuple[list[TypedWord], Redirect | None]:
    """The words before the sign that leads to a file, and the file."""
    takes = {argument.names for argument in definition.arguments if argument.takes_rest}
    for number, word in enumerate(words):
        if word.is_quoted or not word.raw.startswith(">"):
            continue
        replaces = word.raw.startswith(REPLACING)
        glued = word.text[2 if replaces else 1 :]
        behind = words[number + 1 :]
        path = glued or (behind[0].text if behind else "")
        is_plain = not (behind and not glued and behind[0].is_quoted)
        if Names.EXPRESSION in takes and is_plain and (_OPERAND.match(path) or glued[:1] == "="):
            continue
        if not path or len(behind) > (not glued):
            raise CommandError("> takes the name of one file, at the end: > out.txt.")
        if Names.QUERY in takes and is_plain and re.fullmatch(r"=?[\d.,]+%?", path):
            raise CommandError(
                f"> writes to a file; write a comparison without spaces, such as nan>{path}, "
                f'or > "{path}" for a file of that name.'
            )
        return words[:number], Redirect(path, replaces)
    return words, None


def _arguments(definition: CommandDefinition, words: list[TypedWord]) -> dict[str, str]:
    found: dict[str, str] = {}
    left = list(words)
    for argument in definition.arguments:
        if argument.takes_rest and left:
            found[argument.name] = " ".join(word.raw for word in left)
            return found
        if left:
            found[argument.name] = left.pop(0).text
        elif not argument.is_optional:
            example = definition.examples[0] if definition.examples else definition.usage
            raise CommandError(
                f"`{definition.name}` needs {argument.name}; write for example `{example}`."
            )
    if left:
        raise CommandError(
            f"`{definition.usage}` is all there is; {_short(left[0].raw)} is one word too many."
        )
    return found


def _short(word: str) -> str:
    return word if len(word) <= 40 else f"{word[:39]}…"
