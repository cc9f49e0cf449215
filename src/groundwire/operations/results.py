"""What operations find, as it is shown: the fields are those of the JSON that every surface gives.

Positions are 1-based characters; files are relative to the workspace, absolute outside it. Above: the operations and
``render``. Below: ``operation``, ``answer``.
"""

from groundwire.operations.answer import Place
from groundwire.operations.operation import Result


class Locations(Result, frozen=True):
    """Places in the code, a page of them. ``total`` counts all, in ``files`` files."""

    locations: tuple[Place, ...]
    total: int
    files: int = 0
    offset: int = 0
