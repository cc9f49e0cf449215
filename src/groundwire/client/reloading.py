"""Having a server look at everything anew, where it has a command for that and would else have to be started again.

Above: ``pool.instance``. Below: ``session``, ``quirks.tsserver``.
"""

from groundwire.client.quirks import tsserver
from groundwire.client.session import Session


def look_anew(session: Session) -> bool:
    """What is asked after this is answered after it, too. False: the server does not offer it."""
    if not session.options.settle.reloads_by or tsserver.COMMAND not in session.state.capabilities.commands():
        return False
    session.connection.probe("workspace/executeCommand", session.signal.ring, tsserver.RELOAD)
    session.state.documents.tick()
    return True
