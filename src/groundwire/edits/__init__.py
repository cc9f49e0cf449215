"""Edits written to files all or nothing: planned, checked, written, undone.

Above: ``pool``, ``operations``. Below: ``protocol``, ``errors``.
"""
