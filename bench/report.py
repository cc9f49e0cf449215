"""What both benchmarks show at the end: a table for people, and every answer that was wrong.

Above: ``edits``, ``queries``. Below: nothing.
"""

import sys
from collections.abc import Iterable, Sequence


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table: the first column is text, the others are numbers."""
    lines = [head, ("---", *["---:"] * (len(head) - 1)), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def tell_wrong(answers: Iterable[tuple[str, Sequence[str]]]) -> int:
    """Name what was wrong, by server; the exit status."""
    told = [f"WRONG {server}: {wrong}" for server, all_wrong in answers for wrong in all_wrong]
    for line in told:
        print(line, file=sys.stderr)
    return 1 if told else 0
