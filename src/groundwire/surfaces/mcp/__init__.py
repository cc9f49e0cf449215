"""The operations as tools of the Model Context Protocol, on any pair of streams.

Above: agents and their hosts. Below: ``operations`` and ``render``. Nothing outside this package imports ``mcp``.
"""
