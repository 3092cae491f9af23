"""Which exchange a key signs for. The first exchange with which a key is used becomes its venue, and
every text of the key names it, so that the text has no effect elsewhere."""

from __future__ import annotations

import re
import threading
from typing import Any, Callable, Dict, Optional, Tuple

from .errors import ApiRefusal, NetworkFailure, TimeoutFailure, UnexpectedReply, VenueMismatch

_ID = re.compile(r"[0-9a-f]{32}")
_Pin = Tuple[str, bool]

#: The venue of a key is the exchange with which it was first used.
AUTO = "auto"


class VenueGuard:
    def __init__(self, url: str, venue: Optional[str], request: Callable[[], Any]) -> None:
        if venue not in (None, AUTO) and not _ID.fullmatch(venue or ""):
            raise ValueError(
                f"venue is {venue!r}; it must be the id of a venue, 32 lower-case hexadecimal "
                'digits, None, or "auto"'
            )
        self._url = url
        self._venue = venue
        self._request = request
        self._served: Optional[Tuple[Optional[_Pin]]] = None
        self._pins: Dict[str, _Pin] = {}
        self._lock = threading.RLock()

    def reset(self) -> None:
        """The exchange reported another id: it is requested again before the next text."""
        with self._lock:
            self._served = None

    def venue_for(self, address: str, takes_away: bool) -> Optional[str]:
        """The venue that a text of this key names. ``takes_away``: the text cancels or revokes, and
        is sent even if the exchange does not say which one it is."""
        if self._venue is None:
            return None
        with self._lock:
            fixed = None if self._venue == AUTO else (self._venue, False)
            pin = fixed or self._pins.get(address)
            try:
                served = self._serves()
            except (ApiRefusal, NetworkFailure, TimeoutFailure, UnexpectedReply):
                if pin is not None:
                    return pin[0]
                if takes_away:
                    return None
                raise
            return self._agreed(address, pin, served)

    def _agreed(self, address: str, pin: Optional[_Pin], served: Optional[_Pin]) -> Optional[str]:
        if pin is None and served is None:
            return None
        if pin is not None and (served is None or served[0] != pin[0]):
            if served is None or not (pin[1] and served[1]):
                found = None if served is None else served[0]
                raise VenueMismatch(self._url, address, pin[0], found)
        if pin is None or pin != served:
            assert served is not None
            if self._venue == AUTO:
                self._pins[address] = served
            return served[0]
        return pin[0]

    def _serves(self) -> Optional[_Pin]:
        if self._served is None:
            self._served = (self._ask(),)
        return self._served[0]

    def _ask(self) -> Optional[_Pin]:
        try:
            reply = self._request()
        except (ApiRefusal, UnexpectedReply) as error:
            if error.status == 404:
                return None  # A server that does not know venues.
            raise
        venue = reply.get("venue") if isinstance(reply, dict) else None
        if not isinstance(venue, str) or not _ID.fullmatch(venue):
            raise UnexpectedReply(f"{self._url} does not say which exchange it is", 200)
        return venue, reply.get("sandbox") is True
