"""The decoder finds every message in what real servers write, says what else it saw, and is never put out of step."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.protocol.framing import (
    GLIMPSE_SIZE,
    Body,
    Frame,
    FrameDecoder,
    Noise,
    Oversized,
    Truncated,
    encode_frame,
)


def feed_in_pieces(decoder: FrameDecoder, data: bytes, size: int) -> list[Frame]:
    return [frame for start in range(0, len(data), size) for frame in decoder.feed(data[start : start + size])]


def bodies(frames: list[Frame]) -> list[bytes]:
    return [frame.data for frame in frames if isinstance(frame, Body)]


def noise(frames: list[Frame]) -> str:
    return "\n".join(frame.text for frame in frames if isinstance(frame, Noise))


def test_a_frame_has_only_a_content_length_header():
    assert encode_frame(b"{}") == b"Content-Length: 2\r\n\r\n{}"


def test_one_read_with_one_message_gives_one_body():
    assert FrameDecoder().feed(encode_frame(b"hello")) == [Body(b"hello")]


def test_several_messages_in_one_read_come_out_in_order():
    data = encode_frame(b"one") + encode_frame(b"two") + encode_frame(b"three")
    assert FrameDecoder().feed(data) == [Body(b"one"), Body(b"two"), Body(b"three")]


@pytest.mark.parametrize("size", range(1, 12))
def test_a_body_split_over_many_reads_comes_out_whole(size: int):
    data = encode_frame(b"hello world") + encode_frame(b"again")
    assert feed_in_pieces(FrameDecoder(), data, size) == [Body(b"hello world"), Body(b"again")]


def test_a_header_that_breaks_off_is_no_body_yet():
    decoder = FrameDecoder()
    assert decoder.feed(b"Content-Length: 0") == []
    assert decoder.feed(b"\r\n\r\n") == [Body(b"")]


def test_an_empty_body_is_a_body():
    assert FrameDecoder().feed(encode_frame(b"") + encode_frame(b"x")) == [Body(b""), Body(b"x")]


@pytest.mark.parametrize(
    "header",
    [
        b"content-length: 5\r\n\r\n",
        b"CONTENT-LENGTH:5\r\n\r\n",
        b"Content-Length : 5\r\n\r\n",
        b"Content-Length:\t5 \r\n\r\n",
        b"  Content-Length: 5\r\n\r\n",
        b"Content-Length: 0005\r\n\r\n",
        b"Content-Length: 5\n\n",
        b"Content-Length: 5\n\r\n",
        b"Content-Length: 5\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 5\r\n\r\n",
        b"Content-Length: 5\r\nX-Made-By: someone\r\n\r\n",
        b"\r\n\r\n\nContent-Length: 5\r\n\r\n",
    ],
)
@pytest.mark.parametrize("size", [1, 1000])
def test_a_header_spelled_unusually_is_understood(header: bytes, size: int):
    data = header + b"hello" + b"\r\n" + header + b"world"
    assert feed_in_pieces(FrameDecoder(), data, size) == [Body(b"hello"), Body(b"world")]


def test_log_lines_between_messages_are_reported_in_their_place():
    data = encode_frame(b"one") + b"INFO: loading\nstill loading\n" + encode_frame(b"two")
    assert FrameDecoder().feed(data) == [Body(b"one"), Noise("INFO: loading\nstill loading"), Body(b"two")]


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_noise_that_runs_into_a_header_does_not_hide_it(size: int):
    frames = feed_in_pieces(FrameDecoder(), b"Starting server...Content-Length: 5\r\n\r\nhello", size)
    assert frames == [Noise("Starting server..."), Body(b"hello")]


def test_a_complete_noise_line_is_reported_without_waiting_for_a_message():
    assert FrameDecoder().feed(b"node: version too old\n") == [Noise("node: version too old")]


@pytest.mark.parametrize(
    "length", [b"-5", b"five", b"", b"5 bytes", b"0x10", b"5.0", b"+5", b"9999999999", b"1" * 11, b"9" * 5000]
)
@pytest.mark.parametrize("size", [1, 10_000])
def test_a_length_that_cannot_be_is_noise_and_the_next_header_is_found(length: bytes, size: int):
    broken = b"Content-Length: " + length
    frames = feed_in_pieces(FrameDecoder(), broken + b"\r\n\r\n{}" + encode_frame(b"hello"), size)
    assert bodies(frames) == [b"hello"]
    assert noise(frames) == f"{broken.decode()}\n{{}}"


def test_a_length_followed_by_plain_text_was_no_header():
    frames = FrameDecoder().feed(b"Content-Length: 500\nwas received\n" + encode_frame(b"hello"))
    assert frames == [Noise("Content-Length: 500\nwas received"), Body(b"hello")]


def test_of_two_lengths_in_a_row_the_newer_counts():
    frames = FrameDecoder().feed(b"Content-Length: 500\r\n" + encode_frame(b"hello"))
    assert frames == [Noise("Content-Length: 500"), Body(b"hello")]


def test_a_type_header_without_a_length_is_noise():
    frames = FrameDecoder().feed(b"Content-Type: text/plain\r\n\r\n" + encode_frame(b"hello"))
    assert frames == [Noise("Content-Type: text/plain"), Body(b"hello")]


def test_a_header_that_never_ends_is_noise():
    endless = b"Content-Length: 5\r\n" + b"X-More: yes\r\n" * 1000
    frames = FrameDecoder(max_header=1024).feed(endless + b"\r\n" + encode_frame(b"hello"))
    assert bodies(frames) == [b"hello"]
    assert noise(frames).startswith("Content-Length: 5")


def test_a_body_longer_than_announced_costs_only_itself():
    frames = FrameDecoder().feed(b'Content-Length: 5\r\n\r\n{"a":1}' + encode_frame(b"hello"))
    assert frames == [Body(b'{"a":'), Noise("1}"), Body(b"hello")]


@pytest.mark.parametrize("size", [1, 64, 100_000])
def test_noise_beyond_the_limit_is_counted_and_not_kept(size: int):
    frames = feed_in_pieces(FrameDecoder(max_noise=100), b"x" * 49_999 + b"\n" + encode_frame(b"hello"), size)
    kept = "".join(frame.text for frame in frames[:-2] if isinstance(frame, Noise))
    assert kept == "x" * 100
    assert frames[-2:] == [Noise("[49,900 more bytes were cut]"), Body(b"hello")]


def test_each_stretch_of_noise_has_the_whole_limit():
    decoder = FrameDecoder(max_noise=4)
    assert decoder.feed(b"123456\n" + encode_frame(b"a"))[0] == Noise("1234")
    assert decoder.feed(b"123456\n" + encode_frame(b"b"))[0] == Noise("1234")


def test_noise_that_is_not_utf8_is_shown_as_well_as_can_be():
    assert FrameDecoder().feed(b"caf\xe9\n") == [Noise("caf\N{REPLACEMENT CHARACTER}")]


@pytest.mark.parametrize("size", [1, 1000, 1_000_000])
def test_a_body_over_the_limit_is_skipped_exactly_and_shows_both_ends(size: int):
    big = b"a" * GLIMPSE_SIZE + b"-" * 1000 + b"z" * GLIMPSE_SIZE
    frames = feed_in_pieces(FrameDecoder(max_body=5000), encode_frame(big) + encode_frame(b"hello"), size)
    assert frames == [Oversized(len(big), 5000, b"a" * GLIMPSE_SIZE, b"z" * GLIMPSE_SIZE), Body(b"hello")]


def test_a_body_of_just_the_limit_is_taken():
    assert FrameDecoder(max_body=5).feed(encode_frame(b"hello")) == [Body(b"hello")]


def test_a_small_body_over_a_smaller_limit_is_seen_whole_from_both_ends():
    assert FrameDecoder(max_body=4).feed(encode_frame(b"hello")) == [Oversized(5, 4, b"hello", b"hello")]


def test_fifty_megabytes_over_the_limit_are_never_held_in_memory():
    decoder = FrameDecoder()
    piece = b"x" * 65_536
    frames = decoder.feed(b"Content-Length: %d\r\n\r\n" % (800 * len(piece)))
    tracemalloc.start()
    for _ in range(800):
        frames += decoder.feed(piece)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    frames += decoder.feed(encode_frame(b"hello"))
    assert frames == [Oversized(52_428_800, 32 * 1024 * 1024, piece[:4096], piece[:4096]), Body(b"hello")]
    assert peak < 1024 * 1024


def test_fifty_megabytes_within_the_limit_come_out_whole():
    body = bytes(range(256)) * 204_800
    frames = feed_in_pieces(FrameDecoder(max_body=len(body)), encode_frame(body), 65_536)
    assert bodies(frames) == [body]


def test_a_stream_that_ends_between_messages_left_nothing_unfinished():
    decoder = FrameDecoder()
    decoder.feed(encode_frame(b"hello") + b"\r\n")
    assert decoder.close() == []


def test_a_stream_that_ends_inside_a_body_says_so():
    decoder = FrameDecoder()
    decoder.feed(b"Content-Length: 10\r\n\r\nhel")
    decoder.feed(b"lo")
    assert decoder.close() == [Truncated(10, 5, b"hello")]


def test_a_stream_that_ends_inside_a_refused_body_says_so():
    decoder = FrameDecoder(max_body=4)
    decoder.feed(b"Content-Length: 10\r\n\r\nhello")
    assert decoder.close() == [Truncated(10, 5, b"hello")]


def test_a_stream_that_ends_inside_a_line_or_header_shows_it():
    decoder = FrameDecoder()
    decoder.feed(b"Content-Length: 10\r\nContent-Ty")
    assert decoder.close() == [Noise("Content-Length: 10\nContent-Ty")]


def test_a_closed_decoder_is_as_new():
    decoder = FrameDecoder()
    decoder.feed(b"Content-Length: 10\r\n\r\nhello")
    decoder.close()
    assert decoder.feed(encode_frame(b"again")) == [Body(b"again")]


noise_lines = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), min_size=1, max_size=40).filter(
    lambda text: bool(text.encode().strip()) and "content-" not in text.lower()
)


@given(
    st.lists(st.tuples(st.binary(max_size=200), st.lists(noise_lines, max_size=3)), max_size=6),
    st.lists(st.integers(1, 60), min_size=1, max_size=20),
)
def test_any_bodies_with_any_noise_in_any_chunking_come_out_the_same(
    messages: list[tuple[bytes, list[str]]], sizes: list[int]
):
    stream = b"".join("".join(f"{line}\n" for line in lines).encode() + encode_frame(body) for body, lines in messages)
    decoder = FrameDecoder()
    frames: list[Frame] = []
    position = turn = 0
    while position < len(stream):
        size = sizes[turn % len(sizes)]
        frames += decoder.feed(stream[position : position + size])
        position, turn = position + size, turn + 1
    assert bodies(frames) == [body for body, _ in messages]
    assert noise(frames) == "\n".join(line for _, lines in messages for line in lines)
    assert decoder.close() == []


header_like = st.sampled_from(
    [b"Content-Length: ", b"content-length:", b"\r\n", b"\n", b"\r\n\r\n", b"5", b"Content-Type:"]
)


@given(st.lists(st.binary(max_size=50) | header_like, max_size=30))
def test_no_bytes_whatsoever_make_the_decoder_raise_or_invent_data(pieces: list[bytes]):
    decoder = FrameDecoder(max_body=64, max_noise=32, max_header=128)
    frames = [frame for piece in pieces for frame in decoder.feed(piece)] + decoder.close()
    assert sum(map(len, bodies(frames))) <= sum(map(len, pieces))
    assert FrameDecoder().close() == decoder.close()


@given(st.lists(st.binary(max_size=50) | header_like, max_size=20))
def test_the_same_bytes_mean_the_same_messages_in_any_chunking(pieces: list[bytes]):
    def messages(frames: list[Frame]) -> list[Frame]:
        return [frame for frame in frames if not isinstance(frame, Noise)]

    in_pieces, at_once = FrameDecoder(max_body=64, max_header=128), FrameDecoder(max_body=64, max_header=128)
    apart = [frame for piece in pieces for frame in in_pieces.feed(piece)] + in_pieces.close()
    assert messages(apart) == messages(at_once.feed(b"".join(pieces)) + at_once.close())
