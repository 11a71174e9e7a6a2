"""Colours are moved as far as reading asks for, and no further."""

from __future__ import annotations

from itertools import product

import pytest

from tfdbg_tui.contrast import BLACK, WHITE, Rgb, apart, contrast, mixed, readable

GREYS: list[Rgb] = [(n, n, n) for n in (0, 40, 90, 119, 130, 200, 255)]
HUES: list[Rgb] = [(255, 110, 110), (95, 215, 215), (0, 0, 170), (255, 166, 43), (20, 120, 30)]


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast(BLACK, WHITE) == pytest.approx(21)
    assert contrast((119, 119, 119), WHITE) == pytest.approx(4.48, abs=0.005)
    assert (
        contrast((255, 0, 0), WHITE) == contrast(WHITE, (255, 0, 0)) == pytest.approx(4, abs=0.01)
    )
    assert contrast((9, 8, 7), (9, 8, 7)) == 1


def test_what_can_be_read_stays_as_it_is() -> None:
    assert readable((208, 212, 218), (20, 23, 28)) == (208, 212, 218)


def test_everything_can_be_read_on_everything() -> None:
    for colour, background in product(GREYS + HUES, repeat=2):
        moved = readable(colour, background)
        assert contrast(moved, background) >= 4.5, (colour, background)
        if moved not in (colour, WHITE, BLACK):
            assert contrast(moved, background) < 5.5, "no further than it has to be"


def test_a_tint_is_seen_beside_every_pane() -> None:
    panes = [(20, 23, 28), (28, 32, 40)]
    tinted = apart(panes, (95, 215, 215), 1.5)
    assert all(contrast(tinted, pane) >= 1.5 for pane in panes)
    assert contrast(tinted, panes[-1]) < 1.7


def test_what_the_terminal_shows_is_measured() -> None:
    def shown(colour: Rgb) -> Rgb:
        return WHITE if sum(colour) > 380 else BLACK

    assert readable((100, 100, 100), (20, 20, 20), shown=shown) == mixed(
        (100, 100, 100), WHITE, 0.175
    )
