"""Agent hooks: what a host agent says it did, and what is said back to it in its own dialect.

Above: ``background``. Below: ``operations``, ``daemon``.
"""
