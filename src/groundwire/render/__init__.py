"""One result, several readers: text within a budget for models and people, JSON for programs.

Above: ``surfaces``. Below: ``operations`` (the answers that are shown here).
"""
