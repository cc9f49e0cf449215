"""What can be asked and done, one verb family per folder: typed arguments in, typed results out. Knows no surface.

Above: ``render`` and ``surfaces``. Below: ``pool``.
"""
