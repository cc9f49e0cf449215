"""Every ecosystem that is known: how its projects are told, built and tested. One module each.

Above: ``projects``. Below: the modules.
"""
