"""Room for as many connections as are promised: the system's limit on open files is raised as far as it lets us.

Above: ``serving``. Below: nothing.
"""

import logging
import sys

log = logging.getLogger(__name__)

_OTHERS = 256
"""Files that are neither a client's connection nor a session's."""
_FEWEST = 16

if sys.platform == "win32":

    def room_for(connections: int, sessions: int) -> int:  # noqa: ARG001  there is no such limit here
        """How many connections there may be."""
        return connections

else:
    import resource

    def room_for(connections: int, sessions: int) -> int:
        """How many connections there may be."""
        wanted = connections + sessions + _OTHERS
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft == resource.RLIM_INFINITY or soft >= wanted:
            return connections
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (OSError, ValueError) as problem:
            log.warning("the limit on open files stays at %s: %s", soft, problem)
            most = soft
        if most >= wanted:
            return connections
        room = max((most - _OTHERS) // 2, _FEWEST)
        log.warning("only %s files may be open: there is room for %s connections", most, room)
        return min(room, connections)
