"""The servers and languages groundwire knows, as data: one small file per server.

Above: ``config`` and ``pool``. Below: ``workspace.rules`` (the shape of a server's habits) and ``errors``.
"""
