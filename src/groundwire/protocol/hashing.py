"""The hash by which content is recognised again.

Above: ``edits``, ``workspace``, ``operations``. Below: ``errors``.
"""

from hashlib import blake2b

from groundwire import errors


def content_hash(content: str | bytes) -> str:
    """16 bytes of BLAKE2b in hex. A text hashes as its UTF-8 bytes, bytes that were no UTF-8 (surrogates) included."""
    if isinstance(content, str):
        try:
            content = content.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as problem:
            raise errors.InvalidArgument(f"the text cannot be written as UTF-8: {problem.reason}") from problem
    return blake2b(content, digest_size=16).hexdigest()
