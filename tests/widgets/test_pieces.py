"""Pieces fit their cells exactly, whatever is written in them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.support.texts import COMBINING, NAMES, TEXTS, WIDE
from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.widgets.pieces import Piece, cut, left, padded, right, shorten, spread, width_of

WIDTHS = st.integers(0, 60)
PIECES = st.lists(st.builds(Piece, TEXTS), max_size=5)


@given(TEXTS, WIDTHS)
def test_a_shortened_text_fits(text: str, width: int) -> None:
    assert cell_len(shorten(text, width)) <= width
    assert cell_len(cut(text, width)) <= width


@given(TEXTS)
def test_a_text_that_fits_is_not_shortened(text: str) -> None:
    safe = sanitise(text)
    assert shorten(text, cell_len(safe)) == cut(text, cell_len(safe)) == safe


@given(TEXTS, WIDTHS)
def test_cells_have_their_width_exactly(text: str, width: int) -> None:
    assert cell_len(left(text, width).text) == width
    assert cell_len(right(text, width).text) == width


@given(PIECES, WIDTHS)
@example([Piece("aab/\u202e損"), Piece("a")], 12)
def test_padded_pieces_have_their_width_exactly(pieces: list[Piece], width: int) -> None:
    assert width_of(padded(pieces, width)) == width


@given(PIECES, st.integers(0, 12), st.integers(12, 60))
def test_the_start_of_a_line_gives_way_to_its_end(
    start: list[Piece], end_width: int, width: int
) -> None:
    end = Piece("e" * end_width, "bad")
    line = spread(start, [end], width)
    assert line[-1] == end
    assert width_of(line) == width


@pytest.mark.parametrize("name", NAMES)
def test_names_fit_any_column(name: str) -> None:
    for width in range(1, 61):
        assert cell_len(left(name, width).text) == width
        assert cell_len(right(name, width).text) == width


def test_a_name_is_cut_in_its_middle_and_keeps_both_ends() -> None:
    assert shorten("model/dense_12/MatMul/ReadVariableOp:0", 15) == "model/d…bleOp:0"


def test_a_shortened_text_has_no_blank_before_the_dots() -> None:
    assert " …" not in shorten("one two three four five six", 12)
    assert " …" not in cut("one two three four five six", 9)


def test_wide_characters_are_not_cut_in_half() -> None:
    for width in range(3, 20):
        shown = shorten(WIDE * 5, width)
        assert set(shown) <= {*WIDE, "…"}
        assert width - 2 <= cell_len(shown) <= width


def test_combining_characters_stay_with_their_letter() -> None:
    for width in range(3, 20):
        for shown in (shorten(COMBINING * 9, width), cut(COMBINING * 9, width)):
            before = " "
            for character in shown:
                if unicodedata.combining(character):
                    assert before in "eon", f"{character!r} behind {before!r} in {shown!r}"
                before = character


def test_numbers_that_are_cut_show_it() -> None:
    counts = [Piece("NaN:1,185"), Piece(" "), Piece("0:3,315")]
    for width in range(1, width_of(counts)):
        shown = "".join(piece.text for piece in padded(counts, width)).rstrip()
        assert shown == "NaN:1,185" or "…" in shown, f"{shown!r} in {width}"


def test_what_is_cut_before_a_blank_is_cut_once() -> None:
    counts = [Piece("NaN 83  "), Piece("zero 3,315"), Piece("  + 2")]
    for width in range(8, 20):
        shown = "".join(piece.text for piece in padded(counts, width))
        assert shown.count("…") == 1, shown


def test_nothing_unsafe_is_left() -> None:
    for piece in padded([Piece(name) for name in NAMES], 4000):
        assert piece.text.isspace() or piece.text == sanitise(piece.text)


def test_roles_stay_with_their_texts() -> None:
    line = spread([Piece("first", "bad"), Piece("second", "dim")], [Piece("end", "accent")], 11)
    assert [(piece.text, piece.role) for piece in line] == [
        ("first", "bad"),
        ("se…", "dim"),
        ("end", "accent"),
    ]
