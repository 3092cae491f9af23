"""Live data over one websocket: channels of markets and of one account, and trading.

After a lost connection all subscriptions are restored. Account channels resume, other channels start
again, and readers are notified of possible gaps. docs/api/streams.md of openperp has the channels.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Tuple
from weakref import WeakSet

from ._connection import Connection, Health
from ._follow import Follow
from ._operations import OPERATIONS
from ._subscription import (
    Frame,
    Gap,
    Handlers,
    Subscription,
    channel_of,
    key_of_frame,
    params_for,
)
from .book import Book
from .errors import ApiRefusal, TimeoutFailure

if TYPE_CHECKING:
    from .client import Client

__all__ = ["Book", "Follow", "Frame", "Gap", "Health", "Stream", "Subscription"]

#: Streams that are not closed; a virtual loop waits until they have processed what was sent.
open_streams: WeakSet[Stream] = WeakSet()

_REPAIR_MOST = 10.0


class Stream:
    """A websocket of a client. A thread reads it and calls the handlers, one after the other.

    :param on_health: called with a :class:`Health` when the connection opens or ends, and after
        each ping.
    :param on_error: called with errors that belong to no call, those of handlers included (default:
        they are raised in the thread, which prints them).
    :param timeout: maximum wait for an answer, in seconds (default: the client's).
    :param ping: interval of pings in seconds.
    :param backoff: delay before reconnecting, in seconds: after the first failure, and the maximum.
    """

    def __init__(
        self,
        client: Client,
        *,
        on_health: Optional[Callable[[Health], Any]] = None,
        on_error: Optional[Callable[[Exception], Any]] = None,
        timeout: Optional[float] = None,
        ping: float = 15.0,
        backoff: Tuple[float, float] = (0.25, 15.0),
    ) -> None:
        self._client = client
        self._on_health = on_health
        self._on_error = on_error
        self._timeout = client._timeout if timeout is None else timeout
        self._lock = threading.RLock()
        self._subscriptions: Dict[str, Subscription] = {}
        self._follows: Dict[int, Follow] = {}
        # The connection is open and authenticated.
        self._begun = False
        self._armed: Optional[bool] = None
        self._connection = Connection(
            client.url.replace("http", "ws", 1) + "/ws",
            client._key_headers,
            timeout=self._timeout,
            ping=ping,
            backoff=backoff,
            begin=self._begin,
            heard=self._heard,
            down=self._down,
            health_changed=self._health_changed,
        )
        open_streams.add(self)
        self._connection.start()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def health(self) -> Health:
        """State of the connection."""
        return self._connection.health()

    def is_quiet(self) -> bool:
        """Whether all that the exchange has sent is processed, and no request waits."""
        return self._connection.is_quiet()

    def subscribe(
        self,
        source: str,
        frame: Callable[[Frame], Any],
        *,
        gap: Optional[Callable[[Gap], Any]] = None,
        down: Optional[Callable[[], Any]] = None,
        refused: Optional[Callable[[Exception], Any]] = None,
        wait: bool = True,
        **params: Any,
    ) -> Subscription:
        """Calls ``frame`` with every :class:`Frame` until the subscription is closed.

        :param gap: called as soon as frames may be missing.
        :param down: called when the connection is lost; the subscription continues with the next.
        :param refused: called when the exchange refused the subscription, which ends it.
        :param wait: whether to return after the exchange has acknowledged the subscription.
        :param params: of the channel, such as ``symbol``.
        :raises ApiRefusal: The exchange refused the subscription.
        :raises TimeoutFailure: It was not acknowledged in time.
        """
        return self._subscribe(source, Handlers(frame, gap, down, refused), params, wait)

    def follow(self, source: str, *, buffer: int = 1_000, **params: Any) -> Follow:
        """Subscribes for use in a loop: ``for frame in …`` or ``async for frame in …``. Leaving a
        ``with`` block or calling ``close`` ends it. Unread frames wait, at most ``buffer``. Of a
        state only the newest is kept; for any other channel the loop ends with ``SlowReader``."""
        channel = channel_of(source)
        follow = Follow(source, buffer, channel.sends == "state" and not channel.in_parts)
        handlers = Handlers(follow._push, refused=follow._fail)
        subscription = self._subscribe(source, handlers, params, not self._connection.is_mine)

        def end() -> None:
            self._follows.pop(id(follow), None)
            subscription.close()

        follow._end = end
        self._follows[id(follow)] = follow
        return follow

    def book(
        self,
        symbol: str,
        changed: Optional[Callable[[Book], Any]] = None,
        *,
        gap: Optional[Callable[[Gap], Any]] = None,
        wait: bool = True,
    ) -> Book:
        """The complete book of a market. Every change is checked by its number and its checksum.

        :param changed: called with the book after each change that passed the checks.
        :param gap: called when a change is missing or wrong. The book is then requested again.
        :param wait: whether to return only when the book has arrived.
        :raises TimeoutFailure: It did not arrive in time.
        """
        arrived = threading.Event()

        def renew(reason: str) -> None:
            # The first time immediately, then with growing delays: a persistent error must not
            # cause a flood of requests.
            self._renew(subscription, Gap(reason), min(_REPAIR_MOST, 0.125 * 2 ** failures[0]))
            failures[0] = min(failures[0] + 1, 10)

        def whole(book: Book) -> None:
            failures[0] = 0
            arrived.set()
            if changed is not None:
                changed(book)

        def lost(reason: Gap) -> None:
            book._lost()
            if gap is not None:
                gap(reason)

        failures = [0]
        book = Book(symbol, changed=whole, renew=renew, end=lambda: subscription.close())
        handlers = Handlers(lambda frame: book._take(frame.data), gap=lost, down=book._lost)
        subscription = self._subscribe("book_delta", handlers, {"symbol": symbol}, wait, raw=True)
        if wait and not self._connection.is_mine and not arrived.wait(self._timeout):
            subscription.close()
            raise TimeoutFailure(f"the book of {symbol} did not arrive within {self._timeout} s")
        return book

    def call(self, name: str, /, **fields: Any) -> Any:
        """Sends a trading request over the websocket, signed as over HTTP, at most once.

        :raises ApiRefusal: The exchange refused the request.
        :raises NetworkFailure: No reply came: it may have been executed, unless there was no
            connection.
        :raises OutcomeUnknown: The reply leaves open whether it was executed.
        """
        operation = OPERATIONS.get(name)
        if operation is None or not operation.ws:
            names = ", ".join(each for each, op in OPERATIONS.items() if op.ws)
            raise ValueError(f"{name} is not served over the websocket; these are: {names}")
        body = self._client.body(name, **fields)
        try:
            return self._connection.request({"params": {name: body}})["data"]
        except ApiRefusal as error:
            self._client._refused(error)
            raise self._client._without_outcome(error, operation, body)

    def cancel_on_disconnect(self, keep_protective: Optional[bool] = True) -> None:
        """Cancels the account's orders whenever a connection of this stream ends, including
        connections that are opened later. Reduce-only stops and TP/SL levels are kept by default;
        None disables it.

        :raises NetworkFailure: There is no connection; the next one arms it.
        """
        self._armed = keep_protective
        self._connection.request(self._arming())

    def close(self) -> None:
        """Closes the connection and ends every loop."""
        open_streams.discard(self)
        self._connection.close()
        for follow in list(self._follows.values()):
            follow._finish()
        with self._lock:
            self._subscriptions.clear()

    # The connection

    def _begin(self) -> None:
        """The exchange reads messages in order, so that later requests are the owner's."""
        try:
            body = self._client._read_body()
        except Exception as error:
            self._failed(error)
            body = None
        if body is not None:
            self._connection.ask({"method": "authenticate", "params": body}, self._report)
        with self._lock:
            self._begun = True
            for each in self._subscriptions.values():
                self._ask(each)
        if self._armed is not None:
            try:
                self._connection.ask(self._arming(), self._report)
            except Exception as error:
                self._failed(error)

    def _arming(self) -> Dict[str, Any]:
        armed = self._armed
        fields = {"keep_protective": armed}
        params = None if armed is None else self._client._signed("cancel_on_disconnect", fields)
        return {"method": "cancel_on_disconnect", "params": params}

    def _report(self, answer: Any) -> None:
        if isinstance(answer, ApiRefusal):
            self._client._refused(answer)
            self._failed(answer)

    def _failed(self, error: Exception) -> None:
        if self._on_error is None:
            raise error
        self._on_error(error)

    def _guarded(self, run: Callable[[], Any]) -> None:
        """An error of a handler must not end the stream."""
        try:
            run()
        except Exception as error:
            if self._on_error is not None:
                self._on_error(error)
            else:
                threading.excepthook(
                    threading.ExceptHookArgs(
                        (type(error), error, error.__traceback__, threading.current_thread())
                    )
                )

    def _health_changed(self) -> None:
        if self._on_health is not None:
            self._guarded(lambda: self._on_health(self.health()))  # type: ignore[misc]

    def _down(self) -> None:
        with self._lock:
            self._begun = False
            subscriptions = list(self._subscriptions.values())
        for each in subscriptions:
            self._guarded(each.down)

    def _heard(self, message: Dict[str, Any]) -> None:
        with self._lock:
            subscriptions = dict(self._subscriptions)
        source = message.get("channel")
        if source == "reverted":
            for each in subscriptions.values():
                self._guarded(lambda: each.restart(Gap("reverted"), message.get("li", 0)))
            return
        if source == "error":
            data = message["data"]
            code = data.get("code", 0)
            return self._guarded(
                lambda: self._failed(
                    ApiRefusal(data["error"], status=code, code=code, details=message)
                )
            )
        key = key_of_frame(message)
        if key is not None:
            found = subscriptions.get(key)
            if found is not None:
                self._guarded(lambda: found.take(message))
            return
        for each in subscriptions.values():
            if each.source == source:
                self._guarded(lambda: each.take(message))

    # Subscriptions

    def _subscribe(
        self, source: str, handlers: Handlers, given: Dict[str, Any], wait: bool, raw: bool = False
    ) -> Subscription:
        channel = channel_of(source)
        params = params_for(channel, given, self._client.account)
        subscription = Subscription(channel, params, handlers, self._unsubscribe, raw)
        with self._lock:
            if subscription.key in self._subscriptions:
                raise ValueError(
                    f"this stream is already subscribed to {subscription.key}; open a second "
                    "stream for another handler"
                )
            self._subscriptions[subscription.key] = subscription
            if self._begun:
                self._ask(subscription)
        if wait and not self._connection.is_mine:
            if not subscription.answered.wait(self._timeout):
                subscription.close()
                why = self.health().ended
                late = f"{source} was not acknowledged within {self._timeout} s"
                raise TimeoutFailure(late if why is None else f"{late} (the connection: {why})")
            if subscription.error is not None:
                raise subscription.error
        return subscription

    def _ask(self, subscription: Subscription) -> None:
        def settle(answer: Any) -> None:
            with self._lock:
                if self._subscriptions.get(subscription.key) is not subscription:
                    return
                if isinstance(answer, ApiRefusal):
                    del self._subscriptions[subscription.key]
            if isinstance(answer, ApiRefusal):
                self._guarded(lambda: subscription.refuse(answer))
            elif not isinstance(answer, Exception):
                self._guarded(lambda: subscription.acknowledge(answer))
            # Without a reply, the next connection subscribes again.

        self._connection.ask({"method": "subscribe", "params": subscription.request()}, settle)

    def _unsubscribe(self, subscription: Subscription) -> None:
        with self._lock:
            if self._subscriptions.get(subscription.key) is not subscription:
                return
            del self._subscriptions[subscription.key]
        subscription.answered.set()
        self._leave(subscription)

    def _leave(self, subscription: Subscription) -> None:
        params = {"source": subscription.source, **subscription.params}
        self._connection.ask({"method": "unsubscribe", "params": params}, lambda _: None)

    def _renew(self, subscription: Subscription, gap: Gap, wait: float) -> None:
        def renew() -> None:
            with self._lock:
                if self._subscriptions.get(subscription.key) is not subscription:
                    return
                subscription.restart(gap, 0)
                self._leave(subscription)
                self._ask(subscription)

        if wait < 0.2:
            renew()
        else:
            self._connection.after(wait, renew)
