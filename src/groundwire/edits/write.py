"""A plan carried out: everything, or nothing and why.

Above: ``operations``. Below: ``plan``, ``transaction``, ``report``.
"""

import secrets

from groundwire.edits.files import Disk, Files
from groundwire.edits.plan import Plan
from groundwire.edits.report import Applied
from groundwire.edits.transaction import Transaction


def apply(plan: Plan, files: Files | None = None) -> Applied:
    """Write all files of the plan. Raises EditConflict, PermissionDenied or WriteFailed with nothing changed, and
    PartlyWritten when that failed and could not be taken back."""
    leftovers = Transaction(plan.steps, files or Disk()).run()
    return Applied(secrets.token_hex(3), plan.steps, tuple(leftovers))
