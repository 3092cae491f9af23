"""HTTP over connections that are kept open. Threads share them; each request has one for itself."""

from __future__ import annotations

import http.client
import select
import socket
import ssl
import threading
from typing import Dict, List, Mapping, NamedTuple, Optional
from urllib.parse import urlsplit

from .errors import NetworkFailure, TimeoutFailure


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    def __init__(self, url: str, timeout: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url is {url!r}; it must be an address such as http://127.0.0.1:8080")
        if parts.query or parts.fragment:
            raise ValueError(f"url is {url!r}; it must not have a query or a fragment")
        self.url = url.rstrip("/")
        self._path = parts.path.rstrip("/")
        self._timeout = timeout
        self._is_secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self._idle: List[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def request(
        self, method: str, path: str, headers: Mapping[str, str], body: Optional[bytes] = None
    ) -> Answer:
        """Sends one request, once. An idle connection that the server has closed is not used."""
        connection = self._taken() or self._opened()
        try:
            connection.request(method, self._path + path, body, dict(headers))
            reply = connection.getresponse()
            answer = Answer(reply.status, _lower(reply.headers), reply.read())
        except BaseException as error:
            connection.close()
            if isinstance(error, socket.timeout):
                late = f"{self.url} did not answer {path} within {self._timeout} s"
                raise TimeoutFailure(late) from error
            if isinstance(error, (OSError, http.client.HTTPException)):
                why = str(error) or type(error).__name__
                raise NetworkFailure(f"no answer from {self.url}: {why}") from error
            raise
        if reply.will_close:
            connection.close()
        else:
            with self._lock:
                self._idle.append(connection)
        return answer

    def close(self) -> None:
        with self._lock:
            connections, self._idle = self._idle, []
        for connection in connections:
            connection.close()

    def __del__(self) -> None:
        for connection in getattr(self, "_idle", []):
            connection.close()

    def _taken(self) -> Optional[http.client.HTTPConnection]:
        while True:
            with self._lock:
                if not self._idle:
                    return None
                connection = self._idle.pop()
            # The server sends nothing unless it closes.
            if connection.sock is not None and not is_readable(connection.sock):
                return connection
            connection.close()

    def _opened(self) -> http.client.HTTPConnection:
        if not self._is_secure:
            return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(
            self._host, self._port, timeout=self._timeout, context=context
        )


def _lower(headers: Mapping[str, str]) -> Dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def is_readable(sock: socket.socket, timeout: float = 0) -> bool:
    """Whether data wait, or the other side has closed."""
    if hasattr(select, "poll"):  # `select` cannot wait for sockets with numbers above 1,023.
        poll = select.poll()
        poll.register(sock, select.POLLIN)
        return bool(poll.poll(timeout * 1_000))
    return bool(select.select([sock], [], [], timeout)[0])
