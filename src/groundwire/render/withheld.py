"""What a project may not decide yet, for people.

Above: ``explain``, ``doctor`` and ``status``. Below: ``layout``.
"""

import json
from collections.abc import Iterator, Sequence

from groundwire.operations.results.explanation import WithheldValue
from groundwire.render.layout import Page
from groundwire.render.wording import counted


def withheld_values(withheld: Sequence[WithheldValue], page: Page) -> Iterator[str]:
    """Each value, where it stands, and what happens instead."""
    for each in withheld:
        # JSON escapes what a terminal would obey.
        yield from page.hanging("", f"{each.key} = {json.dumps(each.value, sort_keys=True)} ({each.place})")
        yield from page.hanging("", each.effect, indent=6)


def withheld_line(withheld: Sequence[WithheldValue], trust_command: str, page: Page) -> str:
    """How many there are, and what would let them take effect."""
    values = counted(len(withheld), "value")
    verb = "is" if len(withheld) == 1 else "are"
    if not trust_command:
        return f"{values} of the configuration {verb} without effect."
    return f"{values} of the project {verb} without effect until it is trusted: {page.painted(trust_command, 'bold')}"
