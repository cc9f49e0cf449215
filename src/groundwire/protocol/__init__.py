"""The wire, without input or output: framing, JSON-RPC, LSP shapes, positions, URIs, edits, globs.

Above: ``workspace`` and ``client``. Below: ``errors``.
"""
