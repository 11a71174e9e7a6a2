"""Asking why, told by the session alone: which cause is meant, and what its page says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.sessions import opened
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.asking_why import NOTHING_BAD
from tfdbg_tui.data.views.why_page import Part, WhyPage

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.screens.session.session import Session


def page_of(session: Session) -> WhyPage:
    page = session.asking_why.page()
    assert isinstance(page, WhyPage), page
    return page


def texts(page: WhyPage, part: Part) -> list[str]:
    return [line.text for line in page.lines if line.part is part]


def below(page: WhyPage, heading: str) -> list[str]:
    """The lines of the section that begins with a heading."""
    starts = [n for n, line in enumerate(page.lines) if line.text.startswith(heading)]
    rest = page.lines[starts[0] + 1 :]
    end = next((n for n, line in enumerate(rest) if line.part is Part.BLANK), len(rest))
    return [line.text for line in rest[:end]]


def test_the_verdict_the_line_the_numbers_the_cure_and_what_came_of_it(frozen: Path) -> None:
    session = opened(frozen)
    session.go_to_first_bad()
    page = page_of(session)
    (verdict,) = texts(page, Part.VERDICT)
    assert verdict.startswith("Log took 1,312 zeros of Softmax and made -inf in 1,312 of 5,000")
    assert texts(page, Part.GUILTY) == ["    diff = -labels * tf.math.log(probs)"]
    assert texts(page, Part.CODE)[:2] == ["@tf.function", "def loss(probs, labels):"]
    assert below(page, "The numbers")[:2] == ["Softmax", "Log"]
    assert texts(page, Part.CURE)[0] == "tf.math.log(tf.maximum(probs, 1e-7))"
    assert below(page, "From there on")[:3] == ["Log", "mul", "Mean"]
    reach = below(page, "How far it came")
    assert "weights and bias are bad from then on." in reach
    assert "The loss turned NaN in step 7." in reach
    led = [line for line in page.lines if line.lead.startswith("step ")]
    assert [line.lead for line in led] == [f"step {step}" for step in range(2, 7)]


def test_from_a_follower_the_chain_leads_to_what_was_asked_about(frozen: Path) -> None:
    session = opened(frozen)
    index = session.navigator.index
    assert index is not None
    last_bad = int(index.host.traces.bad_events[-1])
    session.navigator.select_trace(last_bad)
    page = page_of(session)
    chain = [line for line in page.lines if line.follows]
    assert chain
    assert chain[-1].link is not None
    assert chain[-1].link[1:3] == (EventKind.TRACE, last_bad)
    first = next(line for line in page.lines if line.part is Part.TENSOR and line.lead == "1")
    assert first.text == "Log"


def test_a_run_without_bad_numbers_has_no_page(library: Library) -> None:
    assert opened(library.path("healthy")).asking_why.page() == NOTHING_BAD


def test_from_what_is_clean_the_worst_cause_is_told(frozen: Path) -> None:
    session = opened(frozen)
    session.navigator.select_trace(0)
    assert texts(page_of(session), Part.VERDICT)[0].startswith("Log took 1,312 zeros")


def test_the_causes_are_walked_the_worst_first(library: Library) -> None:
    session = opened(library.path("full_health"))
    session.go_to_first_bad()
    first = page_of(session)
    causes = session.navigator.causes.ranked
    assert first.title == f"cause 1 of {len(causes)}"
    pages = [first]
    while (page := session.asking_why.walk(1)) is not None:
        pages.append(page)
    assert [page.title for page in pages] == [
        f"cause {number} of {len(causes)}" for number in range(1, len(causes) + 1)
    ]
    assert session.asking_why.walk(-1) == pages[-2]


def test_what_is_on_purpose_is_told_apart(library: Library) -> None:
    session = opened(library.path("masked"))
    page = page_of(session)
    assert page.title == "on purpose"
    on_purpose = below(page, "On purpose: 20 tensors")
    assert "SelectV2/e holds -inf on purpose at data.py:67" in on_purpose


def test_modes_that_tell_less_say_what_they_do_not_tell(library: Library) -> None:
    session = opened(library.path("concise_health"))
    session.go_to_first_bad()
    assert any(
        "does not count zeros and signs" in text for text in texts(page_of(session), Part.TEXT)
    )
