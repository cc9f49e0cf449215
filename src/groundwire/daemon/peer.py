"""Whose process is at the other end of a socket. Above: ``server``, ``meeting``. Below: the system."""

import os
import socket
import struct
import sys

_UCRED = struct.Struct("iII")
_XUCRED = struct.Struct("=II")
_LOCAL_PEERCRED = 1


def is_own(connection: socket.socket) -> bool:
    """Whether it belongs to this user. True where the system cannot say: there the socket's directory, or a token, is
    what keeps others out.
    """
    uid = peer_uid(connection)
    return uid is None or uid == os.getuid()


def peer_uid(connection: socket.socket) -> int | None:
    """The user, where the system says."""
    if connection.family != getattr(socket, "AF_UNIX", None):
        return None
    if sys.platform == "linux":
        return _UCRED.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size))[1]
    if sys.platform == "darwin":
        return uid_of_xucred(connection.getsockopt(0, _LOCAL_PEERCRED, 128))
    return None


def uid_of_xucred(raw: bytes) -> int:
    """The second number of what macOS tells."""
    return _XUCRED.unpack_from(raw)[1]
