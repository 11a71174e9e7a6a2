"""A filter of the user's own: a function that is asked about one recorded tensor after the other.

It runs in the user's name, and may do whatever a program may; `filter_file` reads it from the one
file that the user named. What goes wrong in it is told once, and counts as False.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    Function = Callable[["FilteredTensor", npt.NDArray[Any] | None], object]


class FilteredTensor(NamedTuple):
    """One recorded tensor, as a filter gets to know it; None is what is not told.

    These names are promised to the user's functions: see `docs/api.md`.
    """

    name: str
    """With its slot: `loss/Log:0`."""
    op_name: str
    """`loss/Log`; of an eager op its type, of a call the name of the function."""
    op_type: str | None
    function: str | None
    layer: str
    """Of Keras, or a scope; empty where there is none."""
    device: str
    file: str | None
    """Of the user's line."""
    line: int | None
    step: int | None
    time: float
    """In seconds since 1970."""
    event: int
    output: int
    """Which of the tensors of its event, from 0."""
    is_eager: bool
    """Whether an eager op or a call put it out; else it was computed inside a graph."""
    is_bad: bool
    """Whether it holds a NaN or ∞."""
    dtype: str | None
    rank: int | None
    shape: tuple[int | None, ...] | None
    size: int | None
    nan: int | None
    pos_inf: int | None
    neg_inf: int | None
    zero: int | None
    negative: int | None
    positive: int | None


class UserFilter:
    """One function; for the thread that asks it, and any may take its complaints."""

    def __init__(self, name: str, function: Function, file: str = "", line: int = 0) -> None:
        self.name = name
        self._function = function
        self._file = file
        self._line = line
        self.trouble = ""
        """What went wrong first."""
        self._complaints: list[str] = []
        self._has_raised = self._gave_other = False

    @property
    def place(self) -> str:
        """Where the function stands."""
        return f"{self._file}:{self._line}" if self._file else self.name

    def holds(self, tensor: FilteredTensor, value: npt.NDArray[Any] | None) -> bool:
        """What the function says; what is no answer counts as False."""
        try:
            answer = self._function(tensor, value)
        except (Exception, SystemExit) as error:
            self._note_raised(error)
            return False
        if isinstance(answer, (bool, np.bool_)):
            return bool(answer)
        if not self._gave_other:
            self._gave_other = True
            given = type(answer).__name__
            self._complain(self._line, f"{self.name} gave {_article(given)}, not a bool")
        return False

    def take_complaints(self) -> tuple[str, ...]:
        """Sentences about what went wrong for the first time since they were taken last."""
        told, self._complaints = tuple(self._complaints), []
        return told

    def _note_raised(self, error: BaseException) -> None:
        if self._has_raised:
            return
        self._has_raised = True
        line = line_in(self._file, error) or self._line
        self._complain(line, f"{self.name} raised {described(error)}")

    def _complain(self, line: int, what: str) -> None:
        where = f"{self._file}, line {line}: " if self._file else ""
        sentence = f"{where}{what}; that counts as False."
        self.trouble = self.trouble or sentence
        self._complaints.append(sentence)


def line_in(file: str, error: BaseException) -> int | None:
    """The innermost line of a file that an error came through."""
    found, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            found = trace.tb_lineno
        trace = trace.tb_next
    return found


def described(error: BaseException) -> str:
    """An error in one line; its own words may fail as well."""
    name = type(error).__name__
    try:
        words = " ".join(str(error).split())
    except Exception:
        words = ""
    return f"{name}: {words}" if words else name


def _article(name: str) -> str:
    if name == "NoneType":
        return "None"
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"
