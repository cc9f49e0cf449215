"""Ends before it says a word."""

import sys

print("cannot find libtoy.so", file=sys.stderr)
sys.exit(3)
