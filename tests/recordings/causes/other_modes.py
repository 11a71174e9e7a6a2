"""Programs recorded with more than their health, and with less: what can still be said then."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.recordings.causes.program import any_of
from tests.recordings.causes.truth_of_functions import OF_FUNCTIONS
from tests.recordings.causes.truth_of_infinities import OF_INFINITIES
from tests.recordings.causes.truth_of_programs import OF_PROGRAMS

if TYPE_CHECKING:
    from tests.recordings.causes.program import Program, Words

IN_FULL_HEALTH: tuple[Program, ...] = (*OF_FUNCTIONS, *OF_INFINITIES, *OF_PROGRAMS)

_BY_NAME = {program.name: program for program in IN_FULL_HEALTH}


def _again(name: str, mode: str, note: str, rule: Words | None = None) -> Program:
    """The same program in another mode."""
    known = _BY_NAME[name]
    return replace(
        known,
        name=f"{name}_{mode.lower()}",
        mode=mode,
        note=f"{known.note} {note}",
        rule=known.rule if rule is None else rule,
    )


_ROW = "The row is recorded."
_CERTAIN = "Only this gives such a result from finite numbers, so it needs no count of zeros."
_FLAGS = "Only that something is bad is recorded, not what: whether it was this cannot be known."

IN_OTHER_MODES: tuple[Program, ...] = (
    _again("row_of_step_seven", "FULL_TENSOR", _ROW),
    _again("pipeline_of_readings", "FULL_TENSOR", _ROW),
    _again("cancelled_variance", "FULL_TENSOR", "The number below zero is recorded."),
    _again("own_softmax", "FULL_TENSOR", "The range of the logits is recorded."),
    _again("where_trap", "FULL_TENSOR", ""),
    _again("saturated_classifier", "CONCISE_HEALTH", _CERTAIN),
    _again("padded_cosine", "CONCISE_HEALTH", _CERTAIN),
    _again("identical_pair", "CONCISE_HEALTH", ""),
    _again(
        "cold_at_forty",
        "CONCISE_HEALTH",
        "Whether the divisor was 0 or tiny is not recorded.",
        any_of("division_by_zero", "overflow", "unknown"),
    ),
    _again("negative_price", "CURT_HEALTH", _FLAGS, any_of("log_of_negative", "unknown")),
    _again("clipped_by_hand", "CURT_HEALTH", _FLAGS, any_of("division_by_zero", "unknown")),
    _again("empty_sentence", "CURT_HEALTH", _FLAGS, any_of("softmax_of_inf", "unknown")),
    _again("weights_of_colleague", "CURT_HEALTH", "An assignment needs no numbers."),
)
