"""Numbers, times, shapes and bad numbers as short texts, for lines on a screen and on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.records.health import Bad

if TYPE_CHECKING:
    from tfdbg_tui.data.records.health import Health

COUNTED = (
    ("nan", "NaN"),
    ("neg_inf", "-inf"),
    ("pos_inf", "+inf"),
    ("zero", "zero"),
    ("negative", "-"),
    ("positive", "+"),
)
"""The counts of a health and their short names, the bad ones first."""

MINUTE, HOUR = 60, 3600


def elapsed(seconds: float, width: int = 99) -> str:
    """A time since the start, told to milliseconds where there is room for them."""
    exact = _elapsed(seconds)
    return exact if len(exact) <= width else exact.rpartition(".")[0] or exact


def _elapsed(seconds: float) -> str:
    if seconds < 0 or seconds != seconds or seconds > 1e9:
        return "?"
    # Rounded before it is split up, or 59.9999 s would be sixty seconds.
    thousandths = round(seconds * 1000)
    if thousandths < MINUTE * 1000:
        return f"{thousandths / 1000:.3f}s"
    if thousandths < HOUR * 1000:
        minutes, thousandths = divmod(thousandths, MINUTE * 1000)
        return f"{minutes}:{thousandths / 1000:06.3f}"
    minutes, hundredths = divmod(round(seconds * 100), MINUTE * 100)
    return f"{minutes // 60}:{minutes % 60:02}:{hundredths / 100:05.2f}"


def compact(number: int) -> str:
    """A number in at most six cells, the larger the rougher."""
    if number < 100_000:
        return f"{number:,}"
    for unit, sign in ((10**3, "k"), (10**6, "M"), (10**9, "G")):
        if number < 1000 * unit:
            return f"{number / unit:.3g}{sign}" if number < 999.5 * unit else f"999{sign}"
    return f"{number:.1e}"


def extent(health: Health | None) -> str:
    """Shape or, where it is not told, rank and size."""
    if health is None:
        return ""
    if health.shape is not None:
        return "×".join("…" if n is None else f"{n}" for n in health.shape) or "scalar"
    parts = [] if health.rank is None else [f"{health.rank}D"]
    parts += [] if health.size is None else [compact(health.size)]
    return " ".join(parts)


def bad_words(bad: Bad) -> str:
    """Which bad numbers, where no counts are told."""
    if bad & Bad.UNTOLD:
        return "NaN or inf"
    both = Bad.NEG_INF | Bad.POS_INF
    if bad & both == both:
        return "NaN ±inf" if bad & Bad.NAN else "±inf"
    names = ((Bad.NAN, "NaN"), (Bad.NEG_INF, "-inf"), (Bad.POS_INF, "+inf"))
    return " ".join(name for flag, name in names if bad & flag)


def count_words(health: Health | None, bad: Bad) -> str:
    """The counts of a tensor's numbers, the bad ones first; which are bad where none is told."""
    numbers = [(name, getattr(health, field)) for field, name in COUNTED] if health else []
    told = [f"{name} {number:,}" for name, number in numbers if number]
    is_told = any(number for _, number in numbers[:3])
    return "  ".join(told if is_told or not bad else [bad_words(bad), *told])
