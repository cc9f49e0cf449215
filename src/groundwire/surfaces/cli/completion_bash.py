"""Completion for bash. Above: ``completion``. Below: ``completion_tree``."""

from collections.abc import Iterator, Sequence

from groundwire.surfaces.cli.completion_tree import Node

_SCRIPT = """\
# Completion of groundwire for bash.
_groundwire() {
    local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}" command="${COMP_WORDS[1]}"
    COMPREPLY=()
    if [[ $COMP_CWORD -eq 1 ]]; then
        COMPREPLY=($(compgen -W "@COMMANDS@ --help --version" -- "$current"))
        return
    fi
    if [[ $current == "=" ]]; then
        current=""
    elif [[ $previous == "=" ]]; then
        previous="${COMP_WORDS[COMP_CWORD - 2]}"
    fi
    case "$command" in
@BELOW@
    esac
    case "$command $previous" in
@CHOICES@
    *\\ --root) compopt -o dirnames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current")); return ;;
    esac
    case "$command" in
@OPTIONS@
    esac
}
complete -o default -o bashdefault -F _groundwire groundwire
"""


def bash_script(commands: Sequence[Node]) -> str:
    """The script. Files are what bash completes where there is nothing else."""
    nodes = [node for command in commands for node in command.all()]
    return (
        _SCRIPT.replace("@COMMANDS@", " ".join(command.words[0] for command in commands))
        .replace("@BELOW@", "\n".join(_below(node) for node in nodes if node.below))
        .replace("@CHOICES@", "\n".join(line for node in nodes for line in _choices(node)))
        .replace("@OPTIONS@", "\n".join(map(_options, nodes)))
    )


def _below(node: Node) -> str:
    words = " ".join(each.words[-1] for each in node.below)
    name = node.words[0]
    return (
        f"    {name})\n"
        f'        if [[ $COMP_CWORD -eq 2 ]]; then COMPREPLY=($(compgen -W "{words}" -- "$current")); return; fi\n'
        f'        command="{name} ${{COMP_WORDS[2]}}" ;;'
    )


def _choices(node: Node) -> Iterator[str]:
    for option in node.options:
        if option.choices:
            cases = "|".join(f'"{" ".join(node.words)} {name}"' for name in option.names)
            yield f'    {cases}) COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$current")); return ;;'


def _options(node: Node) -> str:
    options = " ".join(name for option in node.options for name in option.names)
    lines = [f'    "{" ".join(node.words)}")']
    lines.append(f'        [[ $current == -* ]] && COMPREPLY=($(compgen -W "{options}" -- "$current")) && return')
    choices = [word for place in node.places for word in place.choices]
    if choices:
        lines.append(f'        COMPREPLY=($(compgen -W "{" ".join(choices)}" -- "$current"))')
    return "\n".join([*lines, "        ;;"])
