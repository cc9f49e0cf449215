"""Bytes to and from a language server: the only package that spawns a process or opens a socket.

Above: ``client``. Below: ``errors``.
"""
