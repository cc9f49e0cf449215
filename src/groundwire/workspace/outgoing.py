"""What is to be told to a server: every state of this package returns it, and sends nothing itself.

Above: ``documents``, ``tangles``, ``client.session``. Below: nothing.
"""

from collections.abc import Mapping

import msgspec


class Outgoing(msgspec.Struct, frozen=True):
    """A notification to send."""

    method: str
    params: Mapping[str, object]
