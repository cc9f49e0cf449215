"""Says goodbye, closes its standard output and lives on until end of file."""

import os

os.write(1, b"goodbye\n")
os.close(1)
os.read(0, 1)
