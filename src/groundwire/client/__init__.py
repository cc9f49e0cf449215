"""One language server, spoken to: connection, life cycle, what it asks of us, proven diagnostics.

Above: ``pool``. Below: ``protocol``, ``workspace``, ``transport``.
"""
