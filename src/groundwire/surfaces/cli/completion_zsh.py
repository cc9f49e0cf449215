"""Completion for zsh. Above: ``completion``. Below: ``completion_tree``."""

from collections.abc import Iterator, Sequence

from groundwire.surfaces.cli.completion_tree import Choice, Node

_SCRIPT = """\
#compdef groundwire
# Completion of groundwire for zsh.
_groundwire() {
    local -a commands
    local curcontext="$curcontext"
    if (( CURRENT == 2 )); then
        commands=(
@COMMANDS@
        )
        _describe -t commands 'command' commands
        return
    fi
    local key="$words[2]"
    (( CURRENT-- ))
    shift words
    case "$key" in
@CASES@
    esac
}
if [[ "$funcstack[1]" == _groundwire ]]; then _groundwire "$@"; else compdef _groundwire groundwire; fi
"""


def zsh_script(commands: Sequence[Node]) -> str:
    """The script."""
    listed = "\n".join(f"            {_quoted(f'{node.words[0]}:{node.help}')}" for node in commands)
    return _SCRIPT.replace("@COMMANDS@", listed).replace("@CASES@", "\n".join(_case(node) for node in commands))


def _case(node: Node) -> str:
    if not node.below:
        return f"    {node.words[-1]})\n        {_arguments(node)} ;;"
    names = " ".join(each.words[-1] for each in node.below)
    inner = "\n".join(f"        {each.words[-1]})\n            {_arguments(each)} ;;" for each in node.below)
    return (
        f"    {node.words[-1]})\n"
        f"        if (( CURRENT == 2 )); then compadd {names}; return; fi\n"
        f'        local action="$words[2]"\n'
        f"        (( CURRENT-- ))\n"
        f"        shift words\n"
        f'        case "$action" in\n{inner}\n        esac ;;'
    )


def _arguments(node: Node) -> str:
    specs = [*(spec for option in node.options for spec in _option(option)), *_places(node.places)]
    return " \\\n            ".join(["_arguments -s", *specs])


def _option(option: Choice) -> Iterator[str]:
    about = option.help.replace("\\", "").replace("[", "(").replace("]", ")").replace(":", "\\:")
    for name in option.names:
        takes = "" if option.takes == "nothing" else f":value:{_values(option)}"
        yield _quoted(f"*{name}[{about}]{takes}")


def _places(places: Sequence[Choice]) -> Iterator[str]:
    for number, place in enumerate(places, 1):
        where = "*" if number == len(places) else str(number)
        yield _quoted(f"{where}:{'value' if place.choices else 'file'}:{_values(place) or '_files'}")


def _values(choice: Choice) -> str:
    if choice.choices:
        return f"({' '.join(choice.choices)})"
    return {"file": "_files", "directory": "_files -/"}.get(choice.takes, " ")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
