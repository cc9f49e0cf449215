"""An exported cache comes back whole, or is refused."""

import gzip

import pytest

from groundwire.cache.archive import pack, unpack
from groundwire.cache.store import seal
from groundwire.errors import InvalidArgument

ENTRIES = [(key, seal(key, b"body of " + key)) for key in (b"one", b"two")]


def test_what_is_packed_is_unpacked() -> None:
    assert unpack(pack(ENTRIES)) == ENTRIES
    assert unpack(pack([])) == []


def test_the_same_cache_gives_the_same_file() -> None:
    assert pack(ENTRIES) == pack(ENTRIES)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no archive",
        gzip.compress(b"no archive", mtime=0),
        gzip.compress(b'{"format": "another", "schema": 1, "check": "", "entries": []}', mtime=0),
        gzip.compress(gzip.decompress(pack(ENTRIES)).replace(b'"schema":1', b'"schema":2')),
        gzip.compress(gzip.decompress(pack(ENTRIES))[:-10]),
        pack(ENTRIES)[:-12],
        pack([(b"one", seal(b"two", b"body"))]),
        pack([(b"one", b"")]),
    ],
)
def test_what_is_no_whole_archive_is_refused_with_a_hint(data: bytes) -> None:
    with pytest.raises(InvalidArgument) as refused:
        unpack(data)
    assert refused.value.hint


def test_an_archive_whose_entries_were_changed_is_refused() -> None:
    unpacked = bytearray(gzip.decompress(pack(ENTRIES)))
    at = unpacked.index(b'"entries":') + 15
    unpacked[at] = unpacked[at] ^ 1
    with pytest.raises(InvalidArgument):
        unpack(gzip.compress(bytes(unpacked), mtime=0))
