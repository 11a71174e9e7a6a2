"""The user's filters for a command: out of the file that was named, here or in the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.errors import UserError

if TYPE_CHECKING:
    from types import SimpleNamespace

    from tfdbg_tui.config import Config
    from tfdbg_tui.data.search.named_filters import NamedFilters


def filters_of(options: SimpleNamespace, settings: Config | None = None) -> NamedFilters:
    """Those that a command knows; none where no file is named."""
    # Most commands are given without, and start sooner.
    from tfdbg_tui.data.search.named_filters import NamedFilters

    named = options.filters or (_settings(options) if settings is None else settings).filters
    if named is None:
        return NamedFilters()
    from tfdbg_tui.data.search.filter_file import read_filters

    return read_filters(named)


def filters_with(options: SimpleNamespace, name: str, option: str) -> NamedFilters:
    """The same, one of which is asked for by an option; raises a UserError if it is not there."""
    filters = filters_of(options)
    if name in filters.names:
        return filters
    if filters.function_names:
        raise UserError(f"{option} {name}: there is only {', '.join(filters.names)}.")
    raise UserError(f"{option} {name} needs a filter of your own; name its file by --filters.")


def _settings(options: SimpleNamespace) -> Config:
    from pathlib import Path

    from tfdbg_tui import config

    named = getattr(options, "config", None)
    return config.load(Path(named) if named else None)
