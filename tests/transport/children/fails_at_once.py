"""Complains and ends with code 3."""

import sys

print("half an answ", end="", flush=True)
print("warming up\ncannot find the project file\n", file=sys.stderr)
sys.exit(3)
