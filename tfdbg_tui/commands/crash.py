"""A failure that nobody thought of: one sentence for the user, the details in a file."""

from __future__ import annotations

NO_MEMORY = "there is not enough memory for it; nothing recorded was touched."


def sentence_on(crash: BaseException) -> str:
    """What to say of a bug; its traceback is kept in a file, for a screen it is too long."""
    if isinstance(crash, MemoryError):
        return NO_MEMORY
    said = "a bug ended it; nothing recorded was touched."
    try:
        return f"{said} Details are in {_keep(crash)}"
    except (OSError, MemoryError, RecursionError):
        return f"{said} It was {type(crash).__name__}, and the details could not be kept."


def _keep(crash: BaseException) -> str:
    import tempfile  # hardly ever needed
    import traceback

    with tempfile.NamedTemporaryFile(
        "w", prefix="tfdbg-tui-", suffix=".log", delete=False, encoding="utf-8", errors="replace"
    ) as log:
        log.write("".join(traceback.format_exception(crash)))
    return log.name
