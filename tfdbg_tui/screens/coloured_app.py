"""An app whose style sheet may name the colours that are made from a theme."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import App

from tfdbg_tui.theme import shades, sixteen
from tfdbg_tui.widgets.roles import COMPONENTS, as_shown, draw_in

if TYPE_CHECKING:
    from textual.theme import Theme


class ColouredApp(App[int]):
    """Draws in what its terminal has of the colours of its theme."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(COMPONENTS)
    _theme_in_use: Theme | None = None

    @property
    def current_theme(self) -> Theme:
        """The theme in use: Textual asks for it with every line that it draws, and looks for it."""
        if self._theme_in_use is None or self._theme_in_use.name != self.theme:
            self._theme_in_use = super().current_theme
        return self._theme_in_use

    @property
    def has_few_colours(self) -> bool:
        """Whether the terminal has sixteen colours."""
        return self.console.color_system in ("standard", "windows")

    def get_css_variables(self) -> dict[str, str]:
        """The colours of the theme, and those that are made from them for this terminal."""
        draw_in(self.console.color_system)
        variables = super().get_css_variables()
        if self.has_few_colours:
            plain = sixteen(self.current_theme)
            variables |= plain.to_color_system().generate() | plain.variables
        variables |= shades(variables, as_shown)
        self.theme_variables = variables
        return variables

    def on_load(self) -> None:
        """The style sheet asks whether there are shades, before anything is drawn."""
        self.set_class(self.has_few_colours, "-few-colours")
