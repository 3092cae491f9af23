"""The operations of the API."""

# Written by `npm run docs` from the schemas that the exchange validates with. Do not edit.

from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, Union

from . import schemas
from ._decimals import D
from ._operation import UNSET, Operation, Unset
from .keys import Signer
from .schemas import DecimalLike


class Operations:
    """One method for each operation of the API, with the fields of its request as keywords.

    A field that is not given is absent from the request; None is sent as null.
    """

    def call(self, name: str, /, **fields: Any) -> Any:
        raise NotImplementedError

    def get_positions(
        self,
        *,
        account: Union[str, Unset] = UNSET,
    ) -> List[schemas.GetPositionsRow]:
        """Current positions of an account; an address never seen has none.

        ``GET /positions``

        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_positions", account=account)

    def get_position_history(
        self,
        *,
        account: Union[Optional[str], Unset] = UNSET,
        symbol: Union[Optional[str], Unset] = UNSET,
        start_time: Union[Optional[int], Unset] = UNSET,
        end_time: Union[Optional[int], Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> List[schemas.GetPositionHistoryRow]:
        """Changes of positions, newest first, of one account or of all.

        ``GET /positions/history``

        :param account: Account address (default: all accounts)
        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param start_time: Only records of this time or later, milliseconds
        :param end_time: Only records of this time or earlier, milliseconds
        :param limit: Maximum number of records; above 1000 counts as 1000
        :param offset: Number of newest rows to skip
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_position_history",
            account=account,
            symbol=symbol,
            start_time=start_time,
            end_time=end_time,
            limit=limit,
            offset=offset,
        )

    def get_info(
        self,
    ) -> List[schemas.GetInfoRow]:
        """Specifications of all markets, oldest first.

        ``GET /info``

        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_info")

    def get_prices(
        self,
    ) -> List[schemas.GetPricesRow]:
        """Prices of all markets, oldest first.

        ``GET /info/prices``

        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_prices")

    def get_fees(
        self,
    ) -> List[schemas.GetFeesRow]:
        """Fee levels.

        ``GET /info/fees``

        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_fees")

    def get_risk(
        self,
        *,
        symbol: Union[Optional[str], Unset] = UNSET,
        account: Union[Optional[str], Unset] = UNSET,
    ) -> schemas.GetRiskReply:
        """Status and risk parameters of markets, reserves of the exchange, and its limits.

        ``GET /info/risk``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param account: Account whose owner's limits are included
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_risk", symbol=symbol, account=account)

    def get_reserves(
        self,
    ) -> Optional[schemas.GetReservesReply]:
        """The newest proof of reserves: root, sums and its journal entry.

        ``GET /info/reserves``

        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_reserves")

    def get_venue(
        self,
    ) -> schemas.GetVenueReply:
        """Id of this exchange, for signed texts.

        ``GET /info/venue``

        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_venue")

    def get_time(
        self,
    ) -> schemas.GetTimeReply:
        """Time of the machine and of the exchange.

        ``GET /time``

        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_time")

    def get_checkpoints(
        self,
        *,
        limit: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetCheckpointsReply:
        """The newest signed checkpoints of the journal, and the public key.

        ``GET /checkpoints``

        :param limit: Maximum number of checkpoints; above 1000 counts as 1000
        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call("get_checkpoints", limit=limit)

    def get_frame_proof(
        self,
        *,
        seq: int,
    ) -> Optional[schemas.GetFrameProofReply]:
        """The frame with an entry of the journal, and its path to a signed checkpoint.

        ``GET /checkpoints/frame``

        :param seq: Entry of the journal, as in the reply header openperp-seq
        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call("get_frame_proof", seq=seq)

    def get_receipt(
        self,
        *,
        seq: int,
        account: Union[str, Unset] = UNSET,
    ) -> schemas.GetReceiptReply:
        """A receipt for a command: proof that the exchange has it in its journal.

        ``GET /receipts``

        :param seq: Entry of the journal, as in the reply header openperp-seq
        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call("get_receipt", seq=seq, account=account)

    def get_book(
        self,
        *,
        symbol: str,
        agg_level: Union[Optional[Literal[1, 2, 5, 10, 100, 1000, 10000]], Unset] = UNSET,
        depth: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetBookReply:
        """Best levels of a book, optionally aggregated on a coarser grid.

        ``GET /book``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param agg_level: Ticks gathered in one level: 1, 2, 5, 10, 100, 1000 or 10000
        :param depth: Levels of a side
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_book", symbol=symbol, agg_level=agg_level, depth=depth)

    def get_trades(
        self,
        *,
        symbol: str,
        start_time: Union[Optional[int], Unset] = UNSET,
        end_time: Union[Optional[int], Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
        cursor: Union[Optional[str], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetTradesReply:
        """Trades of a market by time, newest first, one row per match.

        ``GET /trades``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param start_time: Only trades of this time or later, milliseconds
        :param end_time: Only trades of this time or earlier, milliseconds
        :param limit: Maximum number of rows; above 4000 counts as 4000
        :param cursor: `next_cursor` of the previous page
        :param offset: 0 alone; pages go on by cursor, and any other offset is refused
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_trades",
            symbol=symbol,
            start_time=start_time,
            end_time=end_time,
            limit=limit,
            cursor=cursor,
            offset=offset,
        )

    def get_candles(
        self,
        *,
        symbol: str,
        interval: Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "8h", "12h", "1d", "1w", "1M"],
        start_time: int,
        end_time: Union[Optional[int], Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
    ) -> List[schemas.GetCandlesRow]:
        """Candles of trades, oldest first, without a gap; the present interval is the last.

        ``GET /kline``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param interval: Length: minutes, hours, days (UTC), weeks (from Monday), months (1M,
            calendar)
        :param start_time: The interval that contains this time is the first
        :param end_time: The interval that contains this time is the last; now by default
        :param limit: Maximum number of candles, counted from the start; above 4000 counts as 4000
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_candles",
            symbol=symbol,
            interval=interval,
            start_time=start_time,
            end_time=end_time,
            limit=limit,
        )

    def get_mark_candles(
        self,
        *,
        symbol: str,
        interval: Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "8h", "12h", "1d", "1w", "1M"],
        start_time: int,
        end_time: Union[Optional[int], Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
    ) -> List[schemas.GetMarkCandlesRow]:
        """Candles of the mark price, oldest first, without a gap.

        ``GET /kline/mark``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param interval: Length: minutes, hours, days (UTC), weeks (from Monday), months (1M,
            calendar)
        :param start_time: The interval that contains this time is the first
        :param end_time: The interval that contains this time is the last; now by default
        :param limit: Maximum number of candles, counted from the start; above 4000 counts as 4000
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_mark_candles",
            symbol=symbol,
            interval=interval,
            start_time=start_time,
            end_time=end_time,
            limit=limit,
        )

    def get_funding_rates(
        self,
        *,
        symbol: str,
        limit: Union[Optional[int], Unset] = UNSET,
        cursor: Union[Optional[str], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetFundingRatesReply:
        """Funding rates of a market hour by hour, newest first.

        ``GET /funding_rate/history``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param limit: Maximum number of rows; above 4000 counts as 4000
        :param cursor: `next_cursor` of the previous page
        :param offset: 0 alone; pages go on by cursor, and any other offset is refused
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_funding_rates",
            symbol=symbol,
            limit=limit,
            cursor=cursor,
            offset=offset,
        )

    def get_open_interest_history(
        self,
        *,
        symbol: str,
        interval: Union[Optional[Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "8h", "12h", "1d", "1w", "1M"]], Unset] = UNSET,
        start_time: Union[Optional[int], Unset] = UNSET,
        end_time: Union[Optional[int], Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
        cursor: Union[Optional[str], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetOpenInterestHistoryReply:
        """Open interest of a market interval by interval, newest first, without a gap.

        ``GET /open_interest/history``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param interval: Length: minutes, hours, days (UTC), weeks (from Monday), months (1M,
            calendar) (default: 1h)
        :param start_time: The interval that contains this time is the oldest, milliseconds
        :param end_time: The interval that contains this time is the newest (default: now)
        :param limit: Maximum number of rows; above 4000 counts as 4000
        :param cursor: `next_cursor` of the previous page
        :param offset: 0 alone; pages go on by cursor, and any other offset is refused
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_open_interest_history",
            symbol=symbol,
            interval=interval,
            start_time=start_time,
            end_time=end_time,
            limit=limit,
            cursor=cursor,
            offset=offset,
        )

    def get_index_price_history(
        self,
        *,
        symbol: str,
        interval: Union[Optional[Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "8h", "12h", "1d", "1w", "1M"]], Unset] = UNSET,
        start_time: Union[Optional[int], Unset] = UNSET,
        end_time: Union[Optional[int], Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
        cursor: Union[Optional[str], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetIndexPriceHistoryReply:
        """Index price of a market interval by interval, newest first, without a gap.

        ``GET /index_price/history``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param interval: Length: minutes, hours, days (UTC), weeks (from Monday), months (1M,
            calendar) (default: 1h)
        :param start_time: The interval that contains this time is the oldest, milliseconds
        :param end_time: The interval that contains this time is the newest (default: now)
        :param limit: Maximum number of rows; above 4000 counts as 4000
        :param cursor: `next_cursor` of the previous page
        :param offset: 0 alone; pages go on by cursor, and any other offset is refused
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_index_price_history",
            symbol=symbol,
            interval=interval,
            start_time=start_time,
            end_time=end_time,
            limit=limit,
            cursor=cursor,
            offset=offset,
        )

    def get_liquidations(
        self,
        *,
        symbol: Union[Optional[str], Unset] = UNSET,
        start_time: Union[Optional[int], Unset] = UNSET,
        end_time: Union[Optional[int], Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
        cursor: Union[Optional[str], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetLiquidationsReply:
        """Positions closed by force, newest first, of one market or of all; accounts are not named.

        ``GET /liquidations``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param start_time: Only rows of this time or later, milliseconds
        :param end_time: Only rows of this time or earlier, milliseconds
        :param limit: Maximum number of rows; above 4000 counts as 4000
        :param cursor: `next_cursor` of the previous page
        :param offset: 0 alone; pages go on by cursor, and any other offset is refused
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_liquidations",
            symbol=symbol,
            start_time=start_time,
            end_time=end_time,
            limit=limit,
            cursor=cursor,
            offset=offset,
        )

    def get_account(
        self,
        *,
        account: Union[str, Unset] = UNSET,
    ) -> schemas.GetAccountReply:
        """Balance, equity, margin and fees of an account.

        ``GET /account``

        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call("get_account", account=account)

    def get_account_settings(
        self,
        *,
        account: Union[str, Unset] = UNSET,
        chosen: Union[Optional[bool], Unset] = UNSET,
    ) -> List[schemas.GetAccountSettingsRow]:
        """Margin mode and leverage where they differ from the defaults.

        ``GET /account/settings``

        :param account: address of the account (default: the client's own)
        :param chosen: Also markets whose leverage was set to the default, with `leverage_set`
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_account_settings", account=account, chosen=chosen)

    def get_mmp(
        self,
        *,
        account: Union[str, Unset] = UNSET,
    ) -> List[schemas.GetMmpRow]:
        """Protection of the quotes of an account by market, and whether they are frozen; on other
        markets orders with mmp are not protected.

        ``GET /account/mmp``

        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_mmp", account=account)

    def get_trade_history(
        self,
        *,
        account: Union[str, Unset] = UNSET,
        symbol: Union[Optional[str], Unset] = UNSET,
        start_time: Union[Optional[int], Unset] = UNSET,
        end_time: Union[Optional[int], Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
        cursor: Union[Optional[str], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetTradeHistoryReply:
        """Fills of an account, newest first.

        ``GET /trades/history``

        :param account: address of the account (default: the client's own)
        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param start_time: Only rows of this time or later, milliseconds
        :param end_time: Only rows of this time or earlier, milliseconds
        :param limit: Maximum number of rows; above 4000 counts as 4000
        :param cursor: `next_cursor` of the previous page
        :param offset: 0 alone; pages go on by cursor, and any other offset is refused
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_trade_history",
            account=account,
            symbol=symbol,
            start_time=start_time,
            end_time=end_time,
            limit=limit,
            cursor=cursor,
            offset=offset,
        )

    def get_funding_history(
        self,
        *,
        account: Union[str, Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
        cursor: Union[Optional[str], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetFundingHistoryReply:
        """Funding payments of an account, newest first.

        ``GET /funding/history``

        :param account: address of the account (default: the client's own)
        :param limit: Maximum number of rows; above 4000 counts as 4000
        :param cursor: `next_cursor` of the previous page
        :param offset: 0 alone; pages go on by cursor, and any other offset is refused
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_funding_history",
            account=account,
            limit=limit,
            cursor=cursor,
            offset=offset,
        )

    def get_balance_history(
        self,
        *,
        account: Union[str, Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
        cursor: Union[Optional[str], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetBalanceHistoryReply:
        """Every change of an account’s balance, newest first; the amounts add up to it.

        ``GET /account/balance/history``

        :param account: address of the account (default: the client's own)
        :param limit: Maximum number of rows; above 4000 counts as 4000
        :param cursor: `next_cursor` of the previous page
        :param offset: 0 alone; pages go on by cursor, and any other offset is refused
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_balance_history",
            account=account,
            limit=limit,
            cursor=cursor,
            offset=offset,
        )

    def get_portfolio(
        self,
        *,
        time_range: Literal["1d", "7d", "14d", "30d", "all"],
        account: Union[str, Unset] = UNSET,
        start_time: Union[Optional[int], Unset] = UNSET,
        end_time: Union[Optional[int], Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
    ) -> List[schemas.GetPortfolioRow]:
        """Equity of an account over time, oldest first, evenly spaced; the last point is now.

        ``GET /portfolio``

        :param time_range: Period before end_time; ignored if start_time is given
        :param account: address of the account (default: the client's own)
        :param start_time: First moment
        :param end_time: Last moment; now by default
        :param limit: Maximum number of points, which decides how far apart they are; above 200
            counts as 200
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_portfolio",
            time_range=time_range,
            account=account,
            start_time=start_time,
            end_time=end_time,
            limit=limit,
        )

    def get_open_orders(
        self,
        *,
        account: Union[str, Unset] = UNSET,
    ) -> schemas.GetOpenOrdersReply:
        """Open orders, waiting ones, stops and take-profit or stop-loss levels, newest first.

        ``GET /orders``

        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_open_orders", account=account)

    def get_order_history(
        self,
        *,
        account: Union[str, Unset] = UNSET,
        symbol: Union[Optional[str], Unset] = UNSET,
        start_time: Union[Optional[int], Unset] = UNSET,
        end_time: Union[Optional[int], Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
        cursor: Union[Optional[str], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetOrderHistoryReply:
        """Orders of an account as they are now or as they ended, newest first.

        ``GET /orders/history``

        :param account: address of the account (default: the client's own)
        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param start_time: Only rows of this time or later, milliseconds
        :param end_time: Only rows of this time or earlier, milliseconds
        :param limit: Maximum number of rows; above 4000 counts as 4000
        :param cursor: `next_cursor` of the previous page
        :param offset: 0 alone; pages go on by cursor, and any other offset is refused
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_order_history",
            account=account,
            symbol=symbol,
            start_time=start_time,
            end_time=end_time,
            limit=limit,
            cursor=cursor,
            offset=offset,
        )

    def get_order_events(
        self,
        *,
        order_id: Union[Optional[int], Unset] = UNSET,
        account: Union[Optional[str], Unset] = UNSET,
        client_order_id: Union[Optional[str], Unset] = UNSET,
    ) -> List[schemas.GetOrderEventsRow]:
        """All events of one order, newest first; for a chase or an iceberg its placement, fills and
        end.

        ``GET /orders/history_by_id``

        :param order_id: Order id given by the exchange
        :param account: With client_order_id: the account of the order
        :param client_order_id: Your own id of the order, a full UUID
        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call(
            "get_order_events",
            order_id=order_id,
            account=account,
            client_order_id=client_order_id,
        )

    def get_twap_orders(
        self,
        *,
        account: Union[str, Unset] = UNSET,
    ) -> List[schemas.GetTwapOrdersRow]:
        """Running TWAPs of an account, newest first.

        ``GET /orders/twap``

        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_twap_orders", account=account)

    def get_twap_history(
        self,
        *,
        account: Union[str, Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
        cursor: Union[Optional[str], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetTwapHistoryReply:
        """TWAPs of an account as they are now or as they ended, newest first.

        ``GET /orders/twap/history``

        :param account: address of the account (default: the client's own)
        :param limit: Maximum number of rows; above 4000 counts as 4000
        :param cursor: `next_cursor` of the previous page
        :param offset: 0 alone; pages go on by cursor, and any other offset is refused
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_twap_history",
            account=account,
            limit=limit,
            cursor=cursor,
            offset=offset,
        )

    def get_twap_events(
        self,
        *,
        order_id: int,
    ) -> List[schemas.GetTwapEventsRow]:
        """All events of one TWAP, newest first.

        ``GET /orders/twap/history_by_id``

        :param order_id: Order id given by the exchange
        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call("get_twap_events", order_id=order_id)

    def get_algo_orders(
        self,
        *,
        account: Union[str, Unset] = UNSET,
    ) -> List[schemas.GetAlgoOrdersRow]:
        """Running chases and icebergs of an account, newest first.

        ``GET /orders/algo``

        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_algo_orders", account=account)

    def get_algo_history(
        self,
        *,
        account: Union[str, Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
        cursor: Union[Optional[str], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetAlgoHistoryReply:
        """Chases and icebergs of an account as they are now or as they ended, newest first.

        ``GET /orders/algo/history``

        :param account: address of the account (default: the client's own)
        :param limit: Maximum number of rows; above 4000 counts as 4000
        :param cursor: `next_cursor` of the previous page
        :param offset: 0 alone; pages go on by cursor, and any other offset is refused
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_algo_history",
            account=account,
            limit=limit,
            cursor=cursor,
            offset=offset,
        )

    def explain_order(
        self,
        *,
        order_id: int,
        account: Union[str, Unset] = UNSET,
    ) -> schemas.ExplainOrderReply:
        """Why an order did what it did, and what has not happened to it: each step with its rule.

        ``GET /explain/order/{order_id}``

        :param order_id: Order id, also of a stop, a level, a TWAP, an iceberg or a chase
        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call("explain_order", order_id=order_id, account=account)

    def explain_fill(
        self,
        *,
        history_id: int,
        account: Union[str, Unset] = UNSET,
    ) -> schemas.ExplainFillReply:
        """Why a fill had its value, fee and profit.

        ``GET /explain/fill/{history_id}``

        :param history_id: Id in the history of fills, or of funding payments
        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call("explain_fill", history_id=history_id, account=account)

    def explain_refusal(
        self,
        *,
        seq: Union[str, int],
        account: Union[str, Unset] = UNSET,
    ) -> schemas.ExplainRefusalReply:
        """Why a request was refused: the numbers of the check that refused it.

        ``GET /explain/refusal/{seq}``

        :param seq: Value of the header `openperp-seq` of the refusal, or `latest`
        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call("explain_refusal", seq=seq, account=account)

    def explain_liquidation(
        self,
        *,
        seq: Union[str, int],
        account: Union[str, Unset] = UNSET,
    ) -> schemas.ExplainLiquidationReply:
        """Why the account was liquidated: equity, maintenance, and what followed.

        ``GET /explain/liquidation/{seq}``

        :param seq: Sequence number at which the liquidation began, or `latest`
        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call("explain_liquidation", seq=seq, account=account)

    def explain_funding(
        self,
        *,
        history_id: int,
        account: Union[str, Unset] = UNSET,
    ) -> schemas.ExplainFundingReply:
        """Why a funding payment had its amount, and its hour its rate.

        ``GET /explain/funding/{history_id}``

        :param history_id: Id in the history of fills, or of funding payments
        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call("explain_funding", history_id=history_id, account=account)

    def explain_position(
        self,
        *,
        symbol: str,
        account: Union[str, Unset] = UNSET,
    ) -> schemas.ExplainPositionReply:
        """A position: its fills, value, margin and funding, and how far it is from its liquidation.

        ``GET /explain/position/{symbol}``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call("explain_position", symbol=symbol, account=account)

    def get_leaderboard(
        self,
        *,
        limit: Union[Optional[int], Unset] = UNSET,
    ) -> List[schemas.GetLeaderboardRow]:
        """The accounts with the highest equity, with their profit; at most a second old.

        ``GET /leaderboard``

        :param limit: Maximum number of rows; above 100 counts as 100
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_leaderboard", limit=limit)

    def get_spot_assets(
        self,
        *,
        account: Union[Optional[str], Unset] = UNSET,
    ) -> List[Dict[str, Any]]:
        """Spot assets: always empty.

        ``GET /spot_assets``

        :param account: Account address; not looked at
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_spot_assets", account=account)

    def get_spot_bridges(
        self,
        *,
        account: Union[Optional[str], Unset] = UNSET,
    ) -> List[Dict[str, Any]]:
        """Bridges of spot assets: always empty.

        ``GET /spot_assets/bridge/info``

        :param account: Account address; not looked at
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_spot_bridges", account=account)

    def get_spot_balance_history(
        self,
        *,
        account: Union[Optional[str], Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
        cursor: Union[Optional[str], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetSpotBalanceHistoryReply:
        """Changes of spot balances: always empty.

        ``GET /account/spot_balance/history``

        :param account: Account address; not looked at
        :param limit: Maximum number of rows; above 4000 counts as 4000
        :param cursor: `next_cursor` of the previous page
        :param offset: 0 alone; pages go on by cursor, and any other offset is refused
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_spot_balance_history",
            account=account,
            limit=limit,
            cursor=cursor,
            offset=offset,
        )

    def get_spot_deposits(
        self,
        *,
        account: Union[Optional[str], Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
        cursor: Union[Optional[str], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetSpotDepositsReply:
        """Deposits of spot assets: always empty.

        ``GET /account/spot_asset/deposit/history``

        :param account: Account address; not looked at
        :param limit: Maximum number of rows; above 4000 counts as 4000
        :param cursor: `next_cursor` of the previous page
        :param offset: 0 alone; pages go on by cursor, and any other offset is refused
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_spot_deposits",
            account=account,
            limit=limit,
            cursor=cursor,
            offset=offset,
        )

    def get_spot_withdrawals(
        self,
        *,
        account: Union[Optional[str], Unset] = UNSET,
        limit: Union[Optional[int], Unset] = UNSET,
        cursor: Union[Optional[str], Unset] = UNSET,
        offset: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.GetSpotWithdrawalsReply:
        """Withdrawals of spot assets: always empty.

        ``GET /account/spot_asset/withdraw/history``

        :param account: Account address; not looked at
        :param limit: Maximum number of rows; above 4000 counts as 4000
        :param cursor: `next_cursor` of the previous page
        :param offset: 0 alone; pages go on by cursor, and any other offset is refused
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "get_spot_withdrawals",
            account=account,
            limit=limit,
            cursor=cursor,
            offset=offset,
        )

    def get_pending_spot_withdrawals(
        self,
        *,
        account: Union[Optional[str], Unset] = UNSET,
    ) -> List[Dict[str, Any]]:
        """Withdrawals of spot assets that are under way: always empty.

        ``GET /account/spot_asset/withdraw/pending``

        :param account: Account address; not looked at
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_pending_spot_withdrawals", account=account)

    def get_loan_pools(
        self,
        *,
        account: Union[Optional[str], Unset] = UNSET,
    ) -> List[Dict[str, Any]]:
        """Loan pools: always empty.

        ``GET /loan_pool``

        :param account: Account address; not looked at
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_loan_pools", account=account)

    def get_account_loans(
        self,
        *,
        account: Union[Optional[str], Unset] = UNSET,
    ) -> List[Dict[str, Any]]:
        """Loans of an account: always empty.

        ``GET /account/loan``

        :param account: Account address; not looked at
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_account_loans", account=account)

    def get_vaults(
        self,
        *,
        account: Union[Optional[str], Unset] = UNSET,
    ) -> schemas.GetVaultsReply:
        """Vaults: always empty.

        ``GET /lake/list``

        :param account: Account address; not looked at
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("get_vaults", account=account)

    def get_agent_policy(
        self,
        *,
        agent_wallet: str,
        account: Union[str, Unset] = UNSET,
    ) -> schemas.GetAgentPolicyReply:
        """Policy of an agent, for its account and for the agent itself.

        ``GET /agent/policy``

        :param agent_wallet: Address of the agent key
        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it; rules (422): AGENT_NOT_FOUND.
        """
        return self.call("get_agent_policy", agent_wallet=agent_wallet, account=account)

    def preview_order(
        self,
        *,
        symbol: str,
        account: Union[str, Unset] = UNSET,
        amount: Union[Optional[DecimalLike], Unset] = UNSET,
        side: Union[Optional[Literal["bid", "ask"]], Unset] = UNSET,
        price: Union[Optional[DecimalLike], Unset] = UNSET,
        tif: Union[Optional[Literal["GTC", "IOC", "FOK", "ALO", "TOB"]], Unset] = UNSET,
        slippage_percent: Union[Optional[DecimalLike], Unset] = UNSET,
        reduce_only: Union[Optional[bool], Unset] = UNSET,
        client_order_id: Union[Optional[str], Unset] = UNSET,
        take_profit: Union[Optional[Union[schemas.PreviewOrderTakeProfit, Sequence[schemas.PreviewOrderTakeProfit]]], Unset] = UNSET,
        stop_loss: Union[Optional[Union[schemas.PreviewOrderStopLoss, Sequence[schemas.PreviewOrderStopLoss]]], Unset] = UNSET,
        expire_time: Union[Optional[int], Unset] = UNSET,
        stp: Union[Optional[Literal["cancel_maker", "cancel_taker", "cancel_both"]], Unset] = UNSET,
        mmp: Union[Optional[bool], Unset] = UNSET,
        chase: Union[Optional[bool], Unset] = UNSET,
        display_amount: Union[Optional[DecimalLike], Unset] = UNSET,
        stop_order: Union[Optional[schemas.PreviewOrderStopOrder], Unset] = UNSET,
        legs: Union[Optional[Sequence[Union[schemas.PreviewOrderLegs, schemas.PreviewOrderLegs2]]], Unset] = UNSET,
        agent_wallet: Union[Optional[str], Unset] = UNSET,
        leverage: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.PreviewOrderReply:
        """Preview an order: whether it would be accepted, cost, margin, and the maximum size.

        ``POST /orders/preview``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param account: address of the account (default: the client's own)
        :param amount: Size, a multiple of lot_size; omit it for a stop and for legs, which have
            their own
        :param side: bid buys, ask sells; omit it for legs, which have their own
        :param price: Limit price; requires tif
        :param tif: GTC rests until it is cancelled; IOC takes immediately, and the rest expires;
            FOK fills completely and immediately, or expires; ALO never takes: it is rejected if it
            would; TOB never takes: its price moves away by a tick
        :param slippage_percent: For a market order: maximum distance from the mark
        :param reduce_only: The order may only reduce the position
        :param client_order_id: Your own id of the order, a full UUID
        :param take_profit: A take-profit or stop-loss level
        :param stop_loss: A stop-loss level, given by exactly one of stop_price, trailing_percent
            and trailing_distance
        :param expire_time: Time at which the order expires. Must be at least `expire_ahead_ms` (see
            /info/risk) in the future
        :param stp: Self-trade prevention: cancel_maker cancels the resting order, cancel_taker the
            new one, cancel_both both (default: cancel_maker)
        :param mmp: Whether the order is cancelled when the maker protection of the account in this
            market trips (see /account/mmp/set; no effect without protection). For ALO and TOB only
        :param chase: True to preview a chase (see /orders/chase/create), which has no tif
        :param display_amount: Visible size, to preview an iceberg (see /orders/iceberg/create),
            which has no tif
        :param stop_order: Trigger of the stop, given by exactly one of stop_price, trailing_percent
            and trailing_distance
        :param legs: Two stops, or an order and a stop of the same side, amount and reduce_only
        :param agent_wallet: Agent of the account. The preview applies its policy, as if it had
            signed the order from your IP address
        :param leverage: Leverage to assume for the market
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "preview_order",
            symbol=symbol,
            account=account,
            amount=amount,
            side=side,
            price=price,
            tif=tif,
            slippage_percent=slippage_percent,
            reduce_only=reduce_only,
            client_order_id=client_order_id,
            take_profit=take_profit,
            stop_loss=stop_loss,
            expire_time=expire_time,
            stp=stp,
            mmp=mmp,
            chase=chase,
            display_amount=display_amount,
            stop_order=stop_order,
            legs=legs,
            agent_wallet=agent_wallet,
            leverage=leverage,
        )

    def batch_orders(
        self,
        *,
        actions: Sequence[Mapping[str, Any]],
        together: Union[bool, Unset] = UNSET,
    ) -> schemas.BatchOrdersReply:
        """Run up to fifty order actions in one request, under one signature, or ten with one each.

        ``POST /orders/batch``

        :param actions: the actions, each {'type': …, 'data': …}: up to 10, or up to 50 under one
            signature. They run in order
        :param together: one signature for all of them (default: False, each action is signed
            separately)
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION.
        """
        return self.call("batch_orders", actions=actions, together=together)

    def create_subaccount(
        self,
        *,
        subaccount: Signer,
    ) -> None:
        """Make an address a subaccount; both keys sign.

        ``POST /account/subaccount/create``

        :param subaccount: key of the new account, which signs too
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, UNSUPPORTED_OPERATION,
            SUBACCOUNT_CANNOT_CREATE_SUBACCOUNT, ACCOUNT_ALREADY_EXISTS, LIMIT_REACHED.
        """
        return self.call("create_subaccount", subaccount=subaccount)

    def sandbox_faucet(
        self,
        *,
        amount: DecimalLike,
        account: Union[str, Unset] = UNSET,
    ) -> schemas.SandboxFaucetReply:
        """Credit test money; opens a new account.

        ``POST /sandbox/faucet``

        :param amount: USD, at most 1000000000
        :param account: address of the account (default: the client's own)
        :raises ApiRefusal: The exchange refused it; rules (422): UNSUPPORTED_OPERATION,
            LIMIT_REACHED.
        """
        return self.call("sandbox_faucet", amount=amount, account=account)

    def sandbox_get_clock(
        self,
    ) -> schemas.SandboxGetClockReply:
        """Read the clock of the exchange.

        ``GET /sandbox/clock``

        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_get_clock")

    def sandbox_set_clock(
        self,
        *,
        advance_ms: Union[Optional[int], Unset] = UNSET,
        freeze: Union[Optional[Literal[True]], Unset] = UNSET,
        resume: Union[Optional[Literal[True]], Unset] = UNSET,
    ) -> schemas.SandboxSetClockReply:
        """Advance, freeze or resume the clock; everything due in between happens now.

        ``POST /sandbox/clock``

        :param advance_ms: At most 31 days
        :param freeze: Stops engine time
        :param resume: Lets engine time go on
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_set_clock", advance_ms=advance_ms, freeze=freeze, resume=resume)

    def sandbox_set_oracle(
        self,
        *,
        symbol: str,
        price: Union[Optional[DecimalLike], Unset] = UNSET,
        path: Union[Optional[Sequence[DecimalLike]], Unset] = UNSET,
        jump: Union[Optional[bool], Unset] = UNSET,
        resume: Union[Optional[Literal[True]], Unset] = UNSET,
    ) -> schemas.SandboxSetOracleReply:
        """Set the index price, play a path of prices, or resume the simulation.

        ``POST /sandbox/oracle``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param price: Holds until set again or resumed
        :param path: One price per tick; the last holds
        :param jump: With price. true (default): index and mark jump to the price immediately.
            false: like prices of a feed: the index follows within the limit of a tick, and the
            market is catching_up meanwhile
        :param resume: Lets the price walk again
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call(
            "sandbox_set_oracle",
            symbol=symbol,
            price=price,
            path=path,
            jump=jump,
            resume=resume,
        )

    def sandbox_snapshot(
        self,
    ) -> schemas.SandboxSnapshotReply:
        """Save a snapshot of the whole exchange.

        ``POST /sandbox/snapshot``

        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_snapshot")

    def sandbox_list_snapshots(
        self,
    ) -> List[schemas.SandboxListSnapshotsRow]:
        """List the snapshots.

        ``GET /sandbox/snapshots``

        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_list_snapshots")

    def sandbox_revert(
        self,
        *,
        id: str,
    ) -> schemas.SandboxRevertReply:
        """Revert the whole exchange to a snapshot, including ids and time.

        ``POST /sandbox/revert``

        :param id: Snapshot to return to
        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call("sandbox_revert", id=id)

    def sandbox_get_bots(
        self,
    ) -> schemas.SandboxGetBotsReply:
        """Whether the bots trade.

        ``GET /sandbox/bots``

        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_get_bots")

    def sandbox_bots(
        self,
        *,
        running: bool,
    ) -> schemas.SandboxBotsReply:
        """Start the bots, or stop them and cancel their orders.

        ``POST /sandbox/bots``

        :param running: Whether bots trade
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_bots", running=running)

    def sandbox_scenario(
        self,
        *,
        name: Literal["crash", "pump", "wick", "squeeze", "freeze"],
        symbol: str,
    ) -> schemas.SandboxScenarioReply:
        """Play a named price path on a market.

        ``POST /sandbox/scenario``

        :param name: Path of the request
        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_scenario", name=name, symbol=symbol)

    def sandbox_reset(
        self,
    ) -> schemas.SandboxResetReply:
        """Return to the state after the first start; sockets stay open.

        ``POST /sandbox/reset``

        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call("sandbox_reset")

    def sandbox_get_hash(
        self,
    ) -> schemas.SandboxGetHashReply:
        """Hashes of the state: equal histories have equal hashes.

        ``GET /sandbox/hash``

        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_get_hash")

    def sandbox_settle(
        self,
    ) -> schemas.SandboxSettleReply:
        """Wait until every reply and frame so far has been sent.

        ``POST /sandbox/settle``

        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_settle")

    def sandbox_get_latency(
        self,
    ) -> schemas.SandboxGetLatencyReply:
        """Requested and achieved delays between clients and the exchange.

        ``GET /sandbox/latency``

        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_get_latency")

    def sandbox_latency(
        self,
        *,
        seed: Union[Optional[Union[int, str]], Unset] = UNSET,
        preset: Union[Optional[Literal["colo", "region", "home", "mobile"]], Unset] = UNSET,
        lines: Union[Optional[Sequence[schemas.SandboxLatencyLines]], Unset] = UNSET,
    ) -> schemas.SandboxLatencyReply:
        """Set the delays between clients and the exchange, or remove them.

        ``POST /sandbox/latency``

        :param seed: Seed of the random numbers
        :param preset: Delays of a usual place
        :param lines: For each leg, the first line that matches and has it applies. []: no delays
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_latency", seed=seed, preset=preset, lines=lines)

    def sandbox_get_faults(
        self,
    ) -> schemas.SandboxGetFaultsReply:
        """Faults so far, and where clients believe something that is not true.

        ``GET /sandbox/faults``

        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_get_faults")

    def sandbox_faults(
        self,
        *,
        seed: Union[Optional[Union[int, str]], Unset] = UNSET,
        profile: Union[Optional[Literal["gentle", "bad-day", "incident"]], Unset] = UNSET,
        rules: Union[Optional[Sequence[schemas.SandboxFaultsRules]], Unset] = UNSET,
    ) -> schemas.SandboxFaultsReply:
        """Set rules by which requests, frames and the exchange fail, or remove them.

        ``POST /sandbox/faults``

        :param seed: Seed of the random numbers
        :param profile: Rules of a usual kind
        :param rules: The first rule that applies decides. []: no faults
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_faults", seed=seed, profile=profile, rules=rules)

    def sandbox_drop_connections(
        self,
        *,
        account: Union[Optional[str], Unset] = UNSET,
        kind: Union[Optional[Literal["ws", "http"]], Unset] = UNSET,
    ) -> schemas.SandboxDropConnectionsReply:
        """Cut open connections, as a lost network does.

        ``POST /sandbox/connections/drop``

        :param account: Only websockets of this account (default: all connections)
        :param kind: `ws` (default): websockets. `http`: HTTP connections without a pending request
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_drop_connections", account=account, kind=kind)

    def sandbox_fork(
        self,
        *,
        at: Union[Optional[Union[int, str]], Unset] = UNSET,
    ) -> schemas.SandboxForkReply:
        """Start a second exchange with the state of this one, at an entry or time.

        ``POST /sandbox/fork``

        :param at: Last entry, or UTC time that no entry may be later than (default: now)
        :raises ApiRefusal: The exchange refused it.
        """
        return self.call("sandbox_fork", at=at)

    def sandbox_end_fork(
        self,
        *,
        id: str,
    ) -> schemas.SandboxEndForkReply:
        """End a fork that `POST /sandbox/fork` started, and remove its data.

        ``POST /sandbox/fork/end``

        :param id: Name of the fork
        :raises ApiRefusal: The exchange refused it.
        :raises ApiRefusal: 404: it does not exist.
        """
        return self.call("sandbox_end_fork", id=id)

    def create_order(
        self,
        *,
        symbol: str,
        price: DecimalLike,
        amount: DecimalLike,
        side: Literal["bid", "ask"],
        tif: Literal["GTC", "IOC", "FOK", "ALO", "TOB"],
        reduce_only: bool,
        client_order_id: Union[Optional[str], Unset] = UNSET,
        take_profit: Union[Optional[Union[schemas.CreateOrderTakeProfit, Sequence[schemas.CreateOrderTakeProfit]]], Unset] = UNSET,
        stop_loss: Union[Optional[Union[schemas.CreateOrderStopLoss, Sequence[schemas.CreateOrderStopLoss]]], Unset] = UNSET,
        expire_time: Union[Optional[int], Unset] = UNSET,
        stp: Union[Optional[Literal["cancel_maker", "cancel_taker", "cancel_both"]], Unset] = UNSET,
        mmp: Union[Optional[bool], Unset] = UNSET,
    ) -> schemas.CreateOrderReply:
        """Place a limit order.

        ``POST /orders/create``, signed as ``create_order``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param price: Limit price, a multiple of tick_size
        :param amount: Size, a multiple of lot_size
        :param side: bid buys, ask sells
        :param tif: GTC rests until it is cancelled; IOC takes immediately, and the rest expires;
            FOK fills completely and immediately, or expires; ALO never takes: it is rejected if it
            would; TOB never takes: its price moves away by a tick
        :param reduce_only: The order may only reduce the position
        :param client_order_id: Your own id of the order, a full UUID
        :param take_profit: A take-profit or stop-loss level
        :param stop_loss: A stop-loss level, given by exactly one of stop_price, trailing_percent
            and trailing_distance
        :param expire_time: Time at which the order expires. Must be at least `expire_ahead_ms` (see
            /info/risk) in the future
        :param stp: Self-trade prevention: cancel_maker cancels the resting order, cancel_taker the
            new one, cancel_both both (default: cancel_maker)
        :param mmp: Whether the order is cancelled when the maker protection of the account in this
            market trips (see /account/mmp/set; no effect without protection). For ALO and TOB only
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, TRADING_DISABLED, INVALID_TICK_SIZE, INVALID_TICK_LEVEL,
            INVALID_AMOUNT, ORDER_AMOUNT_TOO_LOW, ORDER_AMOUNT_TOO_HIGH, PRICE_TOO_FAR_FROM_MARK,
            DUPLICATE_CLIENT_ORDER_ID, OPEN_ORDER_LIMIT_REACHED, POSITION_TPSL_LIMIT_EXCEEDED,
            NO_POSITION_FOR_REDUCE_ONLY_ORDER, INVALID_REDUCE_ONLY_ORDER_SIDE,
            INVALID_REDUCE_ONLY_ORDER_AMOUNT, INVALID_STOP_TICK, INVALID_STOP_ORDER_AMOUNT,
            INVALID_STOP_ORDER_REDUCE_ONLY, OPEN_INTEREST_LIMIT_EXCEEDED, POSITION_LIMIT_EXCEEDED,
            AGENT_LIMIT, INSUFFICIENT_BALANCE, IMMEDIATE_LIQUIDATION, TOO_MANY_ORDERS_TO_CHECK,
            BOOK_SIDE_FULL, INVALID_ORDER_TYPE, INVALID_TIME, ORACLE_NOT_AVAILABLE, MMP_FROZEN.
        """
        return self.call(
            "create_order",
            symbol=symbol,
            price=price,
            amount=amount,
            side=side,
            tif=tif,
            reduce_only=reduce_only,
            client_order_id=client_order_id,
            take_profit=take_profit,
            stop_loss=stop_loss,
            expire_time=expire_time,
            stp=stp,
            mmp=mmp,
        )

    def create_market_order(
        self,
        *,
        symbol: str,
        amount: DecimalLike,
        side: Literal["bid", "ask"],
        slippage_percent: DecimalLike,
        reduce_only: bool,
        client_order_id: Union[Optional[str], Unset] = UNSET,
        take_profit: Union[Optional[Union[schemas.CreateMarketOrderTakeProfit, Sequence[schemas.CreateMarketOrderTakeProfit]]], Unset] = UNSET,
        stop_loss: Union[Optional[Union[schemas.CreateMarketOrderStopLoss, Sequence[schemas.CreateMarketOrderStopLoss]]], Unset] = UNSET,
        stp: Union[Optional[Literal["cancel_maker", "cancel_taker", "cancel_both"]], Unset] = UNSET,
    ) -> schemas.CreateMarketOrderReply:
        """Place a market order, bounded by slippage_percent around mark.

        ``POST /orders/create_market``, signed as ``create_market_order``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param amount: Size, a multiple of lot_size
        :param side: bid buys, ask sells
        :param slippage_percent: Maximum distance of the worst price from the mark, in percent, such
            as 0.5
        :param reduce_only: The order may only reduce the position
        :param client_order_id: Your own id of the order, a full UUID
        :param take_profit: A take-profit or stop-loss level
        :param stop_loss: A stop-loss level, given by exactly one of stop_price, trailing_percent
            and trailing_distance
        :param stp: Self-trade prevention: cancel_maker cancels the resting order, cancel_taker the
            new one, cancel_both both (default: cancel_maker)
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429):
            NO_REASONABLE_PRICE, ACCOUNT_NOT_FOUND, AGENT_NOT_ALLOWED, EXPIRED, REPLAYED,
            TEXT_MEMORY_FULL, BOOK_NOT_FOUND, UNSUPPORTED_OPERATION, TRADING_DISABLED,
            INVALID_TICK_SIZE, INVALID_TICK_LEVEL, INVALID_AMOUNT, ORDER_AMOUNT_TOO_LOW,
            ORDER_AMOUNT_TOO_HIGH, PRICE_TOO_FAR_FROM_MARK, DUPLICATE_CLIENT_ORDER_ID,
            OPEN_ORDER_LIMIT_REACHED, POSITION_TPSL_LIMIT_EXCEEDED,
            NO_POSITION_FOR_REDUCE_ONLY_ORDER, INVALID_REDUCE_ONLY_ORDER_SIDE,
            INVALID_REDUCE_ONLY_ORDER_AMOUNT, INVALID_STOP_TICK, INVALID_STOP_ORDER_AMOUNT,
            INVALID_STOP_ORDER_REDUCE_ONLY, OPEN_INTEREST_LIMIT_EXCEEDED, POSITION_LIMIT_EXCEEDED,
            AGENT_LIMIT, INSUFFICIENT_BALANCE, IMMEDIATE_LIQUIDATION, TOO_MANY_ORDERS_TO_CHECK,
            BOOK_SIDE_FULL, INVALID_ORDER_TYPE, ORACLE_NOT_AVAILABLE.
        """
        return self.call(
            "create_market_order",
            symbol=symbol,
            amount=amount,
            side=side,
            slippage_percent=slippage_percent,
            reduce_only=reduce_only,
            client_order_id=client_order_id,
            take_profit=take_profit,
            stop_loss=stop_loss,
            stp=stp,
        )

    def create_stop_order(
        self,
        *,
        symbol: str,
        side: Literal["bid", "ask"],
        reduce_only: bool,
        stop_order: schemas.CreateStopOrderStopOrder,
        take_profit: Union[Optional[Union[schemas.CreateStopOrderTakeProfit, Sequence[schemas.CreateStopOrderTakeProfit]]], Unset] = UNSET,
        stop_loss: Union[Optional[Union[schemas.CreateStopOrderStopLoss, Sequence[schemas.CreateStopOrderStopLoss]]], Unset] = UNSET,
        expire_time: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.CreateStopOrderReply:
        """Place a stop order, optionally with take-profit and stop-loss.

        ``POST /orders/stop/create``, signed as ``create_stop_order``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param side: Side of the order that the stop places. By default a bid fires at or above
            stop_price, an ask at or below (see trigger_direction)
        :param reduce_only: The order may only reduce the position
        :param stop_order: Trigger of the stop, given by exactly one of stop_price, trailing_percent
            and trailing_distance
        :param take_profit: A take-profit or stop-loss level
        :param stop_loss: A stop-loss level, given by exactly one of stop_price, trailing_percent
            and trailing_distance
        :param expire_time: Time at which the order expires. Must be at least `expire_ahead_ms` (see
            /info/risk) in the future
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, TRADING_DISABLED, INVALID_TICK_SIZE, INVALID_TICK_LEVEL,
            INVALID_AMOUNT, INVALID_ORDER_TYPE, INVALID_TIME, DUPLICATE_CLIENT_ORDER_ID,
            OPEN_ORDER_LIMIT_REACHED, POSITION_TPSL_LIMIT_EXCEEDED,
            NO_POSITION_FOR_REDUCE_ONLY_ORDER, INVALID_STOP_TICK, INVALID_STOP_ORDER_AMOUNT,
            INVALID_STOP_ORDER_REDUCE_ONLY, AGENT_LIMIT.
        """
        return self.call(
            "create_stop_order",
            symbol=symbol,
            side=side,
            reduce_only=reduce_only,
            stop_order=stop_order,
            take_profit=take_profit,
            stop_loss=stop_loss,
            expire_time=expire_time,
        )

    def create_oco_order(
        self,
        *,
        symbol: str,
        legs: Sequence[Union[schemas.CreateOcoOrderLegs, schemas.CreateOcoOrderLegs2]],
        expire_time: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.CreateOcoOrderReply:
        """Place two linked orders, two stops or a resting order and a stop: when one executes, the
        other is cancelled.

        ``POST /orders/oco/create``, signed as ``create_oco_order``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param legs: Two stops, or an order and a stop of the same side, amount and reduce_only
        :param expire_time: Time at which the order expires. Must be at least `expire_ahead_ms` (see
            /info/risk) in the future
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, TRADING_DISABLED, INVALID_TICK_SIZE, INVALID_TICK_LEVEL,
            INVALID_AMOUNT, ORDER_AMOUNT_TOO_LOW, ORDER_AMOUNT_TOO_HIGH, PRICE_TOO_FAR_FROM_MARK,
            DUPLICATE_CLIENT_ORDER_ID, OPEN_ORDER_LIMIT_REACHED, POSITION_TPSL_LIMIT_EXCEEDED,
            NO_POSITION_FOR_REDUCE_ONLY_ORDER, INVALID_REDUCE_ONLY_ORDER_SIDE,
            INVALID_REDUCE_ONLY_ORDER_AMOUNT, INVALID_STOP_TICK, INVALID_STOP_ORDER_AMOUNT,
            INVALID_STOP_ORDER_REDUCE_ONLY, OPEN_INTEREST_LIMIT_EXCEEDED, POSITION_LIMIT_EXCEEDED,
            AGENT_LIMIT, INSUFFICIENT_BALANCE, IMMEDIATE_LIQUIDATION, TOO_MANY_ORDERS_TO_CHECK,
            BOOK_SIDE_FULL, INVALID_ORDER_TYPE, INVALID_TIME, INVALID_STOP_ORDER_SIDE, WOULD_TAKE.
        """
        return self.call("create_oco_order", symbol=symbol, legs=legs, expire_time=expire_time)

    def cancel_stop_order(
        self,
        *,
        symbol: str,
        order_id: Union[Optional[int], Unset] = UNSET,
        client_order_id: Union[Optional[str], Unset] = UNSET,
    ) -> None:
        """Cancel a stop or a TP/SL level.

        ``POST /orders/stop/cancel``, signed as ``cancel_stop_order``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param order_id: Order id given by the exchange
        :param client_order_id: Your own id of the order, a full UUID
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, ORDER_NOT_FOUND.
        """
        return self.call(
            "cancel_stop_order",
            symbol=symbol,
            order_id=order_id,
            client_order_id=client_order_id,
        )

    def edit_order(
        self,
        *,
        symbol: str,
        price: DecimalLike,
        amount: DecimalLike,
        order_id: Union[Optional[int], Unset] = UNSET,
        client_order_id: Union[Optional[str], Unset] = UNSET,
    ) -> schemas.EditOrderReply:
        """Replace an open order by one at a new price and size; it becomes post-only.

        ``POST /orders/edit``, signed as ``edit_order``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param price: New limit price
        :param amount: Total size of the new order
        :param order_id: Order id given by the exchange
        :param client_order_id: Your own id of the order, a full UUID
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ORDER_NOT_FOUND,
            ACCOUNT_NOT_FOUND, AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL,
            BOOK_NOT_FOUND, UNSUPPORTED_OPERATION, TRADING_DISABLED, INVALID_TICK_SIZE,
            INVALID_TICK_LEVEL, INVALID_AMOUNT, ORDER_AMOUNT_TOO_LOW, ORDER_AMOUNT_TOO_HIGH,
            PRICE_TOO_FAR_FROM_MARK, DUPLICATE_CLIENT_ORDER_ID, OPEN_ORDER_LIMIT_REACHED,
            POSITION_TPSL_LIMIT_EXCEEDED, NO_POSITION_FOR_REDUCE_ONLY_ORDER,
            INVALID_REDUCE_ONLY_ORDER_SIDE, INVALID_REDUCE_ONLY_ORDER_AMOUNT, INVALID_STOP_TICK,
            INVALID_STOP_ORDER_AMOUNT, INVALID_STOP_ORDER_REDUCE_ONLY, OPEN_INTEREST_LIMIT_EXCEEDED,
            POSITION_LIMIT_EXCEEDED, AGENT_LIMIT, INSUFFICIENT_BALANCE, IMMEDIATE_LIQUIDATION,
            TOO_MANY_ORDERS_TO_CHECK, BOOK_SIDE_FULL, MMP_FROZEN.
        """
        return self.call(
            "edit_order",
            symbol=symbol,
            price=price,
            amount=amount,
            order_id=order_id,
            client_order_id=client_order_id,
        )

    def cancel_order(
        self,
        *,
        symbol: str,
        order_id: Union[Optional[int], Unset] = UNSET,
        client_order_id: Union[Optional[str], Unset] = UNSET,
    ) -> schemas.CancelOrderReply:
        """Cancel an order, stop or TP/SL level; never delayed.

        ``POST /orders/cancel``, signed as ``cancel_order``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param order_id: Order id given by the exchange
        :param client_order_id: Your own id of the order, a full UUID
        :raises ApiRefusal: The exchange refused it; rules (400): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, ORDER_NOT_FOUND.
        """
        return self.call(
            "cancel_order",
            symbol=symbol,
            order_id=order_id,
            client_order_id=client_order_id,
        )

    def cancel_all_orders(
        self,
        *,
        all_symbols: bool,
        exclude_reduce_only: bool,
        symbol: Union[Optional[str], Unset] = UNSET,
    ) -> schemas.CancelAllOrdersReply:
        """Cancel all orders of the account, on one market or on all.

        ``POST /orders/cancel_all``, signed as ``cancel_all_orders``

        :param all_symbols: True for all markets, false for `symbol` only
        :param exclude_reduce_only: True to keep reduce-only orders and stops
        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION.
        """
        return self.call(
            "cancel_all_orders",
            all_symbols=all_symbols,
            exclude_reduce_only=exclude_reduce_only,
            symbol=symbol,
        )

    def schedule_cancel(
        self,
        *,
        time: Optional[int],
        keep_protective: Union[Optional[bool], Unset] = UNSET,
    ) -> schemas.ScheduleCancelReply:
        """Dead man's switch: cancel all orders at a time, unless it is moved or removed.

        ``POST /orders/schedule_cancel``, signed as ``schedule_cancel``

        :param time: Null removes the schedule
        :param keep_protective: Spare reduce-only stops and TP/SL levels; true by default
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, INVALID_TIME.
        """
        return self.call("schedule_cancel", time=time, keep_protective=keep_protective)

    def set_mmp(
        self,
        *,
        symbol: str,
        window_ms: Union[Optional[int], Unset] = UNSET,
        frozen_ms: Union[Optional[int], Unset] = UNSET,
        max_amount: Union[Optional[DecimalLike], Unset] = UNSET,
        max_net_amount: Union[Optional[DecimalLike], Unset] = UNSET,
        remove: Union[Optional[bool], Unset] = UNSET,
    ) -> None:
        """Set or remove the protection of quotes on a market that are filled too fast.

        ``POST /account/mmp/set``, signed as ``set_mmp``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param window_ms: Time window of the counts, in milliseconds
        :param frozen_ms: Time after a trip during which orders with mmp are rejected; 0 for until a
            reset
        :param max_amount: Limit on the size filled as maker, bought and sold together; reaching it
            trips the protection
        :param max_net_amount: Limit on the difference between size bought and sold as maker;
            reaching it trips the protection
        :param remove: True: no protection any more
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, INVALID_AMOUNT, INVALID_PARAMETER.
        """
        return self.call(
            "set_mmp",
            symbol=symbol,
            window_ms=window_ms,
            frozen_ms=frozen_ms,
            max_amount=max_amount,
            max_net_amount=max_net_amount,
            remove=remove,
        )

    def reset_mmp(
        self,
        *,
        symbol: str,
    ) -> None:
        """End a freeze of the protection in a market, and reset its counts.

        ``POST /account/mmp/reset``, signed as ``reset_mmp``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, INVALID_PARAMETER.
        """
        return self.call("reset_mmp", symbol=symbol)

    def create_twap_order(
        self,
        *,
        symbol: str,
        amount: DecimalLike,
        side: Literal["bid", "ask"],
        reduce_only: bool,
        slippage_percent: DecimalLike,
        duration_in_seconds: int,
        client_order_id: Union[Optional[str], Unset] = UNSET,
    ) -> schemas.CreateTwapOrderReply:
        """Place a TWAP: equal slices, one market order every 30 seconds.

        ``POST /orders/twap/create``, signed as ``create_twap_order``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param amount: Total size, a multiple of lot_size
        :param side: bid buys, ask sells
        :param reduce_only: The order may only reduce the position
        :param slippage_percent: Maximum distance of the worst price of a slice from the mark, in
            percent, such as 0.5
        :param duration_in_seconds: Duration in seconds, at least 60: one slice immediately, then
            one every 30 s
        :param client_order_id: Your own id of the order, a full UUID
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, TRADING_DISABLED, INVALID_AMOUNT,
            NO_POSITION_FOR_REDUCE_ONLY_ORDER, INVALID_REDUCE_ONLY_ORDER_SIDE,
            INVALID_REDUCE_ONLY_ORDER_AMOUNT, AGENT_LIMIT, TWAP_CLIENT_ORDER_ID_IN_USE,
            TWAP_SUB_ORDER_AMOUNT, TWAP_DURATION, TWAP_LIMIT_REACHED.
        """
        return self.call(
            "create_twap_order",
            symbol=symbol,
            amount=amount,
            side=side,
            reduce_only=reduce_only,
            slippage_percent=slippage_percent,
            duration_in_seconds=duration_in_seconds,
            client_order_id=client_order_id,
        )

    def cancel_twap_order(
        self,
        *,
        symbol: str,
        order_id: Union[Optional[int], Unset] = UNSET,
        client_order_id: Union[Optional[str], Unset] = UNSET,
    ) -> None:
        """Cancel a TWAP; its fills stay.

        ``POST /orders/twap/cancel``, signed as ``cancel_twap_order``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param order_id: Order id given by the exchange
        :param client_order_id: Your own id of the order, a full UUID
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, TWAP_NOT_FOUND.
        """
        return self.call(
            "cancel_twap_order",
            symbol=symbol,
            order_id=order_id,
            client_order_id=client_order_id,
        )

    def create_chase_order(
        self,
        *,
        symbol: str,
        side: Literal["bid", "ask"],
        amount: DecimalLike,
        reduce_only: bool,
        price: DecimalLike,
        client_order_id: Union[Optional[str], Unset] = UNSET,
        expire_time: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.CreateChaseOrderReply:
        """Place a chase: an order that stays at the best price as a maker, up to a price limit.

        ``POST /orders/chase/create``, signed as ``create_chase_order``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param side: bid buys, ask sells
        :param amount: Total size, a multiple of lot_size
        :param reduce_only: The order may only reduce the position
        :param price: Price limit: the maximum for a bid, the minimum for an ask. The orders never
            take
        :param client_order_id: Your own id of the order, a full UUID
        :param expire_time: Expiry; from expire_ahead_ms to chase_ms_max of /info/risk ahead
            (default: the latest)
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, TRADING_DISABLED, INVALID_TICK_SIZE, INVALID_TICK_LEVEL,
            INVALID_AMOUNT, INVALID_TIME, ORDER_AMOUNT_TOO_LOW, ORDER_AMOUNT_TOO_HIGH,
            PRICE_TOO_FAR_FROM_MARK, DUPLICATE_CLIENT_ORDER_ID, NO_POSITION_FOR_REDUCE_ONLY_ORDER,
            INVALID_REDUCE_ONLY_ORDER_SIDE, INVALID_REDUCE_ONLY_ORDER_AMOUNT, AGENT_LIMIT,
            LIMIT_REACHED.
        """
        return self.call(
            "create_chase_order",
            symbol=symbol,
            side=side,
            amount=amount,
            reduce_only=reduce_only,
            price=price,
            client_order_id=client_order_id,
            expire_time=expire_time,
        )

    def create_iceberg_order(
        self,
        *,
        symbol: str,
        side: Literal["bid", "ask"],
        amount: DecimalLike,
        reduce_only: bool,
        display_amount: DecimalLike,
        price: DecimalLike,
        client_order_id: Union[Optional[str], Unset] = UNSET,
        expire_time: Union[Optional[int], Unset] = UNSET,
    ) -> schemas.CreateIcebergOrderReply:
        """Place an iceberg: a part of the size is shown, the next when it is filled.

        ``POST /orders/iceberg/create``, signed as ``create_iceberg_order``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param side: bid buys, ask sells
        :param amount: Total size, a multiple of lot_size
        :param reduce_only: The order may only reduce the position
        :param display_amount: Size shown in the book at a time; up to 100 parts
        :param price: Limit price; its orders never take
        :param client_order_id: Your own id of the order, a full UUID
        :param expire_time: Time at which the order expires. Must be at least `expire_ahead_ms` (see
            /info/risk) in the future
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, TRADING_DISABLED, INVALID_TICK_SIZE, INVALID_TICK_LEVEL,
            INVALID_AMOUNT, INVALID_TIME, ORDER_AMOUNT_TOO_LOW, ORDER_AMOUNT_TOO_HIGH,
            PRICE_TOO_FAR_FROM_MARK, DUPLICATE_CLIENT_ORDER_ID, NO_POSITION_FOR_REDUCE_ONLY_ORDER,
            INVALID_REDUCE_ONLY_ORDER_SIDE, INVALID_REDUCE_ONLY_ORDER_AMOUNT, AGENT_LIMIT,
            LIMIT_REACHED.
        """
        return self.call(
            "create_iceberg_order",
            symbol=symbol,
            side=side,
            amount=amount,
            reduce_only=reduce_only,
            display_amount=display_amount,
            price=price,
            client_order_id=client_order_id,
            expire_time=expire_time,
        )

    def set_position_tpsl(
        self,
        *,
        symbol: str,
        side: Literal["bid", "ask"],
        take_profit: Union[Optional[Union[schemas.SetPositionTpslTakeProfit, Union[schemas.SetPositionTpslTakeProfit2, Sequence[schemas.SetPositionTpslTakeProfit2]]]], Unset] = UNSET,
        stop_loss: Union[Optional[Union[schemas.SetPositionTpslStopLoss, Union[schemas.SetPositionTpslStopLoss2, Sequence[schemas.SetPositionTpslStopLoss2]]]], Unset] = UNSET,
    ) -> schemas.SetPositionTpslReply:
        """Set, replace or remove the take-profit and stop-loss levels of a position.

        ``POST /positions/tpsl``, signed as ``set_position_tpsl``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param side: Side of the position if the body has `user`; the closing side if it has
            `account`
        :param take_profit: A level in ticks (price = ticks × tick_size)
        :param stop_loss: A level in ticks (price = ticks × tick_size)
        :raises ApiRefusal: The exchange refused it; rules (400): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, TRADING_DISABLED, INVALID_TICK_SIZE, INVALID_TICK_LEVEL,
            INVALID_AMOUNT, INVALID_ORDER_TYPE, POSITION_NOT_FOUND, DUPLICATE_CLIENT_ORDER_ID,
            OPEN_ORDER_LIMIT_REACHED, POSITION_TPSL_LIMIT_EXCEEDED, INVALID_STOP_TICK,
            INVALID_STOP_ORDER_SIDE, INVALID_STOP_ORDER_AMOUNT, AGENT_LIMIT.
        """
        return self.call(
            "set_position_tpsl",
            symbol=symbol,
            side=side,
            take_profit=take_profit,
            stop_loss=stop_loss,
        )

    def add_isolated_margin(
        self,
        *,
        symbol: str,
        amount: DecimalLike,
    ) -> None:
        """Add margin to an isolated position, or remove free margin.

        ``POST /positions/add_isolated_margin``, signed as ``add_isolated_margin``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param amount: USD to add; a negative amount removes free margin
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, TRADING_DISABLED, INVALID_AMOUNT, POSITION_NOT_FOUND,
            INSUFFICIENT_BALANCE, CANNOT_UPDATE_MARGIN, WITHDRAWAL_BLOCKED.
        """
        return self.call("add_isolated_margin", symbol=symbol, amount=amount)

    def update_leverage(
        self,
        *,
        symbol: str,
        leverage: int,
    ) -> None:
        """Choose the leverage of a market; an open position must have the margin.

        ``POST /account/leverage``, signed as ``update_leverage``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param leverage: Leverage, from 1 to max_leverage of the market
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, TRADING_DISABLED, INSUFFICIENT_BALANCE, INVALID_LEVERAGE.
        """
        return self.call("update_leverage", symbol=symbol, leverage=leverage)

    def update_margin_mode(
        self,
        *,
        symbol: str,
        is_isolated: bool,
    ) -> None:
        """Choose cross or isolated margin for a market; fixed while anything is open there.

        ``POST /account/margin``, signed as ``update_margin_mode``

        :param symbol: Market symbol, case-sensitive, as GET /info lists it
        :param is_isolated: True for isolated margin, false for cross margin
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, TRADING_DISABLED, CANNOT_UPDATE_MARGIN.
        """
        return self.call("update_margin_mode", symbol=symbol, is_isolated=is_isolated)

    def withdraw(
        self,
        *,
        amount: DecimalLike,
    ) -> schemas.WithdrawReply:
        """Request a withdrawal; the operator completes or fails it.

        ``POST /account/withdraw``, signed as ``withdraw``

        :param amount: USD to withdraw
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, INVALID_AMOUNT,
            WITHDRAWAL_BLOCKED, SUBACCOUNT_WITHDRAWAL_NOT_ALLOWED, WITHDRAW_AMOUNT_TOO_LOW,
            DAILY_WITHDRAW_LIMIT_EXCEEDED, OVER_WITHDRAWAL, LIMIT_REACHED.
        """
        return self.call("withdraw", amount=amount)

    def list_reserve_proof(
        self,
    ) -> Optional[schemas.ListReserveProofReply]:
        """Proof that the account is included in the newest proof of reserves.

        ``POST /account/reserves``, signed as ``list_reserve_proof``

        :raises ApiRefusal: The exchange refused it; rules (422): ACCOUNT_NOT_FOUND.
        """
        return self.call("list_reserve_proof")

    def list_subaccounts(
        self,
    ) -> schemas.ListSubaccountsReply:
        """List the subaccounts of the account.

        ``POST /account/subaccount/list``, signed as ``list_subaccounts``

        :raises ApiRefusal: The exchange refused it; rules (422): ACCOUNT_NOT_FOUND.
        """
        return self.call("list_subaccounts")

    def transfer_funds(
        self,
        *,
        to_account: str,
        amount: DecimalLike,
    ) -> schemas.TransferFundsReply:
        """Move money between a main account and its own subaccount.

        ``POST /account/subaccount/transfer``, signed as ``transfer_funds``

        :param to_account: Main account or one of its subaccounts
        :param amount: USD to move
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, INVALID_AMOUNT,
            WITHDRAWAL_BLOCKED, OVER_WITHDRAWAL, INVALID_TRANSFER_RELATIONSHIP.
        """
        return self.call("transfer_funds", to_account=to_account, amount=amount)

    def bind_agent_wallet(
        self,
        *,
        agent_wallet: str,
        policy: Union[Optional[schemas.BindAgentWalletPolicy], Unset] = UNSET,
        ips: Union[Optional[Sequence[str]], Unset] = UNSET,
    ) -> None:
        """Allow another key to trade for the account.

        ``POST /agent/bind``, signed as ``bind_agent_wallet``

        :param agent_wallet: Address of the agent key
        :param policy: Limits of the key; an absent field sets no limit
        :param ips: IP addresses from which the key may be used
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND,
            UNSUPPORTED_OPERATION, INVALID_AMOUNT, LIMIT_REACHED, INVALID_PARAMETER.
        """
        return self.call("bind_agent_wallet", agent_wallet=agent_wallet, policy=policy, ips=ips)

    def set_agent_policy(
        self,
        *,
        agent_wallet: str,
        policy: Union[Optional[schemas.SetAgentPolicyPolicy], Unset] = UNSET,
        remove: Union[Optional[bool], Unset] = UNSET,
    ) -> None:
        """Set or remove the policy of an agent.

        ``POST /agent/policy``, signed as ``set_agent_policy``

        :param agent_wallet: Address of the agent key
        :param policy: Limits of the key; an absent field sets no limit
        :param remove: True: the key has no policy from now on
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, BOOK_NOT_FOUND, INVALID_AMOUNT,
            AGENT_NOT_FOUND, INVALID_PARAMETER.
        """
        return self.call(
            "set_agent_policy",
            agent_wallet=agent_wallet,
            policy=policy,
            remove=remove,
        )

    def revoke_agent_wallet(
        self,
        *,
        agent_wallet: str,
    ) -> None:
        """Revoke an agent; its resting orders stay.

        ``POST /agent/revoke``, signed as ``revoke_agent_wallet``

        :param agent_wallet: Address of the agent key
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, AGENT_NOT_FOUND.
        """
        return self.call("revoke_agent_wallet", agent_wallet=agent_wallet)

    def revoke_all_agent_wallets(
        self,
    ) -> None:
        """Revoke every agent of the account.

        ``POST /agent/revoke_all``, signed as ``revoke_all_agent_wallets``

        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL.
        """
        return self.call("revoke_all_agent_wallets")

    def list_agent_wallets(
        self,
    ) -> schemas.ListAgentWalletsReply:
        """List the agents of the account.

        ``POST /agent/list``, signed as ``list_agent_wallets``

        :raises ApiRefusal: The exchange refused it; rules (422): ACCOUNT_NOT_FOUND.
        """
        return self.call("list_agent_wallets")

    def list_agent_ip_whitelist(
        self,
        *,
        api_agent_key: str,
    ) -> schemas.ListAgentIpWhitelistReply:
        """List the IP addresses that an agent may be used from.

        ``POST /agent/ip_whitelist/list``, signed as ``list_agent_ip_whitelist``

        :param api_agent_key: Address of the agent key
        :raises ApiRefusal: The exchange refused it; rules (422): ACCOUNT_NOT_FOUND,
            AGENT_NOT_FOUND.
        """
        return self.call("list_agent_ip_whitelist", api_agent_key=api_agent_key)

    def add_agent_whitelisted_ip(
        self,
        *,
        agent_wallet: str,
        ip_address: str,
    ) -> None:
        """Allow an agent to be used from an IP address.

        ``POST /agent/ip_whitelist/add``, signed as ``add_agent_whitelisted_ip``

        :param agent_wallet: Address of the agent key
        :param ip_address: IPv4 or IPv6 address
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, AGENT_NOT_FOUND, LIMIT_REACHED.
        """
        return self.call(
            "add_agent_whitelisted_ip",
            agent_wallet=agent_wallet,
            ip_address=ip_address,
        )

    def remove_agent_whitelisted_ip(
        self,
        *,
        agent_wallet: str,
        ip_address: str,
    ) -> None:
        """Remove an IP address from the list of an agent.

        ``POST /agent/ip_whitelist/remove``, signed as ``remove_agent_whitelisted_ip``

        :param agent_wallet: Address of the agent key
        :param ip_address: IPv4 or IPv6 address
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, AGENT_NOT_FOUND,
            INVALID_PARAMETER.
        """
        return self.call(
            "remove_agent_whitelisted_ip",
            agent_wallet=agent_wallet,
            ip_address=ip_address,
        )

    def set_agent_ip_whitelist_enabled(
        self,
        *,
        agent_wallet: str,
        enabled: bool,
    ) -> None:
        """Enable or disable the IP address list of an agent.

        ``POST /agent/ip_whitelist/toggle``, signed as ``set_agent_ip_whitelist_enabled``

        :param agent_wallet: Address of the agent key
        :param enabled: True: only listed addresses may use the agent
        :raises ApiRefusal: The exchange refused it; rules (422, 403, 400, 429): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, AGENT_NOT_FOUND.
        """
        return self.call(
            "set_agent_ip_whitelist_enabled",
            agent_wallet=agent_wallet,
            enabled=enabled,
        )

    def create_api_key(
        self,
    ) -> schemas.CreateApiKeyReply:
        """Create an API config key; at most five an account.

        ``POST /account/api_keys/create``, signed as ``create_api_key``

        :raises ApiRefusal: The exchange refused it; rules (400): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, LIMIT_REACHED.
        """
        return self.call("create_api_key")

    def revoke_api_key(
        self,
        *,
        api_key: str,
    ) -> None:
        """Revoke an API config key.

        ``POST /account/api_keys/revoke``, signed as ``revoke_api_key``

        :param api_key: The key, its prefix, or the prefix with `_` and 22 asterisks
        :raises ApiRefusal: The exchange refused it; rules (400): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED, EXPIRED, REPLAYED, TEXT_MEMORY_FULL, API_KEY_NOT_FOUND.
        """
        return self.call("revoke_api_key", api_key=api_key)

    def list_api_keys(
        self,
    ) -> schemas.ListApiKeysReply:
        """List the API config keys of the account.

        ``POST /account/api_keys``, signed as ``list_api_keys``

        :raises ApiRefusal: The exchange refused it; rules (400): ACCOUNT_NOT_FOUND,
            AGENT_NOT_ALLOWED.
        """
        return self.call("list_api_keys")

    def get_status(
        self,
    ) -> schemas.GetStatusReply:
        """Status of markets, their prices and the exchange, and announcements of operators.

        ``GET /status``
        """
        return self.call("get_status")


OPERATIONS: Dict[str, Operation] = {
    "get_positions": Operation(
        "get_positions",
        "GET",
        "/positions",
        "bare",
        of_account=True,
        reply=[{"amount": D, "entryPrice": D, "margin": D}],
    ),
    "get_position_history": Operation(
        "get_position_history",
        "GET",
        "/positions/history",
        "bare",
        reply=[{"amount": D, "entryPrice": D, "fee": D, "pnl": D, "price": D}],
    ),
    "get_info": Operation(
        "get_info",
        "GET",
        "/info",
        "envelope",
        reply=[
            {
                "tick_size": D,
                "min_tick": D,
                "max_tick": D,
                "lot_size": D,
                "min_order_size": D,
                "max_order_size": D,
                "funding_rate": D,
                "next_funding_rate": D,
            },
        ],
    ),
    "get_prices": Operation(
        "get_prices",
        "GET",
        "/info/prices",
        "envelope",
        reply=[
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
    "get_fees": Operation(
        "get_fees",
        "GET",
        "/info/fees",
        "envelope",
        reply=[{"maker_fee_rate": D, "taker_fee_rate": D}],
    ),
    "get_risk": Operation(
        "get_risk",
        "GET",
        "/info/risk",
        "envelope",
        reply={
            "markets": [
                {
                    "sources_apart": {"lowest": D, "highest": D, "percent": D},
                    "guarded_price": {"long": D, "short": D},
                    "risk_tiers": [
                        {"from_value": D, "maintenance_fraction": D, "initial_fraction": D},
                    ],
                    "kept_tiers": [{"tiers": [{"from_value": D, "maintenance_fraction": D}]}],
                    "pending_changes": [
                        {
                            "change": {
                                "min_tick": D,
                                "max_tick": D,
                                "min_order_size": D,
                                "max_order_size": D,
                                "band_near_percent": D,
                                "band_far_percent": D,
                                "open_interest_cap": D,
                                "owner_interest_max": D,
                                "open_interest_lower": D,
                                "open_interest_upper": D,
                                "risk_tiers": [{"from_value": D}],
                                "impact_notional": D,
                                "backstop_value_max": D,
                                "backstop_daily_loss_max": D,
                                "liquidation_fee_part_percent": D,
                                "liquidation_fee_max_percent": D,
                                "liquidation_concession_percent": D,
                                "liquidation_step_max": D,
                            },
                        },
                    ],
                    "maintenance_tiers": [
                        {"from_notional": D, "maintenance_fraction": D, "deduction": D},
                    ],
                    "band": {"near": D, "far": D},
                    "stop_slippage_percent": D,
                    "open_interest": D,
                    "open_interest_cap": D,
                    "owner_interest_cap": D,
                    "owner_limit": {"limit": D, "used": D, "left": D},
                    "open_interest_scaling": {"lower": D, "upper": D},
                    "impact_notional": D,
                    "funding_rate_clamp": D,
                    "backstop": {"balance": D},
                    "backstop_notional_cap": D,
                    "backstop_daily_loss_cap": D,
                    "liquidation": {"fee_part": D, "fee_max": D, "concession": D, "step_max": D},
                },
            ],
            "insurance": {"balance": D},
            "fees": {"balance": D},
            "deficit": {"balance": D},
            "limits": {
                "trailing_percent_min": D,
                "trailing_percent_max": D,
                "fee_level_volumes": [D],
                "slippage_percent_max": D,
                "exposure_max": D,
                "withdrawal_min": D,
                "withdrawal_daily_max": D,
            },
        },
    ),
    "get_reserves": Operation(
        "get_reserves",
        "GET",
        "/info/reserves",
        "envelope",
        reply={"liabilities": D, "own": D, "debts": D, "funding": D, "total": D},
    ),
    "get_venue": Operation(
        "get_venue",
        "GET",
        "/info/venue",
        "envelope",
    ),
    "get_time": Operation(
        "get_time",
        "GET",
        "/time",
        "envelope",
    ),
    "get_checkpoints": Operation(
        "get_checkpoints",
        "GET",
        "/checkpoints",
        "envelope",
    ),
    "get_frame_proof": Operation(
        "get_frame_proof",
        "GET",
        "/checkpoints/frame",
        "envelope",
    ),
    "get_receipt": Operation(
        "get_receipt",
        "GET",
        "/receipts",
        "envelope",
        of_account=True,
    ),
    "get_book": Operation(
        "get_book",
        "GET",
        "/book",
        "envelope",
        reply={"l": ([{"p": D, "a": D}], [{"p": D, "a": D}],)},
    ),
    "get_trades": Operation(
        "get_trades",
        "GET",
        "/trades",
        "page",
        csv=True,
        reply={"rows": [{"price": D, "amount": D}]},
    ),
    "get_candles": Operation(
        "get_candles",
        "GET",
        "/kline",
        "envelope",
        reply=[{"o": D, "c": D, "h": D, "l": D, "v": D}],
    ),
    "get_mark_candles": Operation(
        "get_mark_candles",
        "GET",
        "/kline/mark",
        "envelope",
        reply=[{"o": D, "c": D, "h": D, "l": D, "v": D}],
    ),
    "get_funding_rates": Operation(
        "get_funding_rates",
        "GET",
        "/funding_rate/history",
        "page",
        csv=True,
        reply={
            "rows": [
                {
                    "oracle_price": D,
                    "bid_impact_price": D,
                    "ask_impact_price": D,
                    "funding_rate": D,
                    "next_funding_rate": D,
                },
            ],
        },
    ),
    "get_open_interest_history": Operation(
        "get_open_interest_history",
        "GET",
        "/open_interest/history",
        "page",
        csv=True,
        reply={"rows": [{"open_interest": D, "open_interest_value": D}]},
    ),
    "get_index_price_history": Operation(
        "get_index_price_history",
        "GET",
        "/index_price/history",
        "page",
        csv=True,
        reply={"rows": [{"index_price": D}]},
    ),
    "get_liquidations": Operation(
        "get_liquidations",
        "GET",
        "/liquidations",
        "page",
        csv=True,
        reply={"rows": [{"amount": D, "price": D}]},
    ),
    "get_account": Operation(
        "get_account",
        "GET",
        "/account",
        "envelope",
        of_account=True,
        reply={
            "balance": D,
            "maker_fee": D,
            "taker_fee": D,
            "volume_14d": D,
            "account_equity": D,
            "cross_account_equity": D,
            "available_to_spend": D,
            "available_to_withdraw": D,
            "pending_balance": D,
            "total_margin_used": D,
            "cross_mmr": D,
        },
    ),
    "get_account_settings": Operation(
        "get_account_settings",
        "GET",
        "/account/settings",
        "envelope",
        of_account=True,
    ),
    "get_mmp": Operation(
        "get_mmp",
        "GET",
        "/account/mmp",
        "envelope",
        of_account=True,
        reply=[{"max_amount": D, "max_net_amount": D}],
    ),
    "get_trade_history": Operation(
        "get_trade_history",
        "GET",
        "/trades/history",
        "page",
        of_account=True,
        csv=True,
        reply={"rows": [{"amount": D, "price": D, "entry_price": D, "fee": D, "pnl": D}]},
    ),
    "get_funding_history": Operation(
        "get_funding_history",
        "GET",
        "/funding/history",
        "page",
        of_account=True,
        csv=True,
        reply={"rows": [{"amount": D, "payout": D, "rate": D}]},
    ),
    "get_balance_history": Operation(
        "get_balance_history",
        "GET",
        "/account/balance/history",
        "page",
        of_account=True,
        csv=True,
        reply={"rows": [{"amount": D, "balance": D, "pending_balance": D}]},
    ),
    "get_portfolio": Operation(
        "get_portfolio",
        "GET",
        "/portfolio",
        "envelope",
        of_account=True,
        reply=[{"account_equity": D, "pnl": D}],
    ),
    "get_open_orders": Operation(
        "get_open_orders",
        "GET",
        "/orders",
        "as_of",
        of_account=True,
        reply={
            "rows": [
                {
                    "price": D,
                    "initial_amount": D,
                    "filled_amount": D,
                    "cancelled_amount": D,
                    "stop_price": D,
                    "trailing": {
                        "trailing_percent": D,
                        "trailing_distance": D,
                        "activation_price": D,
                        "extreme_price": D,
                    },
                    "slippage_percent": D,
                    "queue": {"ahead": D, "behind": D},
                },
            ],
        },
    ),
    "get_order_history": Operation(
        "get_order_history",
        "GET",
        "/orders/history",
        "page",
        of_account=True,
        csv=True,
        reply={
            "rows": [
                {
                    "initial_price": D,
                    "price": D,
                    "amount": D,
                    "initial_amount": D,
                    "filled_amount": D,
                    "cancelled_amount": D,
                    "average_filled_price": D,
                    "stop_price": D,
                    "trailing": {
                        "trailing_percent": D,
                        "trailing_distance": D,
                        "activation_price": D,
                        "extreme_price": D,
                    },
                },
            ],
        },
    ),
    "get_order_events": Operation(
        "get_order_events",
        "GET",
        "/orders/history_by_id",
        "envelope",
        reply=[
            {
                "price": D,
                "initial_amount": D,
                "filled_amount": D,
                "cancelled_amount": D,
                "average_filled_price": D,
                "stop_price": D,
            },
        ],
    ),
    "get_twap_orders": Operation(
        "get_twap_orders",
        "GET",
        "/orders/twap",
        "envelope",
        of_account=True,
        reply=[
            {
                "initial_amount": D,
                "filled_amount": D,
                "slippage_percent": D,
                "planned_sub_order_amount": D,
                "total_filled_value": D,
            },
        ],
    ),
    "get_twap_history": Operation(
        "get_twap_history",
        "GET",
        "/orders/twap/history",
        "page",
        of_account=True,
        csv=True,
        reply={
            "rows": [
                {
                    "initial_amount": D,
                    "filled_amount": D,
                    "slippage_percent": D,
                    "planned_sub_order_amount": D,
                    "total_filled_value": D,
                },
            ],
        },
    ),
    "get_twap_events": Operation(
        "get_twap_events",
        "GET",
        "/orders/twap/history_by_id",
        "envelope",
        reply=[
            {
                "initial_amount": D,
                "filled_amount": D,
                "slippage_percent": D,
                "planned_sub_order_amount": D,
                "total_filled_value": D,
            },
        ],
    ),
    "get_algo_orders": Operation(
        "get_algo_orders",
        "GET",
        "/orders/algo",
        "envelope",
        of_account=True,
        reply=[
            {
                "price": D,
                "initial_amount": D,
                "display_amount": D,
                "filled_amount": D,
                "total_filled_value": D,
            },
        ],
    ),
    "get_algo_history": Operation(
        "get_algo_history",
        "GET",
        "/orders/algo/history",
        "page",
        of_account=True,
        csv=True,
        reply={
            "rows": [
                {
                    "price": D,
                    "initial_amount": D,
                    "display_amount": D,
                    "filled_amount": D,
                    "total_filled_value": D,
                },
            ],
        },
    ),
    "explain_order": Operation(
        "explain_order",
        "GET",
        "/explain/order/{order_id}",
        "envelope",
        of_account=True,
    ),
    "explain_fill": Operation(
        "explain_fill",
        "GET",
        "/explain/fill/{history_id}",
        "envelope",
        of_account=True,
    ),
    "explain_refusal": Operation(
        "explain_refusal",
        "GET",
        "/explain/refusal/{seq}",
        "envelope",
        of_account=True,
    ),
    "explain_liquidation": Operation(
        "explain_liquidation",
        "GET",
        "/explain/liquidation/{seq}",
        "envelope",
        of_account=True,
    ),
    "explain_funding": Operation(
        "explain_funding",
        "GET",
        "/explain/funding/{history_id}",
        "envelope",
        of_account=True,
    ),
    "explain_position": Operation(
        "explain_position",
        "GET",
        "/explain/position/{symbol}",
        "envelope",
        of_account=True,
    ),
    "get_leaderboard": Operation(
        "get_leaderboard",
        "GET",
        "/leaderboard",
        "envelope",
        reply=[
            {
                "pnl_1d": D,
                "pnl_7d": D,
                "pnl_30d": D,
                "pnl_all_time": D,
                "equity_current": D,
                "oi_current": D,
                "volume_14d": D,
            },
        ],
    ),
    "get_spot_assets": Operation(
        "get_spot_assets",
        "GET",
        "/spot_assets",
        "envelope",
    ),
    "get_spot_bridges": Operation(
        "get_spot_bridges",
        "GET",
        "/spot_assets/bridge/info",
        "envelope",
    ),
    "get_spot_balance_history": Operation(
        "get_spot_balance_history",
        "GET",
        "/account/spot_balance/history",
        "page",
    ),
    "get_spot_deposits": Operation(
        "get_spot_deposits",
        "GET",
        "/account/spot_asset/deposit/history",
        "page",
    ),
    "get_spot_withdrawals": Operation(
        "get_spot_withdrawals",
        "GET",
        "/account/spot_asset/withdraw/history",
        "page",
    ),
    "get_pending_spot_withdrawals": Operation(
        "get_pending_spot_withdrawals",
        "GET",
        "/account/spot_asset/withdraw/pending",
        "envelope",
    ),
    "get_loan_pools": Operation(
        "get_loan_pools",
        "GET",
        "/loan_pool",
        "envelope",
    ),
    "get_account_loans": Operation(
        "get_account_loans",
        "GET",
        "/account/loan",
        "envelope",
    ),
    "get_vaults": Operation(
        "get_vaults",
        "GET",
        "/lake/list",
        "envelope",
    ),
    "get_agent_policy": Operation(
        "get_agent_policy",
        "GET",
        "/agent/policy",
        "envelope",
        of_account=True,
        reply={
            "policy": {
                "max_slippage_percent": D,
                "max_order_value": D,
                "max_position_value": D,
                "max_daily_loss": D,
            },
            "day_loss": D,
        },
    ),
    "preview_order": Operation(
        "preview_order",
        "POST",
        "/orders/preview",
        "envelope",
        of_account=True,
        request={
            "amount": D,
            "price": D,
            "slippage_percent": D,
            "take_profit": [{"stop_price": D, "limit_price": D, "amount": D}],
            "stop_loss": [
                {
                    "stop_price": D,
                    "trailing_percent": D,
                    "trailing_distance": D,
                    "activation_price": D,
                    "limit_price": D,
                    "amount": D,
                },
            ],
            "display_amount": D,
            "stop_order": {
                "stop_price": D,
                "trailing_percent": D,
                "trailing_distance": D,
                "activation_price": D,
                "limit_price": D,
                "amount": D,
                "slippage_percent": D,
            },
            "legs": [
                {
                    "amount": D,
                    "price": D,
                    "stop_price": D,
                    "trailing_percent": D,
                    "trailing_distance": D,
                    "activation_price": D,
                    "limit_price": D,
                },
            ],
        },
        reply={
            "notional": D,
            "fee": D,
            "margin": D,
            "position_after": D,
            "liquidation_price": D,
            "guarded_price": D,
            "risk_tier": {"from_value": D, "maintenance_fraction": D, "initial_fraction": D},
            "max_amount": D,
        },
    ),
    "batch_orders": Operation(
        "batch_orders",
        "POST",
        "/orders/batch",
        "envelope",
        ws=True,
    ),
    "create_subaccount": Operation(
        "create_subaccount",
        "POST",
        "/account/subaccount/create",
        "envelope",
    ),
    "sandbox_faucet": Operation(
        "sandbox_faucet",
        "POST",
        "/sandbox/faucet",
        "envelope",
        of_account=True,
        sandbox=True,
        request={"amount": D},
        reply={"balance": D},
    ),
    "sandbox_get_clock": Operation(
        "sandbox_get_clock",
        "GET",
        "/sandbox/clock",
        "envelope",
        sandbox=True,
    ),
    "sandbox_set_clock": Operation(
        "sandbox_set_clock",
        "POST",
        "/sandbox/clock",
        "envelope",
        sandbox=True,
    ),
    "sandbox_set_oracle": Operation(
        "sandbox_set_oracle",
        "POST",
        "/sandbox/oracle",
        "envelope",
        sandbox=True,
        request={"price": D, "path": [D]},
        reply={"oracle": D},
    ),
    "sandbox_snapshot": Operation(
        "sandbox_snapshot",
        "POST",
        "/sandbox/snapshot",
        "envelope",
        sandbox=True,
    ),
    "sandbox_list_snapshots": Operation(
        "sandbox_list_snapshots",
        "GET",
        "/sandbox/snapshots",
        "envelope",
        sandbox=True,
    ),
    "sandbox_revert": Operation(
        "sandbox_revert",
        "POST",
        "/sandbox/revert",
        "envelope",
        sandbox=True,
    ),
    "sandbox_get_bots": Operation(
        "sandbox_get_bots",
        "GET",
        "/sandbox/bots",
        "envelope",
        sandbox=True,
    ),
    "sandbox_bots": Operation(
        "sandbox_bots",
        "POST",
        "/sandbox/bots",
        "envelope",
        sandbox=True,
    ),
    "sandbox_scenario": Operation(
        "sandbox_scenario",
        "POST",
        "/sandbox/scenario",
        "envelope",
        sandbox=True,
    ),
    "sandbox_reset": Operation(
        "sandbox_reset",
        "POST",
        "/sandbox/reset",
        "envelope",
        sandbox=True,
    ),
    "sandbox_get_hash": Operation(
        "sandbox_get_hash",
        "GET",
        "/sandbox/hash",
        "envelope",
        sandbox=True,
    ),
    "sandbox_settle": Operation(
        "sandbox_settle",
        "POST",
        "/sandbox/settle",
        "envelope",
        sandbox=True,
    ),
    "sandbox_get_latency": Operation(
        "sandbox_get_latency",
        "GET",
        "/sandbox/latency",
        "envelope",
        sandbox=True,
    ),
    "sandbox_latency": Operation(
        "sandbox_latency",
        "POST",
        "/sandbox/latency",
        "envelope",
        sandbox=True,
    ),
    "sandbox_get_faults": Operation(
        "sandbox_get_faults",
        "GET",
        "/sandbox/faults",
        "envelope",
        sandbox=True,
    ),
    "sandbox_faults": Operation(
        "sandbox_faults",
        "POST",
        "/sandbox/faults",
        "envelope",
        sandbox=True,
    ),
    "sandbox_drop_connections": Operation(
        "sandbox_drop_connections",
        "POST",
        "/sandbox/connections/drop",
        "envelope",
        sandbox=True,
    ),
    "sandbox_fork": Operation(
        "sandbox_fork",
        "POST",
        "/sandbox/fork",
        "envelope",
        sandbox=True,
    ),
    "sandbox_end_fork": Operation(
        "sandbox_end_fork",
        "POST",
        "/sandbox/fork/end",
        "envelope",
        sandbox=True,
    ),
    "create_order": Operation(
        "create_order",
        "POST",
        "/orders/create",
        "envelope",
        signs="create_order",
        ws=True,
        request={
            "price": D,
            "amount": D,
            "take_profit": [{"stop_price": D, "limit_price": D, "amount": D}],
            "stop_loss": [
                {
                    "stop_price": D,
                    "trailing_percent": D,
                    "trailing_distance": D,
                    "activation_price": D,
                    "limit_price": D,
                    "amount": D,
                },
            ],
        },
    ),
    "create_market_order": Operation(
        "create_market_order",
        "POST",
        "/orders/create_market",
        "envelope",
        signs="create_market_order",
        ws=True,
        request={
            "amount": D,
            "slippage_percent": D,
            "take_profit": [{"stop_price": D, "limit_price": D, "amount": D}],
            "stop_loss": [
                {
                    "stop_price": D,
                    "trailing_percent": D,
                    "trailing_distance": D,
                    "activation_price": D,
                    "limit_price": D,
                    "amount": D,
                },
            ],
        },
    ),
    "create_stop_order": Operation(
        "create_stop_order",
        "POST",
        "/orders/stop/create",
        "envelope",
        signs="create_stop_order",
        ws=True,
        request={
            "stop_order": {
                "stop_price": D,
                "trailing_percent": D,
                "trailing_distance": D,
                "activation_price": D,
                "limit_price": D,
                "amount": D,
                "slippage_percent": D,
            },
            "take_profit": [{"stop_price": D, "limit_price": D, "amount": D}],
            "stop_loss": [
                {
                    "stop_price": D,
                    "trailing_percent": D,
                    "trailing_distance": D,
                    "activation_price": D,
                    "limit_price": D,
                    "amount": D,
                },
            ],
        },
    ),
    "create_oco_order": Operation(
        "create_oco_order",
        "POST",
        "/orders/oco/create",
        "envelope",
        signs="create_oco_order",
        ws=True,
        request={
            "legs": [
                {
                    "amount": D,
                    "price": D,
                    "stop_price": D,
                    "trailing_percent": D,
                    "trailing_distance": D,
                    "activation_price": D,
                    "limit_price": D,
                },
            ],
        },
    ),
    "cancel_stop_order": Operation(
        "cancel_stop_order",
        "POST",
        "/orders/stop/cancel",
        "envelope",
        signs="cancel_stop_order",
        ws=True,
    ),
    "edit_order": Operation(
        "edit_order",
        "POST",
        "/orders/edit",
        "envelope",
        signs="edit_order",
        ws=True,
        request={"price": D, "amount": D},
    ),
    "cancel_order": Operation(
        "cancel_order",
        "POST",
        "/orders/cancel",
        "bare",
        signs="cancel_order",
        ws=True,
    ),
    "cancel_all_orders": Operation(
        "cancel_all_orders",
        "POST",
        "/orders/cancel_all",
        "envelope",
        signs="cancel_all_orders",
        ws=True,
    ),
    "schedule_cancel": Operation(
        "schedule_cancel",
        "POST",
        "/orders/schedule_cancel",
        "envelope",
        signs="schedule_cancel",
        ws=True,
    ),
    "set_mmp": Operation(
        "set_mmp",
        "POST",
        "/account/mmp/set",
        "envelope",
        signs="set_mmp",
        ws=True,
        request={"max_amount": D, "max_net_amount": D},
    ),
    "reset_mmp": Operation(
        "reset_mmp",
        "POST",
        "/account/mmp/reset",
        "envelope",
        signs="reset_mmp",
        ws=True,
    ),
    "create_twap_order": Operation(
        "create_twap_order",
        "POST",
        "/orders/twap/create",
        "envelope",
        signs="create_twap_order",
        request={"amount": D, "slippage_percent": D},
    ),
    "cancel_twap_order": Operation(
        "cancel_twap_order",
        "POST",
        "/orders/twap/cancel",
        "envelope",
        signs="cancel_twap_order",
    ),
    "create_chase_order": Operation(
        "create_chase_order",
        "POST",
        "/orders/chase/create",
        "envelope",
        signs="create_chase_order",
        ws=True,
        request={"amount": D, "price": D},
    ),
    "create_iceberg_order": Operation(
        "create_iceberg_order",
        "POST",
        "/orders/iceberg/create",
        "envelope",
        signs="create_iceberg_order",
        ws=True,
        request={"amount": D, "display_amount": D, "price": D},
    ),
    "set_position_tpsl": Operation(
        "set_position_tpsl",
        "POST",
        "/positions/tpsl",
        "bare",
        signs="set_position_tpsl",
        ws=True,
        request={
            "take_profit": [
                {"amount": D, "stop_price": D, "limit_price": D, "slippage_percent": D},
            ],
            "stop_loss": [
                {
                    "amount": D,
                    "stop_price": D,
                    "trailing_percent": D,
                    "trailing_distance": D,
                    "activation_price": D,
                    "limit_price": D,
                    "slippage_percent": D,
                },
            ],
        },
    ),
    "add_isolated_margin": Operation(
        "add_isolated_margin",
        "POST",
        "/positions/add_isolated_margin",
        "envelope",
        signs="add_isolated_margin",
        request={"amount": D},
    ),
    "update_leverage": Operation(
        "update_leverage",
        "POST",
        "/account/leverage",
        "envelope",
        signs="update_leverage",
    ),
    "update_margin_mode": Operation(
        "update_margin_mode",
        "POST",
        "/account/margin",
        "envelope",
        signs="update_margin_mode",
    ),
    "withdraw": Operation(
        "withdraw",
        "POST",
        "/account/withdraw",
        "envelope",
        signs="withdraw",
        owner_only=True,
        request={"amount": D},
    ),
    "list_reserve_proof": Operation(
        "list_reserve_proof",
        "POST",
        "/account/reserves",
        "envelope",
        signs="list_reserve_proof",
        owner_only=True,
        reply={"liabilities": D, "liability": D, "debt": D, "path": [{"sum": D}]},
    ),
    "list_subaccounts": Operation(
        "list_subaccounts",
        "POST",
        "/account/subaccount/list",
        "envelope",
        signs="list_subaccounts",
        owner_only=True,
        reply={"subaccounts": [{"balance": D, "pending_balance": D}]},
    ),
    "transfer_funds": Operation(
        "transfer_funds",
        "POST",
        "/account/subaccount/transfer",
        "envelope",
        signs="transfer_funds",
        owner_only=True,
        request={"amount": D},
    ),
    "bind_agent_wallet": Operation(
        "bind_agent_wallet",
        "POST",
        "/agent/bind",
        "envelope",
        signs="bind_agent_wallet",
        owner_only=True,
        request={
            "policy": {
                "max_slippage_percent": D,
                "max_order_value": D,
                "max_position_value": D,
                "max_daily_loss": D,
            },
        },
    ),
    "set_agent_policy": Operation(
        "set_agent_policy",
        "POST",
        "/agent/policy",
        "envelope",
        signs="set_agent_policy",
        owner_only=True,
        request={
            "policy": {
                "max_slippage_percent": D,
                "max_order_value": D,
                "max_position_value": D,
                "max_daily_loss": D,
            },
        },
    ),
    "revoke_agent_wallet": Operation(
        "revoke_agent_wallet",
        "POST",
        "/agent/revoke",
        "envelope",
        signs="revoke_agent_wallet",
        owner_only=True,
    ),
    "revoke_all_agent_wallets": Operation(
        "revoke_all_agent_wallets",
        "POST",
        "/agent/revoke_all",
        "envelope",
        signs="revoke_all_agent_wallets",
        owner_only=True,
    ),
    "list_agent_wallets": Operation(
        "list_agent_wallets",
        "POST",
        "/agent/list",
        "envelope",
        signs="list_agent_wallets",
        owner_only=True,
        reply={
            "agents": [
                {
                    "policy": {
                        "max_slippage_percent": D,
                        "max_order_value": D,
                        "max_position_value": D,
                        "max_daily_loss": D,
                    },
                    "day_loss": D,
                },
            ],
        },
    ),
    "list_agent_ip_whitelist": Operation(
        "list_agent_ip_whitelist",
        "POST",
        "/agent/ip_whitelist/list",
        "envelope",
        signs="list_agent_ip_whitelist",
        owner_only=True,
    ),
    "add_agent_whitelisted_ip": Operation(
        "add_agent_whitelisted_ip",
        "POST",
        "/agent/ip_whitelist/add",
        "envelope",
        signs="add_agent_whitelisted_ip",
        owner_only=True,
    ),
    "remove_agent_whitelisted_ip": Operation(
        "remove_agent_whitelisted_ip",
        "POST",
        "/agent/ip_whitelist/remove",
        "envelope",
        signs="remove_agent_whitelisted_ip",
        owner_only=True,
    ),
    "set_agent_ip_whitelist_enabled": Operation(
        "set_agent_ip_whitelist_enabled",
        "POST",
        "/agent/ip_whitelist/toggle",
        "envelope",
        signs="set_agent_ip_whitelist_enabled",
        owner_only=True,
    ),
    "create_api_key": Operation(
        "create_api_key",
        "POST",
        "/account/api_keys/create",
        "bare",
        signs="create_api_key",
    ),
    "revoke_api_key": Operation(
        "revoke_api_key",
        "POST",
        "/account/api_keys/revoke",
        "envelope",
        signs="revoke_api_key",
    ),
    "list_api_keys": Operation(
        "list_api_keys",
        "POST",
        "/account/api_keys",
        "envelope",
        signs="list_api_keys",
    ),
    "get_status": Operation(
        "get_status",
        "GET",
        "/status",
        "envelope",
    ),
}

#: Actions of a batch, and the operation with the same fields.
BATCH_ACTIONS: Dict[str, str] = {
    "Create": "create_order",
    "CreateMarket": "create_market_order",
    "Cancel": "cancel_order",
    "Edit": "edit_order",
    "SetPositionTpsl": "set_position_tpsl",
    "CancelStopOrder": "cancel_stop_order",
    "CreateStop": "create_stop_order",
    "CancelAll": "cancel_all_orders",
}

#: Decimals of the action ``Quote``, which is not an operation.
QUOTE: Any = {"price": D, "amount": D}
