"""The options of commands that read a logdir and print, and the short way to read them.

What people and scripts type is nearly always a command, its logdir and whole names of options.
That needs no argparse, which takes as long to import and to set up as twenty of our modules.
"""

from __future__ import annotations

from types import SimpleNamespace

from tfdbg_tui.frozen.named_tuple import NamedTuple


class Option(NamedTuple):
    """An option of such a command."""

    name: str
    key: str
    """What it is called among the options that were typed."""
    help: str
    takes: str | None = None
    """What stands behind it; without, and without choices, it is either typed or not."""
    choices: tuple[str, ...] = ()
    """All that may stand behind it; the first is what holds where it is not typed."""

    @property
    def has_value(self) -> bool:
        """Whether something stands behind it."""
        return bool(self.takes or self.choices)

    @property
    def default(self) -> str | bool | None:
        """What holds where it is not typed."""
        if self.choices:
            return self.choices[0]
        return None if self.takes else False


READING = (
    Option("--json", "json", "print one JSON object"),
    Option("--run", "run_id", "only the run with this id, or its beginning", takes="ID"),
)

OPTIONS = {
    "check": (
        *READING,
        Option(
            "--fail-on",
            "fail_on",
            "what gives exit code 1: any NaN or Inf (the default), only NaN, or nothing",
            choices=("bad", "nan", "never"),
        ),
        Option(
            "--strict", "strict", "count as bad what is NaN or Inf on purpose, too, such as masks"
        ),
        Option(
            "--mute",
            "mute",
            "leave out what is meant: a rule a line, such as op=Log fn=metric; M in the app "
            "writes such a file",
            takes="FILE",
        ),
    ),
    "doctor": READING,
}
"""Those of each command; `arguments` makes argparse's of them."""


def typed(words: list[str]) -> SimpleNamespace | None:
    """What was typed, as argparse would have it; None where that has to be asked."""
    command, rest = words[0], iter(words[1:])
    if command not in OPTIONS:
        return None
    options = {option.name: option for option in OPTIONS[command]}
    found = {option.key: option.default for option in options.values()}
    for word in rest:
        option = options.get(word)
        if option is not None and not option.has_value:
            found[option.key] = True
            continue
        key, value = ("logdir", word) if option is None else (option.key, next(rest, "-"))
        is_second_logdir = option is None and key in found
        is_no_choice = option is not None and option.choices and value not in option.choices
        if value.startswith("-") or is_second_logdir or is_no_choice:
            return None  # an abbreviation, a value behind `=`, a mistake…
        found[key] = value
    return SimpleNamespace(command=command, **found) if "logdir" in found else None
