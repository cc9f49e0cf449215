"""What a server is told first: who we are, where the workspace is, and what we understand.

Above: ``session``. Below: ``options``, ``protocol.client_capabilities``.
"""

import os

from groundwire.client.inbound import workspace_folders
from groundwire.client.options import SessionOptions
from groundwire.protocol.client_capabilities import client_capabilities
from groundwire.protocol.names import is_text
from groundwire.protocol.uris import path_to_uri


def initialize_params(options: SessionOptions, *, windows: bool) -> dict[str, object]:
    """The parameters of ``initialize``."""
    params: dict[str, object] = {
        # Many servers end themselves with this process: one that is not ours must not.
        "processId": os.getpid() if options.is_ours else None,
        "clientInfo": {"name": "groundwire"},
        "locale": "en",
        # Superseded by the URI, which can name a directory by any bytes.
        "rootPath": str(options.root) if is_text(str(options.root)) else None,
        "rootUri": path_to_uri(str(options.root), windows=windows),
        "workspaceFolders": workspace_folders(options, windows=windows) if options.tells_folders else None,
        "capabilities": client_capabilities(options.experimental),
    }
    if options.initialization_options:
        params["initializationOptions"] = options.initialization_options
    return params
