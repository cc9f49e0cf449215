"""What was done with the reference cache, as text.

Above: ``answers``. Below: ``page``, ``verdict``, ``wording``.
"""

from groundwire.operations.answer import Answer
from groundwire.operations.results.cache import ExportedCache, ImportedCache
from groundwire.render.page import Page
from groundwire.render.verdict import shown
from groundwire.render.wording import counted

_OFF = "the configuration has the cache switched off ([cache] enabled = false)"


def exported_page(answer: Answer[ExportedCache]) -> Page:
    """How much, and where to."""
    exported = answer.value
    if not exported.enabled:
        return Page(shown(answer, f"Nothing was written: {_OFF}"), is_open=False)
    kept = counted(exported.entries, "cached answer")
    text = f"Wrote {kept} to {exported.file}, {counted(exported.size_bytes, 'byte')}"
    return Page(shown(answer, text), is_open=False)


def imported_page(answer: Answer[ImportedCache]) -> Page:
    """How much, and when it counts."""
    imported = answer.value
    if not imported.enabled:
        return Page(shown(answer, f"Nothing was read: {_OFF}"), is_open=False)
    kept = counted(imported.entries, "cached answer")
    head = f"The cache now holds {kept} from {imported.file}"
    return Page(shown(answer, f"{head}; each is given only where nothing it depends on differs"), is_open=False)
