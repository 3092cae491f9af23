"""An order book that is rebuilt from its changes. Each change names the previous one and has a
checksum of the best levels. An inconsistent book is requested again, and ``is_whole`` is False until
it arrives."""

from __future__ import annotations

import zlib
from bisect import bisect_left
from decimal import Decimal
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional

__all__ = ["Book", "Level"]

_CHECKED = 25


class Level(NamedTuple):
    """A price level."""

    price: Decimal
    #: Total size of the orders at this price.
    amount: Decimal
    #: Number of orders.
    count: int


class _Side:
    """The levels of one side, best first, with the texts of which the checksum is made."""

    def __init__(self, sign: int) -> None:
        self._sign = sign
        self._keys: List[Decimal] = []
        self._texts: List[str] = []
        self.levels: List[Level] = []

    def clear(self) -> None:
        self._keys.clear()
        self._texts.clear()
        # A new list, because a reader of another thread may have the old one.
        self.levels = []

    def put(self, rows: List[Mapping[str, Any]]) -> None:
        levels = self.levels = list(self.levels)
        for row in rows:
            price = Decimal(row["p"])
            key = price * self._sign
            at = bisect_left(self._keys, key)
            known = at < len(self._keys) and self._keys[at] == key
            if row["n"] == 0:
                if known:
                    del self._keys[at], self._texts[at], levels[at]
                continue
            level = Level(price, Decimal(row["a"]), row["n"])
            text = f"{row['p']}:{row['a']}"
            if known:
                self._texts[at], levels[at] = text, level
            else:
                self._keys.insert(at, key)
                self._texts.insert(at, text)
                levels.insert(at, level)

    @property
    def checked(self) -> str:
        return ",".join(self._texts[:_CHECKED])


class Book:
    """The complete book of a market, kept up to date by its stream."""

    def __init__(
        self,
        symbol: str,
        *,
        changed: Optional[Callable[[Book], None]],
        renew: Callable[[str], None],
        end: Callable[[], None],
    ) -> None:
        self.symbol = symbol
        #: Sequence number and engine time of the last change.
        self.li = 0
        self.t = 0
        #: False until the book has arrived, and while a change is missing.
        self.is_whole = False
        #: How often it became inconsistent, and was requested again.
        self.repairs = 0
        # It will be requested again; until then, its changes are ignored.
        self._repairing = False
        self._bids = _Side(-1)
        self._asks = _Side(1)
        self._changed = changed
        self._renew = renew
        self._end = end

    @property
    def bids(self) -> List[Level]:
        """Bids, best first. The list does not change; the next change makes another one."""
        return self._bids.levels

    @property
    def asks(self) -> List[Level]:
        """Asks, best first."""
        return self._asks.levels

    def close(self) -> None:
        """Ends the subscription."""
        self.is_whole = False
        self._end()

    def _take(self, data: Dict[str, Any]) -> None:
        prev = data["prev"]
        if prev is None:
            self._bids.clear()
            self._asks.clear()
        elif not self.is_whole:
            # The first frame of a subscription is the whole book, unless that was lost.
            return None if self._repairing else self._repair("sequence")
        elif prev != self.li:
            return self._repair("sequence")
        self._bids.put(data["l"][0])
        self._asks.put(data["l"][1])
        self.li, self.t = data["li"], data["t"]
        if zlib.crc32(f"{self._bids.checked}|{self._asks.checked}".encode()) != data["cs"]:
            return self._repair("checksum")
        self.is_whole = True
        if self._changed is not None:
            self._changed(self)

    def _lost(self) -> None:
        self.is_whole = False
        self._repairing = False

    def _repair(self, reason: str) -> None:
        self.is_whole = False
        self._repairing = True
        self.repairs += 1
        self._renew(reason)
