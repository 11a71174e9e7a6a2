"""Writing what a command tells to a file: never over another unless asked, never through a link."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.command_line.errors import CommandError, FileThereError
from tfdbg_tui.command_line.printing import as_csv, as_json, as_text
from tfdbg_tui.command_line.result import Result
from tfdbg_tui.data.values.new_files import FileThereError as ValuesFileThereError
from tfdbg_tui.data.values.new_files import writing
from tfdbg_tui.data.values.value_error import ValueQueryError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from tfdbg_tui.command_line.result import Answer


def write_result(result: Result, path: str, replaces: bool) -> Answer:
    """Write a result as its file is named: `.json` and `.csv` for machines, all else is text."""
    yield from write_text(path, _parts(result, path), replaces)
    told = f"Written to {path}."
    return Result(told, facts={"path": path}, is_empty=result.is_empty)


def _parts(result: Result, path: str) -> Iterable[str]:
    name = path.lower()
    if name.endswith(".json"):
        return [as_json(result, result.title)]
    return as_csv(result) if name.endswith(".csv") else as_text(result)


def write_text(path: str, parts: Iterable[str], replaces: bool) -> Generator[None, None, None]:
    """Write a text; raises CommandError, FileThereError."""
    content = (part.encode("utf-8", "backslashreplace") for part in parts)
    yield from written(lambda: writing(Path(path), content, replaces), path)


def written(begin: Callable[[], Iterator[None]], path: str) -> Generator[None, None, None]:
    """Have a file written, whose errors become those of a command."""
    try:
        for _ in begin():
            yield
    except ValuesFileThereError:
        raise FileThereError(path) from None
    except ValueQueryError as error:
        raise CommandError(str(error)) from None
