"""Answers that outlive a server: kept on disk under everything they depend on, and found again only under the same.

Above: ``operations``. Below: ``pool``.
"""
