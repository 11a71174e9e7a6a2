"""Stacks as rows: whose code a frame is in, which one to show, and what is folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.recordings.fabricate import split
from tests.support.navigating import Stages
from tests.support.reading import hosts_of, load
from tfdbg_tui.data.index.stacks import (
    Fold,
    FrameKind,
    StackFrame,
    Stacks,
    chosen_frame,
    folded,
    frames_of,
)
from tfdbg_tui.data.stores.sources import user_frame

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.graph import Op
    from tfdbg_tui.data.stores.host import Host

USER, LIBRARY, OPEN = FrameKind.USER, FrameKind.LIBRARY, FrameKind.OPEN


def read(path: Path) -> Host:
    (host,) = hosts_of(load(path))
    return host


def op_named(host: Host, graph_name: str, op_name: str) -> Op:
    (op,) = (
        graph.ops[op_name]
        for graph in host.graphs.by_id.values()
        if graph.name == graph_name and op_name in graph.ops
    )
    return op


def keep_records(logdir: Path, suffix: str, count: int) -> None:
    """Cut a file behind some records, as if the others were not on disk yet."""
    (path,) = logdir.glob(f"*.{suffix}")
    end = split(path)[count][0]
    path.write_bytes(path.read_bytes()[:end])


def stack(*kinds: FrameKind, files: tuple[int | None, ...] | None = None) -> list[StackFrame]:
    numbers = files or tuple(range(len(kinds)))
    return [
        StackFrame(f"id{place}", "f", "p.py", file, 10 + place, kind, place)
        for place, (kind, file) in enumerate(zip(kinds, numbers, strict=True))
    ]


def test_frames_are_listed_innermost_first(library: Library) -> None:
    host = read(library.path("full_health"))
    op = op_named(host, "loss", "Log")
    frames = frames_of(host, op.stack)
    assert [frame.id for frame in frames] == list(reversed(op.stack))
    assert [frame.depth for frame in frames] == list(range(len(op.stack)))
    assert [frame.function for frame in frames if frame.kind is USER][-1] == "<module>"
    for frame in frames:
        recorded = host.frames.by_id[frame.id]
        source = host.sources.get(recorded.file_index)
        assert source is not None
        assert frame[1:5] == (
            recorded.function, source.path, recorded.file_index, recorded.line
        )  # fmt: skip


def test_whose_code_a_frame_is_in(library: Library) -> None:
    host = read(library.path("keras_fit"))
    frames = frames_of(host, op_named(host, "one_step_on_data", "compile_loss/mse/sub").stack)
    assert {frame.kind for frame in frames} == {USER, LIBRARY}
    for frame in frames:
        assert frame.path is not None
        assert (frame.kind is USER) == ("tests/recordings/" in frame.path)


def test_the_chosen_frame_is_the_users_innermost(library: Library) -> None:
    host = read(library.path("full_health"))
    op = op_named(host, "loss", "Log")
    frames = frames_of(host, op.stack)
    place = chosen_frame(frames)
    assert place is not None
    chosen = frames[place]
    assert chosen.function == "loss"
    assert chosen.path is not None
    assert chosen.path.endswith("training.py")
    wanted = user_frame(host.frames.resolve(op.stack), host.sources)
    assert wanted is not None
    assert chosen.id == wanted.id


def test_a_frame_that_is_not_on_disk_is_open_until_it_comes(
    copy_of: Callable[[str], Path], library: Library
) -> None:
    logdir = copy_of("full_health")
    keep_records(logdir, "stack_frames", 60)
    host = read(logdir)
    stacks = [op.stack for graph in host.graphs.by_id.values() for op in graph.ops.values()]
    cut = next(s for s in stacks if {*s} - host.frames.by_id.keys() and s[0] in host.frames.by_id)
    frames = frames_of(host, cut)
    for frame in frames:
        known = frame.id in host.frames.by_id
        assert (frame.kind is OPEN) == (not known)
        assert (frame.line is None) == (not known)
        assert (frame.function is None) == (not known)
    whole = frames_of(read(library.path("full_health")), cut)
    assert OPEN not in {frame.kind for frame in whole}


def test_a_frame_whose_file_is_not_on_disk_is_open_but_tells_its_line(
    copy_of: Callable[[str], Path],
) -> None:
    logdir = copy_of("full_health")
    keep_records(logdir, "source_files", 3)
    host = read(logdir)
    frames = frames_of(host, op_named(host, "loss", "Log").stack)
    beyond = [frame for frame in frames if frame.file is not None and frame.file >= 3]
    assert beyond
    for frame in frames:
        assert (frame.kind is OPEN) == (frame in beyond)
        assert (frame.path is None) == (frame in beyond)
        assert frame.line is not None


def test_an_open_frame_is_waited_for_rather_than_a_line_outside_it_shown() -> None:
    assert chosen_frame(stack(LIBRARY, OPEN, LIBRARY, USER, USER)) == 1
    assert chosen_frame(stack(LIBRARY, USER, OPEN)) == 1


@pytest.mark.parametrize("kinds", [(), (LIBRARY, LIBRARY)])
def test_nothing_is_chosen_where_all_is_library_code(kinds: tuple[FrameKind, ...]) -> None:
    assert chosen_frame(stack(*kinds)) is None


def test_the_choice_stays_with_the_preferred_file() -> None:
    frames = stack(LIBRARY, USER, USER, LIBRARY, USER, files=(5, 1, 2, 5, 2))
    assert chosen_frame(frames, preferred_file=2) == 2
    assert chosen_frame(frames, preferred_file=5) == 0
    assert chosen_frame(frames, preferred_file=7) == 1
    assert chosen_frame(frames, preferred_file=None) == 1


def test_the_users_frames_come_first_and_the_librarys_are_one_row() -> None:
    frames = stack(LIBRARY, LIBRARY, USER, OPEN, LIBRARY, USER, LIBRARY)
    assert folded(frames, unfolded=False) == (frames[2], frames[3], frames[5], Fold(4))
    assert folded(stack(USER, OPEN), unfolded=False) == tuple(stack(USER, OPEN))


def test_frames_of_which_nothing_is_known_are_one_row() -> None:
    frames = [
        frame._replace(line=None) if frame.kind is OPEN else frame
        for frame in stack(LIBRARY, USER, OPEN, OPEN, LIBRARY, USER, OPEN)
    ]
    assert folded(frames) == (frames[1], Fold(3, is_open=True), frames[5], Fold(2))
    assert folded(frames, unfolded=True) == tuple(frames)
    assert folded(frames[1:3]) == tuple(frames[1:3])


def test_unfolded_shows_every_frame() -> None:
    frames = stack(LIBRARY, LIBRARY, USER, OPEN)
    assert folded(frames, unfolded=True) == tuple(frames)
    assert folded((), unfolded=False) == ()


def test_folding_a_real_stack_loses_nothing(library: Library) -> None:
    host = read(library.path("lstm"))
    for graph in host.graphs.by_id.values():
        for op in graph.ops.values():
            frames = frames_of(host, op.stack)
            rows = folded(frames, unfolded=False)
            counts = [row.count if isinstance(row, Fold) else 1 for row in rows]
            assert sum(counts) == len(frames)


def test_stacks_are_kept_once_they_are_whole(library: Library, tmp_path: Path) -> None:
    stages = Stages(library.path("full_health"), tmp_path / "stages")
    stages.come("metadata", "graphs", "source_files")
    (host,) = hosts_of(stages.logdir)
    stacks = Stacks(host)
    stack = op_named(host, "loss", "Log").stack
    assert {frame.kind for frame in stacks.frames(stack)} == {FrameKind.OPEN}
    stages.come("stack_frames")
    whole = stacks.frames(stack)
    assert whole == frames_of(host, stack)
    assert FrameKind.OPEN not in {frame.kind for frame in whole}
    assert stacks.frames(stack) is whole
    assert stacks.frames(()) == ()
