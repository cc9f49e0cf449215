"""The sources of the benchmark projects, one language per module: templates only.

Above: ``projects``, which fills them in. Below: nothing.
"""
