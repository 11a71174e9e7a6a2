"""A widget with a title on its border, which is painted without all that is inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.geometry import Region

from tfdbg_tui.textual_internals import PromptlyPainted
from tfdbg_tui.widgets.pieces import clean

if TYPE_CHECKING:
    from typing import Self


class Titled(PromptlyPainted):
    """Where there is a border, something can be written on it."""

    title_text = ""
    _is_entitling = False

    def entitle(self, title: str) -> None:
        """Write something on the border; the same costs nothing."""
        if title != self.title_text:
            self.title_text = title
            self._is_entitling = True
            try:
                self.border_title = Content(clean(title))
            finally:
                self._is_entitling = False

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Paint some regions, or all of it; for a new title nothing but the border's row."""
        if self._is_entitling:
            gutter = self.styles.gutter
            regions = (Region(-gutter.left, -gutter.top, self.outer_size.width, 1),)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
