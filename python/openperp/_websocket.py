"""A websocket (RFC 6455) with the standard library: what a client of this API needs."""

from __future__ import annotations

import base64
import hashlib
import os
import socket
import ssl
import struct
import threading
from typing import Mapping, Tuple
from urllib.parse import urlsplit

from .errors import NetworkFailure

_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_HEAD_MAX = 16_384
_CHUNK = 65_536
# The whole book of a market is the largest message.
_MESSAGE_MAX = 16 * 1024 * 1024


class Closed(NetworkFailure):
    """The connection has ended. ``code`` is that of the close frame; 1006: there was none."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason or f"closed with {code}")
        self.code = code


class WebSocket:
    """One thread reads; any thread may send."""

    def __init__(self, url: str, headers: Mapping[str, str], timeout: float) -> None:
        parts = urlsplit(url)
        is_secure = parts.scheme == "wss"
        assert parts.hostname is not None
        port = parts.port or (443 if is_secure else 80)
        self.socket = socket.create_connection((parts.hostname, port), timeout)
        try:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if is_secure:
                context = ssl.create_default_context()
                self.socket = context.wrap_socket(self.socket, server_hostname=parts.hostname)
            self._buffer = b""
            self._shake(parts.netloc.rpartition("@")[2], parts.path or "/", headers)
        except BaseException:
            self.socket.close()
            raise
        self.socket.settimeout(None)
        self._lock = threading.Lock()
        self._closing = False

    def _shake(self, host: str, path: str, headers: Mapping[str, str]) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self._buffer:
            if len(self._buffer) > _HEAD_MAX:
                raise Closed(1006, "the answer to the handshake is too long")
            self._receive()
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        status, *fields = head.decode("latin-1").split("\r\n")
        if status.split(" ")[1:2] != ["101"]:
            raise Closed(1006, f"the handshake was answered with {status}")
        accepted = base64.b64encode(hashlib.sha1((key + _GUID).encode()).digest()).decode()
        given = {}
        for field in fields:
            name, _, value = field.partition(":")
            given[name.lower()] = value.strip()
        if given.get("sec-websocket-accept") != accepted:
            raise Closed(1006, "the handshake was answered by no websocket")

    def send(self, text: str) -> None:
        """:raises NetworkFailure: The connection has ended."""
        self._frame(_TEXT, text.encode())

    def receive(self) -> str:
        """The next message. Pings are answered meanwhile.

        :raises Closed: The connection has ended.
        """
        parts = []
        while True:
            final, kind, payload = self._read_frame()
            if kind == _PING:
                self._frame(_PONG, payload)
            elif kind == _CLOSE:
                code = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 1005
                self.close(code if code != 1005 else 1000)
                raise Closed(code, payload[2:].decode(errors="replace"))
            elif kind != _PONG:
                parts.append(payload)
                if sum(map(len, parts)) > _MESSAGE_MAX:
                    raise Closed(1009, "a message is too long")
                if final:
                    return b"".join(parts).decode()

    @property
    def has_buffered(self) -> bool:
        """Whether received bytes wait here, so that the socket may not be readable."""
        pending = self.socket.pending() if isinstance(self.socket, ssl.SSLSocket) else 0
        return bool(self._buffer) or pending > 0

    def close(self, code: int = 1000) -> None:
        """Closes the connection from any thread; a read that waits ends."""
        try:
            if not self._closing:
                self._closing = True
                self._frame(_CLOSE, struct.pack(">H", code))
        except NetworkFailure:
            pass  # It has ended by itself.
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # The other side was first.

    def release(self) -> None:
        """Frees the socket; called by the thread that reads, when it has ended."""
        self.socket.close()

    def _frame(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        if size < 126:
            head = struct.pack(">BB", 0x80 | kind, 0x80 | size)
        elif size < 65_536:
            head = struct.pack(">BBH", 0x80 | kind, 0x80 | 126, size)
        else:
            head = struct.pack(">BBQ", 0x80 | kind, 0x80 | 127, size)
        mask = os.urandom(4)
        repeated = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")).to_bytes(
            size, "big"
        )
        try:
            with self._lock:
                self.socket.sendall(head + mask + masked)
        except OSError as error:
            raise NetworkFailure(f"the connection ended: {error}") from error

    def _read_frame(self) -> Tuple[bool, int, bytes]:
        first, second = self._exactly(2)
        size = second & 127
        if size == 126:
            (size,) = struct.unpack(">H", self._exactly(2))
        elif size == 127:
            (size,) = struct.unpack(">Q", self._exactly(8))
        if size > _MESSAGE_MAX:
            raise Closed(1009, "a frame is too long")
        if second & 128:
            raise Closed(1002, "a server must not mask its frames")
        return bool(first & 128), first & 15, self._exactly(size)

    def _exactly(self, size: int) -> bytes:
        while len(self._buffer) < size:
            self._receive()
        data, self._buffer = self._buffer[:size], self._buffer[size:]
        return data

    def _receive(self) -> None:
        try:
            data = self.socket.recv(_CHUNK)
        except socket.timeout:
            raise Closed(1006, "it took too long") from None
        except OSError as error:
            raise Closed(1006, str(error)) from error
        if not data:
            raise Closed(1006, "the connection was lost")
        self._buffer += data


def opened(url: str, headers: Mapping[str, str], timeout: float) -> WebSocket:
    """:raises NetworkFailure: It could not be opened; the message says why."""
    try:
        return WebSocket(url, headers, timeout)
    except OSError as error:
        raise NetworkFailure(f"{url}: {error}") from error


__all__ = ["Closed", "WebSocket", "opened"]
