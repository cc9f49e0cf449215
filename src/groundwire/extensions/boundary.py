"""The boundary to the code of somebody else: the one place where anything it raises is caught, and named.

Above: ``loading``, ``operations.extension_operations``, ``render.extension_pages``. Below: ``errors``.
"""

from collections.abc import Generator
from contextlib import contextmanager

from groundwire.errors import GroundwireError, Internal

_LONGEST = 300


@contextmanager
def foreign_code(about: str = "", *, hint: str | None = None) -> Generator[None]:
    """Whatever is raised within, even the wish to end the process, comes out as Internal, with ``about`` before it; but
    what is ours, and that the time is over, as it is."""
    try:
        yield
    except (GroundwireError, TimeoutError):
        raise
    except (Exception, SystemExit) as error:
        raise Internal(f"{about}{type(error).__name__}: {error}"[:_LONGEST], hint=hint) from error
