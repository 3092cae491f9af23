"""The channels of the websocket, by each of their spellings."""

# Written by `npm run docs` from the schemas that the exchange validates with. Do not edit.

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Tuple

from ._decimals import D


class Channel(NamedTuple):
    source: str
    #: Kind of the parameters: ``all`` has none.
    of: str
    #: ``state``, ``list`` or ``events``.
    sends: str
    in_parts: bool = False
    since: bool = False
    data: Any = None


def _channel(
    sources: List[str],
    of: str,
    sends: str,
    in_parts: bool = False,
    since: bool = False,
    data: Any = None,
) -> List[Tuple[str, Channel]]:
    return [(source, Channel(source, of, sends, in_parts, since, data)) for source in sources]


_ALL: List[Tuple[str, Channel]] = [
    # The best ten levels of a book, at most every 100 ms when they changed.
    *_channel(
        ["book", "orderbook"],
        "book",
        "state",
        data={"l": ([{"p": D, "a": D}], [{"p": D, "a": D}],)},
    ),
    # Signed checkpoints of the journal, as in GET /checkpoints; one every ten seconds.
    *_channel(
        ["checkpoints"],
        "all",
        "events",
    ),
    # The whole book, then the levels that changed, with a checksum; at most every 50 ms.
    *_channel(
        ["book_delta"],
        "symbol",
        "state",
        in_parts=True,
        data={"l": ([{"p": D, "a": D}], [{"p": D, "a": D}],)},
    ),
    # Best bid and ask, on every change of price or size.
    *_channel(
        ["bbo"],
        "symbol",
        "state",
        data={"b": D, "B": D, "a": D, "A": D},
    ),
    # Trades of a market, one row per match.
    *_channel(
        ["trades"],
        "symbol",
        "events",
        data=[{"a": D, "p": D}],
    ),
    # The candle of the current interval, at most every 100 ms and at its end.
    *_channel(
        ["candle"],
        "interval",
        "state",
        data={"o": D, "c": D, "h": D, "l": D, "v": D},
    ),
    # The same of the mark price.
    *_channel(
        ["mark_price_candle"],
        "interval",
        "state",
        data={"o": D, "c": D, "h": D, "l": D, "v": D},
    ),
    # All rows of GET /info/prices, at most every 250 ms when something changed.
    *_channel(
        ["prices"],
        "all",
        "state",
        data=[
            {
                "mark": D,
                "mid": D,
                "oracle": D,
                "funding": D,
                "next_funding": D,
                "open_interest": D,
                "volume_24h": D,
                "yesterday_price": D,
            },
        ],
    ),
    # Markets whose status, mode, price state or kept tiers changed.
    *_channel(
        ["market_status"],
        "all",
        "events",
    ),
    # Positions closed by force, on all markets.
    *_channel(
        ["liquidations"],
        "all",
        "events",
        data=[{"amount": D, "price": D}],
    ),
    # All open orders, then the ones that changed.
    *_channel(
        ["orders"],
        "account",
        "list",
        data=[
            {
                "p": D,
                "a": D,
                "r": D,
                "trailing": {
                    "trailing_percent": D,
                    "trailing_distance": D,
                    "activation_price": D,
                    "extreme_price": D,
                },
            },
        ],
    ),
    # All open orders on every change; changes within 50 ms share a frame.
    *_channel(
        ["account_orders"],
        "account",
        "state",
        data=[
            {
                "p": D,
                "ip": D,
                "a": D,
                "f": D,
                "c": D,
                "sp": D,
                "trailing": {
                    "trailing_percent": D,
                    "trailing_distance": D,
                    "activation_price": D,
                    "extreme_price": D,
                },
                "slippage_percent": D,
            },
        ],
    ),
    # Every event of every order.
    *_channel(
        ["account_order_updates"],
        "account",
        "events",
        data=[
            {
                "p": D,
                "ip": D,
                "price": D,
                "lp": D,
                "a": D,
                "f": D,
                "sp": D,
                "trailing": {
                    "trailing_percent": D,
                    "trailing_distance": D,
                    "activation_price": D,
                    "extreme_price": D,
                },
            },
        ],
    ),
    # Events of orders, in short form.
    *_channel(
        ["user_order_history", "userOrders"],
        "account",
        "events",
        data=[{"a": D, "p": D}],
    ),
    # All running chases and icebergs, whenever one changed.
    *_channel(
        ["account_algo_orders"],
        "account",
        "state",
        data=[
            {
                "price": D,
                "initial_amount": D,
                "display_amount": D,
                "filled_amount": D,
                "total_filled_value": D,
            },
        ],
    ),
    # All running TWAP orders, whenever one changed.
    *_channel(
        ["account_twap_orders"],
        "account",
        "state",
        data=[
            {
                "initial_amount": D,
                "filled_amount": D,
                "slippage_percent": D,
                "planned_sub_order_amount": D,
                "total_filled_value": D,
            },
        ],
    ),
    # Every event of every TWAP order.
    *_channel(
        ["account_twap_order_updates"],
        "account",
        "events",
        data=[
            {
                "initial_amount": D,
                "filled_amount": D,
                "slippage_percent": D,
                "planned_sub_order_amount": D,
                "total_filled_value": D,
            },
        ],
    ),
    # All open positions, whenever one changed; with the marks at most every second.
    *_channel(
        ["positions", "account_positions"],
        "account",
        "state",
        data=[{"a": D, "p": D, "m": D, "am": D, "f": D, "l": D}],
    ),
    # Protection of quotes, as in GET /account/mmp: set, tripped, reset or removed.
    *_channel(
        ["account_mmp"],
        "account",
        "state",
        data=[{"max_amount": D, "max_net_amount": D}],
    ),
    # Places of the resting orders in the queues of their prices, at most once a second; the newest 200 orders.
    *_channel(
        ["account_queue"],
        "account",
        "state",
        data=[{"a": D, "b": D}],
    ),
    # Fills of the account.
    *_channel(
        ["user_trade_history", "userTrades", "account_trades"],
        "account",
        "events",
        since=True,
        data=[{"a": D, "p": D, "o": D, "f": D, "n": D}],
    ),
    # Balance, equity and margin; with the marks at most every second.
    *_channel(
        ["account_data", "account_info", "accountBalance"],
        "account",
        "state",
        data={"ae": D, "ce": D, "as": D, "aw": D, "b": D, "mu": D, "cm": D, "pb": D},
    ),
    # Changes of the margin mode.
    *_channel(
        ["account_margin", "accountMargin"],
        "account",
        "events",
    ),
    # Changes of the leverage.
    *_channel(
        ["account_leverage", "accountLeverage"],
        "account",
        "events",
    ),
    # Liquidation, takeover and deleveraging of the account.
    *_channel(
        ["account_liquidations"],
        "account",
        "events",
        data=[{"amount": D, "price": D, "equity": D, "maintenance_margin": D}],
    ),
    # Deposits, withdrawals and transfers.
    *_channel(
        ["account_transfers"],
        "account",
        "events",
        data=[{"amount": D, "balance": D, "pending_balance": D}],
    ),
]

CHANNELS: Dict[str, Channel] = dict(_ALL)
