"""Getting servers for this user, pinned, without touching what is there until the new one works.

Above: ``surfaces.cli``. Below: ``managed``, ``binaries``, ``catalog`` and ``transport.process``.
"""
