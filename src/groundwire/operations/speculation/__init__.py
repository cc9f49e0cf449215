"""Edits that are not on disk: what they would do, before anybody makes them.

Texts live in ``virtual_texts``; servers see them only during an ``evaluation``, under a ``lease``.
"""
