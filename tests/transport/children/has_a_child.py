"""Starts a process that sleeps, prints its pid, and waits for end of file.

The argument says where the grandchild goes: ``same`` group, own ``group``, own ``session``. With ``exit`` as a second
argument it does not wait.
"""

import os
import subprocess
import sys

where = sys.argv[1]
grandchild = subprocess.Popen(
    ("/bin/sh", "-c", "trap '' TERM; while :; do sleep 100; done"),
    stdin=subprocess.DEVNULL,
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
    process_group=0 if where == "group" else None,
    start_new_session=where == "session",
)
os.write(1, f"{grandchild.pid}\n".encode())
if sys.argv[2:] != ["exit"]:
    os.read(0, 1)
os._exit(0)
