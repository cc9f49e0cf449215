"""``groundwire completion SHELL``: a script by which a shell completes this command line.

Above: ``main``. Below: ``completion_tree`` and the scripts of each shell, ``completion_*``.
"""

import sys

from groundwire.surfaces.cli.arguments import Arguments, build_parser
from groundwire.surfaces.cli.completion_bash import bash_script
from groundwire.surfaces.cli.completion_fish import fish_script
from groundwire.surfaces.cli.completion_powershell import powershell_script
from groundwire.surfaces.cli.completion_tree import Node, command_node
from groundwire.surfaces.cli.completion_zsh import zsh_script
from groundwire.surfaces.cli.operation_parser import add_commands

_SCRIPTS = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script, "powershell": powershell_script}


def run(arguments: Arguments) -> int:
    """Writes it, and gives 0."""
    sys.stdout.write(_SCRIPTS[arguments.shell](whole_tree()))
    return 0


def whole_tree() -> tuple[Node, ...]:
    """Every command."""
    _, commands = build_parser()
    add_commands(commands)
    return tuple(command_node((name,), commands.help_of(name), commands.parsers[name]) for name in commands.choices)
