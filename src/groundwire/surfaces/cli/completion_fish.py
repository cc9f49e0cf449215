"""Completion for fish. Above: ``completion``. Below: ``completion_tree``."""

from collections.abc import Iterator, Sequence

from groundwire.surfaces.cli.completion_tree import Choice, Node


def fish_script(commands: Sequence[Node]) -> str:
    """The script. Files are what fish completes where there is nothing else."""
    lines = ["# Completion of groundwire for fish.", "complete -c groundwire -n __fish_use_subcommand -f"]
    lines += ["complete -c groundwire -n __fish_use_subcommand -l version -d 'show the version'"]
    for command in commands:
        lines.append(
            f"complete -c groundwire -n __fish_use_subcommand -a {command.words[0]} -d {_quoted(command.help)}"
        )
    for command in commands:
        for node in command.all():
            lines += _node(node)
    return "\n".join(lines) + "\n"


def _node(node: Node) -> Iterator[str]:
    start = f"complete -c groundwire -n {_quoted(_condition(node))}"
    if node.below:
        yield f"{start} -f -a {_quoted(' '.join(each.words[-1] for each in node.below))}"
    for option in node.options:
        yield f"{start} {_option(option)}"
    for place in node.places:
        if place.choices:
            yield f"{start} -f -a {_quoted(' '.join(place.choices))}"


def _condition(node: Node) -> str:
    seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in node.words)
    if not node.below:
        return seen
    return f"{seen}; and not __fish_seen_subcommand_from {' '.join(each.words[-1] for each in node.below)}"


def _option(option: Choice) -> str:
    parts = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    match option.takes:
        case "choice":
            parts.append(f"-x -a {_quoted(' '.join(option.choices))}")
        case "directory":
            parts.append("-x -a '(__fish_complete_directories)'")
        case "file":
            parts.append("-r -F")
        case "text":
            parts.append("-x")
        case _:
            pass
    return " ".join([*parts, f"-d {_quoted(option.help)}"])


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
