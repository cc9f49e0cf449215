"""The ways in: each parses its input, runs operations, renders the answer and translates errors. No logic of their own.

Above: people, agents and their hosts. Below: ``render`` and ``operations``.
"""
