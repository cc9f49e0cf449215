"""What a client can ask, as data: who is asked, how long that may take, and what is said when it is not known.

A client that takes a list cannot be told "unknown", so each method has a *stance* to answers that are not proven:

    evidence     nothing found is read as "nobody uses it", and code is deleted for that. Not offered by the server,
                 not known yet, failed: an error (``RequestFailed``) that says why. Never an empty answer.
    navigation   not offered: null, and a line in the log. Not known yet, failed: an error that says why.
    decoration   shown by editors without being asked for; nobody decides by it. In all three cases: null, and a line
                 in the log; an error would pop up at every key.

What is found is always handed on. Where there may be more of it, the log says so; a rename that may not reach every use
is refused, and so is any edit of a text that the client has not read yet. A file that no server takes care of, or that
is outside the workspace: null, and a line in the log.
Above: ``questions``, ``capabilities``. Below: nothing.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

Stance = Literal["evidence", "navigation", "decoration"]


class Method(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of question about a place or a file."""

    stance: Stance
    scope: Literal["file", "workspace"] = "workspace"
    """Whether the answer depends on the file alone: then servers need not have loaded everything."""
    asks: Literal["first", "all"] = "first"
    """The first server of the file that offers it, or all that do."""
    wait_s: float = 30.0
    must_be_whole: bool = False
    """Half of it does harm."""
    items: Literal["", "list", "completion", "actions"] = ""
    """Whether its answer holds items that are given back to the same server later."""
    is_edit: bool = False
    """Whether its answer changes texts: then it must be about those that the client has."""
    is_links: bool = False
    """Whether its answer may hold links, which not every client takes."""


_PLACE = Method(stance="navigation", is_links=True)
_QUICK = 10.0

METHODS: Mapping[str, Method] = {
    "textDocument/definition": _PLACE,
    "textDocument/declaration": _PLACE,
    "textDocument/typeDefinition": _PLACE,
    "textDocument/implementation": Method(stance="evidence", is_links=True),
    "textDocument/references": Method(stance="evidence"),
    "textDocument/prepareCallHierarchy": Method(stance="evidence", items="list"),
    "textDocument/prepareTypeHierarchy": Method(stance="evidence", items="list"),
    "textDocument/rename": Method(stance="evidence", must_be_whole=True, is_edit=True),
    "textDocument/documentSymbol": Method(stance="navigation", scope="file"),
    "textDocument/formatting": Method(stance="navigation", scope="file", is_edit=True),
    "textDocument/rangeFormatting": Method(stance="navigation", scope="file", is_edit=True),
    "textDocument/hover": Method(stance="decoration", wait_s=_QUICK),
    "textDocument/signatureHelp": Method(stance="decoration", wait_s=_QUICK),
    "textDocument/completion": Method(stance="decoration", scope="file", wait_s=_QUICK, items="completion"),
    "textDocument/documentHighlight": Method(stance="decoration", scope="file", wait_s=_QUICK),
    "textDocument/foldingRange": Method(stance="decoration", scope="file", wait_s=_QUICK),
    "textDocument/selectionRange": Method(stance="decoration", scope="file", wait_s=_QUICK),
    "textDocument/inlayHint": Method(stance="decoration", wait_s=_QUICK, items="list"),
    "textDocument/codeLens": Method(stance="decoration", wait_s=_QUICK, items="actions"),
    "textDocument/codeAction": Method(stance="decoration", asks="all", wait_s=_QUICK, items="actions", is_edit=True),
}


class FollowUp(msgspec.Struct, frozen=True, kw_only=True):
    """A question about an item of an earlier answer."""

    of: str
    """The method whose answer the item comes from, and by whose offer the server is known to answer this."""
    stance: Stance
    is_relation: bool = False
    """It is about an item of a hierarchy, which stays what it is; otherwise the item itself is made complete."""
    items: Literal["", "list", "actions"] = ""


FOLLOW_UPS: Mapping[str, FollowUp] = {
    "completionItem/resolve": FollowUp(of="textDocument/completion", stance="decoration"),
    "codeAction/resolve": FollowUp(of="textDocument/codeAction", stance="navigation", items="actions"),
    "codeLens/resolve": FollowUp(of="textDocument/codeLens", stance="decoration", items="actions"),
    "inlayHint/resolve": FollowUp(of="textDocument/inlayHint", stance="decoration"),
    "callHierarchy/incomingCalls": FollowUp(
        of="textDocument/prepareCallHierarchy", stance="evidence", is_relation=True, items="list"
    ),
    "callHierarchy/outgoingCalls": FollowUp(
        of="textDocument/prepareCallHierarchy", stance="evidence", is_relation=True, items="list"
    ),
    "typeHierarchy/supertypes": FollowUp(
        of="textDocument/prepareTypeHierarchy", stance="evidence", is_relation=True, items="list"
    ),
    "typeHierarchy/subtypes": FollowUp(
        of="textDocument/prepareTypeHierarchy", stance="evidence", is_relation=True, items="list"
    ),
}
