"""What users and projects may set: read from every layer, checked, merged, and laid over the catalogue.

Above: ``pool`` and ``surfaces``. Below: ``registry`` and ``errors``.
"""
