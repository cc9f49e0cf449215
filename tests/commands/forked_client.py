"""The command that pages call ``groundwire``, where a server has it loaded: ``forked_client.py SOCKET WORDS…``

Hands on its streams, its directory and its environment, and ends with the status of what ran with them.
Above: ``documents.terminal``. Below: ``forked_server``.
"""

import json
import os
import socket
import sys

with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asked:
    asked.connect(sys.argv[1])
    said = {"words": sys.argv[2:], "directory": os.getcwd(), "environment": dict(os.environ)}  # noqa: PTH109
    socket.send_fds(asked, [json.dumps(said).encode()], [0, 1, 2])
    status = int(asked.recv(100) or b"1")
if status < 0:
    os.kill(os.getpid(), -status)
sys.exit(status)
