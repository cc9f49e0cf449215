"""An edit that is written only when it is confirmed that nothing new breaks.

Above: ``table``. Below: ``preview_edit``, ``writing``.
"""

from groundwire.operations.answer import Answer
from groundwire.operations.operation import Call, operation
from groundwire.operations.results.speculation import SafeEdit
from groundwire.operations.speculation.evaluation import evaluate
from groundwire.operations.speculation.preview_edit import PreviewEdit, texts_of
from groundwire.operations.speculation.writing import write_texts


@operation(
    "Apply an edit only if it is confirmed that it introduces no error; else nothing is written, and it says why.",
    effect="writes",
    aliases=("safe_edit",),
    command="safe-edit",
)
async def safe_apply_edit(call: Call, arguments: PreviewEdit) -> Answer[SafeEdit]:
    """What is not proven is not safe."""
    texts = texts_of(call, arguments)
    judged = await evaluate(call, texts, arguments.scope, arguments.timeout_ms)
    if judged.value.verdict != "safe":
        value = SafeEdit(applied=False, evaluation=judged.value)
        return Answer(value=value, status=judged.status, reason=judged.reason, servers=judged.servers)
    written = await write_texts(call, texts)
    return Answer(
        value=SafeEdit(applied=True, evaluation=judged.value, outcome=written.value),
        status=written.status,
        reason=written.reason,
        servers=written.servers or judged.servers,
        note=written.note,
    )
