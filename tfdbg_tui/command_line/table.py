"""All commands: parsing, help, completion and the README's table follow from these definitions."""

from __future__ import annotations

from tfdbg_tui.command_line.definition import (
    ArgumentDefinition,
    CommandDefinition,
    Names,
    OptionDefinition,
)

SORT_KEYS = ("time", "size", "op", "name", "health")
"""What `lt` sorts by."""

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
        "pt",
        ("print_tensor",),
        "print a tensor: its value, or what the mode tells",
        (
            OptionDefinition("-n", "K", "the computation number K, from 0", "--number"),
            OptionDefinition(
                "-r", "RANGES", "mark what lies in >1 or [[-1,1],[2,inf]]", "--ranges"
            ),
            OptionDefinition("-a", None, "all elements, none left out", "--all"),
            OptionDefinition("-s", None, "with statistics of what is finite", "--numeric_summary"),
            OptionDefinition("-w", "FILE", "write it as .npy, .csv or .png", "--write", Names.PATH),
        ),
        (ArgumentDefinition("TENSOR[slice]", Names.TENSOR),),
        ("pt Log:0", "pt 'w/read:0[0:5, :]' -r '>1' -s", "pt graph#52 -w log.npy"),
        "print_tensor",
    ),
    CommandDefinition(
        "ni",
        ("node_info",),
        "an op: type, graph, device, inputs, consumers, dumps, traceback",
        (
            OptionDefinition("-d", None, "with every computation of its first output", "--dumps"),
            OptionDefinition("-t", None, "with the traceback of its construction", "--traceback"),
            OptionDefinition(
                "-a",
                None,
                "attributes, which are not recorded",
                "--attributes",
                unanswered=_NO_ATTRIBUTES,
            ),
        ),
        (ArgumentDefinition("OP", Names.OP),),
        ("ni -t loss/Log",),
        "op_info",
    ),
    CommandDefinition(
        "li",
        ("list_inputs",),
        "what a tensor was computed from, with health; as a tree",
        _FLOW_OPTIONS,
        (_TENSOR,),
        ("li -r -t loss/Log:0",),
        "data_flow",
    ),
    CommandDefinition(
        "lo",
        ("list_outputs",),
        "what takes a tensor, with health; as a tree",
        _FLOW_OPTIONS,
        (_TENSOR,),
        ("lo -r -d 5 loss/Log:0",),
        "data_flow",
    ),
    CommandDefinition(
        "ps",
        ("print_source",),
        "a source file with the ops or tensors of each line",
        (
            OptionDefinition("-t", None, "tensors with their health, not ops", "--tensors"),
            OptionDefinition("-b", "LINE", "begin at this line", "--line_begin"),
        ),
        (ArgumentDefinition("FILE", Names.SOURCE),),
        ("ps train.py -t -b 30",),
        "print_source",
    ),
    CommandDefinition(
        "ls",
        ("list_source",),
        "all source files, yours first",
        (
            OptionDefinition("-p", "RE", "paths that match anywhere", "--path_filter"),
            OptionDefinition("-n", "RE", "files that made ops of such names", "--node_name_filter"),
        ),
        examples=("ls -p train",),
        module="list_sources",
    ),
    CommandDefinition(
        "ri",
        ("run_info",),
        "the run: command, versions, modes, hosts, steps or session runs",
        examples=("ri",),
        module="run_info",
    ),
    CommandDefinition(
        "eval",
        ("evaluate",),
        "numpy on tensors in backquotes",
        (
            OptionDefinition("-a", None, "all elements, none left out", "--all"),
            OptionDefinition("-w", "FILE", "write it as .npy or .csv", "--write", Names.PATH),
        ),
        (ArgumentDefinition("EXPR", Names.EXPRESSION, takes_rest=True),),
        ("eval np.mean(`loss/Log:0` > 0)", "eval -a np.isnan(`Log:0`[0:5])"),
        "evaluate",
    ),
    CommandDefinition(
        "why",
        (),
        "why a tensor is bad, or the run: cause, numbers, what helps",
        arguments=(ArgumentDefinition("TENSOR", Names.TENSOR, is_optional=True),),
        examples=("why", "why loss/Log:0"),
        module="why",
    ),
    CommandDefinition(
        "alerts",
        (),
        "what is bad, causes first, and early warnings",
        examples=("alerts",),
        module="alerts",
    ),
    CommandDefinition(
        "steps",
        (),
        "the steps of training: when, how many events, how many bad",
        examples=("steps",),
        module="steps",
    ),
    CommandDefinition(
        "doctor",
        (),
        "what the recording can show, and what to change",
        examples=("doctor",),
        module="diagnosis",
    ),
    CommandDefinition(
        "q",
        ("query",),
        "events that a query finds, with function and line",
        arguments=(ArgumentDefinition("QUERY", Names.QUERY, takes_rest=True),),
        examples=("q op:Log nan>0", "q step:3 fn:loss"),
        module="query_events",
    ),
    CommandDefinition(
        "filter",
        (),
        "a name for a query, usable in lt -f; without a query, the names there are",
        arguments=(
            ArgumentDefinition("NAME", Names.FILTER, is_optional=True),
            _QUERY,
        ),
        examples=("filter dead zero=100%",),
        module="filter",
    ),
    CommandDefinition(
        "help",
        ("h",),
        "all commands, or one",
        arguments=(ArgumentDefinition("COMMAND", Names.COMMAND, is_optional=True),),
        examples=("help lt",),
        module="help",
    ),
    CommandDefinition(
        "mouse",
        ("m",),
        "leave the mouse to the terminal, or take it back",
        arguments=(ArgumentDefinition("on|off", Names.SWITCH, is_optional=True),),
        examples=("mouse off",),
    ),
    CommandDefinition(
        "config",
        (),
        "the settings in use, and their file",
        examples=("config",),
        module="settings",
    ),
    CommandDefinition("exit", ("quit",), "leave", examples=("exit",)),
)


def definition_of(name: str) -> CommandDefinition | None:
    """The command of a name or an alias."""
    return next((one for one in COMMANDS if name == one.name or name in one.aliases), None)
