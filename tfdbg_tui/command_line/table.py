"""All commands: parsing, help, completion and the README's table follow from these definitions."""

from __future__ import annotations

from tfdbg_tui.command_line.definition import (
    ArgumentDefinition,
    CommandDefinition,
    Names,
    OptionDefinition,
)

_TENSOR = ArgumentDefinition("TENSOR", Names.TENSOR)
_QUERY = ArgumentDefinition("QUERY", Names.QUERY, is_optional=True, takes_rest=True)

_NO_CONTROL = "Control edges are not recorded; what is listed are the tensors alone."
_NO_ATTRIBUTES = "Attributes of ops are not recorded."

_FLOW_OPTIONS = (
    OptionDefinition("-d", "DEPTH", "how many levels, 20 with -r and 1 without", "--depth"),
    OptionDefinition("-r", None, "the inputs of inputs, too, as a tree", "--recursive"),
    OptionDefinition("-t", None, "with the types of the ops", "--op_type"),
    OptionDefinition(
        "-c", None, "control edges, which are not recorded", "--control", unanswered=_NO_CONTROL
    ),
)

COMMANDS = (
    CommandDefinition(
        "lt",
        ("list_tensors",),
        "list tensors: time, size, op type, name, health",
        (
            OptionDefinition(
                "-n", "RE", "names of ops, matched from their beginning", "--node_name_filter"
            ),
            OptionDefinition(
                "-t", "RE", "types of ops, matched from their beginning", "--op_type_filter"
            ),
            OptionDefinition(
                "-f",
                "FILTER",
                "bad, nan, inf, has_inf_or_nan, or a filter of your own",
                "--tensor_filter",
                Names.FILTER,
            ),
            OptionDefinition(
                "-fenn", "RE", "names of ops to leave out", "--filter_exclude_node_names"
            ),
            OptionDefinition(
                "-s",
                "KEY",
                "sort by time, size, op, name or health (the worst first)",
                "--sort_by",
                Names.SORT_KEY,
            ),
            OptionDefinition("-r", None, "the other way round", "--reverse"),
        ),
        (_QUERY,),
        ("lt -f has_inf_or_nan", "lt -t Log -s size -r", "lt step:3 nan>0 > bad.txt"),
        "list_tensors",
    ),
    CommandDefinition(
        "ri",
        ("run_info",),
        "the run: command, versions, modes, hosts, steps or session runs",
        examples=("ri",),
        module="run_info",
    ),
)


def definition_of(name: str) -> CommandDefinition | None:
    """The command of a name or an alias."""
    return next((one for one in COMMANDS if name == one.name or name in one.aliases), None)
