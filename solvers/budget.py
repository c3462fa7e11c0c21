"""How much searching a caller is willing to pay for.

Nodes are the same on every machine, so budgets and regression tests count nodes; a deadline only guards against
surprises. (Knuth counts memory accesses, "mems", for the same reason.)
"""

import time
from dataclasses import dataclass, field


class BudgetSpentError(Exception):
    """The search used up its nodes or its time before it was done."""


@dataclass
class Budget:
    """A purse of search nodes with an optional deadline.

    Attributes:
        nodes: nodes that may still be spent; None for no limit.
        seconds: time from now that may pass; None for no limit.
        spent: nodes spent so far.
        parent: the purse that this one is a share of; what is spent here is spent there too.
    """

    nodes: int | None = None
    seconds: float | None = None
    spent: int = 0
    parent: "Budget | None" = field(default=None, repr=False)
    _deadline: float | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Start the clock."""
        self._deadline = None if self.seconds is None else time.monotonic() + self.seconds

    def spend(self, nodes: int = 1) -> None:
        """Pay for ``nodes`` more nodes.

        An engine may pay in instalments (say every 256 nodes) to keep its inner loop free of clock readings.

        Raises:
            BudgetSpentError: nodes or time are used up.
        """
        self.spent += nodes
        if self.parent is not None:
            self.parent.spend(nodes)
        if self.nodes is not None and self.spent > self.nodes:
            raise BudgetSpentError(f"gave up after {self.nodes} search nodes")
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise BudgetSpentError(f"gave up after {self.seconds:g} s")

    def share(self, part: float) -> "Budget":
        """A purse with ``part`` (0..1) of the time that is left; what it spends is spent here as well."""
        left = self.seconds_left()
        return Budget(seconds=None if left is None else left * part, parent=self)

    def seconds_left(self) -> float | None:
        """Time left before the deadline, at least 0; None without one."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
