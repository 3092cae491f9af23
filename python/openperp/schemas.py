"""The objects in requests and replies."""

# Written by `npm run docs` from the schemas that the exchange validates with. Do not edit.

from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

#: A decimal in a request. A float is refused, because it is not exact.
DecimalLike = Union[Decimal, int, str]


class GetPositionsRow(TypedDict):
    amount: Decimal
    """Size in the base asset."""
    createdAt: str
    """When it was opened, ISO 8601 UTC with microseconds."""
    entryPrice: Decimal
    """Average entry price, to 28 significant digits."""
    isolated: bool
    """Whether it has isolated margin."""
    margin: Decimal
    """Isolated: its margin with settled funding and fees. Cross: its unrealised profit minus the
    funding and fees it has paid. Both may be negative.
    """
    side: Literal["bid", "ask"]
    """bid is long, ask is short."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    updatedAt: str
    """When it last changed, ISO 8601 UTC with microseconds."""


class GetPositionHistoryRow(TypedDict):
    amount: Decimal
    """Size of the event."""
    counterParty: str
    """Address of the other account."""
    createdAt: str
    """When it happened, ISO 8601 UTC with microseconds."""
    entryPrice: Decimal
    """Opening: average entry price of the position after it. Closing: of the part that was closed.
    """
    eventType: Literal["open_long", "open_short", "close_long", "close_short", "force_close_long", "force_close_short"]
    """Event; force_* is a liquidation, a takeover or a deleveraging."""
    fee: Decimal
    """Fee charged; negative is a rebate."""
    historyId: int
    """Grows over all accounts."""
    isMaker: bool
    """Whether the order of the account rested in the book."""
    pnl: Decimal
    """Profit of the event, net of its fee."""
    price: Decimal
    """Price of the event."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""


class GetInfoRow(TypedDict):
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    tick_size: Decimal
    """All prices are multiples of this."""
    min_tick: Decimal
    """Lowest price accepted."""
    max_tick: Decimal
    """Highest price accepted."""
    lot_size: Decimal
    """All order sizes are multiples of this."""
    max_leverage: int
    """Maximum leverage when opening positions."""
    isolated_only: bool
    """Whether positions here are always isolated."""
    min_order_size: Decimal
    """Minimum order size in USD."""
    max_order_size: Decimal
    """Maximum order size in USD."""
    funding_rate: Decimal
    """Funding rate paid in the past epoch (one hour)."""
    next_funding_rate: Decimal
    """Estimated funding rate of the next epoch (one hour)."""
    created_at: int
    """When it was listed, milliseconds."""
    instrument_type: Literal["perpetual"]
    """Kind of instrument."""
    base_asset: str
    """Base asset."""


class GetPricesRow(TypedDict):
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    mark: Decimal
    """Mark price."""
    mid: Decimal
    """Middle of best bid and best ask; the mark while a side is empty."""
    oracle: Decimal
    """Index price."""
    funding: Decimal
    """Funding rate paid in the past epoch."""
    next_funding: Decimal
    """Estimated funding rate of the next epoch."""
    open_interest: Decimal
    """Open interest in the base asset."""
    volume_24h: Decimal
    """USD traded in the last 24 hours."""
    yesterday_price: Decimal
    """Index price 24 hours ago."""
    timestamp: int
    """Engine time at which all this was true."""


class GetFeesRow(TypedDict):
    level: int
    """Fee level, 0 is the lowest."""
    maker_fee_rate: Decimal
    """Fraction of the value; negative is a rebate."""
    taker_fee_rate: Decimal
    """Fraction of the value."""


class GetRiskReplyMarketsSourcesApart(TypedDict):
    lowest: Decimal
    """Lowest price that counts."""
    highest: Decimal
    """Highest price that counts."""
    percent: Decimal
    """Their distance, in percent of the lowest."""
    has_price: bool
    """Whether a price is still combined from them; not with two that disagree."""


class GetRiskReplyMarketsGuardedPrice(TypedDict):
    """Price at which a position backs orders, withdrawals and transfers: the mark, or a worse one for
    its owner: the newest price while the market catches up, or a price as far from the mark as the
    average price at which impact_notional could be bought (of a long) or sold (of a short) was in
    the last minute or two.
    """

    long: Decimal
    """The lowest of the mark and the two others."""
    short: Decimal
    """The highest of the mark and the two others."""


class GetRiskReplyMarketsRiskTiers(TypedDict):
    from_value: Decimal
    """Notional in USD from which on the tier counts."""
    max_leverage: int
    """Largest leverage of the part above it."""
    maintenance_fraction: Decimal
    """Maintenance margin of the part above it."""
    initial_fraction: Decimal
    """Initial margin of the part above it at that leverage, now."""


class GetRiskReplyMarketsKeptTiersTiers(TypedDict):
    from_value: Decimal
    """Notional in USD from which on the tier counts."""
    max_leverage: int
    """Largest leverage of the part above it."""
    maintenance_fraction: Decimal
    """Maintenance margin of the part above it."""


class GetRiskReplyMarketsKeptTiers(TypedDict):
    until: int
    """When they end, in ms."""
    tiers: List[GetRiskReplyMarketsKeptTiersTiers]
    """The tiers that were replaced."""


class GetRiskReplyMarketsPendingChangesChangeRiskTiers(TypedDict):
    from_value: Decimal
    """Notional in USD from which on the tier counts, rising."""
    max_leverage: int
    """Largest leverage of the part above it; falling, below max_leverage."""


class GetRiskReplyMarketsPendingChangesChange(TypedDict, total=False):
    """Parameters that change."""

    min_tick: Decimal
    """Lowest price; a change can only lower it."""
    max_tick: Decimal
    """Highest price; a change can only raise it. List with 100,000 ticks or more."""
    max_leverage: int
    """Largest leverage."""
    min_order_size: Decimal
    """Smallest order, in USD."""
    max_order_size: Decimal
    """Largest order, in USD."""
    band_near_percent: Decimal
    """How far past the mark an order may reach, in percent: a bid above it, an ask below."""
    band_far_percent: Decimal
    """How far from the mark it may be on its own side, in percent: a bid below, an ask above."""
    speedbump_ms: int
    """Speed bump of orders that may take."""
    open_interest_cap: Decimal
    """Maximum open interest, in base units."""
    owner_interest_max: Decimal
    """Base units of one owner, positions and open orders of all its accounts together (default: a
    quarter of open_interest_cap). At open_interest_cap or above, only that applies.
    """
    open_interest_lower: Decimal
    """USD of open interest from which the initial margin grows; 0 with upper 0: it does not grow.
    """
    open_interest_upper: Decimal
    """USD of open interest at which the initial margin is the whole notional."""
    risk_tiers: List[GetRiskReplyMarketsPendingChangesChangeRiskTiers]
    """Tiers above the first, which is (0, max_leverage)."""
    impact_notional: Decimal
    """order size in USD for which impact prices are computed."""
    funding_samples_min: int
    """Premium samples that an hour needs, one every 5 seconds; with fewer its funding rate is 0."""
    stale_after_ms: int
    """Oldest price on which orders match."""
    observed_within_ms: int
    """Oldest observation of a price that releases orders."""
    min_sources: int
    """Fresh sources that a price needs."""
    backstop_value_max: Decimal
    """USD of positions the backstop takes."""
    backstop_daily_loss_max: Decimal
    """USD the backstop may lose in a day."""
    liquidation_fee_part_percent: Decimal
    """Fee of a liquidated side, in percent of its maintenance fraction, 0 to 50."""
    liquidation_fee_max_percent: Decimal
    """Maximum of that fee, in percent of the value, 0 to 25."""
    liquidation_concession_percent: Decimal
    """What a liquidation may cost a position, of its maintenance, 0 to 100: how far a step goes from
    mark, and what the backstop gets.
    """
    liquidation_dry_max: int
    """Steps in a row without a fill before the backstop takes over."""
    liquidation_step_max: Decimal
    """Maximum USD of one step, unless a fifth of the position is more."""


class GetRiskReplyMarketsPendingChanges(TypedDict):
    change_id: int
    """Its number in this market."""
    effective_at: int
    """When it takes effect, in ms."""
    change: GetRiskReplyMarketsPendingChangesChange
    """Parameters that change."""


class GetRiskReplyMarketsMaintenanceTiers(TypedDict):
    from_notional: Decimal
    """Notional in USD from which the tier counts."""
    maintenance_fraction: Decimal
    """Maintenance margin = fraction × notional − deduction."""
    deduction: Decimal
    """USD, so that the margin does not jump at the border."""


class GetRiskReplyMarketsBand(TypedDict):
    """Where limit prices may lie."""

    near: Decimal
    """A bid at most this fraction above the mark, an ask below."""
    far: Decimal
    """A bid at most this fraction below the mark, an ask above."""


class GetRiskReplyMarketsOwnerLimit(TypedDict):
    limit: Decimal
    """Of this owner: the market's, or one that the operator set for it."""
    used: Decimal
    """Maximum position that the positions and open orders of all its accounts could reach."""
    left: Decimal
    """Remaining size under this limit; open_interest_cap applies to all accounts and may be lower.
    """


class GetRiskReplyMarketsOpenInterestScaling(TypedDict):
    """Initial margin grows with open interest."""

    lower: Decimal
    """Open interest in USD from which on the initial margin grows."""
    upper: Decimal
    """Open interest in USD at which the initial margin is the full notional. If both are 0, it does
    not grow.
    """


class GetRiskReplyMarketsBackstop(TypedDict):
    """Takes over positions that could not be closed in the book."""

    address: str
    """Account address."""
    balance: Decimal
    """Balance in USD."""


class GetRiskReplyMarketsLiquidation(TypedDict):
    """How positions are liquidated."""

    fee_part: Decimal
    """A liquidated side's fee, as a fraction of its maintenance fraction."""
    fee_max: Decimal
    """Maximum of that fee, as a fraction of the value of the position."""
    concession: Decimal
    """Fraction of its maintenance margin that a liquidation may cost a position: distance of a step
    from the mark, and margin included in a takeover.
    """
    dry_max: int
    """Steps in a row without a fill before the backstop takes over."""
    step_max: Decimal
    """Maximum USD that one step closes, or a fifth of the position if that is more."""


class GetRiskReplyMarkets(TypedDict):
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    status: Literal["live", "catching_up", "reduce_only", "stale", "post_only", "cancel_only", "halted", "settled"]
    """The strictest status. live and catching_up: normal trading; reduce_only: orders that take must
    reduce; stale and post_only: nothing matches; others: no orders are accepted.
    """
    mode: Literal["open", "reduce_only", "post_only", "cancel_only", "halted"]
    """Mode set by the operator, for the market or the exchange: the stricter of the two."""
    price_state: Literal["live", "catching_up", "stale", "cancel_only"]
    """Status of the price alone: on a stale price nothing matches until the next."""
    price_age_ms: int
    """Age of its newest price."""
    sources_apart: Optional[GetRiskReplyMarketsSourcesApart]
    """Prices of its sources that differ by more than 1 %; null if none do."""
    guarded_price: GetRiskReplyMarketsGuardedPrice
    """Price at which a position backs orders, withdrawals and transfers: the mark, or a worse one for
    its owner: the newest price while the market catches up, or a price as far from the mark as the
    average price at which impact_notional could be bought (of a long) or sold (of a short) was in
    the last minute or two.
    """
    stale_after_ms: int
    """Oldest price on which orders match."""
    observed_within_ms: int
    """Oldest observation of a price that releases orders."""
    min_sources: int
    """Fresh sources that a price needs."""
    max_leverage: int
    """Maximum leverage."""
    risk_tiers: List[GetRiskReplyMarketsRiskTiers]
    """The larger a position, the less leverage."""
    kept_tiers: List[GetRiskReplyMarketsKeptTiers]
    """Tiers that an immediate change replaced. Until they expire, maintenance is the minimum of
    risk_tiers and all of these, and so is funding_rate_clamp.
    """
    pending_changes: List[GetRiskReplyMarketsPendingChanges]
    """Announced changes, in the order in which they were made: a change that may raise a requirement
    is announced a day ahead. The operator may cancel one.
    """
    maintenance_tiers: List[GetRiskReplyMarketsMaintenanceTiers]
    """In force now, ascending by from_notional: those of risk_tiers, or of kept_tiers at a notional
    where those require less.
    """
    band: GetRiskReplyMarketsBand
    """Where limit prices may lie."""
    stop_slippage_percent: Decimal
    """Default slippage of the order of a fired market stop, in percent of the mark."""
    speedbump_ms: int
    """Speed bump of orders that may take."""
    open_interest: Decimal
    """Open interest in the base asset."""
    open_interest_cap: Decimal
    """Fills that would raise it above this are refused."""
    owner_interest_cap: Decimal
    """Positions and open orders of one owner, in the base asset."""
    owner_limit: Optional[GetRiskReplyMarketsOwnerLimit]
    """With account: the limit of its owner, the main account with its subaccounts, in the base asset;
    null without.
    """
    open_interest_scaling: GetRiskReplyMarketsOpenInterestScaling
    """Initial margin grows with open interest."""
    impact_notional: Decimal
    """Order size in USD for which impact prices are computed; they are used by funding, mid-price
    stops and guarded prices.
    """
    funding_samples_min: int
    """Minimum premium samples in an hour, one every 5 seconds; with fewer, its funding rate is 0.
    """
    funding_rate_clamp: Decimal
    """Maximum of the hourly funding rate, in either direction."""
    backstop: GetRiskReplyMarketsBackstop
    """Takes over positions that could not be closed in the book."""
    backstop_notional_cap: Decimal
    """Maximum position of the backstop, in USD."""
    backstop_daily_loss_cap: Decimal
    """Maximum loss of the backstop in a UTC day, in USD."""
    liquidation: GetRiskReplyMarketsLiquidation
    """How positions are liquidated."""


class GetRiskReplyInsurance(TypedDict):
    """Pays what liquidated accounts cannot."""

    address: str
    """Account address."""
    balance: Decimal
    """Balance in USD."""


class GetRiskReplyFees(TypedDict):
    """Receives trading fees."""

    address: str
    """Account address."""
    balance: Decimal
    """Balance in USD."""


class GetRiskReplyDeficit(TypedDict):
    """Unpaid debts; zero or negative."""

    address: str
    """Account address."""
    balance: Decimal
    """Balance in USD."""


class GetRiskReplyLimits(TypedDict):
    """Limits of the exchange."""

    orders_per_account: int
    """Maximum of open orders, waiting orders, stops and levels together."""
    stops_per_account: int
    """Stops alone, in all markets; levels are not counted."""
    levels_per_kind: int
    """Take-profits, and stop-losses, of a position or an order."""
    trailing_per_account: int
    """Stops and levels that trail."""
    trailing_percent_min: Decimal
    """Smallest trailing_percent."""
    trailing_percent_max: Decimal
    """Largest trailing_percent."""
    price_levels_per_side: int
    """Prices with orders on one side of a book."""
    twaps_per_symbol: int
    """Running TWAP orders of an account."""
    algos_per_symbol: int
    """Running chases of an account, and as many icebergs."""
    algo_refusals: int
    """Refusals in a row that end an algo."""
    steps_per_command: int
    """Steps of algos that one command runs."""
    chases_per_owner: int
    """Running chases of an owner, in all accounts and markets."""
    chase_step_ms: int
    """Time between two steps of a chase."""
    chase_ms_max: int
    """Maximum and default duration of a chase."""
    chase_look: int
    """Orders of a side that a chase checks for the best price."""
    iceberg_parts: int
    """Parts of an iceberg."""
    iceberg_retry_ms: int
    """How long an iceberg waits after a part that was refused."""
    twap_seconds_min: int
    """Shortest TWAP."""
    twap_seconds_max: int
    """Longest TWAP."""
    mmp_orders: int
    """Open orders with mmp of an account on a market."""
    mmp_ms_min: int
    """The shortest window of a protection."""
    mmp_ms_max: int
    """The longest window or freeze of a protection."""
    batch_actions: int
    """Actions in one batch under one signature."""
    batch_actions_each_signed: int
    """Actions in one batch where each is signed on its own."""
    subaccounts_per_account: int
    """Subaccounts."""
    agents_per_account: int
    """Agent wallets."""
    ips_per_agent: int
    """Addresses on the allow-list of an agent."""
    symbols_per_policy: int
    """Markets in the policy of an agent."""
    armed_connections_per_account: int
    """Connections of an account armed with cancel_on_disconnect by its own key."""
    armed_connections_per_agent: int
    """Armed to cancel at their end, by one agent."""
    api_keys_per_account: int
    """API config keys."""
    signed_texts_per_account: int
    """Texts of the account's own key that have not expired yet."""
    signed_texts_per_agent: int
    """Texts of one agent that have not expired yet."""
    signed_texts_reserved: int
    """In addition to each of the two, for cancels and revocations only."""
    untimed_texts_per_position: int
    """Texts of the account's own key without a timestamp."""
    untimed_texts_per_agent: int
    """Texts of one agent without a timestamp, per position."""
    slippage_percent_max: Decimal
    """Largest slippage_percent."""
    schedule_cancel_ahead_ms: int
    """How far ahead a scheduled cancel must be."""
    expire_ahead_ms: int
    """How far ahead the expire_time of an order must be."""
    expiries_per_command: int
    """Expired orders that one command removes."""
    exposure_max: Decimal
    """USD an account could hold at max_tick, orders included."""
    withdrawal_min: Decimal
    """USD of one withdrawal at least."""
    withdrawal_daily_max: Decimal
    """USD an account may withdraw in a UTC day."""
    withdrawals_pending: int
    """Withdrawals of an account that are not completed."""
    requirement_notice_ms: int
    """How long a raised margin requirement is announced before."""
    immediate_notice_ms: int
    """How long maintenance that an immediate change raises is."""
    stale_after_ms: int
    """Default age of the last price that makes a market stale."""
    cancel_only_after_ms: int
    """Age of the last price that makes a market cancel-only."""


class GetRiskReply(TypedDict):
    markets: List[GetRiskReplyMarkets]
    """Oldest first."""
    insurance: GetRiskReplyInsurance
    """Pays what liquidated accounts cannot."""
    fees: GetRiskReplyFees
    """Receives trading fees."""
    deficit: GetRiskReplyDeficit
    """Unpaid debts; zero or negative."""
    limits: GetRiskReplyLimits
    """Limits of the exchange."""


class GetReservesReply(TypedDict):
    seq: int
    """Entry of the journal that it is true as of."""
    at: int
    """Its time, milliseconds."""
    root: str
    """Root of the tree, hexadecimal."""
    liabilities: Decimal
    """USD that accounts are owed: the sum at the root."""
    accounts: int
    """Leaves of the tree."""
    own: Decimal
    """USD of it that belong to the exchange itself: fees, insurance fund, backstops."""
    debts: Decimal
    """USD that accounts owe; not subtracted from the balances of others."""
    funding: Decimal
    """USD of funding that rounding will leave."""
    total: Decimal
    """USD of all deposits less all completed withdrawals: liabilities - debts + funding."""


class GetVenueReply(TypedDict):
    venue: str
    """Id of this exchange: a signed text that names it is accepted here only."""
    sandbox: bool
    """Whether it is a sandbox; its money is test money."""
    required: bool
    """Whether texts that name no venue are rejected."""


class GetTimeReply(TypedDict):
    now: int
    """Time of the machine: signatures and rate limits run on it."""
    engine_now: int
    """Time of the exchange: orders, funding and history run on it."""


class GetCheckpointsReplyCheckpoints(TypedDict):
    first_seq: int
    """First entry of the journal that it covers."""
    seq: int
    """Last entry that it covers."""
    before: str
    """Seal of the journal before first_seq, hexadecimal."""
    seal: str
    """Seal of the journal at seq: a hash over all history up to there, hexadecimal."""
    frames: int
    """Number of frames that it covers."""
    root: str
    """Root of the tree of these frames, hexadecimal."""
    time: int
    """When it was made, by the clock of the machine."""
    state_seq: Optional[int]
    """Entry of the state whose hash follows; null: none at hand."""
    state_hash: Optional[str]
    """Hash of the state after state_seq."""
    public_key: str
    """Public key of the exchange, hexadecimal."""
    signature: str
    """Ed25519 signature by public_key, hexadecimal."""


class GetCheckpointsReply(TypedDict):
    venue: str
    """Id of the exchange, as in GET /info/venue."""
    public_key: str
    """Public key of the exchange, hexadecimal."""
    checkpoints: List[GetCheckpointsReplyCheckpoints]
    """Newest first."""


class GetFrameProofReplyFrame(TypedDict):
    first_seq: int
    """First entry of the frame."""
    count: int
    """Number of entries in the frame."""
    seal: str
    """Seal of the journal at the end of the frame, hexadecimal."""


class GetFrameProofReplyCheckpoint(TypedDict):
    first_seq: int
    """First entry of the journal that it covers."""
    seq: int
    """Last entry that it covers."""
    before: str
    """Seal of the journal before first_seq, hexadecimal."""
    seal: str
    """Seal of the journal at seq: a hash over all history up to there, hexadecimal."""
    frames: int
    """Number of frames that it covers."""
    root: str
    """Root of the tree of these frames, hexadecimal."""
    time: int
    """When it was made, by the clock of the machine."""
    state_seq: Optional[int]
    """Entry of the state whose hash follows; null: none at hand."""
    state_hash: Optional[str]
    """Hash of the state after state_seq."""
    public_key: str
    """Public key of the exchange, hexadecimal."""
    signature: str
    """Ed25519 signature by public_key, hexadecimal."""


class GetFrameProofReply(TypedDict):
    venue: str
    """Id of the exchange, as in GET /info/venue."""
    seq: int
    """Entry of the journal, as in the reply header openperp-seq."""
    frame: GetFrameProofReplyFrame
    index: int
    """Place of the frame among those of the checkpoint, from 0."""
    path: List[str]
    """Siblings from the frame up to the root."""
    checkpoint: GetFrameProofReplyCheckpoint


class GetReceiptReplyFrame(TypedDict):
    first_seq: int
    """First entry of the frame."""
    count: int
    """Number of entries in the frame."""
    seal: str
    """Seal of the journal at the end of the frame, hexadecimal."""
    root: str
    """Root of the tree of its commands, hexadecimal."""
    public_key: str
    """Public key of the exchange, hexadecimal."""
    signature: str
    """Ed25519 signature by public_key, hexadecimal."""


class GetReceiptReplyInclusionCheckpoint(TypedDict):
    first_seq: int
    """First entry of the journal that it covers."""
    seq: int
    """Last entry that it covers."""
    before: str
    """Seal of the journal before first_seq, hexadecimal."""
    seal: str
    """Seal of the journal at seq: a hash over all history up to there, hexadecimal."""
    frames: int
    """Number of frames that it covers."""
    root: str
    """Root of the tree of these frames, hexadecimal."""
    time: int
    """When it was made, by the clock of the machine."""
    state_seq: Optional[int]
    """Entry of the state whose hash follows; null: none at hand."""
    state_hash: Optional[str]
    """Hash of the state after state_seq."""
    public_key: str
    """Public key of the exchange, hexadecimal."""
    signature: str
    """Ed25519 signature by public_key, hexadecimal."""


class GetReceiptReplyInclusion(TypedDict):
    index: int
    """Place of the frame among those of the checkpoint, from 0."""
    path: List[str]
    """Siblings from the frame up to the root."""
    checkpoint: GetReceiptReplyInclusionCheckpoint


class GetReceiptReply(TypedDict):
    venue: str
    """Id of the exchange, as in GET /info/venue."""
    seq: int
    """Entry of the journal, as in the reply header openperp-seq."""
    record: str
    """The command as the journal has it, hexadecimal."""
    salt: str
    """Salt of its leaf: for its owner alone, hexadecimal."""
    path: List[str]
    """Siblings from the command up to the root."""
    frame: GetReceiptReplyFrame
    inclusion: Optional[GetReceiptReplyInclusion]
    """The frame in a checkpoint; null: the next checkpoint will cover it."""


class GetBookReplyL(TypedDict):
    p: Decimal
    """Price."""
    a: Decimal
    """Size."""
    n: int
    """Number of orders."""


class GetBookReply(TypedDict):
    s: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    l: List[List[GetBookReplyL]]
    """Bids, then asks; best first."""
    t: int
    """Engine time."""
    li: int
    """Engine sequence number."""


class GetTradesReplyRows(TypedDict):
    history_id: int
    """History id of the taker."""
    event_type: Literal["fulfill_taker"]
    """Seen from the taker."""
    price: Decimal
    """Price."""
    amount: Decimal
    """Size."""
    side: Literal["open_long", "open_short", "close_long", "close_short"]
    """Effect on the position: opened or closed a long or a short."""
    cause: Literal["normal", "market_liquidation", "backstop_liquidation", "deleverage", "settlement"]
    """Why the lots changed hands."""
    created_at: int
    """When it happened."""


class GetTradesReply(TypedDict):
    rows: List[GetTradesReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""
    last_order_id: int
    """Engine sequence number at which the list was true; `li` of the websocket."""


class GetCandlesRow(TypedDict):
    t: int
    """When the interval begins."""
    T: int
    """When it ends and the next one begins."""
    s: str
    """Market symbol."""
    i: Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "8h", "12h", "1d", "1w", "1M"]
    """Length: minutes, hours, days (UTC), weeks (from Monday), months (1M, calendar)."""
    o: Decimal
    """First price; the last close in an interval without any."""
    c: Decimal
    """Last price."""
    h: Decimal
    """Highest price."""
    l: Decimal
    """Lowest price."""
    v: Decimal
    """Traded size in base units; 0 for mark prices."""
    n: int
    """How many trades; 0 for mark prices."""


class GetMarkCandlesRow(TypedDict):
    t: int
    """When the interval begins."""
    T: int
    """When it ends and the next one begins."""
    s: str
    """Market symbol."""
    i: Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "8h", "12h", "1d", "1w", "1M"]
    """Length: minutes, hours, days (UTC), weeks (from Monday), months (1M, calendar)."""
    o: Decimal
    """First price; the last close in an interval without any."""
    c: Decimal
    """Last price."""
    h: Decimal
    """Highest price."""
    l: Decimal
    """Lowest price."""
    v: Decimal
    """Traded size in base units; 0 for mark prices."""
    n: int
    """How many trades; 0 for mark prices."""


class GetFundingRatesReplyRows(TypedDict):
    oracle_price: Decimal
    """Oracle price on which it was paid."""
    bid_impact_price: Optional[Decimal]
    """Average price of selling the impact notional into the last sampled book; null: too thin."""
    ask_impact_price: Optional[Decimal]
    """The same for buying."""
    funding_rate: Decimal
    """Rate of the hour; if positive, longs pay shorts."""
    next_funding_rate: Decimal
    """Rate of the next hour; on the newest row the current estimate."""
    created_at: int
    """When it was fixed."""


class GetFundingRatesReply(TypedDict):
    rows: List[GetFundingRatesReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetOpenInterestHistoryReplyRows(TypedDict):
    start_time: int
    """When the interval begins."""
    end_time: int
    """End of the interval; the newest one has not ended, and has current values."""
    open_interest: Decimal
    """Open interest in the base asset at the end of the interval."""
    open_interest_value: Decimal
    """The same in USD, at the mark price of that time."""


class GetOpenInterestHistoryReply(TypedDict):
    rows: List[GetOpenInterestHistoryReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetIndexPriceHistoryReplyRows(TypedDict):
    start_time: int
    """When the interval begins."""
    end_time: int
    """End of the interval; the newest one has not ended, and has current values."""
    index_price: Decimal
    """Index price at the end of the interval."""


class GetIndexPriceHistoryReply(TypedDict):
    rows: List[GetIndexPriceHistoryReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetLiquidationsReplyRows(TypedDict):
    history_id: int
    """History id of the record, as the websocket has it."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    side: Literal["force_close_long", "force_close_short"]
    """Whether a long or a short was closed by force."""
    amount: Decimal
    """Size in the base asset."""
    price: Decimal
    """Price."""
    cause: Literal["market_liquidation", "backstop_liquidation", "deleverage"]
    """Sold to the market, taken over by the backstop, or deleveraged."""
    created_at: int
    """When it happened."""


class GetLiquidationsReply(TypedDict):
    rows: List[GetLiquidationsReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetAccountReply(TypedDict):
    balance: Decimal
    """Cash of the account in USD, without unrealised profit and loss."""
    fee_level: int
    """Fee level today."""
    maker_fee: Decimal
    """Maker fee rate today."""
    taker_fee: Decimal
    """Taker fee rate today."""
    volume_14d: Decimal
    """Whole USD traded in the 14 full UTC days before today, owner-wide."""
    account_equity: Decimal
    """Balance, isolated margin and all open profit and loss."""
    cross_account_equity: Decimal
    """Balance and the open profit and loss of cross positions."""
    available_to_spend: Decimal
    """Cross equity not used as margin."""
    available_to_withdraw: Decimal
    """Withdrawable amount."""
    pending_balance: Decimal
    """Pending withdrawals."""
    total_margin_used: Decimal
    """Initial margin of positions and orders, and isolated margin."""
    cross_mmr: Decimal
    """Maintenance margin of the cross positions."""
    positions_count: int
    """Open positions."""
    orders_count: int
    """Open orders, waiting ones too."""
    stop_orders_count: int
    """Stops, take-profit and stop-loss levels."""
    spot_balances: List[Dict[str, Any]]
    """Always empty: there are only perpetuals and USD."""
    spot_collateral: Literal["0"]
    """As there are no spot balances."""
    spot_market_value: Literal["0"]
    """As there are no spot balances."""
    pending_interest: Literal["0"]
    """Nothing is lent here."""
    use_ltp_for_stop_orders: Literal[False]
    """Stops fire by the mark price unless trigger_price_type says otherwise."""
    updated_at: int
    """Engine time at which all this was true."""


class _GetAccountSettingsRow(TypedDict, total=False):
    leverage_set: bool
    """With `chosen`: whether the account has set its leverage."""


class GetAccountSettingsRow(_GetAccountSettingsRow):
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    isolated: bool
    """Whether new positions get a margin of their own."""
    leverage: int
    """Leverage in force."""
    created_at: int
    """When this setting was made."""
    updated_at: int
    """When this setting was made."""


class GetMmpRow(TypedDict):
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    window_ms: int
    """Time window of the counts, in milliseconds."""
    frozen_ms: int
    """Time after a trip in which orders with mmp are rejected; 0: until a reset."""
    max_amount: Optional[Decimal]
    """Filled as maker, bought and sold together, that trips it."""
    max_net_amount: Optional[Decimal]
    """Bought less sold, or sold less bought, that trips it."""
    frozen_until: Optional[int]
    """Orders with mmp are refused until this time; 0: until a reset; null: not frozen."""


class GetTradeHistoryReplyRows(TypedDict):
    history_id: int
    """Grows over all accounts."""
    order_id: Optional[int]
    """Order that was filled; null if taken over, deleveraged or settled without an order."""
    client_order_id: Optional[str]
    """Your own id of the order."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    amount: Decimal
    """Size."""
    price: Decimal
    """Price."""
    entry_price: Decimal
    """As in the history of positions."""
    fee: Decimal
    """Fee charged; negative is a rebate."""
    pnl: Decimal
    """Profit, net of the fee."""
    event_type: Literal["fulfill_taker", "fulfill_maker"]
    """Role of the account."""
    side: Literal["open_long", "open_short", "close_long", "close_short"]
    """Effect on the position: opened or closed a long or a short."""
    cause: Literal["normal", "market_liquidation", "backstop_liquidation", "deleverage", "settlement"]
    """Why the lots changed hands."""
    created_at: int
    """When it happened."""


class GetTradeHistoryReply(TypedDict):
    rows: List[GetTradeHistoryReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetFundingHistoryReplyRows(TypedDict):
    history_id: int
    """Id of the payment; grows over all accounts."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    side: Literal["bid", "ask"]
    """bid: the position was long; ask: short."""
    amount: Decimal
    """Size of the position."""
    payout: Decimal
    """USD the account got; negative: paid."""
    rate: Decimal
    """Funding rate of the hour."""
    created_at: int
    """When it was settled."""


class GetFundingHistoryReply(TypedDict):
    rows: List[GetFundingHistoryReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetBalanceHistoryReplyRows(TypedDict):
    amount: Decimal
    """USD by which the balance changed."""
    balance: Decimal
    """Balance afterwards, in USD."""
    pending_balance: Decimal
    """Pending withdrawals afterwards, in USD."""
    event_type: Literal["deposit", "withdraw", "withdraw_completed", "withdraw_failed", "subaccount_transfer", "trade", "funding", "isolated_margin", "market_liquidation", "backstop_liquidation", "adl_liquidation", "debt_covered", "settlement", "reserve_transfer", "opening"]
    """Reason. trade: fee and realised profit, for the fee account the fees of a minute;
    reserve_transfer: between fees, insurance fund, backstops and the operator; isolated_margin: to
    or from the margin of an isolated position; debt_covered: the exchange paid what a liquidation
    left below zero; withdraw_completed: only pending_balance changed.
    """
    created_at: int
    """When it happened."""


class GetBalanceHistoryReply(TypedDict):
    rows: List[GetBalanceHistoryReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetPortfolioRow(TypedDict):
    account_equity: Decimal
    """Balance, isolated margin and open profit at mark."""
    pnl: Decimal
    """Equity less net deposits: profit since the account was opened."""
    timestamp: int
    """The moment."""


class GetOpenOrdersReplyRowsTrailing(TypedDict):
    """For a trailing stop; its stop_price is the current trigger price."""

    trailing_percent: Optional[Decimal]
    """Distance from the best mark, in percent; null if trailing_distance is set."""
    trailing_distance: Optional[Decimal]
    """Distance from the best mark, as a price; null if trailing_percent is set."""
    activation_price: Optional[Decimal]
    """Activation mark; null: active immediately."""
    extreme_price: Optional[Decimal]
    """The best mark since activation; null if not active yet, or if it ended without firing."""


class GetOpenOrdersReplyRowsQueue(TypedDict):
    ahead: Decimal
    """Size at the same price that executes before it."""
    behind: Decimal
    """Size at the same price that executes after it."""
    orders_ahead: int
    """Number of orders ahead of it."""


class _GetOpenOrdersReplyRows(TypedDict, total=False):
    trailing: GetOpenOrdersReplyRowsTrailing
    """For a trailing stop; its stop_price is the current trigger price."""
    slippage_percent: Decimal
    """Maximum slippage of its order from the mark, in percent (default: that of the market)."""
    expire_time: int
    """Expiry; absent if none."""
    mmp: bool
    """True if it is cancelled when the protection of its account trips."""
    oco_order_id: int
    """The other leg of an OCO: when one executes, the other is cancelled."""
    parent_order_id: int
    """Stop that the level is attached to, or TWAP, chase or iceberg that made the order."""
    trigger_direction: Literal["gte", "lte"]
    """Fires at or above (gte) or at or below (lte) stop_price (default: by the side)."""
    triggered: bool
    """True: its reduce-only market stop fired, and it runs again with each new price until its
    position is closed, at most until expire_time.
    """
    queue: Optional[GetOpenOrdersReplyRowsQueue]
    """Place in the queue of its price; null: more than 100,000 orders would have to be counted; absent
    if it is not in the book or the reader is not its owner.
    """


class GetOpenOrdersReplyRows(_GetOpenOrdersReplyRows):
    order_id: int
    """Order id given by the exchange."""
    client_order_id: Optional[str]
    """Your own id of the order, if it has one."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    price: Decimal
    """Limit price; the worst price for a market order; 0 for a stop-market order."""
    initial_amount: Decimal
    """Original size; for a stop without one, the size of the position, now or when it ended."""
    filled_amount: Decimal
    """Size filled so far; 0 for a stop, which does not trade itself."""
    cancelled_amount: Decimal
    """Size cancelled so far."""
    stop_price: Optional[Decimal]
    """Trigger price; null if not a stop with a fixed price."""
    order_type: Literal["limit", "market", "stop_limit", "stop_market", "take_profit_limit", "take_profit_market", "stop_loss_limit", "stop_loss_market"]
    """Kind of order; take_profit: a level of a position, or a reduce-only stop whose trigger_direction
    is not that of its side.
    """
    stop_parent_order_id: Optional[int]
    """For a TP/SL level: the order it is attached to. For an order placed by a stop: that stop."""
    reduce_only: bool
    """The order may only reduce the position."""
    created_at: int
    """When it was placed."""
    updated_at: int
    """When it last changed."""


class GetOpenOrdersReply(TypedDict):
    rows: List[GetOpenOrdersReplyRows]
    last_order_id: int
    """Engine sequence number at which the list was true; `li` of the websocket."""


class GetOrderHistoryReplyRowsTrailing(TypedDict):
    """For a trailing stop; its stop_price is the current trigger price."""

    trailing_percent: Optional[Decimal]
    """Distance from the best mark, in percent; null if trailing_distance is set."""
    trailing_distance: Optional[Decimal]
    """Distance from the best mark, as a price; null if trailing_percent is set."""
    activation_price: Optional[Decimal]
    """Activation mark; null: active immediately."""
    extreme_price: Optional[Decimal]
    """The best mark since activation; null if not active yet, or if it ended without firing."""


class _GetOrderHistoryReplyRows(TypedDict, total=False):
    trailing: GetOrderHistoryReplyRowsTrailing
    """For a trailing stop; its stop_price is the current trigger price."""
    expire_time: int
    """Expiry; absent if none."""
    mmp: bool
    """True if it is cancelled when the protection of its account trips."""
    oco_order_id: int
    """The other leg of an OCO: when one executes, the other is cancelled."""
    parent_order_id: int
    """Stop that the level is attached to, or TWAP, chase or iceberg that made the order."""
    trigger_direction: Literal["gte", "lte"]
    """Fires at or above (gte) or at or below (lte) stop_price (default: by the side)."""
    triggered: bool
    """True: its reduce-only market stop fired, and it runs again with each new price until its
    position is closed, at most until expire_time.
    """


class GetOrderHistoryReplyRows(_GetOrderHistoryReplyRows):
    order_id: int
    """Order id given by the exchange."""
    client_order_id: Optional[str]
    """Your own id of the order, if it has one."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    initial_price: Decimal
    """Price it was placed with."""
    price: Decimal
    """Limit price; the worst price for a market order; 0 for a stop-market order."""
    amount: Decimal
    """As initial_amount."""
    initial_amount: Decimal
    """Original size; for a stop without one, the size of the position, now or when it ended."""
    filled_amount: Decimal
    """Size filled so far; 0 for a stop, which does not trade itself."""
    cancelled_amount: Decimal
    """Size cancelled so far."""
    average_filled_price: Optional[Decimal]
    """Average price of its fills; null if none."""
    order_status: Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
    """Current status; filled for a stop or level: it fired, and its trades are in the order whose
    stop_parent_order_id is its order_id.
    """
    stop_price: Optional[Decimal]
    """Trigger price; null if not a stop with a fixed price."""
    order_type: Literal["limit", "market", "stop_limit", "stop_market", "take_profit_limit", "take_profit_market", "stop_loss_limit", "stop_loss_market"]
    """Kind of order; take_profit: a level of a position, or a reduce-only stop whose trigger_direction
    is not that of its side.
    """
    stop_parent_order_id: Optional[int]
    """For a TP/SL level: the order it is attached to. For an order placed by a stop: that stop."""
    reduce_only: bool
    """The order may only reduce the position."""
    reason: Optional[str]
    """Why it ended unfilled; null if it did not."""
    created_at: int
    """When it was placed."""
    updated_at: int
    """When it last changed."""


class GetOrderHistoryReply(TypedDict):
    rows: List[GetOrderHistoryReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetOrderEventsRow(TypedDict):
    history_id: int
    """Id of the event; increasing."""
    order_id: int
    """Order id given by the exchange."""
    client_order_id: Optional[str]
    """Your own id of the order, if it has one."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    price: Decimal
    """Limit price; the worst price for a market order; 0 for a stop-market order."""
    initial_amount: Decimal
    """Original size; for a stop without one, the size of the position, now or when it ended."""
    filled_amount: Decimal
    """Size filled so far; 0 for a stop, which does not trade itself."""
    cancelled_amount: Decimal
    """Size cancelled so far."""
    average_filled_price: Optional[Decimal]
    """Average price of its fills; null if none."""
    event_type: str
    """Event: make, fulfill_limit, cancel …."""
    order_status: Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
    """Current status; filled for a stop or level: it fired, and its trades are in the order whose
    stop_parent_order_id is its order_id.
    """
    stop_price: Optional[Decimal]
    """Trigger price; null if not a stop with a fixed price."""
    order_type: Literal["limit", "market", "stop_limit", "stop_market", "take_profit_limit", "take_profit_market", "stop_loss_limit", "stop_loss_market"]
    """Kind of order; take_profit: a level of a position, or a reduce-only stop whose trigger_direction
    is not that of its side.
    """
    stop_parent_order_id: Optional[int]
    """For a TP/SL level: the order it is attached to. For an order placed by a stop: that stop."""
    reduce_only: bool
    """The order may only reduce the position."""
    created_at: int
    """When it happened."""


class GetTwapOrdersRow(TypedDict):
    order_id: int
    """Order id given by the exchange."""
    client_order_id: Optional[str]
    """Your own id of it, if it has one."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    initial_amount: Decimal
    """Whole size."""
    filled_amount: Decimal
    """Size filled so far."""
    reduce_only: bool
    """May only shrink the position."""
    slippage_percent: Decimal
    """How far from mark a slice may go, in percent."""
    planned_sub_order_amount: Decimal
    """Size of a slice; rounding remainders are added to later ones."""
    planned_sub_order_count: int
    """How many slices in all."""
    past_sub_order_count: int
    """How many slices are over."""
    total_filled_value: Decimal
    """USD value of the fills."""
    expiration: int
    """When the last slice is due."""
    created_at: int
    """Time of placement."""
    updated_at: int
    """Time of the last change."""


class GetTwapHistoryReplyRows(TypedDict):
    order_id: int
    """Order id given by the exchange."""
    client_order_id: Optional[str]
    """Your own id of it, if it has one."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    initial_amount: Decimal
    """Whole size."""
    filled_amount: Decimal
    """Size filled so far."""
    reduce_only: bool
    """May only shrink the position."""
    slippage_percent: Decimal
    """How far from mark a slice may go, in percent."""
    planned_sub_order_amount: Decimal
    """Size of a slice; rounding remainders are added to later ones."""
    planned_sub_order_count: int
    """How many slices in all."""
    past_sub_order_count: int
    """How many slices are over."""
    total_filled_value: Decimal
    """USD value of the fills."""
    expiration: int
    """When the last slice is due."""
    created_at: int
    """Time of placement."""
    updated_at: int
    """Time of the last change."""
    order_status: Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
    """Current status; also cancelled if it expired before it was filled."""
    event_type: Literal["twap_created", "twap_triggered", "fulfill_market", "cancel", "force_cancel", "expired"]
    """The last event; twap_triggered: a slice was sent."""


class GetTwapHistoryReply(TypedDict):
    rows: List[GetTwapHistoryReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetTwapEventsRow(TypedDict):
    order_id: int
    """Order id given by the exchange."""
    client_order_id: Optional[str]
    """Your own id of it, if it has one."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    initial_amount: Decimal
    """Whole size."""
    filled_amount: Decimal
    """Size filled so far."""
    reduce_only: bool
    """May only shrink the position."""
    slippage_percent: Decimal
    """How far from mark a slice may go, in percent."""
    planned_sub_order_amount: Decimal
    """Size of a slice; rounding remainders are added to later ones."""
    planned_sub_order_count: int
    """How many slices in all."""
    past_sub_order_count: int
    """How many slices are over."""
    total_filled_value: Decimal
    """USD value of the fills."""
    expiration: int
    """When the last slice is due."""
    created_at: int
    """Time of placement."""
    updated_at: int
    """Time of the last change."""
    order_status: Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
    """Current status; also cancelled if it expired before it was filled."""
    event_type: Literal["twap_created", "twap_triggered", "fulfill_market", "cancel", "force_cancel", "expired"]
    """The last event; twap_triggered: a slice was sent."""


class GetAlgoOrdersRow(TypedDict):
    order_id: int
    """Order id given by the exchange."""
    client_order_id: Optional[str]
    """Your own id of it, if it has one."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    kind: Literal["iceberg", "chase"]
    """Kind of algo."""
    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    price: Decimal
    """Limit price of an iceberg; price limit of a chase."""
    initial_amount: Decimal
    """Whole size."""
    display_amount: Optional[Decimal]
    """Visible size of an iceberg; null for a chase."""
    filled_amount: Decimal
    """Size filled so far."""
    total_filled_value: Decimal
    """USD value of the fills."""
    reduce_only: bool
    """May only shrink the position."""
    child_order_id: Optional[int]
    """Its order in the book; null if it has none now."""
    expire_time: Optional[int]
    """Expiry."""
    created_at: int
    """Time of placement."""
    updated_at: int
    """Time of the last change."""


class GetAlgoHistoryReplyRows(TypedDict):
    order_id: int
    """Order id given by the exchange."""
    client_order_id: Optional[str]
    """Your own id of it, if it has one."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    kind: Literal["iceberg", "chase"]
    """Kind of algo."""
    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    price: Decimal
    """Limit price of an iceberg; price limit of a chase."""
    initial_amount: Decimal
    """Whole size."""
    display_amount: Optional[Decimal]
    """Visible size of an iceberg; null for a chase."""
    filled_amount: Decimal
    """Size filled so far."""
    total_filled_value: Decimal
    """USD value of the fills."""
    reduce_only: bool
    """May only shrink the position."""
    child_order_id: Optional[int]
    """Its order in the book; null if it has none now."""
    expire_time: Optional[int]
    """Expiry."""
    created_at: int
    """Time of placement."""
    updated_at: int
    """Time of the last change."""
    order_status: Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
    """Current status; cancelled if it ended before it was filled."""
    reason: Optional[Literal["finished", "owner", "liquidation", "market_closed", "expired", "refused"]]
    """Why it ended before it was filled."""


class GetAlgoHistoryReply(TypedDict):
    rows: List[GetAlgoHistoryReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class ExplainOrderReplyHappened(TypedDict):
    seq: int
    """Place in the history of the exchange."""
    time: str
    """Engine time."""
    what: str
    """What happened."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainOrderReplySteps(TypedDict):
    rule: str
    """Id of the rule."""
    document: str
    """Document with the rule."""
    formula: str
    """The arithmetic in words."""
    inputs: Dict[str, str]
    """The inputs of the formula, by name."""
    result: str
    """The result, computed from the inputs."""
    recorded: str
    """The number in history."""
    agrees: bool
    """Whether the two are equal."""


class ExplainOrderReplyPending(TypedDict):
    what: str
    """What has not happened, and what it depends on."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainOrderReply(TypedDict):
    title: str
    """Name of the explained object."""
    facts: Dict[str, str]
    """Facts about it, by name."""
    happened: List[ExplainOrderReplyHappened]
    """Events, oldest first."""
    steps: List[ExplainOrderReplySteps]
    """The arithmetic, step by step."""
    pending: List[ExplainOrderReplyPending]
    """What has not happened to an open order or a position."""
    agrees: bool
    """Whether every step agrees with history."""


class ExplainFillReplyHappened(TypedDict):
    seq: int
    """Place in the history of the exchange."""
    time: str
    """Engine time."""
    what: str
    """What happened."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainFillReplySteps(TypedDict):
    rule: str
    """Id of the rule."""
    document: str
    """Document with the rule."""
    formula: str
    """The arithmetic in words."""
    inputs: Dict[str, str]
    """The inputs of the formula, by name."""
    result: str
    """The result, computed from the inputs."""
    recorded: str
    """The number in history."""
    agrees: bool
    """Whether the two are equal."""


class ExplainFillReplyPending(TypedDict):
    what: str
    """What has not happened, and what it depends on."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainFillReply(TypedDict):
    title: str
    """Name of the explained object."""
    facts: Dict[str, str]
    """Facts about it, by name."""
    happened: List[ExplainFillReplyHappened]
    """Events, oldest first."""
    steps: List[ExplainFillReplySteps]
    """The arithmetic, step by step."""
    pending: List[ExplainFillReplyPending]
    """What has not happened to an open order or a position."""
    agrees: bool
    """Whether every step agrees with history."""


class ExplainRefusalReplyHappened(TypedDict):
    seq: int
    """Place in the history of the exchange."""
    time: str
    """Engine time."""
    what: str
    """What happened."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainRefusalReplySteps(TypedDict):
    rule: str
    """Id of the rule."""
    document: str
    """Document with the rule."""
    formula: str
    """The arithmetic in words."""
    inputs: Dict[str, str]
    """The inputs of the formula, by name."""
    result: str
    """The result, computed from the inputs."""
    recorded: str
    """The number in history."""
    agrees: bool
    """Whether the two are equal."""


class ExplainRefusalReplyPending(TypedDict):
    what: str
    """What has not happened, and what it depends on."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainRefusalReply(TypedDict):
    title: str
    """Name of the explained object."""
    facts: Dict[str, str]
    """Facts about it, by name."""
    happened: List[ExplainRefusalReplyHappened]
    """Events, oldest first."""
    steps: List[ExplainRefusalReplySteps]
    """The arithmetic, step by step."""
    pending: List[ExplainRefusalReplyPending]
    """What has not happened to an open order or a position."""
    agrees: bool
    """Whether every step agrees with history."""


class ExplainLiquidationReplyHappened(TypedDict):
    seq: int
    """Place in the history of the exchange."""
    time: str
    """Engine time."""
    what: str
    """What happened."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainLiquidationReplySteps(TypedDict):
    rule: str
    """Id of the rule."""
    document: str
    """Document with the rule."""
    formula: str
    """The arithmetic in words."""
    inputs: Dict[str, str]
    """The inputs of the formula, by name."""
    result: str
    """The result, computed from the inputs."""
    recorded: str
    """The number in history."""
    agrees: bool
    """Whether the two are equal."""


class ExplainLiquidationReplyPending(TypedDict):
    what: str
    """What has not happened, and what it depends on."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainLiquidationReply(TypedDict):
    title: str
    """Name of the explained object."""
    facts: Dict[str, str]
    """Facts about it, by name."""
    happened: List[ExplainLiquidationReplyHappened]
    """Events, oldest first."""
    steps: List[ExplainLiquidationReplySteps]
    """The arithmetic, step by step."""
    pending: List[ExplainLiquidationReplyPending]
    """What has not happened to an open order or a position."""
    agrees: bool
    """Whether every step agrees with history."""


class ExplainFundingReplyHappened(TypedDict):
    seq: int
    """Place in the history of the exchange."""
    time: str
    """Engine time."""
    what: str
    """What happened."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainFundingReplySteps(TypedDict):
    rule: str
    """Id of the rule."""
    document: str
    """Document with the rule."""
    formula: str
    """The arithmetic in words."""
    inputs: Dict[str, str]
    """The inputs of the formula, by name."""
    result: str
    """The result, computed from the inputs."""
    recorded: str
    """The number in history."""
    agrees: bool
    """Whether the two are equal."""


class ExplainFundingReplyPending(TypedDict):
    what: str
    """What has not happened, and what it depends on."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainFundingReply(TypedDict):
    title: str
    """Name of the explained object."""
    facts: Dict[str, str]
    """Facts about it, by name."""
    happened: List[ExplainFundingReplyHappened]
    """Events, oldest first."""
    steps: List[ExplainFundingReplySteps]
    """The arithmetic, step by step."""
    pending: List[ExplainFundingReplyPending]
    """What has not happened to an open order or a position."""
    agrees: bool
    """Whether every step agrees with history."""


class ExplainPositionReplyHappened(TypedDict):
    seq: int
    """Place in the history of the exchange."""
    time: str
    """Engine time."""
    what: str
    """What happened."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainPositionReplySteps(TypedDict):
    rule: str
    """Id of the rule."""
    document: str
    """Document with the rule."""
    formula: str
    """The arithmetic in words."""
    inputs: Dict[str, str]
    """The inputs of the formula, by name."""
    result: str
    """The result, computed from the inputs."""
    recorded: str
    """The number in history."""
    agrees: bool
    """Whether the two are equal."""


class ExplainPositionReplyPending(TypedDict):
    what: str
    """What has not happened, and what it depends on."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainPositionReply(TypedDict):
    title: str
    """Name of the explained object."""
    facts: Dict[str, str]
    """Facts about it, by name."""
    happened: List[ExplainPositionReplyHappened]
    """Events, oldest first."""
    steps: List[ExplainPositionReplySteps]
    """The arithmetic, step by step."""
    pending: List[ExplainPositionReplyPending]
    """What has not happened to an open order or a position."""
    agrees: bool
    """Whether every step agrees with history."""


class GetLeaderboardRow(TypedDict):
    address: str
    """Whose account."""
    username: None
    """Accounts have no names here."""
    pnl_1d: Decimal
    """Profit of the last 24 hours, open positions at mark."""
    pnl_7d: Decimal
    """Of the last 7 days."""
    pnl_30d: Decimal
    """Of the last 30 days."""
    pnl_all_time: Decimal
    """Since the account began."""
    equity_current: Decimal
    """Current equity, in USD."""
    oi_current: Decimal
    """Value of its open positions at mark, in USD."""
    volume_14d: Decimal
    """Whole USD traded in the 14 full UTC days before today, owner-wide."""


class GetSpotBalanceHistoryReply(TypedDict):
    rows: List[Dict[str, Any]]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetSpotDepositsReply(TypedDict):
    rows: List[Dict[str, Any]]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetSpotWithdrawalsReply(TypedDict):
    rows: List[Dict[str, Any]]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetVaultsReply(TypedDict):
    lakes: List[Dict[str, Any]]
    """Always empty."""


class GetAgentPolicyReplyPolicy(TypedDict):
    symbols: Optional[List[str]]
    """Null: all."""
    post_only: bool
    """Only orders that never take."""
    reduce_only: bool
    """Nothing that is not reduce-only."""
    max_slippage_percent: Optional[Decimal]
    """How far from the mark."""
    max_order_value: Optional[Decimal]
    """USD."""
    max_position_value: Optional[Decimal]
    """USD."""
    max_daily_loss: Optional[Decimal]
    """USD."""
    expires_at: Optional[int]
    """Milliseconds."""
    allow: List[Literal["margin", "api_keys"]]
    """Permissions in addition to trading."""


class GetAgentPolicyReply(TypedDict):
    agent_wallet: str
    """Address of the agent key."""
    policy: Optional[GetAgentPolicyReplyPolicy]
    """Policy of the key; null if it has none."""
    ips: Optional[List[str]]
    """IP addresses from which the key may be used; null if any."""
    day_loss: Decimal
    """Loss in USD from the highest equity of this UTC day, as counted by the policy."""
    expired: bool
    """Whether the policy has expired, so that the key is rejected."""


class _PreviewOrderTakeProfit(TypedDict, total=False):
    limit_price: Optional[DecimalLike]
    """Limit price of the order it places (default: a market order)."""
    amount: Optional[DecimalLike]
    """Size to close (default: the whole position)."""
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""
    trigger_price_type: Optional[Literal["mark_price", "last_trade_price", "mid_price"]]
    """Price that triggers it (default: mark_price)."""


class PreviewOrderTakeProfit(_PreviewOrderTakeProfit):
    """A take-profit or stop-loss level."""

    stop_price: DecimalLike
    """Trigger price."""


class PreviewOrderStopLoss(TypedDict, total=False):
    """A stop-loss level: stop_price, trailing_percent or trailing_distance."""

    stop_price: Optional[DecimalLike]
    """Trigger price; omit it for a trailing stop."""
    trailing_percent: Optional[DecimalLike]
    """How far behind the best mark it follows: 0.1 to 50 percent, at most four decimals."""
    trailing_distance: Optional[DecimalLike]
    """The same as a distance of prices."""
    activation_price: Optional[DecimalLike]
    """Activation mark (default: active immediately)."""
    limit_price: Optional[DecimalLike]
    """Limit price of the order it places (default: a market order)."""
    amount: Optional[DecimalLike]
    """Size to close (default: the whole position)."""
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""
    trigger_price_type: Optional[Literal["mark_price", "last_trade_price", "mid_price"]]
    """Price that triggers it (default: mark_price)."""


class PreviewOrderStopOrder(TypedDict, total=False):
    """When it fires: stop_price, trailing_percent or trailing_distance."""

    stop_price: Optional[DecimalLike]
    """Trigger price; omit it for a trailing stop."""
    trailing_percent: Optional[DecimalLike]
    """How far behind the best mark it follows: 0.1 to 50 percent, at most four decimals."""
    trailing_distance: Optional[DecimalLike]
    """The same as a distance of prices."""
    activation_price: Optional[DecimalLike]
    """Activation mark (default: active immediately)."""
    limit_price: Optional[DecimalLike]
    """Limit price of the order it places (default: a market order)."""
    amount: Optional[DecimalLike]
    """Size to close (default: the whole position)."""
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""
    trigger_price_type: Optional[Literal["mark_price", "last_trade_price", "mid_price"]]
    """Price that triggers it (default: mark_price)."""
    slippage_percent: Optional[DecimalLike]
    """Without limit_price: how far from mark its order may go, in percent, up to 10 (default:
    stop_slippage_percent of /info/risk).
    """
    trigger_direction: Optional[Literal["gte", "lte"]]
    """Fires at or above (gte) or at or below (lte) stop_price (default: by the side)."""


class _PreviewOrderLegs(TypedDict, total=False):
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""


class PreviewOrderLegs(_PreviewOrderLegs):
    """An order that rests."""

    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    amount: DecimalLike
    """Size, a multiple of lot_size."""
    reduce_only: bool
    """May only shrink the position."""
    price: DecimalLike
    """Limit price: it rests there, or the whole request is refused."""


class _PreviewOrderLegs2(TypedDict, total=False):
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""
    stop_price: Optional[DecimalLike]
    """Trigger price; omit it for a trailing stop."""
    trailing_percent: Optional[DecimalLike]
    """How far behind the best mark it follows: 0.1 to 50 percent, at most four decimals."""
    trailing_distance: Optional[DecimalLike]
    """The same as a distance of prices."""
    activation_price: Optional[DecimalLike]
    """Activation mark (default: active immediately)."""
    limit_price: Optional[DecimalLike]
    """Limit price of the order it places (default: a market order)."""
    trigger_price_type: Optional[Literal["mark_price", "last_trade_price", "mid_price"]]
    """Price that triggers it (default: mark_price)."""
    trigger_direction: Optional[Literal["gte", "lte"]]
    """Fires at or above (gte) or at or below (lte) stop_price (default: by the side)."""


class PreviewOrderLegs2(_PreviewOrderLegs2):
    """A stop: stop_price, trailing_percent or trailing_distance."""

    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    amount: DecimalLike
    """Size, a multiple of lot_size."""
    reduce_only: bool
    """May only shrink the position."""


class PreviewOrderReplyRiskTier(TypedDict):
    from_value: Decimal
    """Notional in USD from which on the tier counts."""
    max_leverage: int
    """Largest leverage of the part above it."""
    maintenance_fraction: Decimal
    """Maintenance margin of the part above it."""
    initial_fraction: Decimal
    """Initial margin of the part above it at that leverage, now."""


class _PreviewOrderReply(TypedDict, total=False):
    error: str
    """Why not."""
    code: int
    """Engine code of the refusal."""
    rejected: str
    """Why the order would be accepted and then immediately rejected, without any fill."""


class PreviewOrderReply(_PreviewOrderReply):
    accepted: bool
    """Whether the order would be accepted now."""
    notional: Optional[Decimal]
    """USD value at the limit price, for a market order at mark. This and the following values are for
    the resting order of an OCO, the first part of an iceberg, or a chase at its price limit or as
    near to it as it would rest now; null for a stop.
    """
    fee: Optional[Decimal]
    """Fee in USD if it fills: taker fee on the part that crosses now, maker fee on the rest."""
    margin: Optional[Decimal]
    """USD of margin it binds on arrival."""
    position_after: Optional[Decimal]
    """Position when it has filled; negative is short."""
    liquidation_price: Optional[Decimal]
    """Liquidation price of that position; null if no price liquidates it."""
    guarded_price: Optional[Decimal]
    """Price at which that position backs the account: the mark, or a worse one; see guarded_price of
    GET /info/risk.
    """
    risk_tier: Optional[PreviewOrderReplyRiskTier]
    """Risk tier of position and open orders including this one, in the worst case."""
    max_amount: Optional[Decimal]
    """Largest size that would be accepted now; null unless it is an order."""


class _BatchOrdersReplyResults(TypedDict, total=False):
    order_status: Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
    """With one signature for all: current status of order_id. An action that ran and placed nothing
    has rejected here: it is post-only and would have taken.
    """
    waits: Literal[True]
    """With one signature for all: the action waits at the speed bump with the orders of the batch and
    has changed nothing yet. Histories and streams show its outcome, also a refusal.
    """
    cancelled_count: int
    """Of CancelAll alone: how many orders, stops and levels ended."""


class BatchOrdersReplyResults(_BatchOrdersReplyResults):
    success: bool
    """Whether this action ran."""
    order_id: Optional[int]
    """Id of the order that was placed or cancelled; null if none was."""
    client_order_id: Optional[str]
    """Your own id of the order, null when it has none."""
    symbol: Optional[str]
    """Market of the action; null: all of them."""
    error: Optional[str]
    """Why it was refused."""


class BatchOrdersReply(TypedDict):
    results: List[BatchOrdersReplyResults]
    """One per action, in order."""


class SandboxFaucetReply(TypedDict):
    balance: Decimal
    """USD after it."""


class SandboxGetClockReply(TypedDict):
    engine_now: int
    """Time of the exchange, milliseconds."""
    now: int
    """Time of the machine, milliseconds."""
    frozen: bool
    """Whether the time of the exchange is frozen."""
    offset_ms: int
    """How far it is ahead of the machine's clock."""
    manual: bool
    """Whether time moves only by `advance_ms`."""


class SandboxSetClockReply(TypedDict):
    engine_now: int
    """Time of the exchange, milliseconds."""
    now: int
    """Time of the machine, milliseconds."""
    frozen: bool
    """Whether the time of the exchange is frozen."""
    offset_ms: int
    """How far it is ahead of the machine's clock."""
    manual: bool
    """Whether time moves only by `advance_ms`."""


class SandboxSetOracleReply(TypedDict):
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    oracle: Decimal
    """Index price now."""


class SandboxSnapshotReply(TypedDict):
    id: str
    """Name to revert to."""
    seq: int
    """Place in history."""
    engine_now: int
    """Time of the exchange when it was taken."""
    created_at: int
    """Time of the machine when it was taken."""


class SandboxListSnapshotsRow(TypedDict):
    id: str
    """Name to revert to."""
    seq: int
    """Place in history."""
    engine_now: int
    """Time of the exchange when it was taken."""
    created_at: int
    """Time of the machine when it was taken."""


class SandboxRevertReply(TypedDict):
    id: str
    """The snapshot that it was reverted to."""


class SandboxGetBotsReply(TypedDict):
    running: bool
    """Whether they trade now."""


class SandboxBotsReply(TypedDict):
    running: bool
    """Whether they trade now."""


class SandboxScenarioReply(TypedDict):
    name: str
    """Which path."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""


class SandboxResetReply(TypedDict):
    seq: int
    """Place in history."""
    engine_now: int
    """Time of the exchange, milliseconds."""


class SandboxGetHashReply(TypedDict):
    seq: int
    """Place in history."""
    trading_hash: str
    """Of books, positions and money."""
    state_hash: str
    """Of the whole state, with place in history, time and used signed texts."""


class SandboxSettleReply(TypedDict):
    seq: int
    """Place in history."""
    engine_now: int
    """Time of the exchange, milliseconds."""
    next_event_at: int
    """Next time of the exchange at which something happens by itself."""


class SandboxGetLatencyReplyLegsRequestedUs(TypedDict):
    """Requested delays, microseconds."""

    p50: int
    p99: int
    max: int


class SandboxGetLatencyReplyLegsAchievedUs(TypedDict):
    """Achieved delays, microseconds."""

    p50: int
    p99: int
    max: int


class SandboxGetLatencyReplyLegsLateUs(TypedDict):
    """Achieved minus requested, microseconds."""

    p50: int
    p99: int
    max: int


class SandboxGetLatencyReplyLegs(TypedDict):
    leg: Literal["order", "cancel", "read", "reply", "market", "private"]
    """Part of the way."""
    count: int
    """Number of delays."""
    requested_us: SandboxGetLatencyReplyLegsRequestedUs
    """Requested delays, microseconds."""
    achieved_us: SandboxGetLatencyReplyLegsAchievedUs
    """Achieved delays, microseconds."""
    late_us: SandboxGetLatencyReplyLegsLateUs
    """Achieved minus requested, microseconds."""


class SandboxGetLatencyReply(TypedDict):
    clock: Literal["engine", "machine"]
    """The clock that delays are measured by."""
    lines: int
    """Number of lines of the plan; 0: no delays."""
    in_line: int
    """Requests, replies and frames that wait."""
    callers: int
    """Of these, requests and replies that a caller waits for."""
    next_due_at: Optional[int]
    """Engine time at which the next one is due; null by the clock of the machine."""
    legs: List[SandboxGetLatencyReplyLegs]
    """Of the newest 4096 delays of each leg."""


class SandboxLatencyLinesMatch(TypedDict, total=False):
    account: Optional[str]
    """Name or address of the account; `*` in it matches any text."""
    key: Optional[str]
    """Prefix of the API key."""
    ip: Optional[str]
    """Address of the client."""
    channel: Optional[str]
    """Channel of the frame; `*` in it matches any text."""


class SandboxLatencyLinesOrderSeries(TypedDict):
    t: int
    """Milliseconds since the plan was set."""
    us: int
    """Delay from then on, microseconds."""


class SandboxLatencyLinesOrder(TypedDict, total=False):
    const_us: Optional[int]
    """Constant delay, microseconds."""
    base_us: Optional[int]
    """Minimum delay; jitter is added, microseconds."""
    jitter: Optional[Literal["uniform", "lognormal", "gamma", "quantiles"]]
    """Distribution of the jitter."""
    p50_us: Optional[int]
    """Median of the delay, for lognormal and gamma, microseconds."""
    p99_us: Optional[int]
    """99th percentile of the delay, for uniform, lognormal and gamma, microseconds."""
    quantiles_us: Optional[Sequence[Sequence[Union[float, int]]]]
    """Pairs of a share from 0 to 1 and the delay, with straight lines in between."""
    series: Optional[Sequence[SandboxLatencyLinesOrderSeries]]
    """Delays that change with time."""


class SandboxLatencyLinesCancelSeries(TypedDict):
    t: int
    """Milliseconds since the plan was set."""
    us: int
    """Delay from then on, microseconds."""


class SandboxLatencyLinesCancel(TypedDict, total=False):
    const_us: Optional[int]
    """Constant delay, microseconds."""
    base_us: Optional[int]
    """Minimum delay; jitter is added, microseconds."""
    jitter: Optional[Literal["uniform", "lognormal", "gamma", "quantiles"]]
    """Distribution of the jitter."""
    p50_us: Optional[int]
    """Median of the delay, for lognormal and gamma, microseconds."""
    p99_us: Optional[int]
    """99th percentile of the delay, for uniform, lognormal and gamma, microseconds."""
    quantiles_us: Optional[Sequence[Sequence[Union[float, int]]]]
    """Pairs of a share from 0 to 1 and the delay, with straight lines in between."""
    series: Optional[Sequence[SandboxLatencyLinesCancelSeries]]
    """Delays that change with time."""


class SandboxLatencyLinesReadSeries(TypedDict):
    t: int
    """Milliseconds since the plan was set."""
    us: int
    """Delay from then on, microseconds."""


class SandboxLatencyLinesRead(TypedDict, total=False):
    const_us: Optional[int]
    """Constant delay, microseconds."""
    base_us: Optional[int]
    """Minimum delay; jitter is added, microseconds."""
    jitter: Optional[Literal["uniform", "lognormal", "gamma", "quantiles"]]
    """Distribution of the jitter."""
    p50_us: Optional[int]
    """Median of the delay, for lognormal and gamma, microseconds."""
    p99_us: Optional[int]
    """99th percentile of the delay, for uniform, lognormal and gamma, microseconds."""
    quantiles_us: Optional[Sequence[Sequence[Union[float, int]]]]
    """Pairs of a share from 0 to 1 and the delay, with straight lines in between."""
    series: Optional[Sequence[SandboxLatencyLinesReadSeries]]
    """Delays that change with time."""


class SandboxLatencyLinesReplySeries(TypedDict):
    t: int
    """Milliseconds since the plan was set."""
    us: int
    """Delay from then on, microseconds."""


class SandboxLatencyLinesReply(TypedDict, total=False):
    const_us: Optional[int]
    """Constant delay, microseconds."""
    base_us: Optional[int]
    """Minimum delay; jitter is added, microseconds."""
    jitter: Optional[Literal["uniform", "lognormal", "gamma", "quantiles"]]
    """Distribution of the jitter."""
    p50_us: Optional[int]
    """Median of the delay, for lognormal and gamma, microseconds."""
    p99_us: Optional[int]
    """99th percentile of the delay, for uniform, lognormal and gamma, microseconds."""
    quantiles_us: Optional[Sequence[Sequence[Union[float, int]]]]
    """Pairs of a share from 0 to 1 and the delay, with straight lines in between."""
    series: Optional[Sequence[SandboxLatencyLinesReplySeries]]
    """Delays that change with time."""


class SandboxLatencyLinesMarketSeries(TypedDict):
    t: int
    """Milliseconds since the plan was set."""
    us: int
    """Delay from then on, microseconds."""


class SandboxLatencyLinesMarket(TypedDict, total=False):
    const_us: Optional[int]
    """Constant delay, microseconds."""
    base_us: Optional[int]
    """Minimum delay; jitter is added, microseconds."""
    jitter: Optional[Literal["uniform", "lognormal", "gamma", "quantiles"]]
    """Distribution of the jitter."""
    p50_us: Optional[int]
    """Median of the delay, for lognormal and gamma, microseconds."""
    p99_us: Optional[int]
    """99th percentile of the delay, for uniform, lognormal and gamma, microseconds."""
    quantiles_us: Optional[Sequence[Sequence[Union[float, int]]]]
    """Pairs of a share from 0 to 1 and the delay, with straight lines in between."""
    series: Optional[Sequence[SandboxLatencyLinesMarketSeries]]
    """Delays that change with time."""


class SandboxLatencyLinesPrivateSeries(TypedDict):
    t: int
    """Milliseconds since the plan was set."""
    us: int
    """Delay from then on, microseconds."""


class SandboxLatencyLinesPrivate(TypedDict, total=False):
    const_us: Optional[int]
    """Constant delay, microseconds."""
    base_us: Optional[int]
    """Minimum delay; jitter is added, microseconds."""
    jitter: Optional[Literal["uniform", "lognormal", "gamma", "quantiles"]]
    """Distribution of the jitter."""
    p50_us: Optional[int]
    """Median of the delay, for lognormal and gamma, microseconds."""
    p99_us: Optional[int]
    """99th percentile of the delay, for uniform, lognormal and gamma, microseconds."""
    quantiles_us: Optional[Sequence[Sequence[Union[float, int]]]]
    """Pairs of a share from 0 to 1 and the delay, with straight lines in between."""
    series: Optional[Sequence[SandboxLatencyLinesPrivateSeries]]
    """Delays that change with time."""


class SandboxLatencyLines(TypedDict, total=False):
    match: Optional[SandboxLatencyLinesMatch]
    preset: Optional[Literal["colo", "region", "home", "mobile"]]
    """Delays of a usual place."""
    order: Optional[SandboxLatencyLinesOrder]
    cancel: Optional[SandboxLatencyLinesCancel]
    read: Optional[SandboxLatencyLinesRead]
    reply: Optional[SandboxLatencyLinesReply]
    market: Optional[SandboxLatencyLinesMarket]
    private: Optional[SandboxLatencyLinesPrivate]


class SandboxLatencyReplyLegsRequestedUs(TypedDict):
    """Requested delays, microseconds."""

    p50: int
    p99: int
    max: int


class SandboxLatencyReplyLegsAchievedUs(TypedDict):
    """Achieved delays, microseconds."""

    p50: int
    p99: int
    max: int


class SandboxLatencyReplyLegsLateUs(TypedDict):
    """Achieved minus requested, microseconds."""

    p50: int
    p99: int
    max: int


class SandboxLatencyReplyLegs(TypedDict):
    leg: Literal["order", "cancel", "read", "reply", "market", "private"]
    """Part of the way."""
    count: int
    """Number of delays."""
    requested_us: SandboxLatencyReplyLegsRequestedUs
    """Requested delays, microseconds."""
    achieved_us: SandboxLatencyReplyLegsAchievedUs
    """Achieved delays, microseconds."""
    late_us: SandboxLatencyReplyLegsLateUs
    """Achieved minus requested, microseconds."""


class SandboxLatencyReply(TypedDict):
    clock: Literal["engine", "machine"]
    """The clock that delays are measured by."""
    lines: int
    """Number of lines of the plan; 0: no delays."""
    in_line: int
    """Requests, replies and frames that wait."""
    callers: int
    """Of these, requests and replies that a caller waits for."""
    next_due_at: Optional[int]
    """Engine time at which the next one is due; null by the clock of the machine."""
    legs: List[SandboxLatencyReplyLegs]
    """Of the newest 4096 delays of each leg."""


class SandboxGetFaultsReplyFaults(TypedDict):
    n: int
    """Number of the fault."""
    rule: str
    """Its rule."""
    fault: str
    """What happened."""
    account: Optional[str]
    """Account of the request or frame."""
    ordinal: int
    """Ordinal of the request or frame, of this account under the rule."""
    at: int
    """Engine time, milliseconds."""
    target: str
    """Path of the request, or channel of the frame."""
    venue: str
    """What the exchange did."""
    client: str
    """What the client got."""


class SandboxGetFaultsReplyDifferences(TypedDict):
    account: Optional[str]
    """Account that believes it."""
    subject: str
    """What it is about: an order, a request or a channel."""
    client: str
    """What a client must believe from what was delivered."""
    venue: str
    """What is true at the exchange."""
    cause: int
    """n of the first fault that caused it."""
    since: int
    """Engine time at which it began."""
    known_from: Optional[int]
    """Engine time from which the client could know; null: not yet."""
    until: Optional[int]
    """Engine time at which it ended; null: it has not."""


class SandboxGetFaultsReply(TypedDict):
    rules: int
    """Number of rules of the plan; 0: no faults."""
    count: int
    """Number of faults since the plan was set."""
    digest: str
    """Hash of the faults, without times and ids: equal in every run with this seed."""
    faults: List[SandboxGetFaultsReplyFaults]
    """By rule, account and ordinal; the newest 10000."""
    differences: List[SandboxGetFaultsReplyDifferences]
    """Where belief and truth differ or differed; the newest 10000."""


class SandboxFaultsRulesMatch(TypedDict, total=False):
    account: Optional[str]
    """Name or address of the account; `*` in it matches any text."""
    key: Optional[str]
    """Prefix of the API key."""
    ip: Optional[str]
    """Address of the client."""
    op: Optional[str]
    """Path of the request, such as orders/create; `*` in it matches any text."""
    channel: Optional[str]
    """Channel of the frame; `*` in it matches any text."""


_SandboxFaultsRulesKeywords = TypedDict("_SandboxFaultsRulesKeywords", {"for": Optional[str]}, total=False)


class _SandboxFaultsRules(_SandboxFaultsRulesKeywords, total=False):
    id: Optional[str]
    """Default: r1, r2 and so on."""
    match: Optional[SandboxFaultsRulesMatch]
    channel: Optional[str]
    """The same as match.channel."""
    p: Optional[float]
    """Probability (default: 1)."""
    at: Optional[str]
    """When it begins, after the plan was set: 00:10:00, 90s or 10m (default: immediately)."""
    every: Optional[str]
    """How often it begins, such as 1h or 1h±10m."""
    ms: Optional[int]
    """slow, late: extra delay. timeout: until the connection is closed. skew: how far the clock of the
    exchange is ahead.
    """
    done: Optional[bool]
    """reset: whether the request is carried out (default: by chance)."""
    symbol: Optional[str]
    """feed_stall: the market (default: all)."""


class SandboxFaultsRules(_SandboxFaultsRules):
    fault: Literal["429", "503", "timeout_lost", "timeout_done", "reset", "slow", "duplicate", "skew", "ws_drop", "ws_refuse", "ws_gap", "late", "silent", "bad_checksum", "feed_stall", "halt", "cancel_only", "restart"]
    """What happens."""


class SandboxFaultsReplyFaults(TypedDict):
    n: int
    """Number of the fault."""
    rule: str
    """Its rule."""
    fault: str
    """What happened."""
    account: Optional[str]
    """Account of the request or frame."""
    ordinal: int
    """Ordinal of the request or frame, of this account under the rule."""
    at: int
    """Engine time, milliseconds."""
    target: str
    """Path of the request, or channel of the frame."""
    venue: str
    """What the exchange did."""
    client: str
    """What the client got."""


class SandboxFaultsReplyDifferences(TypedDict):
    account: Optional[str]
    """Account that believes it."""
    subject: str
    """What it is about: an order, a request or a channel."""
    client: str
    """What a client must believe from what was delivered."""
    venue: str
    """What is true at the exchange."""
    cause: int
    """n of the first fault that caused it."""
    since: int
    """Engine time at which it began."""
    known_from: Optional[int]
    """Engine time from which the client could know; null: not yet."""
    until: Optional[int]
    """Engine time at which it ended; null: it has not."""


class SandboxFaultsReply(TypedDict):
    rules: int
    """Number of rules of the plan; 0: no faults."""
    count: int
    """Number of faults since the plan was set."""
    digest: str
    """Hash of the faults, without times and ids: equal in every run with this seed."""
    faults: List[SandboxFaultsReplyFaults]
    """By rule, account and ordinal; the newest 10000."""
    differences: List[SandboxFaultsReplyDifferences]
    """Where belief and truth differ or differed; the newest 10000."""


class SandboxDropConnectionsReply(TypedDict):
    dropped: int
    """Number of connections that were cut."""


class _CreateOrderTakeProfit(TypedDict, total=False):
    limit_price: Optional[DecimalLike]
    """Limit price of the order it places (default: a market order)."""
    amount: Optional[DecimalLike]
    """Size to close (default: the whole position)."""
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""
    trigger_price_type: Optional[Literal["mark_price", "last_trade_price", "mid_price"]]
    """Price that triggers it (default: mark_price)."""


class CreateOrderTakeProfit(_CreateOrderTakeProfit):
    """A take-profit or stop-loss level."""

    stop_price: DecimalLike
    """Trigger price."""


class CreateOrderStopLoss(TypedDict, total=False):
    """A stop-loss level: stop_price, trailing_percent or trailing_distance."""

    stop_price: Optional[DecimalLike]
    """Trigger price; omit it for a trailing stop."""
    trailing_percent: Optional[DecimalLike]
    """How far behind the best mark it follows: 0.1 to 50 percent, at most four decimals."""
    trailing_distance: Optional[DecimalLike]
    """The same as a distance of prices."""
    activation_price: Optional[DecimalLike]
    """Activation mark (default: active immediately)."""
    limit_price: Optional[DecimalLike]
    """Limit price of the order it places (default: a market order)."""
    amount: Optional[DecimalLike]
    """Size to close (default: the whole position)."""
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""
    trigger_price_type: Optional[Literal["mark_price", "last_trade_price", "mid_price"]]
    """Price that triggers it (default: mark_price)."""


class CreateOrderReply(TypedDict):
    order_id: int
    """Order id given by the exchange."""
    client_order_id: Optional[str]
    """Your own id of the order, null when it has none."""
    order_status: Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
    """Current status; an order in the speed bump is open, a post-only one that would have taken is
    rejected.
    """


class _CreateMarketOrderTakeProfit(TypedDict, total=False):
    limit_price: Optional[DecimalLike]
    """Limit price of the order it places (default: a market order)."""
    amount: Optional[DecimalLike]
    """Size to close (default: the whole position)."""
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""
    trigger_price_type: Optional[Literal["mark_price", "last_trade_price", "mid_price"]]
    """Price that triggers it (default: mark_price)."""


class CreateMarketOrderTakeProfit(_CreateMarketOrderTakeProfit):
    """A take-profit or stop-loss level."""

    stop_price: DecimalLike
    """Trigger price."""


class CreateMarketOrderStopLoss(TypedDict, total=False):
    """A stop-loss level: stop_price, trailing_percent or trailing_distance."""

    stop_price: Optional[DecimalLike]
    """Trigger price; omit it for a trailing stop."""
    trailing_percent: Optional[DecimalLike]
    """How far behind the best mark it follows: 0.1 to 50 percent, at most four decimals."""
    trailing_distance: Optional[DecimalLike]
    """The same as a distance of prices."""
    activation_price: Optional[DecimalLike]
    """Activation mark (default: active immediately)."""
    limit_price: Optional[DecimalLike]
    """Limit price of the order it places (default: a market order)."""
    amount: Optional[DecimalLike]
    """Size to close (default: the whole position)."""
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""
    trigger_price_type: Optional[Literal["mark_price", "last_trade_price", "mid_price"]]
    """Price that triggers it (default: mark_price)."""


class CreateMarketOrderReply(TypedDict):
    order_id: int
    """Order id given by the exchange."""
    client_order_id: Optional[str]
    """Your own id of the order, null when it has none."""
    order_status: Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
    """Current status; an order in the speed bump is open, a post-only one that would have taken is
    rejected.
    """


class CreateStopOrderStopOrder(TypedDict, total=False):
    """When it fires: stop_price, trailing_percent or trailing_distance."""

    stop_price: Optional[DecimalLike]
    """Trigger price; omit it for a trailing stop."""
    trailing_percent: Optional[DecimalLike]
    """How far behind the best mark it follows: 0.1 to 50 percent, at most four decimals."""
    trailing_distance: Optional[DecimalLike]
    """The same as a distance of prices."""
    activation_price: Optional[DecimalLike]
    """Activation mark (default: active immediately)."""
    limit_price: Optional[DecimalLike]
    """Limit price of the order it places (default: a market order)."""
    amount: Optional[DecimalLike]
    """Size to close (default: the whole position)."""
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""
    trigger_price_type: Optional[Literal["mark_price", "last_trade_price", "mid_price"]]
    """Price that triggers it (default: mark_price)."""
    slippage_percent: Optional[DecimalLike]
    """Without limit_price: how far from mark its order may go, in percent, up to 10 (default:
    stop_slippage_percent of /info/risk).
    """
    trigger_direction: Optional[Literal["gte", "lte"]]
    """Fires at or above (gte) or at or below (lte) stop_price (default: by the side)."""


class _CreateStopOrderTakeProfit(TypedDict, total=False):
    limit_price: Optional[DecimalLike]
    """Limit price of the order it places (default: a market order)."""
    amount: Optional[DecimalLike]
    """Size to close (default: the whole position)."""
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""
    trigger_price_type: Optional[Literal["mark_price", "last_trade_price", "mid_price"]]
    """Price that triggers it (default: mark_price)."""


class CreateStopOrderTakeProfit(_CreateStopOrderTakeProfit):
    """A take-profit or stop-loss level."""

    stop_price: DecimalLike
    """Trigger price."""


class CreateStopOrderStopLoss(TypedDict, total=False):
    """A stop-loss level: stop_price, trailing_percent or trailing_distance."""

    stop_price: Optional[DecimalLike]
    """Trigger price; omit it for a trailing stop."""
    trailing_percent: Optional[DecimalLike]
    """How far behind the best mark it follows: 0.1 to 50 percent, at most four decimals."""
    trailing_distance: Optional[DecimalLike]
    """The same as a distance of prices."""
    activation_price: Optional[DecimalLike]
    """Activation mark (default: active immediately)."""
    limit_price: Optional[DecimalLike]
    """Limit price of the order it places (default: a market order)."""
    amount: Optional[DecimalLike]
    """Size to close (default: the whole position)."""
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""
    trigger_price_type: Optional[Literal["mark_price", "last_trade_price", "mid_price"]]
    """Price that triggers it (default: mark_price)."""


class CreateStopOrderReply(TypedDict):
    order_id: int
    """Order id given by the exchange."""


class _CreateOcoOrderLegs(TypedDict, total=False):
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""


class CreateOcoOrderLegs(_CreateOcoOrderLegs):
    """An order that rests."""

    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    amount: DecimalLike
    """Size, a multiple of lot_size."""
    reduce_only: bool
    """May only shrink the position."""
    price: DecimalLike
    """Limit price: it rests there, or the whole request is refused."""


class _CreateOcoOrderLegs2(TypedDict, total=False):
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""
    stop_price: Optional[DecimalLike]
    """Trigger price; omit it for a trailing stop."""
    trailing_percent: Optional[DecimalLike]
    """How far behind the best mark it follows: 0.1 to 50 percent, at most four decimals."""
    trailing_distance: Optional[DecimalLike]
    """The same as a distance of prices."""
    activation_price: Optional[DecimalLike]
    """Activation mark (default: active immediately)."""
    limit_price: Optional[DecimalLike]
    """Limit price of the order it places (default: a market order)."""
    trigger_price_type: Optional[Literal["mark_price", "last_trade_price", "mid_price"]]
    """Price that triggers it (default: mark_price)."""
    trigger_direction: Optional[Literal["gte", "lte"]]
    """Fires at or above (gte) or at or below (lte) stop_price (default: by the side)."""


class CreateOcoOrderLegs2(_CreateOcoOrderLegs2):
    """A stop: stop_price, trailing_percent or trailing_distance."""

    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    amount: DecimalLike
    """Size, a multiple of lot_size."""
    reduce_only: bool
    """May only shrink the position."""


class CreateOcoOrderReply(TypedDict):
    order_ids: List[int]
    """Ids of the two legs, in order."""


class EditOrderReply(TypedDict):
    order_id: int
    """Order id given by the exchange."""


class CancelOrderReply(TypedDict):
    success: Literal[True]
    """It was carried out."""


class CancelAllOrdersReply(TypedDict):
    cancelled_count: int
    """How many orders, stops and levels ended."""


class ScheduleCancelReply(TypedDict):
    time: Optional[int]
    """When orders will be cancelled."""


class CreateTwapOrderReply(TypedDict):
    order_id: int
    """Order id given by the exchange."""


class CreateChaseOrderReply(TypedDict):
    order_id: int
    """Order id given by the exchange."""


class CreateIcebergOrderReply(TypedDict):
    order_id: int
    """Order id given by the exchange."""


class _SetPositionTpslTakeProfit(TypedDict, total=False):
    limit_tick_level: Optional[int]
    """Limit, in ticks."""
    amount: Optional[DecimalLike]
    """Size to close (default: the whole position)."""


class SetPositionTpslTakeProfit(_SetPositionTpslTakeProfit):
    """A level in ticks (price = ticks × tick_size)."""

    stop_tick_level: int
    """Trigger, in ticks."""


class _SetPositionTpslTakeProfit2(TypedDict, total=False):
    limit_price: Optional[DecimalLike]
    """Limit price of the order it places (default: a market order)."""
    amount: Optional[DecimalLike]
    """Size to close (default: the whole position)."""
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""
    trigger_price_type: Optional[Literal["mark_price", "last_trade_price", "mid_price"]]
    """Price that triggers it (default: mark_price)."""
    slippage_percent: Optional[DecimalLike]
    """Without limit_price: how far from mark its order may go, in percent, up to 10 (default:
    stop_slippage_percent of /info/risk).
    """


class SetPositionTpslTakeProfit2(_SetPositionTpslTakeProfit2):
    """A take-profit level."""

    stop_price: DecimalLike
    """Trigger price."""


class _SetPositionTpslStopLoss(TypedDict, total=False):
    limit_tick_level: Optional[int]
    """Limit, in ticks."""
    amount: Optional[DecimalLike]
    """Size to close (default: the whole position)."""


class SetPositionTpslStopLoss(_SetPositionTpslStopLoss):
    """A level in ticks (price = ticks × tick_size)."""

    stop_tick_level: int
    """Trigger, in ticks."""


class SetPositionTpslStopLoss2(TypedDict, total=False):
    """A stop-loss level: stop_price, trailing_percent or trailing_distance."""

    stop_price: Optional[DecimalLike]
    """Trigger price; omit it for a trailing stop."""
    trailing_percent: Optional[DecimalLike]
    """How far behind the best mark it follows: 0.1 to 50 percent, at most four decimals."""
    trailing_distance: Optional[DecimalLike]
    """The same as a distance of prices."""
    activation_price: Optional[DecimalLike]
    """Activation mark (default: active immediately)."""
    limit_price: Optional[DecimalLike]
    """Limit price of the order it places (default: a market order)."""
    amount: Optional[DecimalLike]
    """Size to close (default: the whole position)."""
    client_order_id: Optional[str]
    """Your own id of the order, a full UUID."""
    trigger_price_type: Optional[Literal["mark_price", "last_trade_price", "mid_price"]]
    """Price that triggers it (default: mark_price)."""
    slippage_percent: Optional[DecimalLike]
    """Without limit_price: how far from mark its order may go, in percent, up to 10 (default:
    stop_slippage_percent of /info/risk).
    """


class SetPositionTpslReply(TypedDict):
    success: Literal[True]
    """It was carried out."""


class WithdrawReply(TypedDict):
    withdrawal_id: int
    """Pending until the operator completes it."""


class ListReserveProofReplyPath(TypedDict):
    side: Literal["left", "right"]
    """Where the sibling stands."""
    hash: str
    """Of the sibling, hexadecimal."""
    sum: Decimal
    """USD below the sibling."""


class ListReserveProofReply(TypedDict):
    seq: int
    """Entry of the journal that it is true as of."""
    at: int
    """Its time, milliseconds."""
    root: str
    """Root of the tree, hexadecimal."""
    liabilities: Decimal
    """USD that accounts are owed: the sum at the root."""
    accounts: int
    """Leaves of the tree."""
    account: str
    """Whose."""
    liability: Decimal
    """USD that it is owed: account_equity and pending_balance then, 0 at least."""
    debt: Decimal
    """USD that it owes."""
    salt: str
    """Salt of its leaf: for its owner alone, hexadecimal."""
    index: int
    """Place among the leaves, from 0."""
    path: List[ListReserveProofReplyPath]
    """Siblings from the leaf up to the root."""


class ListSubaccountsReplySubaccounts(TypedDict):
    address: str
    """Its address."""
    balance: Decimal
    """USD."""
    pending_balance: Decimal
    """Pending withdrawals, in USD."""
    fee_level: int
    """Fee tier of the owner."""
    created_at: int
    """Milliseconds."""


class ListSubaccountsReply(TypedDict):
    subaccounts: List[ListSubaccountsReplySubaccounts]
    """Subaccounts of the account."""


class TransferFundsReply(TypedDict):
    success: Literal[True]
    """It was carried out."""
    error: None
    """Nothing went wrong."""


class BindAgentWalletPolicy(TypedDict, total=False):
    """Limits of the key; an absent field sets no limit."""

    symbols: Optional[Sequence[str]]
    """Markets in which the key may trade (default: all)."""
    post_only: Optional[bool]
    """Only orders that never take."""
    reduce_only: Optional[bool]
    """Nothing that is not reduce-only."""
    max_slippage_percent: Optional[DecimalLike]
    """Maximum distance in percent: of a bid above the mark, of an ask below it."""
    max_order_value: Optional[DecimalLike]
    """USD of one order."""
    max_position_value: Optional[DecimalLike]
    """Maximum value of a position with its orders, in USD."""
    max_daily_loss: Optional[DecimalLike]
    """Loss in USD, from the highest equity of the UTC day, after which the key may only reduce
    positions.
    """
    expires_at: Optional[int]
    """The key expires at this time."""
    allow: Optional[Sequence[Literal["margin", "api_keys"]]]
    """Rights in addition to trading: change margin, manage API keys."""


class SetAgentPolicyPolicy(TypedDict, total=False):
    """Limits of the key; an absent field sets no limit."""

    symbols: Optional[Sequence[str]]
    """Markets in which the key may trade (default: all)."""
    post_only: Optional[bool]
    """Only orders that never take."""
    reduce_only: Optional[bool]
    """Nothing that is not reduce-only."""
    max_slippage_percent: Optional[DecimalLike]
    """Maximum distance in percent: of a bid above the mark, of an ask below it."""
    max_order_value: Optional[DecimalLike]
    """USD of one order."""
    max_position_value: Optional[DecimalLike]
    """Maximum value of a position with its orders, in USD."""
    max_daily_loss: Optional[DecimalLike]
    """Loss in USD, from the highest equity of the UTC day, after which the key may only reduce
    positions.
    """
    expires_at: Optional[int]
    """The key expires at this time."""
    allow: Optional[Sequence[Literal["margin", "api_keys"]]]
    """Rights in addition to trading: change margin, manage API keys."""


class ListAgentWalletsReplyAgentsPolicy(TypedDict):
    symbols: Optional[List[str]]
    """Null: all."""
    post_only: bool
    """Only orders that never take."""
    reduce_only: bool
    """Nothing that is not reduce-only."""
    max_slippage_percent: Optional[Decimal]
    """How far from the mark."""
    max_order_value: Optional[Decimal]
    """USD."""
    max_position_value: Optional[Decimal]
    """USD."""
    max_daily_loss: Optional[Decimal]
    """USD."""
    expires_at: Optional[int]
    """Milliseconds."""
    allow: List[Literal["margin", "api_keys"]]
    """Permissions in addition to trading."""


class ListAgentWalletsReplyAgents(TypedDict):
    agent_wallet: str
    """Address of the agent key."""
    policy: Optional[ListAgentWalletsReplyAgentsPolicy]
    """Policy of the key; null if it has none."""
    ips: Optional[List[str]]
    """IP addresses from which the key may be used; null if any."""
    day_loss: Decimal
    """Loss in USD from the highest equity of this UTC day, as counted by the policy."""
    expired: bool
    """Whether the policy has expired, so that the key is rejected."""


class ListAgentWalletsReply(TypedDict):
    agent_wallets: List[str]
    """Addresses of bound agents."""
    agents: List[ListAgentWalletsReplyAgents]
    """The same agents, with their policies."""


class ListAgentIpWhitelistReply(TypedDict):
    ips: List[str]
    """Addresses the agent may be used from."""
    enabled: bool
    """Whether the list is in force."""


class CreateApiKeyReplyData(TypedDict):
    """What was created."""

    api_key: str
    """The key; the list shows it again."""


class CreateApiKeyReply(TypedDict):
    data: CreateApiKeyReplyData
    """What was created."""


class ListApiKeysReplyKeys(TypedDict):
    prefix: str
    """First eight characters."""
    created_at: int
    """Milliseconds."""
    last_used_at: Optional[int]
    """Time in milliseconds; null if not used since the exchange started."""
    credits: int
    """Credits per 60 s window."""


class ListApiKeysReply(TypedDict):
    active_api_keys: List[str]
    """Complete keys; a key made before the current secret of the exchange is in `keys` only."""
    api_key_limit: int
    """How many keys an account may hold."""
    keys: List[ListApiKeysReplyKeys]
    """The same keys, with details."""


class GetStatusReplyMarkets(TypedDict):
    symbol: str
    status: str
    """The strictest that applies, as market_status has it."""
    feed: str
    """Status of its prices, regardless of the mode."""
    price_age_ms: int
    """Age of its newest price at the time `at`."""


class GetStatusReplyIncidentsUpdates(TypedDict):
    at: int
    """When, in ms."""
    text: str


class GetStatusReplyIncidents(TypedDict):
    id: str
    title: str
    text: str
    """Text of the announcement."""
    impact: Literal["notice", "degraded", "outage"]
    """Impact on trading."""
    markets: List[str]
    """Affected markets; empty: all."""
    announced_at: int
    """Since when, in ms."""
    updates: List[GetStatusReplyIncidentsUpdates]
    """Updates, oldest first; the last one resolves it."""
    resolved_at: Optional[int]
    """Null: it goes on."""


class GetStatusReply(TypedDict):
    status: Literal["operational", "degraded", "closed"]
    """operational: every market is live, and only notices are announced; closed: no market accepts
    orders.
    """
    closed: Optional[str]
    """Why no orders are accepted; null if they are."""
    mode: str
    """Of the whole exchange."""
    at: int
    """True as of, in ms."""
    markets: List[GetStatusReplyMarkets]
    """But for those that are settled."""
    incidents: List[GetStatusReplyIncidents]
    """Open incidents, then resolved ones, newest first."""
