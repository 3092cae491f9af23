"""A websocket that is opened again whenever it ends, until it is closed. One thread connects, reads
and calls the handlers. Requests are paired with their answers; none is sent twice."""

from __future__ import annotations

import itertools
import json
import random
import threading
import time
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple

from ._transport import is_readable
from ._websocket import WebSocket, opened
from .errors import ApiRefusal, NetworkFailure, TimeoutFailure

# The real clock, even where a virtual loop shows its own to the code under test.
_now = time.monotonic
_jitter = random.Random()
_numbers = itertools.count()


class Health(NamedTuple):
    """State of a connection."""

    #: ``connecting``, ``open``, ``waiting`` (for the next attempt) or ``closed``.
    state: str
    #: Duration of the last ping in seconds; None if this connection has none yet.
    latency: Optional[float]
    #: Seconds since the last message from the exchange; None if there was none.
    idle: Optional[float]
    #: Number of consecutive failed attempts.
    failures: int
    #: Why the last connection ended or could not be opened; None if none has.
    ended: Optional[str]


Settle = Callable[[Any], None]


class Connection:
    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        *,
        timeout: float,
        ping: float,
        backoff: Tuple[float, float],
        begin: Callable[[], None],
        heard: Callable[[Dict[str, Any]], None],
        down: Callable[[], None],
        health_changed: Callable[[], None],
    ) -> None:
        self._url = url
        self._headers = headers
        self._timeout = timeout
        self._ping = ping
        self._backoff = backoff
        self._begin = begin
        self._heard = heard
        self._down = down
        self._health_changed = health_changed
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._waiting: Dict[int, Settle] = {}
        self._later: List[Tuple[float, Callable[[], None]]] = []
        self._socket: Optional[WebSocket] = None
        self._state = "connecting"
        self._busy = True
        self._latency: Optional[float] = None
        self._heard_at: Optional[float] = None
        self._failures = 0
        self._ended: Optional[str] = None
        self._last_id = 0
        # A virtual loop takes the calls of several streams in the order of these names.
        name = f"openperp-stream-{next(_numbers):06}"
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def is_mine(self) -> bool:
        """Whether the caller is the thread that reads, which must not wait for answers."""
        return threading.current_thread() is self._thread

    @property
    def is_open(self) -> bool:
        return self._state == "open"

    def health(self) -> Health:
        idle = None if self._heard_at is None else _now() - self._heard_at
        return Health(self._state, self._latency, idle, self._failures, self._ended)

    def is_quiet(self) -> bool:
        """Whether all that the exchange has sent is processed, and no request waits."""
        if self._state == "closed":
            return True
        socket = self._socket
        if self._state != "open" or socket is None or self._waiting:
            return False
        try:
            if is_readable(socket.socket):
                return False
        except (OSError, ValueError):
            return False
        return not self._busy

    def ask(self, message: Mapping[str, Any], settle: Settle) -> None:
        """``settle`` is called once with the answer or an error, by the thread that reads."""
        with self._lock:
            socket = self._socket
            if socket is not None:
                self._last_id += 1
                number = self._last_id
                self._waiting[number] = settle
        if socket is None:
            return settle(NetworkFailure(f"not connected to {self._url}"))
        try:
            socket.send(json.dumps({**message, "id": number}, separators=(",", ":")))
        except NetworkFailure:
            pass  # The thread that reads notices the end, and settles all that wait.

    def request(self, message: Mapping[str, Any]) -> Dict[str, Any]:
        """Waits for the answer.

        :raises ApiRefusal: The exchange refused the request.
        :raises NetworkFailure: There is no connection, or it ended.
        :raises TimeoutFailure: No answer came in time.
        """
        if self.is_mine:
            raise RuntimeError("a handler cannot wait for the stream; use the client, or a thread")
        done = threading.Event()
        found: List[Any] = []

        def settle(answer: Any) -> None:
            found.append(answer)
            done.set()

        self.ask(message, settle)
        if not done.wait(self._timeout):
            raise TimeoutFailure(f"{self._url} did not answer within {self._timeout} s")
        if isinstance(found[0], Exception):
            raise found[0]
        return found[0]

    def after(self, seconds: float, run: Callable[[], None]) -> None:
        """Calls ``run`` later in the thread that reads, unless the connection ends before."""
        self._later.append((_now() + seconds, run))

    def close(self) -> None:
        with self._lock:
            if self._state == "closed":
                return
            self._state = "closed"
            socket = self._socket
        self._wake.set()
        if socket is not None:
            socket.close()
        if not self.is_mine and self._thread.is_alive():
            self._thread.join(self._timeout)
        self._health_changed()

    def _run(self) -> None:
        while self._state != "closed":
            try:
                self._change("connecting")
                socket = opened(self._url, self._headers, self._timeout)
                why = self._serve(socket)
            except NetworkFailure as error:
                why = str(error)
            self._lose(why)
            if self._state == "closed":
                return
            first, most = self._backoff
            wait = min(most, first * 2 ** min(self._failures, 30))
            self._failures += 1
            # Half of the delay is random, so that clients that were disconnected together do not
            # reconnect together.
            self._change("waiting")
            self._wake.wait(wait * (0.5 + _jitter.random() / 2))

    def _serve(self, socket: WebSocket) -> str:
        with self._lock:
            if self._state == "closed":
                socket.close()
                socket.release()
                return "closed here"
            self._socket = socket
            self._state = "open"
        self._busy = True
        self._health_changed()
        self._begin()
        due = self._send_ping()
        while True:
            if not socket.has_buffered:
                self._busy = False
                wait = min([due, *(when for when, _ in self._later)]) - _now()
                ready = is_readable(socket.socket, max(0.0, wait))
                self._busy = True
                if not ready:
                    self._run_later()
                    if _now() < due:
                        continue
                    if self._pinged is not None:
                        return "a ping was not answered"
                    due = self._send_ping()
                    continue
            self._take(socket.receive())
            if self._pinged is None and self._answered is not None:
                due, self._answered = self._answered + self._ping, None

    def _send_ping(self) -> float:
        """Returns when its answer is overdue."""
        sent = _now()
        self._pinged: Optional[float] = sent
        self._answered: Optional[float] = None

        def settle(answer: Any) -> None:
            if isinstance(answer, Exception):
                return
            self._pinged, self._answered = None, _now()
            self._latency = self._answered - sent
            self._health_changed()

        self.ask({"method": "ping"}, settle)
        return sent + self._timeout

    def _run_later(self) -> None:
        now = _now()
        due = [run for when, run in self._later if when <= now]
        self._later = [each for each in self._later if each[0] > now]
        for run in due:
            run()

    def _take(self, text: str) -> None:
        self._heard_at = _now()
        self._failures = 0
        try:
            message = json.loads(text)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise NetworkFailure("the message is not of this API")
        with self._lock:
            settle = self._waiting.pop(message.get("id"), None)  # type: ignore[arg-type]
        if settle is None:
            self._heard(message)
        else:
            settle(_refusal_in(message) or message)

    def _change(self, state: str) -> None:
        with self._lock:
            if self._state == "closed":
                return
            self._state = state
        self._health_changed()

    def _lose(self, why: str) -> None:
        with self._lock:
            socket, self._socket = self._socket, None
            if self._state != "closed":
                self._state = "waiting"
            self._ended = "closed here" if self._state == "closed" else why
            self._latency = None
            unanswered, self._waiting = self._waiting, {}
        self._later = []
        if socket is not None:
            socket.close()
            socket.release()
        self._down()
        for settle in unanswered.values():
            settle(NetworkFailure(f"the connection to {self._url} ended: {self._ended}"))


def _refusal_in(message: Mapping[str, Any]) -> Optional[ApiRefusal]:
    """A refusal is an error frame, or a reply with a code other than 200."""
    is_frame = message.get("channel") == "error"
    error = message["data"].get("error") if is_frame else message.get("err")
    code = message["data"].get("code") if is_frame else message.get("code")
    if error is None or code is None:
        return None
    return ApiRefusal(error, status=code, code=code, seq=message.get("seq"), details=message)
