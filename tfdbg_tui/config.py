"""The user's settings: keys, theme, mouse, ASCII, alerts, filters; one TOML file, all optional.

theme = "nord"
mouse = false
ascii = true
filters = "my_filters.py"

[keys]
"go.first-bad" = "f2,exclamation_mark"

[alerts]
zero_invocations = 20
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_dir

from tfdbg_tui.data.early.thresholds import Thresholds
from tfdbg_tui.errors import UserError
from tfdbg_tui.words import os_reason


@dataclass(frozen=True)
class Config:
    """What the file says."""

    theme: str | None = None
    mouse: bool = True
    ascii: bool = False
    keys: dict[str, str] = field(default_factory=dict)
    alerts: Thresholds = field(default_factory=Thresholds)
    """When early warnings are given."""
    file: Path | None = field(default=None, compare=False)
    """Where all that comes from; None where there is no file."""

    def told(self, theme: str, mouse: bool) -> tuple[tuple[str, str], ...]:
        """Every setting in use, by its name, given those that the app has changed since."""
        none = f"{default_path()}, which is not there: all is as usual"
        return (
            ("file", str(self.file or none)),
            ("theme", theme),
            ("mouse", "on" if mouse else "off"),
            ("ascii", "on" if self.ascii else "off"),
            *((f"keys.{name}", keys) for name, keys in sorted(self.keys.items())),
            *((f"alerts.{name}", str(value)) for name, value in self.alerts._asdict().items()),
        )

    filters: str | None = None
    """The file of the user's filters: where the settings lie, unless its path is whole."""


KINDS = {"theme": str, "mouse": bool, "ascii": bool, "keys": dict, "alerts": dict, "filters": str}

IN_WORDS = {
    str: 'a text such as "nord"',
    bool: "true or false",
    dict: 'a table such as [keys] with "go.first-bad" = "f2"',
}
"""What each kind is called in a sentence."""

ALERTS_IN_WORDS = "a table such as [alerts] with zero_invocations = 20"


def default_path() -> Path:
    """Where the file is looked for."""
    return Path(user_config_dir("tfdbg-tui")) / "config.toml"


def load(path: Path | None = None) -> Config:
    """The settings of a file, or the usual ones where there is none."""
    file = path or default_path()
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        if path is not None:
            raise UserError(f"{file} does not exist.") from None
        return Config()
    except OSError as error:
        raise UserError(f"{file} cannot be read ({os_reason(error)}).") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{file} is not text in UTF-8.") from error
    return replace(_checked(_parsed(text, file), file), file=file)


def _parsed(text: str, file: Path) -> dict[str, Any]:
    # Imported only now, for most users have no such file.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # numbers and nesting beyond all bounds, too
        raise UserError(f"{file} is not valid TOML: {error}.") from error


def _checked(found: dict[str, Any], file: Path) -> Config:
    for name, value in found.items():
        if name not in KINDS:
            known = ", ".join(KINDS)
            raise UserError(f"{file}: there is no setting {name}, only {known}.")
        if not isinstance(value, KINDS[name]):
            example = ALERTS_IN_WORDS if name == "alerts" else IN_WORDS[KINDS[name]]
            raise UserError(f"{file}: {name} must be {example}.")
    keys = found.get("keys", {})
    for name, keys_text in keys.items():
        if not isinstance(keys_text, str):
            raise UserError(f'{file}: keys."{name}" must be a text such as "f2".')
    given = {**found, "keys": dict(keys), "alerts": _thresholds(found, file)}
    if "filters" in found:  # never where the program is started: that may be a logdir
        given["filters"] = str(file.absolute().parent / Path(found["filters"]).expanduser())
    return Config(**given)


def _thresholds(found: dict[str, Any], file: Path) -> Thresholds:
    """The numbers of `[alerts]`, each of a kind that its usual value has."""
    usual, given = Thresholds(), found.get("alerts", {})
    known = set(Thresholds._fields)
    for name, value in given.items():
        if name not in known:
            raise UserError(f"{file}: there is no alerts.{name}, only {', '.join(sorted(known))}.")
        is_whole = isinstance(getattr(usual, name), int)
        kinds = (int,) if is_whole else (int, float)
        if not isinstance(value, kinds) or isinstance(value, bool) or not 0 <= value < math.inf:
            kind = "whole number" if is_whole else "number"
            raise UserError(f"{file}: alerts.{name} must be a {kind}, not below 0.")
    return usual._replace(**given)
