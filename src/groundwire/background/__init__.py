"""The daemon of one workspace, as a process of its own: ``python -P -m groundwire.background ROOT``.

Above: ``daemon.starting``, which runs it. Below: ``process``, which is loaded once it stands alone.
"""
