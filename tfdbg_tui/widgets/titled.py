"""A widget with a title on its border, which is painted without all that is inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.textual_internals import PromptlyPainted
from tfdbg_tui.widgets.pieces import clean

if TYPE_CHECKING:
    from typing import Self

    from textual.color import Color


class _Frame(NamedTuple):
    """What is drawn around the lines of a widget, as long as its size and its styles stay."""

    drawn_for: object
    above: list[Strip]
    below: list[Strip]
    left: Strip
    right: Strip
    background: Color


class Titled(PromptlyPainted):
    """Where there is a border, something can be written on it."""

    title_text = ""
    _is_entitling = False
    _frame: _Frame | None = None
    _framed: dict[int, tuple[Strip, Strip]]
    """The lines inside by their row: as they are, and in their frame."""

    def draw_lines(self, whole: Region) -> list[Strip]:
        """The lines in their frame: Textual would draw both sides anew for each that changes."""
        size, gutter, filters = self.outer_size, self.styles.gutter, self.get_line_filters()
        inside = range(gutter.top, size.height - gutter.bottom)
        if not inside:
            return super().draw_lines(whole)
        frame, drawn_for = self._frame, (size, gutter, filters)
        if frame is None or frame.drawn_for != drawn_for:
            drawn = super().draw_lines(whole)
            sample, right = drawn[inside.start], size.width - gutter.right
            edges = drawn[: inside.start], drawn[inside.stop :]
            sides = sample.crop(0, gutter.left), sample.crop(right, size.width)
            self._frame = _Frame(drawn_for, *edges, *sides, self.background_colors[1])
            self._framed = {}
            return drawn
        lines = [self._in_frame(y, self.render_line(y - gutter.top), frame) for y in inside]
        return [*frame.above, *lines, *frame.below]

    def _in_frame(self, y: int, line: Strip, frame: _Frame) -> Strip:
        known = self._framed.get(y)
        if known is not None and known[0] is line:
            return known[1]
        shown = line
        for line_filter in self.get_line_filters():
            shown = shown.apply_filter(line_filter, frame.background)
        if frame.left.cell_length or frame.right.cell_length:
            shown = Strip.join([frame.left, shown, frame.right])
        self._framed[y] = line, shown
        return shown

    def notify_style_update(self) -> None:
        """Draw the frame anew: the theme or the focus changed."""
        super().notify_style_update()
        self._frame = None

    def entitle(self, title: str) -> None:
        """Write something on the border; the same costs nothing."""
        if title != self.title_text:
            self.title_text = title
            self._frame = None
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
        if not regions:
            self._frame = None
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
