"""The cause of a program is the same in whatever order its parallel ops were written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.data.cause.test_programs import first_in, found_in
from tests.support.reordering import reordered

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library

PROGRAMS = (
    "cause_cold_at_forty",
    "cause_initialised_with_log",
    "cause_negative_price",
    "cause_weights_of_colleague",
    "cause_written_over_lines",
    "judged_inverse_variance_weights",
    "judged_mask_by_product",
    "judged_percentage_error",
    "judged_two_heads",
    "judged_unit_vectors",
    "judged_vae",
)


def told(logdir: Path) -> tuple[str, str | None, int | None, str]:
    cause = first_in(logdir)
    location = cause.origin.location
    return cause.rule, cause.origin.op_type, location and location.line, cause.reach


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_cause_does_not_depend_on_the_order_of_parallel_ops(
    library: Library, tmp_path: Path, name: str
) -> None:
    recorded = library.path(name)
    expected = told(recorded)
    for seed in range(2):
        assert told(reordered(recorded, tmp_path / str(seed), seed)) == expected


def test_what_is_meant_is_no_cause_though_what_took_it_was_written_before(
    library: Library, tmp_path: Path
) -> None:
    recorded = library.path("judged_nearest_prototypes")
    for seed in range(4):
        causes = found_in(reordered(recorded, tmp_path / str(seed), seed, farthest=40.0))
        assert (causes.ranked, causes.on_purpose) == ((), 20)
