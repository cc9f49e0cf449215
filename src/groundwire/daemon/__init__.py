"""One background process per workspace that owns its language servers, and how everybody else finds it.

Above: ``surfaces``, ``background``. Below: ``operations``, ``places``, ``errors``.
"""
