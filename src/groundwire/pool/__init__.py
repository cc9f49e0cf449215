"""Many servers: which one serves a file, when each is started and stopped, and what changes on disk beneath them.

Above: ``operations``. Below: ``client``, ``registry``, ``config``.
"""
