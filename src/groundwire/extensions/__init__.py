"""Packages that add to groundwire: found by their entry points, loaded once, and kept from breaking anything else.

What they add is taken in where each table is made (``registry.catalog``, ``operations.table``, ``render.answers`` …).
Their authors import ``groundwire.extending``. Above: everything that has a table. Below: ``errors``, ``places``.
"""
