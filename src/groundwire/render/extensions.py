"""The extensions of groundwire that are installed, as lines of a report to people.

Above: ``status``, ``doctor``. Below: ``operations.extension_lines``, ``layout``.
"""

from collections.abc import Iterator, Sequence

from groundwire.operations.results.servers import ExtensionLine
from groundwire.render.layout import Page, some

_MOST = 8


def extensions_listed(extensions: Sequence[ExtensionLine], page: Page) -> Iterator[str]:
    """A line for each, with what is wrong below it; nothing where there are none."""
    if extensions:
        yield "Extensions:"
    for extension in extensions:
        yield from page.hanging("", f"{_name(extension)}: {_outcome(extension)}", indent=2)
        for each in extension.left_out:
            yield from page.hanging("", f"left out: {each}", indent=4)


def _name(extension: ExtensionLine) -> str:
    return " ".join(filter(None, (extension.name, extension.version)))


def _outcome(extension: ExtensionLine) -> str:
    if extension.state != "loaded":
        return f"{extension.state}: {extension.reason}"
    return f"adds {some(extension.adds, _MOST)}" if extension.adds else "adds nothing"
