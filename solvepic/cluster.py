"""A batch on a Dask cluster: the same plain function on other machines.

Dask runs the work of a lost worker again elsewhere; writing is atomic and a record is kept only once, so nothing is
lost and nothing counts twice. The workers need solvepic installed and the pictures under the same paths.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from solvepic.batch import Submit, on, work
from solvepic.errors import UsageError
from solvers.kind import Record


@contextmanager
def cluster(address: str) -> Iterator[Submit[Record]]:
    """Hand jobs to the cluster whose scheduler listens at ``address``.

    Raises:
        UsageError: Dask is not installed, or nobody answers there.
    """
    try:
        import distributed  # noqa: PLC0415  (an extra)
    except ImportError:
        raise UsageError("--dask needs an extra: pip install 'solvepic[dask]'") from None
    try:
        connect: Any = distributed.Client  # untyped
        client = connect(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise UsageError(f"--dask {address}: no Dask scheduler answers there ({error})") from None
    with client, on(client.get_executor(pure=False), work) as submit:
        yield submit
