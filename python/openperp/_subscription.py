"""A subscription to one channel of a market or account, and its position in the stream."""

from __future__ import annotations

import threading
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Tuple

from ._channels import CHANNELS, Channel
from ._decimals import received

_PARAMS: Mapping[str, Tuple[str, ...]] = {
    "all": (),
    "symbol": ("symbol",),
    "book": ("symbol", "agg_level"),
    "interval": ("symbol", "interval"),
    "account": ("account",),
}


class Gap(NamedTuple):
    """Reports that frames may be missing. The reason is one of:

    - ``reconnected``: the channel cannot resume after a lost connection;
    - ``not_resumed``: the channel can resume, but the connection was lost for too long;
    - ``reverted``: the sandbox was reverted to a snapshot or reset;
    - ``skipped``: the client read too slowly, and the exchange skipped frames;
    - ``sequence``: a frame is missing; a book is requested again;
    - ``checksum``: a change of the book is wrong; the book is requested again.
    """

    reason: str
    #: Number of frames that the exchange skipped; 0 if it is unknown.
    skipped: int = 0


class Frame(NamedTuple):
    """One message of a channel."""

    #: The channel, as named by the subscription.
    source: str
    #: The rows or the value of the channel.
    data: Any
    #: Sequence number of the event that the frame reports, or of the state that it shows.
    li: int
    #: If True, discard earlier data: this frame has the complete list or a new state.
    begins: bool
    #: The last gap since the previous frame.
    gap: Optional[Gap]


class Handlers(NamedTuple):
    frame: Callable[[Frame], Any]
    gap: Optional[Callable[[Gap], Any]] = None
    down: Optional[Callable[[], Any]] = None
    refused: Optional[Callable[[Exception], Any]] = None


def channel_of(source: str) -> Channel:
    channel = CHANNELS.get(source)
    if channel is None:
        raise ValueError(f"{source!r} is not a channel; channels: {', '.join(CHANNELS)}")
    return channel


def params_for(
    channel: Channel, given: Mapping[str, Any], account: Optional[str]
) -> Dict[str, Any]:
    """The parameters that the exchange accepts for this channel."""
    allowed = _PARAMS[channel.of] + (("since",) if channel.since else ())
    for name in given:
        if name not in allowed:
            known = ", ".join(allowed) or "none"
            raise TypeError(f"{name} is not a parameter of {channel.source}; parameters: {known}")
    params = {name: value for name, value in given.items() if value is not None}
    if channel.of != "account":
        missing = [name for name in allowed if name not in params and name != "agg_level"]
        if missing:
            raise TypeError(f"{channel.source} needs {' and '.join(missing)}")
        return params
    if params.get("account", account) != account:
        raise ValueError(f"a stream is of one account, and this one's is {account}; make another")
    if account is None:
        raise ValueError(f"{channel.source} is of an account: make the client with a key")
    return {**params, "account": account}


class Subscription:
    """A subscription to one channel. :meth:`close` ends it."""

    def __init__(
        self,
        channel: Channel,
        params: Dict[str, Any],
        handlers: Handlers,
        end: Callable[[Subscription], None],
        raw: bool = False,
    ) -> None:
        self.channel = channel
        self.source = channel.source
        self.params = params
        self.key = key_of(self.source, params)
        #: Set when the exchange has acknowledged or refused the subscription.
        self.answered = threading.Event()
        self.error: Optional[Exception] = None
        self._handlers = handlers
        self._end = end
        self._raw = raw
        # Earlier frames belong to a previous subscription and are ignored.
        self._acknowledged = False
        # Sequence number to resume from; None to start from the beginning.
        self._li: Optional[int] = None
        self._begun = False
        # Expected `prev` of the next frame; None if unknown.
        self._place: Optional[int] = None
        self._gap: Optional[Gap] = None

    def close(self) -> None:
        """Ends the subscription."""
        self._end(self)

    def request(self) -> Dict[str, Any]:
        """Parameters of the next subscribe request."""
        self._acknowledged = False
        params = {"source": self.source, **self.params}
        if self.channel.of == "account" and self._li is not None:
            params.pop("since", None)
            params["resume_from"] = self._li
        return params

    def down(self) -> None:
        self._acknowledged = False
        if self._handlers.down is not None:
            self._handlers.down()

    def restart(self, gap: Gap, li: int) -> None:
        """Starts again after a gap, with events after ``li``."""
        self._begun = False
        self._place = None
        self._li = li if self.channel.sends == "events" else None
        self._report(gap)

    def acknowledge(self, message: Mapping[str, Any]) -> None:
        self._acknowledged = True
        resumed = message["data"].get("resumed")
        self._place = self._li if resumed is True else message["li"]
        if resumed is not True:
            self._fresh(message["li"], resumed is False)
        self.answered.set()

    def _fresh(self, li: int, was_refused: bool) -> None:
        """Starts from the beginning. A list or state has no position before its first frame."""
        is_first = self._li is None and not self._begun
        self._begun = False
        sends_events = self.channel.sends == "events"
        self._li = li if sends_events else None
        if was_refused:
            self._report(Gap("not_resumed"))
        elif not is_first and sends_events and self.channel.of != "account":
            self._report(Gap("reconnected"))

    def refuse(self, error: Exception) -> None:
        self.error = error
        self.answered.set()
        if self._handlers.refused is not None:
            self._handlers.refused(error)

    def take(self, message: Mapping[str, Any]) -> None:
        """Processes a frame of the channel."""
        if not self._acknowledged:
            return
        li, prev, place = message["li"], message.get("prev"), self._place
        skipped = message.get("skipped", 0)
        # A book checks its own changes.
        is_checked = not self.channel.in_parts
        if is_checked and prev is not None and place is not None and prev != place:
            self._report(Gap("sequence"))
        self._li = self._place = li
        if skipped > 0:
            self._report(Gap("skipped", skipped))
            # A channel without a state reports a gap with an empty list and no details.
            if self.channel.sends == "events":
                self._place = None
                return
        begins, gap = not self._begun, self._gap
        self._begun, self._gap = True, None
        data = message["data"] if self._raw else received(message["data"], self.channel.data)
        self._handlers.frame(Frame(self.source, data, li, begins, gap))

    def _report(self, gap: Gap) -> None:
        self._gap = gap
        if self._handlers.gap is not None:
            self._handlers.gap(gap)


def key_of(source: str, params: Mapping[str, Any]) -> str:
    parts = (source, params.get("symbol"), params.get("interval"))
    return " ".join(part for part in parts if part is not None)


def key_of_frame(message: Mapping[str, Any]) -> Optional[str]:
    """The key of the subscription to which a frame belongs; None if it belongs to every one of its
    source."""
    source = message.get("channel")
    channel = CHANNELS.get(source or "")
    if channel is None or source is None:
        return None
    if channel.of in ("all", "account"):
        return source
    data = message["data"]
    row = (data[0] if data else None) if isinstance(data, list) else data
    if row is None:
        return None
    interval = row.get("i") if channel.of == "interval" else None
    return key_of(source, {"symbol": row.get("s"), "interval": interval})
