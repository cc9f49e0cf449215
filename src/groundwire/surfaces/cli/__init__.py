"""The command line: for people, for CI, and for agents that only have a shell.

Above: ``__main__``. Below: ``render`` and ``operations``.
"""
