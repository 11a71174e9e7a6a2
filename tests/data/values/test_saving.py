"""Values as files and as text: what can be read back, and what is never written over."""

from __future__ import annotations

import csv
import struct
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.support.held_values import held
from tfdbg_tui.data.values import saving, statistics
from tfdbg_tui.data.values.colouring import ABOVE, BELOW, INFINITE, NAN, ZERO, colours_of
from tfdbg_tui.data.values.formatting import Notation, NumberFormat, widths
from tfdbg_tui.data.values.new_files import FileThereError
from tfdbg_tui.data.values.saving import SavingJob, save
from tfdbg_tui.data.values.slices import parse_slice
from tfdbg_tui.data.values.value_error import ValueQueryError

if TYPE_CHECKING:
    from pathlib import Path

ARRAYS: dict[str, Any] = {
    "vector": np.array([1.5, np.nan, -np.inf], np.float32),
    "cube": np.arange(60, dtype=np.int16).reshape(3, 4, 5),
    "scalar": np.array(7.0),
    "half": np.array([[1, 2.5]], np.float16),
    "complex": np.array([1 + 2j, complex(np.nan, -1)]),
    "bool": np.array([[True], [False]]),
    "empty": np.empty((0, 3), np.float64),
}


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "PIECE", 7)


def saved(values: Any, path: Path, part: str = "", **more: Any) -> Path:
    value = held(values, **more)
    save(value, parse_slice(part).on(value.shape), path)
    return path


@pytest.mark.parametrize("name", ARRAYS)
def test_npy_is_what_numpy_loads(name: str, tmp_path: Path) -> None:
    found = np.load(saved(ARRAYS[name], tmp_path / "value.npy"))
    assert found.dtype == ARRAYS[name].dtype
    np.testing.assert_array_equal(found, ARRAYS[name])


def test_a_part_is_saved_as_it_is_selected(tmp_path: Path) -> None:
    found = np.load(saved(ARRAYS["cube"], tmp_path / "part.npy", "[::-1, 1:, -1]"))
    np.testing.assert_array_equal(found, ARRAYS["cube"][::-1, 1:, -1])


def test_csv_has_a_line_for_each_row(tmp_path: Path) -> None:
    table = np.arange(20.0).reshape(4, 5) / 3
    found = np.loadtxt(saved(table, tmp_path / "table.csv"), delimiter=",")
    np.testing.assert_array_equal(found, table)
    lines = saved(ARRAYS["vector"], tmp_path / "vector.csv").read_text().splitlines()
    assert lines == ["1.5", "nan", "-inf"]
    rows = saved(ARRAYS["cube"], tmp_path / "cube.csv").read_text().splitlines()
    assert len(rows) == 12
    assert rows[5] == "1,1,25,26,27,28,29"
    assert saved(ARRAYS["complex"], tmp_path / "c.csv").read_text() == "1+2j\nnan-1j\n"
    assert saved(np.float32(0.1), tmp_path / "one.csv").read_text() == "0.1\n"
    assert saved(ARRAYS["empty"], tmp_path / "none.csv").read_text() == ""


def test_strings_are_quoted(tmp_path: Path) -> None:
    strings = [b"plain", b'a "b", c', b"two\nlines", b"\xff\0", "é".encode()]
    path = saved(strings, tmp_path / "strings.csv", dtype=object)
    with path.open(encoding="utf-8", newline="") as file:
        found = [text for (text,) in csv.reader(file)]
    assert found == ["plain", 'a "b", c', "two\nlines", "\\xff\\0", "é"]
    with pytest.raises(ValueQueryError, match=r"as \.csv"):
        saved(strings, tmp_path / "strings.npy", dtype=object)


def pixels(path: Path) -> np.ndarray:
    """The picture, read back as the format says."""
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    place, packed, size = 8, b"", (0, 0)
    while place < len(content):
        (length,) = struct.unpack_from(">I", content, place)
        name, body = content[place + 4 : place + 8], content[place + 8 : place + 8 + length]
        (checksum,) = struct.unpack_from(">I", content, place + 8 + length)
        assert checksum == zlib.crc32(name + body)
        if name == b"IHDR":
            size = struct.unpack_from(">II", body)
            assert body[8:] == bytes((8, 2, 0, 0, 0))
        packed += body if name == b"IDAT" else b""
        place += 12 + length
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(size[1], -1)
    assert not lines[:, 0].any()
    return lines[:, 1:].reshape(size[1], size[0], 3)


def test_a_picture_has_a_colour_for_each_element(tmp_path: Path) -> None:
    table = np.array([[-2.0, 0.0, 2.0, 1.0], [np.nan, np.inf, -np.inf, -2.0]], np.float32)
    found = pixels(saved(table, tmp_path / "table.png"))
    assert found.shape == (256, 512, 3)
    first, second = found[0, ::128].tolist(), found[-1, ::128].tolist()
    assert [tuple(colour) for colour in first[:3]] == [BELOW, ZERO, ABOVE]
    assert [tuple(c) for c in second] == [NAN, INFINITE, INFINITE, BELOW]
    assert pixels(saved(table[0], tmp_path / "vector.png")).shape == (128, 512, 3)
    assert pixels(saved(ARRAYS["bool"], tmp_path / "bool.png")).shape == (512, 256, 3)
    assert colours_of(np.array([0.5]), 1.0).shape == (1, 3)


def test_a_picture_is_streamed_like_all_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "PIECE", 100)
    monkeypatch.setattr(statistics, "SLICE_SECONDS", -1.0)
    table = np.random.default_rng(1).normal(size=(600, 30))
    assert pixels(saved(table, tmp_path / "tall.png")).shape == (600, 30, 3)


@pytest.mark.parametrize(
    ("values", "name", "why"),
    [
        (ARRAYS["cube"], "cube.png", "choose two by a slice"),
        (np.zeros((1, 1 << 14)), "wide.png", "8,192"),
        (ARRAYS["empty"], "none.png", "0 x 3"),
        (np.zeros(3), "value.txt", r"\.npy, \.csv or \.png"),
        (np.zeros(3), "value", r"\.npy, \.csv or \.png"),
        (np.zeros(3), "no/such/folder/value.npy", "no such file"),
        (np.zeros(3), "a\0b.npy", "cannot be written"),
        (np.zeros(3), "x" * 300 + ".npy", "too long"),
    ],
)
def test_what_cannot_be_saved_is_told(values: Any, name: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(ValueQueryError, match=why):
        saved(values, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_more_than_any_disk_holds_is_not_begun(tmp_path: Path) -> None:
    with pytest.raises(ValueQueryError, match="more than are saved"):
        saved([1.0], tmp_path / "value.npy", size=1 << 40)
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_there_is_replaced_only_if_told(tmp_path: Path) -> None:
    path, value = tmp_path / "value.npy", held([1.0, 2.0])
    path.write_text("precious")
    with pytest.raises(FileThereError, match="exists already"):
        save(value, value.whole, path)
    assert path.read_text() == "precious"
    save(value, value.whole, path, replace=True)
    assert np.load(path).tolist() == [1, 2]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("replace", [False, True])
def test_nothing_is_written_through_a_link_or_over_a_folder(tmp_path: Path, replace: bool) -> None:
    precious, link, value = tmp_path / "precious", tmp_path / "link.npy", held([1.0])
    precious.write_text("precious")
    link.symlink_to(precious)
    (tmp_path / "dangling.npy").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder.npy").mkdir()
    for name in ("link.npy", "dangling.npy"):
        with pytest.raises(ValueQueryError, match="symbolic link"):
            save(value, value.whole, tmp_path / name, replace)
    with pytest.raises(ValueQueryError, match="no file"):
        save(value, value.whole, tmp_path / "folder.npy", replace)
    assert precious.read_text() == "precious"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("replace", [False, True])
def test_half_a_file_is_taken_away_again(tmp_path: Path, replace: bool) -> None:
    path, value = tmp_path / "value.npy", held(np.zeros(1000))
    if replace:
        path.write_text("precious")
    job = SavingJob(value, value.whole, path, replace)
    assert len(list(tmp_path.iterdir())) == 1 + replace
    job.stop()
    assert [file.read_text() for file in tmp_path.iterdir()] == ["precious"] * replace


# ---------------------------------------------------------------------- as text


def test_numbers_in_a_precision() -> None:
    short = NumberFormat()
    plain, scientific = (NumberFormat(2, n) for n in (Notation.PLAIN, Notation.SCIENTIFIC))
    for number, texts in {
        3.14159: ("3.142", "3.14", "3.14e+00"),
        -1234567.0: ("-1.235e+06", "-1234567.00", "-1.23e+06"),
        float("nan"): ("nan", "nan", "nan"),
        float("-inf"): ("-inf", "-inf", "-inf"),
        1e300: ("1e+300", "1.00e+300", "1.00e+300"),
        0.0: ("0", "0.00", "0.00e+00"),
        7: ("7", "7", "7"),
        True: ("True", "True", "True"),
        1.5 - 2j: ("1.5-2j", "1.50-2.00j", "1.50e+00-2.00e+00j"),
    }.items():
        assert (short.text(number), plain.text(number), scientific.text(number)) == texts
    assert short.text(b"a\x1b\n\xff") == "'a\\x1b\\n\\xff'"
    assert len(short.text(b"x" * 10_000)) < 250
    assert short.texts(np.array([[1.0, 2.5]], np.float32)) == ["1", "2.5"]
    assert (short.adjusted(-9).precision, short.adjusted(99).precision) == (1, 17)
    assert Notation.SCIENTIFIC.following is Notation.SHORT
    assert widths([["1", "-2.5"], []], least=2) == [4, 2]
