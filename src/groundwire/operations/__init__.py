"""What can be asked, one verb family per file: typed arguments in, typed results out. Knows no surface.

Above: ``render`` and ``surfaces``. Below: ``pool``.
"""
