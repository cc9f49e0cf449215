"""Writes five megabytes of numbered lines to standard error, then says so and waits for end of file."""

import os
import sys

for number in range(50_000):
    sys.stderr.write(f"line {number:06} {'.' * 88}\n")
sys.stderr.flush()
os.write(1, b"ready\n")
os.read(0, 1)
