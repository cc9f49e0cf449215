"""The options of ``groundwire skills``. Above: ``arguments``. Below: nothing."""

import argparse

from groundwire.surfaces.cli import descriptions


def add_skill_actions(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """What can be done with skills: the parsers of list, install and remove, which lack the options of all commands."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="name them", description=descriptions.SKILLS_LIST)
    show = actions.add_parser("show", help="print one", description=descriptions.SKILLS_SHOW)
    show.add_argument("names", nargs=1, metavar="NAME", help="the skill, such as lsp-rename")
    installing = actions.add_parser("install", help="hand them to agents", description=descriptions.SKILLS_INSTALL)
    removing = actions.add_parser("remove", help="take them away again", description=descriptions.SKILLS_REMOVE)
    way = installing.add_mutually_exclusive_group()
    way.add_argument("--copy", action="store_const", const="copy", dest="way", help="copies (the default here)")
    way.add_argument("--link", action="store_const", const="link", dest="way", help="links (the default for you)")
    for action in (installing, removing):
        action.add_argument("names", nargs="*", metavar="NAME", help="only these skills (default: all)")
        action.add_argument("--agent", action="append", dest="agents", default=[], metavar="ID", help="only this agent")
        scope = action.add_mutually_exclusive_group()
        scope.add_argument("--project", action="store_const", const="project", dest="scope", help="here (the default)")
        scope.add_argument("--user", action="store_const", const="user", dest="scope", help="for you, everywhere")
        action.add_argument("--force", action="store_true", help="also what is not ours, or was edited; it is kept")
        action.add_argument("--json", action="store_true", help="answer in JSON")
        action.set_defaults(scope="project")
    installing.set_defaults(way="")
    return [listing, installing, removing]
