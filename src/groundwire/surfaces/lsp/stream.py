"""A client's two streams as a transport, so that ``client.connection`` speaks to it as it speaks to servers.

Above: ``server``. Below: asyncio's streams.
"""

import asyncio
import contextlib

from groundwire.transport.base import OnBytes, OnClosed

_CHUNK = 65536


class StreamTransport:
    """See ``transport.base.Transport``. Whoever made the streams frees what is behind them."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._reading: asyncio.Task[None] | None = None

    def start(self, on_bytes: OnBytes, on_closed: OnClosed) -> None:
        """Begin to read."""
        self._reading = asyncio.create_task(self._read(on_bytes, on_closed))

    def send(self, data: bytes) -> int:
        """Queue bytes."""
        if not self._writer.is_closing():
            self._writer.write(data)
        return self.unsent

    @property
    def unsent(self) -> int:
        """Bytes that the client has not taken yet."""
        return self._writer.transport.get_write_buffer_size()

    async def drained(self) -> None:
        """Wait until the client has taken most of it, or is gone."""
        with contextlib.suppress(OSError):
            await self._writer.drain()

    async def close(self) -> None:
        """Read no more; what was sent before goes out."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        if not self._writer.is_closing():
            self._writer.close()

    async def _read(self, on_bytes: OnBytes, on_closed: OnClosed) -> None:
        reason = "the input ended"
        try:
            while chunk := await self._reader.read(_CHUNK):
                on_bytes(chunk)
        except OSError as error:
            reason = f"the input failed: {error}"
        finally:
            on_closed(reason)
