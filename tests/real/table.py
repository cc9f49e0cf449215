"""The table: for each server that ``groundwire install`` brings, a small project and what breaks it.

The data are in ``table_web`` and ``table_others``. Above: ``test_table``. Below: ``rows`` (what an edit is).
"""

from tests.real.entry import Entry
from tests.real.table_others import OTHERS
from tests.real.table_web import WEB

ENTRIES: tuple[Entry, ...] = (*WEB, *OTHERS)
