"""Says that it is there and never reads."""

import os
import signal

os.write(1, b"ready\n")
while True:
    signal.pause()
