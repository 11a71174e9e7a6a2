"""Rules of style sheets, parsed once for all apps under test: that is a seventh of opening one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.css.stylesheet import Stylesheet

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from textual.css.model import RuleSet
    from textual.css.types import CSSLocation

    Parse = Callable[[Stylesheet, str, CSSLocation, bool, int, str], list[RuleSet]]


def share_parsed_styles() -> None:
    """Let all apps of this process use the rules that one of them has parsed."""
    parsed: dict[Hashable, list[RuleSet]] = {}
    parse: Parse = Stylesheet._parse_rules

    def parse_once(
        sheet: Stylesheet,
        css: str,
        read_from: CSSLocation,
        is_default_rules: bool = False,
        tie_breaker: int = 0,
        scope: str = "",
    ) -> list[RuleSet]:
        # The same text means something else in another theme.
        variables = frozenset(sheet._variables.items())
        asked = (variables, css, read_from, is_default_rules, tie_breaker, scope)
        if asked not in parsed:
            parsed[asked] = parse(sheet, css, read_from, is_default_rules, tie_breaker, scope)
        return parsed[asked]

    Stylesheet._parse_rules = parse_once  # type: ignore[method-assign, assignment]
