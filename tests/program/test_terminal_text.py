"""What a program writes to its terminal, as lines."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfdbg_tui.program.terminal_text import MAX_LINE_LENGTH, OutputText


def lines(*written: bytes, max_lines: int = 100) -> list[str]:
    text = OutputText(max_lines)
    for part in written:
        text.write(part)
    return list(text.lines())


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (b"one\r\ntwo\r\n", ["one", "two", ""]),
        (b"10%\r20%\r\n", ["20%", ""]),
        (b"long line\rshort\x1b[K\n", ["short", ""]),
        (b"1/2\x08\x08\x082/2", ["2/2"]),
        (b"\x1b[1;32mgreen\x1b[0m \x1b[4mline\x1b[24m", ["green line"]),
        (b"a\tb", ["a       b"]),
        (b"one\ntwo\n\x1b[2Abar\r\n", ["bar", "two", ""]),
        (b"\x1b]0;title\x07text\x1b]52;c;ZXZpbA==\x1b\\", ["text"]),
        (b"\x1b(Btext\x1b=", ["text"]),
        (b"bell\x07 and nul\x00", ["bell and nul"]),
        ("größe 損失".encode(), ["größe 損失"]),
        (b"\xff\xfe", ["\ufffd\ufffd"]),
        (b"", [""]),
    ],
)
def test_lines_are_what_a_terminal_would_show(written: bytes, expected: list[str]) -> None:
    assert lines(written) == expected


@given(st.data())
def test_where_the_writing_is_cut_makes_no_difference(data: st.DataObject) -> None:
    parts = st.sampled_from(
        [
            "abc",
            "\r",
            "\n",
            "\b",
            "\x1b[K",
            "\x1b[31m",
            "\x1b[2A",
            "\x1b]0;t\x07",
            "ü",
            "\t",
            "\x1b[3D",
        ]
    )
    whole = "".join(data.draw(st.lists(parts, max_size=30))).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=5)))
    pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert lines(*pieces) == lines(whole)


@given(
    st.lists(
        st.sampled_from(
            [
                "ab",
                "c",
                "\r",
                "\n\r",
                "\b",
                "\x1b[K",
                "\x1b[1K",
                "\x1b[2K",
                "\x1b[C",
                "\x1b[2D",
                "\x1b[5G",
                "\x1b[A",
            ]
        )
    )
)
def test_it_agrees_with_a_terminal(parts: list[str]) -> None:
    screen = pyte.Screen(200, 100)
    pyte.Stream(screen).feed("".join(parts))
    shown = [line.rstrip() for line in screen.display]
    ours = [line.rstrip() for line in lines("".join(parts).encode())]
    assert ours == shown[: len(ours)]
    assert not any(shown[len(ours) :])


@given(st.binary(max_size=300))
def test_nothing_it_is_given_harms_it(written: bytes) -> None:
    for line in lines(written):
        assert len(line) <= MAX_LINE_LENGTH
        assert "\x1b" not in line


def test_only_the_last_lines_are_kept() -> None:
    text = OutputText(max_lines=10)
    for number in range(1000):
        text.write(f"{number}\n".encode())
    assert text.lines() == (*(str(number) for number in range(991, 1000)), "")
    assert len(text._lines) <= 20


def test_a_line_without_end_is_broken() -> None:
    found = lines(b"x" * (3 * MAX_LINE_LENGTH + 5))
    assert [len(line) for line in found] == [MAX_LINE_LENGTH] * 3 + [5]
