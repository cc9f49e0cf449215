"""Small pieces of wording that every text answer shares.

Above: every renderer. Below: nothing.
"""

from collections.abc import Sequence

_ENDS = (".", ",", ":", ";", "!", "?", "(", "[", "{")


def plural(noun: str) -> str:
    """``files``, ``code lenses``."""
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def counted(number: int, noun: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural(noun)}"


def known_by(servers: Sequence[str], evidence: str = "") -> str:
    """Who proved it, and how: ``confirmed by ty 0.0.100, pull``."""
    proof = f"confirmed by {' and '.join(servers)}" if servers else "confirmed"
    return f"{proof}, {evidence}" if evidence else proof


def on_one_line(text: str, limit: int) -> str:
    """The text without line ends or indentation, cut at the limit. Where a line ended, the joint can still be seen."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    flat = ""
    for line in filter(None, lines):
        joint = "" if not flat else " " if flat.endswith(_ENDS) else "; "
        flat += joint + line
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"


def documentation_line(text: str, limit: int) -> str:
    """Documentation on one line, without the marks that only set it off."""
    marks = ("```", "---", "***")
    return on_one_line("\n".join(line for line in text.splitlines() if not line.strip().startswith(marks)), limit)


def source_line(text: str, limit: int) -> str:
    """A line of source without its indentation. Spaces within it are kept: it may be searched for as it stands."""
    line = text.strip().replace("\r", " ").replace("\n", " ")
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def escaped(text: str, *, quote: bool = False) -> str:
    """Safe between the tags: a message that quotes code cannot end them."""
    safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return safe.replace('"', "&quot;") if quote else safe
