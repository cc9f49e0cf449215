"""How the demonstration looks: coloured on a terminal, plain elsewhere.

Above: ``demo``. Below: nothing.
"""

from typing import TextIO

from rich.console import Console
from rich.text import Text

from groundwire.surfaces.cli.demo_project import Edit

_WIDTH = 88
_STYLES = (("ERROR ", "red"), ("LSP errors", "bold yellow"), ("<", "dim"))


class Screen:
    """Writes the steps of the story."""

    def __init__(self, stream: TextIO) -> None:
        self._console = Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)
        is_unicode = (self._console.encoding or "").lower().startswith("utf")
        self._bar, self._good, self._bad = ("│ ", "✓", "✗") if is_unicode else ("| ", "ok", "!!")

    def title(self, text: str) -> None:
        """What this is."""
        self._console.print(Text(text, style="bold"))

    def step(self, number: int, title: str, seconds: float | None = None) -> None:
        """The heading of a step, and how long the answer took."""
        time = "" if seconds is None else f"  {seconds * 1000:,.0f} ms"
        line = Text.assemble(
            (f"{number}  ", "bold cyan"), (title, "bold"), (time.rjust(_WIDTH - len(title) - 3), "cyan")
        )
        line.rstrip()
        self.gap()
        self._console.print(line)

    def edits(self, edits: tuple[Edit, ...]) -> None:
        """What the agent changes, as a difference."""
        for edit in edits:
            self._console.print(Text(f"   {edit.file:<12}- {edit.old}", style="red"))
            self._console.print(Text(f"   {'':<12}+ {edit.new}", style="green"))

    def gap(self) -> None:
        """An empty line."""
        self._console.print()

    def told(self, text: str) -> None:
        """An answer, just as an agent reads it."""
        for line in text.split("\n"):
            shown = Text.assemble("   ", (self._bar, "cyan"), (line, _style(line)))
            shown.rstrip()
            self._console.print(shown)

    def good(self, text: str) -> None:
        """The end, when all is well."""
        self._console.print(Text(f"\n{self._good} {text}", style="bold green"))

    def bad(self, text: str) -> None:
        """The end, when it is not."""
        self._console.print(Text(f"\n{self._bad} {text}", style="bold red"))


def _style(line: str) -> str:
    if "no errors" in line and "(confirmed" in line:
        return "green"
    return next((style for start, style in _STYLES if line.startswith(start)), "none")
