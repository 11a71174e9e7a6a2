"""Trees of what leads to a tensor, or from it on: bounded, level by level."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tfdbg_tui.data.flow.graph_edges import Edges
    from tfdbg_tui.data.flow.graph_nodes import Vertex

    Step = Callable[[Vertex], list[Vertex]]

FREE_STEPS = 8
"""Steps through ops without recordings on the way to one with, which cost no depth."""

MAX_LOOKED_AT = 64
"""Vertices looked at to learn whether there is such a way."""


@dataclass(slots=True)
class Branch:
    """A vertex in the tree of inputs, or of consumers."""

    vertex: Vertex
    level: int
    depth_left: int
    """Levels that may still follow."""
    free_steps: int = FREE_STEPS
    children: list[Branch] = field(default_factory=list)


def grow(root: Branch, step: Step, edges: Edges, limit: int) -> int:
    """Grow a tree level by level up to a number of vertices; how many more were in sight.

    What is met again is shown again but not followed again, so that loops end.
    """
    reach = _Reach(step, edges.is_recorded, edges.is_write)
    followed = {edges.origin(root.vertex)}
    queue = deque([root])
    grown = left_out = 0
    while queue:
        branch = queue.popleft()
        for child in _next(branch, step, reach):
            if grown == limit:
                left_out += 1
                continue
            grown += 1
            branch.children.append(child)
            origin = edges.origin(child.vertex)
            if origin not in followed:
                followed.add(origin)
                queue.append(child)
    return left_out


def _next(branch: Branch, step: Step, reach: _Reach) -> list[Branch]:
    """The vertices that follow one, as far as its depth goes or a recording is in reach."""
    level, left, free = branch.level + 1, branch.depth_left, branch.free_steps
    if reach.is_write(branch.vertex):
        # What a variable was written from is shown, but not where that came from in its turn.
        written = [vertex for vertex in step(branch.vertex) if reach.leads_to_recording(vertex)]
        return [Branch(vertex, level, 0, 0) for vertex in written]
    is_free = level > 1 and free > 0 and reach.leads_on(branch.vertex)
    if left <= 0 and not is_free:
        return []
    vertices = step(branch.vertex)
    if left <= 0:
        vertices = [vertex for vertex in vertices if reach.leads_to_recording(vertex)]
    if is_free:
        return [Branch(vertex, level, left, free - 1) for vertex in vertices]
    return [Branch(vertex, level, left - 1, free) for vertex in vertices]


class _Reach:
    """Where there are recordings within a few steps through ops that have none."""

    def __init__(
        self,
        step: Step,
        is_recorded: Callable[[Vertex], bool],
        is_write: Callable[[Vertex], bool],
    ) -> None:
        self.is_write = is_write
        self._step = step
        self._is_recorded = is_recorded
        self._known: dict[Vertex, bool] = {}

    def leads_on(self, vertex: Vertex) -> bool:
        """Whether a vertex has no recordings itself but leads to one that has."""
        return not self._is_recorded(vertex) and self.leads_to_recording(vertex)

    def leads_to_recording(self, vertex: Vertex) -> bool:
        """Whether a vertex, or one in reach of it, has recordings."""
        if vertex not in self._known:
            self._known[vertex] = self._search(vertex)
        return self._known[vertex]

    def _search(self, vertex: Vertex) -> bool:
        seen, frontier = {vertex}, [vertex]
        for _ in range(FREE_STEPS):
            if any(map(self._is_recorded, frontier)):
                return True
            following = (following for found in frontier for following in self._step(found))
            frontier = [found for found in dict.fromkeys(following) if found not in seen]
            frontier = frontier[: MAX_LOOKED_AT - len(seen)]
            seen.update(frontier)
        return any(map(self._is_recorded, frontier))


def children_first(branch: Branch) -> Iterator[Branch]:
    """The vertices of a tree, each behind those that it leads to."""
    for child in branch.children:
        yield from children_first(child)
        yield child


def parents_first(branch: Branch) -> Iterator[Branch]:
    """The vertices of a tree, each before those that it leads to."""
    for child in branch.children:
        yield child
        yield from parents_first(child)
