"""An operation performed in this process, by servers of its own, which end with it.

Loaded only where no daemon answers: the pool and the configuration are most of what there is to load.
Above: ``asking``. Below: ``pool.opening``, ``operations.runner``.
"""

from collections.abc import Callable
from pathlib import Path

from groundwire.operations.answer import Answer
from groundwire.operations.operation import A, Operation, R
from groundwire.operations.runner import LocalRunner
from groundwire.pool.opening import open_pool
from groundwire.pool.routing import require_known


async def run_here(
    operation: Operation[A, R],
    given: A,
    workspace: Path,
    only: frozenset[str],
    wait_s: float,
    tell: Callable[[str], None],
) -> Answer[R]:
    """The answer. Raises a GroundwireError when there is none at all."""
    async with open_pool(workspace, only=only) as pool:
        require_known(only, pool.catalog)
        return await LocalRunner(pool).run(operation, given, wait_s=wait_s, progress=tell)
