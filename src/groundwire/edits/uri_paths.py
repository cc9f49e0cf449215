"""URIs as paths of this machine.

Above: the planning modules. Below: ``protocol.uris``.
"""

import os
from pathlib import Path

from groundwire.protocol.uris import uri_to_path


def path_of(uri: str) -> Path:
    """The path a file URI names here. Raises InvalidArgument for any other URI."""
    return Path(uri_to_path(uri, windows=os.name == "nt"))
