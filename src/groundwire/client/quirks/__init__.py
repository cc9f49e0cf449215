"""What data cannot say about a server: one small module each, with the reason.

Above: ``diagnose``. Below: ``protocol``.
"""
