"""Benchmarks: what groundwire adds to the raw language server, and whether its answers stay true while it is fast."""
