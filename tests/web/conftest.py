"""Worker processes for the length of a test."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest


@pytest.fixture
def with_workers() -> Callable[..., Any]:
    """Gives what ``work`` gives when it has ``count`` workers in which ``target`` runs; further words are limits."""
    from solvepic.web.limits import Limits  # noqa: PLC0415  (tests of the page alone need it)
    from solvepic.web.workers import Target, Worker, Workers  # noqa: PLC0415

    def run(
        work: Callable[[Workers], Awaitable[Any]],
        target: Target,
        count: int = 1,
        lost: Callable[[Worker], None] | None = None,
        **limits: Any,
    ) -> Any:
        async def main() -> Any:
            workers = Workers(count, Limits(**limits), lost, target)
            workers.start()
            try:
                return await work(workers)
            finally:
                await workers.close()

        return asyncio.run(main())

    return run
