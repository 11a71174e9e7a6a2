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
    """What stands behind it; without, it is either typed or not."""
    usual: str | None = None
    """What holds where it is not typed."""

    @property
    def has_value(self) -> bool:
        """Whether something stands behind it."""
        return self.takes is not None

    @property
    def default(self) -> str | bool | None:
        """What holds where it is not typed."""
        return self.usual if self.takes else False


READING = (
    Option("--json", "json", "print one JSON object"),
    Option("--run", "run_id", "only the run with this id, or its beginning", takes="ID"),
)

FILTERS = Option(
    "--filters", "filters", "filters of your own: functions of a Python file", takes="FILE"
)

FAIL_ON = ("bad", "nan", "never")
"""What can give exit code 1, besides a filter of the user's own; the first usually does."""

OPTIONS = {
    "check": (
        *READING,
        Option(
            "--fail-on",
            "fail_on",
            "what gives exit code 1: bad, any NaN or Inf (the default); nan; never; or the name "
            "of a filter of your own",
            takes="WHAT",
            usual=FAIL_ON[0],
        ),
        FILTERS,
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
        if value.startswith("-") or is_second_logdir:
            return None  # an abbreviation, a value behind `=`, a mistake…
        found[key] = value
    return SimpleNamespace(command=command, **found) if "logdir" in found else None
