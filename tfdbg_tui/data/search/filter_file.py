"""Reads the user's filters: runs the one Python file that they named on the command line.

Nothing else of this program runs code that is not its own, and no path of a recording comes here.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from tfdbg_tui.data.search.named_filters import BUILT_IN, NAME, NamedFilters
from tfdbg_tui.data.search.user_filters import UserFilter, described, line_in
from tfdbg_tui.errors import UserError
from tfdbg_tui.words import os_reason

MODULE = "tfdbg_tui_filters"
"""What the file is called as a module: classes defined in it look their module up."""

TAKEN = ("never", *BUILT_IN)
"""What means something else."""

EXAMPLE = "def has_large(tensor, value) -> bool"


def read_filters(path: str | Path) -> NamedFilters:
    """The filters of a file; raises a UserError that names the line."""
    file = str(path)
    module = ModuleType(MODULE)
    module.__file__ = file
    code = _compiled(file)
    sys.modules[MODULE] = module
    try:
        exec(code, vars(module))
    except (Exception, SystemExit) as error:
        raise UserError(f"{file}, line {line_in(file, error) or 1}: {described(error)}.") from error
    filters = [_filter(file, name, function) for name, function in _functions(module)]
    if not filters:
        raise UserError(f"{file} defines no filter; write for example {EXAMPLE}.")
    return NamedFilters(filters)


def _compiled(file: str) -> CodeType:
    try:
        source = Path(file).read_bytes()
    except FileNotFoundError:
        raise UserError(f"there is no file of filters {file}.") from None
    except OSError as error:
        raise UserError(f"{file} cannot be read ({os_reason(error)}).") from error
    try:
        return compile(source, file, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise UserError(f"{file}, line {error.lineno or 1}: {error.msg}.") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise UserError(f"{file} cannot be compiled ({described(error)}).") from error


def _functions(module: ModuleType) -> list[tuple[str, FunctionType]]:
    """The functions that the file itself defines, but for those that begin with `_`."""
    return [
        (name, value)
        for name, value in vars(module).items()
        if isinstance(value, FunctionType)
        and value.__module__ == MODULE
        and not name.startswith("_")
    ]


def _filter(file: str, name: str, function: FunctionType) -> UserFilter:
    """A function as a filter; raises a UserError if it cannot be one."""
    line = inspect.unwrap(function).__code__.co_firstlineno
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        raise UserError(
            f"{file}, line {line}: a filter takes two arguments, as in {EXAMPLE}; "
            f"if {name} is none, let its name begin with an underscore."
        ) from None
    if name in TAKEN or NAME.fullmatch(name) is None:
        raise UserError(f"{file}, line {line}: a filter cannot be called {name}.")
    return UserFilter(name, function, file, line)
