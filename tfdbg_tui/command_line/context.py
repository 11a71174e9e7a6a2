"""What a command is asked about: a run, maybe one of its hosts, and what is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.search.named_filters import NamedFilters

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.live.snapshot import Snapshot
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.views.found_causes import FoundCauses


class Context:
    """The run that is looked at, and the work that commands may ask for.

    That work is done a slice at a time where the command is worked on: in the app, in the feed's
    thread, which does it anyway and has mostly done it.
    """

    def __init__(
        self,
        logdir: str,
        run: RunIndex,
        observe: Callable[[], Snapshot],
        host: int | None = None,
        chosen: EventRef | None = None,
        filters: NamedFilters | None = None,
        found: FoundCauses | None = None,
        settings: Callable[[], tuple[tuple[str, str], ...]] | None = None,
    ) -> None:
        self.logdir = logdir
        self.run = run
        self.observe = observe
        """What is known of the logdir, for the doctor."""
        self.host = host
        """The host that is looked at; None for all."""
        self.chosen = chosen
        """The event that is chosen in the app."""
        self.filters = filters or NamedFilters()
        self.found = found
        """What is known of causes; made when it is asked for."""
        self.settings = settings
        """The settings of the app, by their names; None without an app."""

    @property
    def hosts(self) -> dict[int, HostIndex]:
        """The hosts that lists are about, by their numbers."""
        hosts = dict(enumerate(self.run.hosts))
        return hosts if self.host is None else {self.host: hosts[self.host]}

    def with_steps(self) -> Generator[None, None, None]:
        """Have steps counted, and traces joined with their calls."""
        while self.run.extend_steps():
            yield

    def with_lines(self) -> Generator[None, None, None]:
        """Have everything indexed, the lines of sources, too."""
        while self.run.extend():
            yield

    def with_causes(self) -> Generator[None, None, FoundCauses]:
        """Have all causes found."""
        yield from self.with_steps()
        if self.found is None:
            from tfdbg_tui.data.views.found_causes import FoundCauses

            self.found = FoundCauses()
            self.found.open(self.run)
        job = self.found.job
        while job is not None and job.extend():
            yield
        return self.found
