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
    """Whether the position has isolated margin."""
    margin: Decimal
    """Isolated position: its margin, with settled funding and fees. Cross position: unrealised profit
    minus the funding and fees paid. Both may be negative.
    """
    side: Literal["bid", "ask"]
    """bid is long, ask is short."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    updatedAt: str
    """Time of the last change, ISO 8601 UTC with microseconds."""


class GetPositionHistoryRow(TypedDict):
    amount: Decimal
    """Size of the event."""
    counterParty: str
    """Address of the other account."""
    createdAt: str
    """Time of the event, ISO 8601 UTC with microseconds."""
    entryPrice: Decimal
    """For an opening: average entry price of the position afterwards. For a closing: that of the
    closed part.
    """
    eventType: Literal["open_long", "open_short", "close_long", "close_short", "force_close_long", "force_close_short"]
    """Effect on the position; force_* is a liquidation, a takeover or a deleveraging."""
    fee: Decimal
    """Fee charged; negative is a rebate."""
    historyId: int
    """History id; increases over all accounts."""
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
    """Tick size: all prices are multiples of it."""
    min_tick: Decimal
    """Lowest price accepted."""
    max_tick: Decimal
    """Highest price accepted."""
    lot_size: Decimal
    """Lot size: all order sizes are multiples of it."""
    max_leverage: int
    """Maximum leverage when opening positions."""
    isolated_only: bool
    """Whether positions in this market are always isolated."""
    min_order_size: Decimal
    """Minimum order size in USD."""
    max_order_size: Decimal
    """Maximum order size in USD."""
    funding_rate: Decimal
    """Funding rate paid in the past epoch (one hour)."""
    next_funding_rate: Decimal
    """Estimated funding rate of the next epoch (one hour)."""
    created_at: int
    """Time at which the market was listed, milliseconds."""
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
    """Engine time of the data."""


class GetFeesRow(TypedDict):
    level: int
    """Fee level, 0 is the lowest."""
    maker_fee_rate: Decimal
    """Maker fee as a fraction of the value; negative is a rebate."""
    taker_fee_rate: Decimal
    """Taker fee as a fraction of the value."""


class GetRiskReplyMarketsSourcesApart(TypedDict):
    lowest: Decimal
    """Lowest price in use."""
    highest: Decimal
    """Highest price in use."""
    percent: Decimal
    """Distance between the two, in percent of the lowest."""
    has_price: bool
    """Whether the sources still yield a combined price; two sources that disagree do not."""


class GetRiskReplyMarketsGuardedPrice(TypedDict):
    """Price at which a position backs orders, withdrawals and transfers: the worst for its owner of up
    to three prices. They are the mark; the newest price, while the mark is catching up with it; and
    a price as far from the mark as the average price at which impact_notional could be bought (for
    a long) or sold (for a short) was within the last minute or two.
    """

    long: Decimal
    """For a long: the lowest of these prices."""
    short: Decimal
    """For a short: the highest of these prices."""


class GetRiskReplyMarketsRiskTiers(TypedDict):
    from_value: Decimal
    """Notional in USD from which the tier applies."""
    max_leverage: int
    """Maximum leverage of the part above from_value."""
    maintenance_fraction: Decimal
    """Maintenance margin of the part above from_value, as a fraction."""
    initial_fraction: Decimal
    """Current initial margin of the part above from_value at max_leverage, as a fraction."""


class GetRiskReplyMarketsKeptTiersTiers(TypedDict):
    from_value: Decimal
    """Notional in USD from which the tier applies."""
    max_leverage: int
    """Maximum leverage of the part above from_value."""
    maintenance_fraction: Decimal
    """Maintenance margin of the part above from_value, as a fraction."""


class GetRiskReplyMarketsKeptTiers(TypedDict):
    until: int
    """Time at which they expire, in ms."""
    tiers: List[GetRiskReplyMarketsKeptTiersTiers]
    """The tiers that were replaced."""


class GetRiskReplyMarketsPendingChangesChangeRiskTiers(TypedDict):
    from_value: Decimal
    """Notional in USD from which the tier applies; increasing from tier to tier."""
    max_leverage: int
    """Maximum leverage of the part above from_value; decreasing from tier to tier, below max_leverage
    of the market.
    """


class GetRiskReplyMarketsPendingChangesChange(TypedDict, total=False):
    """Parameters that change."""

    min_tick: Decimal
    """Lowest price; a change can only lower it."""
    max_tick: Decimal
    """Highest price, at least 100,000 ticks at the listing; a change can only raise it."""
    max_leverage: int
    """Maximum leverage."""
    min_order_size: Decimal
    """Minimum order size, in USD."""
    max_order_size: Decimal
    """Maximum order size, in USD."""
    band_near_percent: Decimal
    """Maximum distance of a limit price past the mark, in percent: a bid above it, an ask below."""
    band_far_percent: Decimal
    """Maximum distance of a limit price away from the mark, in percent: a bid below, an ask above.
    """
    speedbump_ms: int
    """Speed bump: delay of orders that may take, in ms."""
    open_interest_cap: Decimal
    """Maximum open interest, in base units."""
    owner_interest_max: Decimal
    """Maximum of the positions and open orders of one owner, in all its accounts, in base units
    (default: a quarter of open_interest_cap). If it is not below open_interest_cap, only the cap
    applies.
    """
    open_interest_lower: Decimal
    """Open interest in USD above which the initial margin grows. If both bounds are 0, it does not
    grow.
    """
    open_interest_upper: Decimal
    """Open interest in USD at which the initial margin is the full notional."""
    risk_tiers: List[GetRiskReplyMarketsPendingChangesChangeRiskTiers]
    """Tiers above the first, which is (0, max_leverage)."""
    impact_notional: Decimal
    """Order size in USD for which impact prices are computed."""
    funding_samples_min: int
    """Minimum premium samples in an hour, one every 5 seconds; with fewer, its funding rate is 0.
    """
    stale_after_ms: int
    """Maximum age of a price for orders to match; after that the market is stale."""
    observed_within_ms: int
    """Maximum age of an observed price that releases waiting orders."""
    min_sources: int
    """Minimum number of fresh sources for a price."""
    backstop_value_max: Decimal
    """Maximum position of the backstop, in USD."""
    backstop_daily_loss_max: Decimal
    """Maximum loss of the backstop in a UTC day, in USD."""
    liquidation_fee_part_percent: Decimal
    """Fee of a liquidated side, in percent of its maintenance fraction, 0 to 50."""
    liquidation_fee_max_percent: Decimal
    """Maximum of that fee, in percent of the value, 0 to 25."""
    liquidation_concession_percent: Decimal
    """Part of its maintenance margin that a liquidation may cost a position, in percent, 0 to 100:
    distance of a step from the mark, and margin included in a takeover.
    """
    liquidation_dry_max: int
    """Steps in a row without a fill before the backstop takes over."""
    liquidation_step_max: Decimal
    """Maximum USD that one step closes, or a fifth of the position if that is more."""


class GetRiskReplyMarketsPendingChanges(TypedDict):
    change_id: int
    """Number of the change in this market."""
    effective_at: int
    """Time at which the change takes effect, in ms."""
    change: GetRiskReplyMarketsPendingChangesChange
    """Parameters that change."""


class GetRiskReplyMarketsMaintenanceTiers(TypedDict):
    from_notional: Decimal
    """Notional in USD from which the tier applies."""
    maintenance_fraction: Decimal
    """Maintenance margin = fraction × notional − deduction."""
    deduction: Decimal
    """Deduction in USD, which makes the margin continuous between tiers."""


class GetRiskReplyMarketsBand(TypedDict):
    """Range of valid limit prices."""

    near: Decimal
    """A bid at most this fraction above the mark, an ask below."""
    far: Decimal
    """A bid at most this fraction below the mark, an ask above."""


class GetRiskReplyMarketsOwnerLimit(TypedDict):
    limit: Decimal
    """Limit of this owner: that of the market, or one that the operator set for the owner."""
    used: Decimal
    """Maximum position that the positions and open orders of all its accounts could reach."""
    left: Decimal
    """Remaining size under this limit; open_interest_cap applies to all accounts and may be lower.
    """


class GetRiskReplyMarketsOpenInterestScaling(TypedDict):
    """How the initial margin grows with open interest."""

    lower: Decimal
    """Open interest in USD above which the initial margin grows."""
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
    """Status of the price feed alone; while it is stale, nothing matches."""
    price_age_ms: int
    """Age of the newest price."""
    sources_apart: Optional[GetRiskReplyMarketsSourcesApart]
    """Set if prices of the sources differ by more than 1 %; otherwise null."""
    guarded_price: GetRiskReplyMarketsGuardedPrice
    """Price at which a position backs orders, withdrawals and transfers: the worst for its owner of up
    to three prices. They are the mark; the newest price, while the mark is catching up with it; and
    a price as far from the mark as the average price at which impact_notional could be bought (for
    a long) or sold (for a short) was within the last minute or two.
    """
    stale_after_ms: int
    """Maximum age of a price for orders to match; after that the market is stale."""
    observed_within_ms: int
    """Maximum age of an observed price that releases waiting orders."""
    min_sources: int
    """Minimum number of fresh sources for a price."""
    max_leverage: int
    """Maximum leverage."""
    risk_tiers: List[GetRiskReplyMarketsRiskTiers]
    """Tiers by position value; larger positions have less leverage."""
    kept_tiers: List[GetRiskReplyMarketsKeptTiers]
    """Tiers that an immediate change replaced. Until they expire, maintenance is the minimum of
    risk_tiers and all of these, and so is funding_rate_clamp.
    """
    pending_changes: List[GetRiskReplyMarketsPendingChanges]
    """Announced changes, in the order of announcement. A change that may raise a margin requirement is
    announced a day ahead. The operator may cancel it.
    """
    maintenance_tiers: List[GetRiskReplyMarketsMaintenanceTiers]
    """Maintenance tiers in force, ascending by from_notional. At each notional it is the tier of
    risk_tiers or kept_tiers that requires less.
    """
    band: GetRiskReplyMarketsBand
    """Range of valid limit prices."""
    stop_slippage_percent: Decimal
    """Default slippage of the order that a market stop places, in percent of the mark."""
    speedbump_ms: int
    """Speed bump: delay of orders that may take, in ms."""
    open_interest: Decimal
    """Open interest in the base asset."""
    open_interest_cap: Decimal
    """Maximum open interest; fills that would exceed it are refused."""
    owner_interest_cap: Decimal
    """Maximum of the positions and open orders of one owner, in the base asset."""
    owner_limit: Optional[GetRiskReplyMarketsOwnerLimit]
    """Limit of the owner of `account` (its main account with all subaccounts), in the base asset; null
    without `account`.
    """
    open_interest_scaling: GetRiskReplyMarketsOpenInterestScaling
    """How the initial margin grows with open interest."""
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
    """Insurance fund, which pays losses that liquidated accounts cannot."""

    address: str
    """Account address."""
    balance: Decimal
    """Balance in USD."""


class GetRiskReplyFees(TypedDict):
    """Fee account, which receives trading fees."""

    address: str
    """Account address."""
    balance: Decimal
    """Balance in USD."""


class GetRiskReplyDeficit(TypedDict):
    """Deficit: uncovered debts; zero or negative."""

    address: str
    """Account address."""
    balance: Decimal
    """Balance in USD."""


class GetRiskReplyLimits(TypedDict):
    """Limits of the exchange."""

    orders_per_account: int
    """Maximum of open orders, waiting orders, stops and levels together."""
    stops_per_account: int
    """Maximum number of stops in all markets, without TP/SL levels."""
    levels_per_kind: int
    """Maximum number of take-profits, and of stop-losses, per position or order."""
    trailing_per_account: int
    """Maximum number of trailing stops and levels."""
    trailing_percent_min: Decimal
    """Minimum trailing_percent."""
    trailing_percent_max: Decimal
    """Maximum trailing_percent."""
    price_levels_per_side: int
    """Maximum number of prices with orders on one side of a book."""
    twaps_per_symbol: int
    """Maximum number of running TWAP orders of an account in a market."""
    algos_per_symbol: int
    """Maximum number of running chases of an account in a market, and of icebergs."""
    algo_refusals: int
    """Number of consecutive refusals after which an algo ends."""
    steps_per_command: int
    """Maximum number of algo steps that one command runs."""
    chases_per_owner: int
    """Maximum number of running chases of an owner, in all accounts and markets."""
    chase_step_ms: int
    """Time between two steps of a chase."""
    chase_ms_max: int
    """Maximum and default duration of a chase."""
    chase_look: int
    """Maximum number of orders of a side that a chase checks for the best price."""
    fee_level_volumes: List[Decimal]
    """Volumes from which the fee levels apply, level 0 first."""
    iceberg_parts: int
    """Maximum number of parts of an iceberg."""
    iceberg_retry_ms: int
    """Time that an iceberg waits after a refused part."""
    twap_seconds_min: int
    """Minimum duration of a TWAP order."""
    twap_seconds_max: int
    """Maximum duration of a TWAP order."""
    mmp_orders: int
    """Maximum number of open orders with mmp of an account in a market."""
    mmp_ms_min: int
    """Minimum window of maker protection."""
    mmp_ms_max: int
    """Maximum window or freeze of maker protection."""
    batch_actions: int
    """Maximum number of actions in a batch with one signature."""
    batch_actions_each_signed: int
    """Maximum number of actions in a batch in which each action is signed."""
    subaccounts_per_account: int
    """Maximum number of subaccounts."""
    agents_per_account: int
    """Maximum number of agent wallets."""
    ips_per_agent: int
    """Maximum number of addresses on the allow-list of an agent."""
    symbols_per_policy: int
    """Maximum number of markets in the policy of an agent."""
    armed_connections_per_account: int
    """Maximum number of connections that an account's own key may arm with cancel_on_disconnect."""
    armed_connections_per_agent: int
    """Maximum number of connections that one agent may arm with cancel_on_disconnect."""
    api_keys_per_account: int
    """Maximum number of API keys."""
    signed_texts_per_account: int
    """Maximum number of unexpired signed texts of an account's own key."""
    signed_texts_per_agent: int
    """Maximum number of unexpired signed texts of one agent."""
    signed_texts_reserved: int
    """Number in addition to each of the two, for cancels and revocations only."""
    untimed_texts_per_position: int
    """Maximum number of signed texts without a timestamp of an account's own key, per position."""
    untimed_texts_per_agent: int
    """Maximum number of signed texts without a timestamp of one agent, per position."""
    slippage_percent_max: Decimal
    """Maximum slippage_percent."""
    schedule_cancel_ahead_ms: int
    """Minimum time from now to a scheduled cancel."""
    expire_ahead_ms: int
    """Minimum time from now to the expire_time of an order."""
    expiries_per_command: int
    """Maximum number of expired orders that one command removes."""
    exposure_max: Decimal
    """Maximum value of an account's positions and open orders at max_tick, in USD."""
    withdrawal_min: Decimal
    """Minimum withdrawal, in USD."""
    withdrawal_daily_max: Decimal
    """Maximum withdrawals of an account in a UTC day, in USD."""
    withdrawals_pending: int
    """Maximum number of pending withdrawals of an account."""
    requirement_notice_ms: int
    """Notice given before a margin requirement is raised."""
    immediate_notice_ms: int
    """Notice given before an immediate change raises the maintenance margin."""
    stale_after_ms: int
    """Default age of the newest price at which a market becomes stale."""
    cancel_only_after_ms: int
    """Age of the newest price at which a market becomes cancel-only."""


class GetRiskReply(TypedDict):
    markets: List[GetRiskReplyMarkets]
    """Oldest first."""
    insurance: GetRiskReplyInsurance
    """Insurance fund, which pays losses that liquidated accounts cannot."""
    fees: GetRiskReplyFees
    """Fee account, which receives trading fees."""
    deficit: GetRiskReplyDeficit
    """Deficit: uncovered debts; zero or negative."""
    limits: GetRiskReplyLimits
    """Limits of the exchange."""


class GetReservesReply(TypedDict):
    seq: int
    """Journal entry at which the proof was made."""
    at: int
    """Time of that entry, milliseconds."""
    root: str
    """Root of the tree, hexadecimal."""
    liabilities: Decimal
    """Total liabilities to accounts in USD: the sum at the root."""
    accounts: int
    """Number of leaves of the tree."""
    own: Decimal
    """Part of the liabilities that belongs to the exchange itself, in USD: fees, insurance fund,
    backstops.
    """
    debts: Decimal
    """Debts of accounts in USD; they are not subtracted from the balances of others."""
    funding: Decimal
    """Funding in USD that remains because of rounding."""
    total: Decimal
    """All deposits less all completed withdrawals, in USD: liabilities - debts + funding."""


class GetVenueReply(TypedDict):
    venue: str
    """Id of this exchange. A signed text that names it is accepted by this exchange only."""
    sandbox: bool
    """Whether the exchange is a sandbox, which uses test money."""
    required: bool
    """Whether signed texts without a venue are rejected."""


class GetTimeReply(TypedDict):
    now: int
    """Time of the machine, which signatures and rate limits use."""
    engine_now: int
    """Time of the exchange, which orders, funding and history use."""


class GetCheckpointsReplyCheckpoints(TypedDict):
    first_seq: int
    """First journal entry that the checkpoint covers."""
    seq: int
    """Last journal entry that the checkpoint covers."""
    before: str
    """Seal of the journal before first_seq, hexadecimal."""
    seal: str
    """Seal of the journal at seq: a hash over all history up to there, hexadecimal."""
    frames: int
    """Number of frames that the checkpoint covers."""
    root: str
    """Root of the tree of these frames, hexadecimal."""
    time: int
    """Time at which the checkpoint was made, by the clock of the machine."""
    state_seq: Optional[int]
    """Entry of the state whose hash follows; null if none is available."""
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
    """First journal entry that the checkpoint covers."""
    seq: int
    """Last journal entry that the checkpoint covers."""
    before: str
    """Seal of the journal before first_seq, hexadecimal."""
    seal: str
    """Seal of the journal at seq: a hash over all history up to there, hexadecimal."""
    frames: int
    """Number of frames that the checkpoint covers."""
    root: str
    """Root of the tree of these frames, hexadecimal."""
    time: int
    """Time at which the checkpoint was made, by the clock of the machine."""
    state_seq: Optional[int]
    """Entry of the state whose hash follows; null if none is available."""
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
    """Root of the tree of the frame's commands, hexadecimal."""
    public_key: str
    """Public key of the exchange, hexadecimal."""
    signature: str
    """Ed25519 signature by public_key, hexadecimal."""


class GetReceiptReplyInclusionCheckpoint(TypedDict):
    first_seq: int
    """First journal entry that the checkpoint covers."""
    seq: int
    """Last journal entry that the checkpoint covers."""
    before: str
    """Seal of the journal before first_seq, hexadecimal."""
    seal: str
    """Seal of the journal at seq: a hash over all history up to there, hexadecimal."""
    frames: int
    """Number of frames that the checkpoint covers."""
    root: str
    """Root of the tree of these frames, hexadecimal."""
    time: int
    """Time at which the checkpoint was made, by the clock of the machine."""
    state_seq: Optional[int]
    """Entry of the state whose hash follows; null if none is available."""
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
    """The command as recorded in the journal, hexadecimal."""
    salt: str
    """Salt of the leaf, shown to the owner only, hexadecimal."""
    path: List[str]
    """Siblings from the command up to the root."""
    frame: GetReceiptReplyFrame
    inclusion: Optional[GetReceiptReplyInclusion]
    """Proof of the frame in a checkpoint; null if only the next checkpoint will cover it."""


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
    """Event from the perspective of the taker."""
    price: Decimal
    """Price."""
    amount: Decimal
    """Size."""
    side: Literal["open_long", "open_short", "close_long", "close_short"]
    """Effect on the position: opened or closed a long or a short."""
    cause: Literal["normal", "market_liquidation", "backstop_liquidation", "deleverage", "settlement"]
    """Cause of the trade."""
    created_at: int
    """Time of the event."""


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
    """Start of the interval."""
    T: int
    """End of the interval, and start of the next one."""
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
    """Number of trades; 0 for mark prices."""


class GetMarkCandlesRow(TypedDict):
    t: int
    """Start of the interval."""
    T: int
    """End of the interval, and start of the next one."""
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
    """Number of trades; 0 for mark prices."""


class GetFundingRatesReplyRows(TypedDict):
    oracle_price: Decimal
    """Index price at which funding was paid."""
    bid_impact_price: Optional[Decimal]
    """Average price of selling the impact notional into the last sampled book; null if the book is too
    thin.
    """
    ask_impact_price: Optional[Decimal]
    """Average price of buying it; null if the book is too thin."""
    funding_rate: Decimal
    """Rate of the hour; if positive, longs pay shorts."""
    next_funding_rate: Decimal
    """Rate of the next hour; the newest row has the current estimate."""
    created_at: int
    """Time at which the rate was fixed."""


class GetFundingRatesReply(TypedDict):
    rows: List[GetFundingRatesReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetOpenInterestHistoryReplyRows(TypedDict):
    start_time: int
    """Start of the interval."""
    end_time: int
    """End of the interval; the newest interval has not ended, and has current values."""
    open_interest: Decimal
    """Open interest in the base asset at the end of the interval."""
    open_interest_value: Decimal
    """Open interest in USD, at the mark price of that time."""


class GetOpenInterestHistoryReply(TypedDict):
    rows: List[GetOpenInterestHistoryReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetIndexPriceHistoryReplyRows(TypedDict):
    start_time: int
    """Start of the interval."""
    end_time: int
    """End of the interval; the newest interval has not ended, and has current values."""
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
    """History id of the record, the same as over the websocket."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    side: Literal["force_close_long", "force_close_short"]
    """Whether a long or a short was closed."""
    amount: Decimal
    """Size in the base asset."""
    price: Decimal
    """Price."""
    cause: Literal["market_liquidation", "backstop_liquidation", "deleverage"]
    """How the position was closed: in the market, by a takeover of the backstop, or by deleveraging.
    """
    created_at: int
    """Time of the event."""


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
    """Number of open positions."""
    orders_count: int
    """Number of open orders, including those not yet released to the book."""
    stop_orders_count: int
    """Number of stops, take-profit and stop-loss levels."""
    spot_balances: List[Dict[str, Any]]
    """Always empty: there are only perpetuals and USD."""
    spot_collateral: Literal["0"]
    """Always 0: there are no spot balances."""
    spot_market_value: Literal["0"]
    """Always 0: there are no spot balances."""
    pending_interest: Literal["0"]
    """Always 0: there is no lending."""
    use_ltp_for_stop_orders: Literal[False]
    """Always false: without trigger_price_type, stops are triggered by the mark price."""
    updated_at: int
    """Engine time of the data."""


class _GetAccountSettingsRow(TypedDict, total=False):
    leverage_set: bool
    """With `chosen`: whether the account has set its leverage."""


class GetAccountSettingsRow(_GetAccountSettingsRow):
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    isolated: bool
    """Whether new positions have isolated margin."""
    leverage: int
    """Leverage in force."""
    created_at: int
    """Time at which this setting was made."""
    updated_at: int
    """Time at which this setting was made."""


class GetMmpRow(TypedDict):
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    window_ms: int
    """Time window of the counts, in milliseconds."""
    frozen_ms: int
    """Time after a trip during which orders with mmp are rejected; 0 for until a reset."""
    max_amount: Optional[Decimal]
    """Limit on the size filled as maker, bought and sold together; reaching it trips the protection.
    """
    max_net_amount: Optional[Decimal]
    """Limit on the difference between size bought and sold as maker; reaching it trips the protection.
    """
    frozen_until: Optional[int]
    """Time until which orders with mmp are refused; 0 for until a reset; null if not frozen."""


class GetTradeHistoryReplyRows(TypedDict):
    history_id: int
    """History id; increases over all accounts."""
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
    """Entry price, as in the history of positions."""
    fee: Decimal
    """Fee charged; negative is a rebate."""
    pnl: Decimal
    """Profit, net of the fee."""
    event_type: Literal["fulfill_taker", "fulfill_maker"]
    """Role of the account."""
    side: Literal["open_long", "open_short", "close_long", "close_short"]
    """Effect on the position: opened or closed a long or a short."""
    cause: Literal["normal", "market_liquidation", "backstop_liquidation", "deleverage", "settlement"]
    """Cause of the trade."""
    created_at: int
    """Time of the event."""


class GetTradeHistoryReply(TypedDict):
    rows: List[GetTradeHistoryReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetFundingHistoryReplyRows(TypedDict):
    history_id: int
    """Id of the payment; increases over all accounts."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    side: Literal["bid", "ask"]
    """Side of the position: bid is long, ask is short."""
    amount: Decimal
    """Size of the position."""
    payout: Decimal
    """USD that the account received; negative if it paid."""
    rate: Decimal
    """Funding rate of the hour."""
    created_at: int
    """Time of the settlement."""


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
    """Time of the event."""


class GetBalanceHistoryReply(TypedDict):
    rows: List[GetBalanceHistoryReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class GetPortfolioRow(TypedDict):
    account_equity: Decimal
    """Balance, isolated margin and unrealised profit at mark."""
    pnl: Decimal
    """Equity less net deposits: profit since the account was opened."""
    timestamp: int
    """Time of the data."""


class GetOpenOrdersReplyRowsTrailing(TypedDict):
    """For a trailing stop; its stop_price is the current trigger price."""

    trailing_percent: Optional[Decimal]
    """Distance from the best mark price in percent; null if trailing_distance is set."""
    trailing_distance: Optional[Decimal]
    """Distance from the best mark, as a price; null if trailing_percent is set."""
    activation_price: Optional[Decimal]
    """Mark price at which the stop becomes active; null if it was active immediately."""
    extreme_price: Optional[Decimal]
    """Best mark price since activation; null if not active yet, or if the stop ended without firing.
    """


class GetOpenOrdersReplyRowsQueue(TypedDict):
    ahead: Decimal
    """Size at the same price that executes before this order."""
    behind: Decimal
    """Size at the same price that executes after this order."""
    orders_ahead: int
    """Number of orders ahead of this order."""


class _GetOpenOrdersReplyRows(TypedDict, total=False):
    trailing: GetOpenOrdersReplyRowsTrailing
    """For a trailing stop; its stop_price is the current trigger price."""
    slippage_percent: Decimal
    """Maximum slippage of the placed order from the mark, in percent (default: that of the market).
    """
    expire_time: int
    """Expiry time; absent if the order does not expire."""
    mmp: bool
    """True if the order is cancelled when the account's maker protection trips."""
    oco_order_id: int
    """The other leg of an OCO: when one executes, the other is cancelled."""
    parent_order_id: int
    """Stop that the level is attached to, or TWAP, chase or iceberg that placed the order."""
    trigger_direction: Literal["gte", "lte"]
    """Fires at or above (gte) or at or below (lte) stop_price (default: by the side)."""
    triggered: bool
    """True if a reduce-only market stop fired and this order is retried at each new price, until the
    position is closed or expire_time is reached.
    """
    queue: Optional[GetOpenOrdersReplyRowsQueue]
    """Place in the queue of its price. It is null if more than 100,000 orders would have to be
    counted, and absent if the order is not in the book or the reader is not its owner.
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
    """Kind of order. take_profit is a level of a position, or a reduce-only stop that triggers in the
    opposite direction from the default of its side.
    """
    stop_parent_order_id: Optional[int]
    """For a TP/SL level: the order it is attached to. For an order placed by a stop: that stop."""
    reduce_only: bool
    """The order may only reduce the position."""
    created_at: int
    """Time of placement."""
    updated_at: int
    """Time of the last change."""


class GetOpenOrdersReply(TypedDict):
    rows: List[GetOpenOrdersReplyRows]
    last_order_id: int
    """Engine sequence number at which the list was true; `li` of the websocket."""


class GetOrderHistoryReplyRowsTrailing(TypedDict):
    """For a trailing stop; its stop_price is the current trigger price."""

    trailing_percent: Optional[Decimal]
    """Distance from the best mark price in percent; null if trailing_distance is set."""
    trailing_distance: Optional[Decimal]
    """Distance from the best mark, as a price; null if trailing_percent is set."""
    activation_price: Optional[Decimal]
    """Mark price at which the stop becomes active; null if it was active immediately."""
    extreme_price: Optional[Decimal]
    """Best mark price since activation; null if not active yet, or if the stop ended without firing.
    """


class _GetOrderHistoryReplyRows(TypedDict, total=False):
    trailing: GetOrderHistoryReplyRowsTrailing
    """For a trailing stop; its stop_price is the current trigger price."""
    expire_time: int
    """Expiry time; absent if the order does not expire."""
    mmp: bool
    """True if the order is cancelled when the account's maker protection trips."""
    oco_order_id: int
    """The other leg of an OCO: when one executes, the other is cancelled."""
    parent_order_id: int
    """Stop that the level is attached to, or TWAP, chase or iceberg that placed the order."""
    trigger_direction: Literal["gte", "lte"]
    """Fires at or above (gte) or at or below (lte) stop_price (default: by the side)."""
    triggered: bool
    """True if a reduce-only market stop fired and this order is retried at each new price, until the
    position is closed or expire_time is reached.
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
    """Price at placement."""
    price: Decimal
    """Limit price; the worst price for a market order; 0 for a stop-market order."""
    amount: Decimal
    """The same as initial_amount."""
    initial_amount: Decimal
    """Original size; for a stop without one, the size of the position, now or when it ended."""
    filled_amount: Decimal
    """Size filled so far; 0 for a stop, which does not trade itself."""
    cancelled_amount: Decimal
    """Size cancelled so far."""
    average_filled_price: Optional[Decimal]
    """Average price of its fills; null if none."""
    order_status: Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
    """Current status. A stop or level is filled when it fired; its trades are those of the order that
    has its id in stop_parent_order_id.
    """
    stop_price: Optional[Decimal]
    """Trigger price; null if not a stop with a fixed price."""
    order_type: Literal["limit", "market", "stop_limit", "stop_market", "take_profit_limit", "take_profit_market", "stop_loss_limit", "stop_loss_market"]
    """Kind of order. take_profit is a level of a position, or a reduce-only stop that triggers in the
    opposite direction from the default of its side.
    """
    stop_parent_order_id: Optional[int]
    """For a TP/SL level: the order it is attached to. For an order placed by a stop: that stop."""
    reduce_only: bool
    """The order may only reduce the position."""
    reason: Optional[str]
    """Reason why the order ended unfilled; null if it did not."""
    created_at: int
    """Time of placement."""
    updated_at: int
    """Time of the last change."""


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
    """Current status. A stop or level is filled when it fired; its trades are those of the order that
    has its id in stop_parent_order_id.
    """
    stop_price: Optional[Decimal]
    """Trigger price; null if not a stop with a fixed price."""
    order_type: Literal["limit", "market", "stop_limit", "stop_market", "take_profit_limit", "take_profit_market", "stop_loss_limit", "stop_loss_market"]
    """Kind of order. take_profit is a level of a position, or a reduce-only stop that triggers in the
    opposite direction from the default of its side.
    """
    stop_parent_order_id: Optional[int]
    """For a TP/SL level: the order it is attached to. For an order placed by a stop: that stop."""
    reduce_only: bool
    """The order may only reduce the position."""
    created_at: int
    """Time of the event."""


class GetTwapOrdersRow(TypedDict):
    order_id: int
    """Order id given by the exchange."""
    client_order_id: Optional[str]
    """Your own id of the order, if it has one."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    initial_amount: Decimal
    """Total size."""
    filled_amount: Decimal
    """Size filled so far."""
    reduce_only: bool
    """The order may only reduce the position."""
    slippage_percent: Decimal
    """Maximum distance of the worst price of a slice from the mark, in percent."""
    planned_sub_order_amount: Decimal
    """Size of a slice; rounding remainders are added to later ones."""
    planned_sub_order_count: int
    """Total number of slices."""
    past_sub_order_count: int
    """Number of slices that are over."""
    total_filled_value: Decimal
    """USD value of the fills."""
    expiration: int
    """Time at which the last slice is due."""
    created_at: int
    """Time of placement."""
    updated_at: int
    """Time of the last change."""


class GetTwapHistoryReplyRows(TypedDict):
    order_id: int
    """Order id given by the exchange."""
    client_order_id: Optional[str]
    """Your own id of the order, if it has one."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    initial_amount: Decimal
    """Total size."""
    filled_amount: Decimal
    """Size filled so far."""
    reduce_only: bool
    """The order may only reduce the position."""
    slippage_percent: Decimal
    """Maximum distance of the worst price of a slice from the mark, in percent."""
    planned_sub_order_amount: Decimal
    """Size of a slice; rounding remainders are added to later ones."""
    planned_sub_order_count: int
    """Total number of slices."""
    past_sub_order_count: int
    """Number of slices that are over."""
    total_filled_value: Decimal
    """USD value of the fills."""
    expiration: int
    """Time at which the last slice is due."""
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
    """Your own id of the order, if it has one."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    initial_amount: Decimal
    """Total size."""
    filled_amount: Decimal
    """Size filled so far."""
    reduce_only: bool
    """The order may only reduce the position."""
    slippage_percent: Decimal
    """Maximum distance of the worst price of a slice from the mark, in percent."""
    planned_sub_order_amount: Decimal
    """Size of a slice; rounding remainders are added to later ones."""
    planned_sub_order_count: int
    """Total number of slices."""
    past_sub_order_count: int
    """Number of slices that are over."""
    total_filled_value: Decimal
    """USD value of the fills."""
    expiration: int
    """Time at which the last slice is due."""
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
    """Your own id of the order, if it has one."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    kind: Literal["iceberg", "chase"]
    """Kind of algo."""
    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    price: Decimal
    """Limit price of an iceberg; price limit of a chase."""
    initial_amount: Decimal
    """Total size."""
    display_amount: Optional[Decimal]
    """Visible size of an iceberg; null for a chase."""
    filled_amount: Decimal
    """Size filled so far."""
    total_filled_value: Decimal
    """USD value of the fills."""
    reduce_only: bool
    """The order may only reduce the position."""
    child_order_id: Optional[int]
    """Its order in the book; null if it has none now."""
    expire_time: Optional[int]
    """Expiry time."""
    created_at: int
    """Time of placement."""
    updated_at: int
    """Time of the last change."""


class GetAlgoHistoryReplyRows(TypedDict):
    order_id: int
    """Order id given by the exchange."""
    client_order_id: Optional[str]
    """Your own id of the order, if it has one."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    kind: Literal["iceberg", "chase"]
    """Kind of algo."""
    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    price: Decimal
    """Limit price of an iceberg; price limit of a chase."""
    initial_amount: Decimal
    """Total size."""
    display_amount: Optional[Decimal]
    """Visible size of an iceberg; null for a chase."""
    filled_amount: Decimal
    """Size filled so far."""
    total_filled_value: Decimal
    """USD value of the fills."""
    reduce_only: bool
    """The order may only reduce the position."""
    child_order_id: Optional[int]
    """Its order in the book; null if it has none now."""
    expire_time: Optional[int]
    """Expiry time."""
    created_at: int
    """Time of placement."""
    updated_at: int
    """Time of the last change."""
    order_status: Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
    """Current status; cancelled if it ended before it was filled."""
    reason: Optional[Literal["finished", "owner", "liquidation", "market_closed", "expired", "refused"]]
    """Reason why it ended before it was filled."""


class GetAlgoHistoryReply(TypedDict):
    rows: List[GetAlgoHistoryReplyRows]
    """Newest first."""
    next_cursor: Optional[str]
    """Cursor of the next page; null on the last one."""
    has_more: bool
    """Whether there is a next page."""


class ExplainOrderReplyHappened(TypedDict):
    seq: int
    """Sequence number in the history of the exchange."""
    time: str
    """Engine time."""
    what: str
    """Description of the event."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainOrderReplySteps(TypedDict):
    rule: str
    """Id of the rule."""
    document: str
    """Document with the rule."""
    formula: str
    """Formula in words."""
    inputs: Dict[str, str]
    """Inputs of the formula, by name."""
    result: str
    """Result, computed from the inputs."""
    recorded: str
    """Result recorded in history."""
    agrees: bool
    """Whether the computed and the recorded result are equal."""


class ExplainOrderReplyPending(TypedDict):
    what: str
    """Future event, and its condition."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainOrderReply(TypedDict):
    title: str
    """Name of the explained object."""
    facts: Dict[str, str]
    """Facts about the object, by name."""
    happened: List[ExplainOrderReplyHappened]
    """Events, oldest first."""
    steps: List[ExplainOrderReplySteps]
    """Calculation, step by step."""
    pending: List[ExplainOrderReplyPending]
    """Possible future events of an open order or position."""
    agrees: bool
    """Whether every step agrees with history."""


class ExplainFillReplyHappened(TypedDict):
    seq: int
    """Sequence number in the history of the exchange."""
    time: str
    """Engine time."""
    what: str
    """Description of the event."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainFillReplySteps(TypedDict):
    rule: str
    """Id of the rule."""
    document: str
    """Document with the rule."""
    formula: str
    """Formula in words."""
    inputs: Dict[str, str]
    """Inputs of the formula, by name."""
    result: str
    """Result, computed from the inputs."""
    recorded: str
    """Result recorded in history."""
    agrees: bool
    """Whether the computed and the recorded result are equal."""


class ExplainFillReplyPending(TypedDict):
    what: str
    """Future event, and its condition."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainFillReply(TypedDict):
    title: str
    """Name of the explained object."""
    facts: Dict[str, str]
    """Facts about the object, by name."""
    happened: List[ExplainFillReplyHappened]
    """Events, oldest first."""
    steps: List[ExplainFillReplySteps]
    """Calculation, step by step."""
    pending: List[ExplainFillReplyPending]
    """Possible future events of an open order or position."""
    agrees: bool
    """Whether every step agrees with history."""


class ExplainRefusalReplyHappened(TypedDict):
    seq: int
    """Sequence number in the history of the exchange."""
    time: str
    """Engine time."""
    what: str
    """Description of the event."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainRefusalReplySteps(TypedDict):
    rule: str
    """Id of the rule."""
    document: str
    """Document with the rule."""
    formula: str
    """Formula in words."""
    inputs: Dict[str, str]
    """Inputs of the formula, by name."""
    result: str
    """Result, computed from the inputs."""
    recorded: str
    """Result recorded in history."""
    agrees: bool
    """Whether the computed and the recorded result are equal."""


class ExplainRefusalReplyPending(TypedDict):
    what: str
    """Future event, and its condition."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainRefusalReply(TypedDict):
    title: str
    """Name of the explained object."""
    facts: Dict[str, str]
    """Facts about the object, by name."""
    happened: List[ExplainRefusalReplyHappened]
    """Events, oldest first."""
    steps: List[ExplainRefusalReplySteps]
    """Calculation, step by step."""
    pending: List[ExplainRefusalReplyPending]
    """Possible future events of an open order or position."""
    agrees: bool
    """Whether every step agrees with history."""


class ExplainLiquidationReplyHappened(TypedDict):
    seq: int
    """Sequence number in the history of the exchange."""
    time: str
    """Engine time."""
    what: str
    """Description of the event."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainLiquidationReplySteps(TypedDict):
    rule: str
    """Id of the rule."""
    document: str
    """Document with the rule."""
    formula: str
    """Formula in words."""
    inputs: Dict[str, str]
    """Inputs of the formula, by name."""
    result: str
    """Result, computed from the inputs."""
    recorded: str
    """Result recorded in history."""
    agrees: bool
    """Whether the computed and the recorded result are equal."""


class ExplainLiquidationReplyPending(TypedDict):
    what: str
    """Future event, and its condition."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainLiquidationReply(TypedDict):
    title: str
    """Name of the explained object."""
    facts: Dict[str, str]
    """Facts about the object, by name."""
    happened: List[ExplainLiquidationReplyHappened]
    """Events, oldest first."""
    steps: List[ExplainLiquidationReplySteps]
    """Calculation, step by step."""
    pending: List[ExplainLiquidationReplyPending]
    """Possible future events of an open order or position."""
    agrees: bool
    """Whether every step agrees with history."""


class ExplainFundingReplyHappened(TypedDict):
    seq: int
    """Sequence number in the history of the exchange."""
    time: str
    """Engine time."""
    what: str
    """Description of the event."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainFundingReplySteps(TypedDict):
    rule: str
    """Id of the rule."""
    document: str
    """Document with the rule."""
    formula: str
    """Formula in words."""
    inputs: Dict[str, str]
    """Inputs of the formula, by name."""
    result: str
    """Result, computed from the inputs."""
    recorded: str
    """Result recorded in history."""
    agrees: bool
    """Whether the computed and the recorded result are equal."""


class ExplainFundingReplyPending(TypedDict):
    what: str
    """Future event, and its condition."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainFundingReply(TypedDict):
    title: str
    """Name of the explained object."""
    facts: Dict[str, str]
    """Facts about the object, by name."""
    happened: List[ExplainFundingReplyHappened]
    """Events, oldest first."""
    steps: List[ExplainFundingReplySteps]
    """Calculation, step by step."""
    pending: List[ExplainFundingReplyPending]
    """Possible future events of an open order or position."""
    agrees: bool
    """Whether every step agrees with history."""


class ExplainPositionReplyHappened(TypedDict):
    seq: int
    """Sequence number in the history of the exchange."""
    time: str
    """Engine time."""
    what: str
    """Description of the event."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainPositionReplySteps(TypedDict):
    rule: str
    """Id of the rule."""
    document: str
    """Document with the rule."""
    formula: str
    """Formula in words."""
    inputs: Dict[str, str]
    """Inputs of the formula, by name."""
    result: str
    """Result, computed from the inputs."""
    recorded: str
    """Result recorded in history."""
    agrees: bool
    """Whether the computed and the recorded result are equal."""


class ExplainPositionReplyPending(TypedDict):
    what: str
    """Future event, and its condition."""
    rule: Optional[str]
    """Id of the rule, such as `ORDER-6`."""


class ExplainPositionReply(TypedDict):
    title: str
    """Name of the explained object."""
    facts: Dict[str, str]
    """Facts about the object, by name."""
    happened: List[ExplainPositionReplyHappened]
    """Events, oldest first."""
    steps: List[ExplainPositionReplySteps]
    """Calculation, step by step."""
    pending: List[ExplainPositionReplyPending]
    """Possible future events of an open order or position."""
    agrees: bool
    """Whether every step agrees with history."""


class GetLeaderboardRow(TypedDict):
    address: str
    """Account address."""
    username: None
    """Always null: accounts have no names."""
    pnl_1d: Decimal
    """Profit of the last 24 hours, with open positions at mark."""
    pnl_7d: Decimal
    """Profit of the last 7 days."""
    pnl_30d: Decimal
    """Profit of the last 30 days."""
    pnl_all_time: Decimal
    """Profit since the account was opened."""
    equity_current: Decimal
    """Current equity, in USD."""
    oi_current: Decimal
    """Value of the open positions at mark, in USD."""
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
    """null for all."""
    post_only: bool
    """Whether only orders that never take are allowed."""
    reduce_only: bool
    """Whether only reduce-only orders are allowed."""
    max_slippage_percent: Optional[Decimal]
    """Maximum distance from the mark, in percent."""
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
    """A stop-loss level, given by exactly one of stop_price, trailing_percent and trailing_distance.
    """

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
    """Trigger of the stop, given by exactly one of stop_price, trailing_percent and trailing_distance.
    """

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
    """The order may only reduce the position."""
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
    """A stop, given by exactly one of stop_price, trailing_percent and trailing_distance."""

    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    amount: DecimalLike
    """Size, a multiple of lot_size."""
    reduce_only: bool
    """The order may only reduce the position."""


class PreviewOrderReplyRiskTier(TypedDict):
    from_value: Decimal
    """Notional in USD from which the tier applies."""
    max_leverage: int
    """Maximum leverage of the part above from_value."""
    maintenance_fraction: Decimal
    """Maintenance margin of the part above from_value, as a fraction."""
    initial_fraction: Decimal
    """Current initial margin of the part above from_value at max_leverage, as a fraction."""


class _PreviewOrderReply(TypedDict, total=False):
    error: str
    """Reason why the order would be refused."""
    code: int
    """Engine code of the refusal."""
    rejected: str
    """Reason why the order would be accepted and then immediately rejected, without any fill."""


class PreviewOrderReply(_PreviewOrderReply):
    accepted: bool
    """Whether the order would be accepted now."""
    notional: Optional[Decimal]
    """Value in USD at the limit price, or at mark for a market order; null for a stop. This and the
    following values are for the resting order of an OCO, for the first part of an iceberg, and for
    a chase at the price nearest to its limit at which it would rest now.
    """
    fee: Optional[Decimal]
    """Fee in USD if the order fills: taker fee on the part that crosses now, maker fee on the rest.
    """
    margin: Optional[Decimal]
    """Margin in USD that the order uses when it is accepted."""
    position_after: Optional[Decimal]
    """Position after the order has filled; negative is short."""
    liquidation_price: Optional[Decimal]
    """Liquidation price of that position; null if no price liquidates it."""
    guarded_price: Optional[Decimal]
    """Price at which that position backs the account: the mark or a worse price (see guarded_price of
    GET /info/risk).
    """
    risk_tier: Optional[PreviewOrderReplyRiskTier]
    """Risk tier of position and open orders including this one, in the worst case."""
    max_amount: Optional[Decimal]
    """Maximum size that would be accepted now; null for a stop, an OCO or an algo."""


class _BatchOrdersReplyResults(TypedDict, total=False):
    order_status: Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
    """In a batch with one signature: current status of order_id. It is rejected for an action that ran
    without placing an order, because the order is post-only and would have taken.
    """
    waits: Literal[True]
    """In a batch with one signature: the action waits at the speed bump with the orders of the batch
    and has changed nothing yet. Histories and streams show its outcome, including a refusal.
    """
    cancelled_count: int
    """For CancelAll only: number of cancelled orders, stops and levels."""


class BatchOrdersReplyResults(_BatchOrdersReplyResults):
    success: bool
    """Whether this action ran."""
    order_id: Optional[int]
    """Id of the order that was placed or cancelled; null if none was."""
    client_order_id: Optional[str]
    """Your own id of the order; null if it has none."""
    symbol: Optional[str]
    """Market of the action; null for all markets."""
    error: Optional[str]
    """Reason of the refusal; null if the action was accepted."""


class BatchOrdersReply(TypedDict):
    results: List[BatchOrdersReplyResults]
    """One result per action, in order."""


class SandboxFaucetReply(TypedDict):
    balance: Decimal
    """Balance afterwards, in USD."""


class SandboxGetClockReply(TypedDict):
    engine_now: int
    """Time of the exchange, milliseconds."""
    now: int
    """Time of the machine, milliseconds."""
    frozen: bool
    """Whether the time of the exchange is frozen."""
    offset_ms: int
    """Time by which the exchange is ahead of the clock of the machine."""
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
    """Time by which the exchange is ahead of the clock of the machine."""
    manual: bool
    """Whether time moves only by `advance_ms`."""


class SandboxSetOracleReply(TypedDict):
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""
    oracle: Decimal
    """Current index price."""


class SandboxSnapshotReply(TypedDict):
    id: str
    """Name to revert to."""
    seq: int
    """Sequence number in history."""
    engine_now: int
    """Time of the exchange at which the snapshot was made."""
    created_at: int
    """Time of the machine at which the snapshot was made."""


class SandboxListSnapshotsRow(TypedDict):
    id: str
    """Name to revert to."""
    seq: int
    """Sequence number in history."""
    engine_now: int
    """Time of the exchange at which the snapshot was made."""
    created_at: int
    """Time of the machine at which the snapshot was made."""


class SandboxRevertReply(TypedDict):
    id: str
    """Snapshot to which the sandbox was reverted."""


class SandboxGetBotsReply(TypedDict):
    running: bool
    """Whether bots trade now."""


class SandboxBotsReply(TypedDict):
    running: bool
    """Whether bots trade now."""


class SandboxScenarioReply(TypedDict):
    name: str
    """Path of the request."""
    symbol: str
    """Market symbol, case-sensitive, as GET /info lists it."""


class SandboxResetReply(TypedDict):
    seq: int
    """Sequence number in history."""
    engine_now: int
    """Time of the exchange, milliseconds."""


class SandboxGetHashReply(TypedDict):
    seq: int
    """Sequence number in history."""
    trading_hash: str
    """Hash of books, positions and money."""
    state_hash: str
    """Hash of the whole state, including sequence number, time and used signed texts."""


class SandboxSettleReply(TypedDict):
    seq: int
    """Sequence number in history."""
    engine_now: int
    """Time of the exchange, milliseconds."""
    next_event_at: int
    """Next time of the exchange at which an event occurs without a request."""


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
    """Leg of the path."""
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
    """Clock by which delays are measured."""
    lines: int
    """Number of lines of the plan; 0: no delays."""
    in_line: int
    """Number of requests, replies and frames that wait."""
    callers: int
    """Number of these that are requests or replies for which a caller waits."""
    next_due_at: Optional[int]
    """Engine time at which the next one is due; null if delays are measured by the clock of the
    machine.
    """
    legs: List[SandboxGetLatencyReplyLegs]
    """Statistics of the newest 4096 delays of each leg."""


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
    """Delay from that time on, microseconds."""


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
    """Delay from that time on, microseconds."""


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
    """Delay from that time on, microseconds."""


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
    """Delay from that time on, microseconds."""


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
    """Delay from that time on, microseconds."""


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
    """Delay from that time on, microseconds."""


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
    """Leg of the path."""
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
    """Clock by which delays are measured."""
    lines: int
    """Number of lines of the plan; 0: no delays."""
    in_line: int
    """Number of requests, replies and frames that wait."""
    callers: int
    """Number of these that are requests or replies for which a caller waits."""
    next_due_at: Optional[int]
    """Engine time at which the next one is due; null if delays are measured by the clock of the
    machine.
    """
    legs: List[SandboxLatencyReplyLegs]
    """Statistics of the newest 4096 delays of each leg."""


class SandboxGetFaultsReplyFaults(TypedDict):
    n: int
    """Number of the fault."""
    rule: str
    """Rule that caused the fault."""
    fault: str
    """Kind of fault."""
    account: Optional[str]
    """Account of the request or frame."""
    ordinal: int
    """Ordinal of the request or frame, of this account under the rule."""
    at: int
    """Engine time, milliseconds."""
    target: str
    """Path of the request, or channel of the frame."""
    venue: str
    """Result at the exchange."""
    client: str
    """What the client received."""


class SandboxGetFaultsReplyDifferences(TypedDict):
    account: Optional[str]
    """Account that has the belief."""
    subject: str
    """Subject of the belief: an order, a request or a channel."""
    client: str
    """What a client must believe from what was delivered."""
    venue: str
    """Truth at the exchange."""
    cause: int
    """n of the first fault that caused it."""
    since: int
    """Engine time at which the difference began."""
    known_from: Optional[int]
    """Engine time from which the client could know the truth; null if it cannot yet."""
    until: Optional[int]
    """Engine time at which the difference ended; null if it has not."""


class SandboxGetFaultsReply(TypedDict):
    rules: int
    """Number of rules of the plan; 0: no faults."""
    count: int
    """Number of faults since the plan was set."""
    digest: str
    """Hash of the faults without times and ids; equal in every run with this seed."""
    faults: List[SandboxGetFaultsReplyFaults]
    """Faults by rule, account and ordinal; the newest 10000."""
    differences: List[SandboxGetFaultsReplyDifferences]
    """Cases in which the client's belief differs or differed from the truth; the newest 10000."""


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
    times: Optional[int]
    """How often it applies to each account at most; faults of the venue: how often it begins."""
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
    """Rule that caused the fault."""
    fault: str
    """Kind of fault."""
    account: Optional[str]
    """Account of the request or frame."""
    ordinal: int
    """Ordinal of the request or frame, of this account under the rule."""
    at: int
    """Engine time, milliseconds."""
    target: str
    """Path of the request, or channel of the frame."""
    venue: str
    """Result at the exchange."""
    client: str
    """What the client received."""


class SandboxFaultsReplyDifferences(TypedDict):
    account: Optional[str]
    """Account that has the belief."""
    subject: str
    """Subject of the belief: an order, a request or a channel."""
    client: str
    """What a client must believe from what was delivered."""
    venue: str
    """Truth at the exchange."""
    cause: int
    """n of the first fault that caused it."""
    since: int
    """Engine time at which the difference began."""
    known_from: Optional[int]
    """Engine time from which the client could know the truth; null if it cannot yet."""
    until: Optional[int]
    """Engine time at which the difference ended; null if it has not."""


class SandboxFaultsReply(TypedDict):
    rules: int
    """Number of rules of the plan; 0: no faults."""
    count: int
    """Number of faults since the plan was set."""
    digest: str
    """Hash of the faults without times and ids; equal in every run with this seed."""
    faults: List[SandboxFaultsReplyFaults]
    """Faults by rule, account and ordinal; the newest 10000."""
    differences: List[SandboxFaultsReplyDifferences]
    """Cases in which the client's belief differs or differed from the truth; the newest 10000."""


class SandboxDropConnectionsReply(TypedDict):
    dropped: int
    """Number of connections that were cut."""


class SandboxForkReply(TypedDict):
    id: str
    """Name of the fork."""
    url: str
    """Address of its API, without `/api/v1`."""
    ws: str
    """Address of its websocket."""
    compat_url: Optional[str]
    """Address of it for ccxt and other existing clients."""
    pid: int
    """Its process."""
    seq: int
    """The last entry that both have."""
    engine_now: int
    """Time of the exchange, milliseconds."""


class SandboxEndForkReply(TypedDict):
    id: str
    """Name of the fork."""


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
    """A stop-loss level, given by exactly one of stop_price, trailing_percent and trailing_distance.
    """

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
    """Your own id of the order; null if it has none."""
    order_status: Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
    """Current status. An order at the speed bump is open; a post-only order that would have taken is
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
    """A stop-loss level, given by exactly one of stop_price, trailing_percent and trailing_distance.
    """

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
    """Your own id of the order; null if it has none."""
    order_status: Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
    """Current status. An order at the speed bump is open; a post-only order that would have taken is
    rejected.
    """


class CreateStopOrderStopOrder(TypedDict, total=False):
    """Trigger of the stop, given by exactly one of stop_price, trailing_percent and trailing_distance.
    """

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
    """A stop-loss level, given by exactly one of stop_price, trailing_percent and trailing_distance.
    """

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
    """The order may only reduce the position."""
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
    """A stop, given by exactly one of stop_price, trailing_percent and trailing_distance."""

    side: Literal["bid", "ask"]
    """bid buys, ask sells."""
    amount: DecimalLike
    """Size, a multiple of lot_size."""
    reduce_only: bool
    """The order may only reduce the position."""


class CreateOcoOrderReply(TypedDict):
    order_ids: List[int]
    """Ids of the two legs, in order."""


class EditOrderReply(TypedDict):
    order_id: int
    """Order id given by the exchange."""


class CancelOrderReply(TypedDict):
    success: Literal[True]
    """The request was executed."""


class CancelAllOrdersReply(TypedDict):
    cancelled_count: int
    """Number of cancelled orders, stops and levels."""


class ScheduleCancelReply(TypedDict):
    time: Optional[int]
    """Time at which orders will be cancelled."""


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
    """A stop-loss level, given by exactly one of stop_price, trailing_percent and trailing_distance.
    """

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
    """The request was executed."""


class WithdrawReply(TypedDict):
    withdrawal_id: int
    """Always pending: the operator completes the withdrawal."""


class ListReserveProofReplyPath(TypedDict):
    side: Literal["left", "right"]
    """Side on which the sibling is."""
    hash: str
    """Hash of the sibling, hexadecimal."""
    sum: Decimal
    """Sum of the liabilities below the sibling, in USD."""


class ListReserveProofReply(TypedDict):
    seq: int
    """Journal entry at which the proof was made."""
    at: int
    """Time of that entry, milliseconds."""
    root: str
    """Root of the tree, hexadecimal."""
    liabilities: Decimal
    """Total liabilities to accounts in USD: the sum at the root."""
    accounts: int
    """Number of leaves of the tree."""
    account: str
    """Account address."""
    liability: Decimal
    """Liability to the account in USD: the sum of account_equity and pending_balance at that time, at
    least 0.
    """
    debt: Decimal
    """Debt of the account, in USD."""
    salt: str
    """Salt of the leaf, shown to the owner only, hexadecimal."""
    index: int
    """Index of the leaf, from 0."""
    path: List[ListReserveProofReplyPath]
    """Siblings from the leaf up to the root."""


class ListSubaccountsReplySubaccounts(TypedDict):
    address: str
    """Address of the subaccount."""
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
    """The request was executed."""
    error: None
    """Always null."""


class BindAgentWalletPolicy(TypedDict, total=False):
    """Limits of the key; an absent field sets no limit."""

    symbols: Optional[Sequence[str]]
    """Markets in which the key may trade (default: all)."""
    post_only: Optional[bool]
    """Whether only orders that never take are allowed."""
    reduce_only: Optional[bool]
    """Whether only reduce-only orders are allowed."""
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
    """Whether only orders that never take are allowed."""
    reduce_only: Optional[bool]
    """Whether only reduce-only orders are allowed."""
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
    """null for all."""
    post_only: bool
    """Whether only orders that never take are allowed."""
    reduce_only: bool
    """Whether only reduce-only orders are allowed."""
    max_slippage_percent: Optional[Decimal]
    """Maximum distance from the mark, in percent."""
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
    """IP addresses from which the agent may be used."""
    enabled: bool
    """Whether the list is in force."""


class CreateApiKeyReplyData(TypedDict):
    """Kind of key that was created."""

    api_key: str
    """The key; the list of keys shows it again."""


class CreateApiKeyReply(TypedDict):
    data: CreateApiKeyReplyData
    """Kind of key that was created."""


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
    """Maximum number of keys of an account."""
    keys: List[ListApiKeysReplyKeys]
    """The same keys, with details."""


class GetStatusReplyMarkets(TypedDict):
    symbol: str
    status: str
    """Strictest status that applies, as in market_status."""
    feed: str
    """Status of its prices, regardless of the mode."""
    price_age_ms: int
    """Age of the newest price at the time `at`."""


class GetStatusReplyIncidentsUpdates(TypedDict):
    at: int
    """Time of the update, in ms."""
    text: str


class GetStatusReplyIncidents(TypedDict):
    id: str
    title: str
    text: str
    """Text of the announcement."""
    impact: Literal["notice", "degraded", "outage"]
    """Impact on trading."""
    markets: List[str]
    """Affected markets; empty for all."""
    announced_at: int
    """Time of the announcement, in ms."""
    updates: List[GetStatusReplyIncidentsUpdates]
    """Updates, oldest first; the last one resolves it."""
    resolved_at: Optional[int]
    """Time of the end, in ms; null if the incident is not resolved."""


class GetStatusReply(TypedDict):
    status: Literal["operational", "degraded", "closed"]
    """operational if every market is live and only notices are announced; closed if no market accepts
    orders; degraded otherwise.
    """
    closed: Optional[str]
    """Reason why no orders are accepted; null if they are."""
    mode: str
    """Mode of the whole exchange."""
    at: int
    """Time of the data, in ms."""
    markets: List[GetStatusReplyMarkets]
    """All markets except settled ones."""
    incidents: List[GetStatusReplyIncidents]
    """Open incidents, then resolved ones, newest first."""
