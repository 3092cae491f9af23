// Every command and its fields, once. The types of commands derive from this table, and so does the
// check of commands that come from another process. A kind with `|null` may be null, one with `?`
// may be absent, and one with `[]` is a list. Options of orders are in words/order-words.ts.

/** Records inside commands. */
export const commandRecords = {
  /** A verified signed text, its timestamp and the end of its window. A text without a timestamp
   *  has 0 and null. */
  proof: {
    textHash: 'hash',
    signedAtMs: 'time',
    expiresAtMs: 'time|null',
    agent: 'text|null',
    ip: 'text|null',
  },
  /** How a stop follows the mark (TRIG-11): by ticks behind its best, or by a share of it; from the
   *  activation on, or immediately. */
  trail: { distance: 'ticks|null', ppm: 'ppm|null', activation: 'ticks|null' },
  /** A take-profit or stop-loss level. `limitPrice` null: market; `size` null: the whole position.
   *  A level that trails has a `stopPrice` of 0. `slippagePpm`: the worst price of its market order
   *  from the mark; null: the market's (TRIG-3). */
  level: {
    stopPrice: 'ticks',
    limitPrice: 'ticks|null',
    size: 'lots|null',
    triggerBy: 'triggerBy',
    clientOrderId: 'text|null',
    trail: 'trail|null?',
    slippagePpm: 'ppm|null?',
  },
  /** Waits in the book as an ALO order. */
  restingLeg: {
    side: 'side',
    price: 'ticks',
    size: 'lots',
    reduceOnly: 'flag',
    clientOrderId: 'text|null',
  },
  stopLeg: { side: 'side', reduceOnly: 'flag', level: 'level', up: 'flag|null?' },
  /** The limits of a key (ACCT-9); null: no limit. */
  policy: {
    markets: 'market[]|null',
    postOnly: 'flag',
    reduceOnly: 'flag',
    maxSlippagePpm: 'ppm|null',
    maxOrderValue: 'quote|null',
    maxPositionValue: 'quote|null',
    maxDailyLoss: 'quote|null',
    expiresAt: 'time|null',
    allow: 'allowance[]',
  },
  /** Maximum fills within the window; lots null: any. `frozenMs` 0: until a reset (ORDER-18). */
  mmpLimits: { windowMs: 'number', frozenMs: 'number', maxLots: 'lots|null', maxNet: 'lots|null' },
  feeTier: { volumeDollars: 'number', makerPpm: 'ppm', takerPpm: 'ppm' },
} as const

const ofAccount = { account: 'account', proof: 'proof|null' } as const
const onMarket = { ...ofAccount, market: 'market' } as const
/** One open order, by its id, by its client id, or by both (which must then agree). */
const orderRef = { order: 'order|null', clientOrderId: 'text|null' } as const
const order = {
  ...onMarket,
  side: 'side',
  size: 'lots',
  reduceOnly: 'flag',
  clientOrderId: 'text|null',
  takeProfit: 'levels',
  stopLoss: 'levels',
} as const
const ofAgent = { ...ofAccount, agent: 'text' } as const
const ofConnection = { account: 'account', connection: 'text' } as const
/** An algo whose orders rest. */
const restingAlgo = {
  ...onMarket,
  side: 'side',
  size: 'lots',
  price: 'ticks',
  reduceOnly: 'flag',
  expireTime: 'time|null',
  clientOrderId: 'text|null',
} as const

const tradingFields = {
  /** From `expireTime` on it must not trade (ORDER-14). */
  PlaceOrder: { ...order, price: 'ticks', tif: 'tif', expireTime: 'time|null?' },
  PlaceMarketOrder: { ...order, slippagePpm: 'ppm' },
  /** The levels are those of the position that its order opens (TRIG-13). `up`: whether it fires at
   *  or above its stop price, or at or below it (TRIG-10); absent: by TRIG-1. */
  PlaceStop: {
    ...onMarket,
    side: 'side',
    reduceOnly: 'flag',
    level: 'level',
    takeProfit: 'levels?',
    stopLoss: 'levels?',
    expireTime: 'time|null?',
    up: 'flag|null?',
  },
  /** One or the other (TRIG-14): two legs, at least one of them a stop. */
  PlaceOco: { ...onMarket, legs: 'leg[]', expireTime: 'time|null?' },
  /** `side` is the position's side. Levels of an absent kind stay; given ones replace all of their
   *  kind, and null removes them. */
  SetPositionTpsl: { ...onMarket, side: 'side', takeProfit: 'levels?', stopLoss: 'levels?' },
  EditOrder: { ...onMarket, ...orderRef, price: 'ticks', size: 'lots' },
  CancelOrder: { ...onMarket, ...orderRef },
  /** Like CancelOrder, but finds only stops and TP/SL levels. */
  CancelStop: { ...onMarket, ...orderRef },
  /** `market` null: all markets. */
  CancelAllOrders: { ...ofAccount, market: 'market|null', excludeReduceOnly: 'flag' },
  /** Every action is of `account`. Each has its own proof; or one proof covers all of them, null
   *  where the caller is trusted. */
  Batch: { account: 'account', actions: 'action[]', proof: 'proof|null?' },
  /** `time` null removes the schedule. */
  ScheduleCancel: { ...ofAccount, time: 'time|null', keepProtective: 'flag' },
  /** Cancels when this connection ends. `connection` is a name chosen by its owner. */
  ArmConnection: { ...ofAccount, connection: 'text', keepProtective: 'flag' },
  /** Without proof: the connection only withdraws its own request. */
  DisarmConnection: ofConnection,
  EndConnection: ofConnection,
  PlaceTwap: {
    ...onMarket,
    side: 'side',
    size: 'lots',
    reduceOnly: 'flag',
    slippagePpm: 'ppm',
    durationSeconds: 'number',
    clientOrderId: 'text|null',
  },
  /** Shows lots of `display` at a time (ALGO-3). CancelOrder cancels it. */
  PlaceIceberg: { ...restingAlgo, display: 'lots' },
  /** Its order follows the best price, never beyond `price` (ALGO-2). CancelOrder cancels it. */
  PlaceChase: restingAlgo,
  CancelTwap: { ...onMarket, ...orderRef },
  /** `limits` null removes the protection (ORDER-18). */
  SetMmp: { ...onMarket, limits: 'mmpLimits|null' },
  ResetMmp: onMarket,
  /** `observedAtMs`: the engine time at which most sources had this price; `null`: it is valid
   *  until the next tick. */
  OracleTick: { market: 'market', price: 'microTicks', observedAtMs: 'number|null', jump: 'flag' },
  Tick: {},
} as const

export const accountFields = {
  Deposit: { address: 'text', amount: 'quote', reference: 'text' },
  /** By the named operator; above a limit it waits for a second one (ACCT-10). */
  CreditDeposit: { address: 'text', amount: 'quote', reference: 'text', by: 'text' },
  ApproveCredit: { credit: 'number', approver: 'text' },
  DropCredit: { credit: 'number' },
  Withdraw: { ...ofAccount, amount: 'quote' },
  /** By the named operator; two approvals have two names (ACCT-8). */
  ApproveWithdrawal: { withdrawal: 'withdrawal', approver: 'text' },
  CompleteWithdrawal: { withdrawal: 'withdrawal' },
  /** `by`: the operator who fails it by hand; a payable one becomes a credit (ACCT-10). */
  FailWithdrawal: { withdrawal: 'withdrawal', by: 'text?' },
  CreateSubaccount: { ...ofAccount, address: 'text' },
  Transfer: { ...ofAccount, to: 'account', amount: 'quote' },
  SetLeverage: { ...onMarket, leverage: 'number' },
  SetMarginMode: { ...onMarket, isolated: 'flag' },
  MoveIsolatedMargin: { ...onMarket, amount: 'quote' },
  /** Policy and addresses take effect together with the key. */
  BindAgent: { ...ofAgent, scopes: 'scope[]', policy: 'policy|null?', ips: 'text[]|null?' },
  /** `policy` null removes the policy of the key. */
  SetAgentPolicy: { ...ofAgent, policy: 'policy|null' },
  RevokeAgent: ofAgent,
  RevokeAllAgents: ofAccount,
  /** By the operator, from any account. */
  UnbindAgent: { agent: 'text' },
  AllowAgentIp: { ...ofAgent, ip: 'text' },
  DisallowAgentIp: { ...ofAgent, ip: 'text' },
  SetAgentIpFilter: { ...ofAgent, enabled: 'flag' },
  CreateApiKey: { ...ofAccount, prefix: 'text', digest: 'text' },
  RevokeApiKey: { ...ofAccount, prefix: 'text' },
  SetApiKeyCredits: { prefix: 'text', credits: 'number' },
  FreezeAccount: { account: 'account', frozen: 'flag' },
} as const

export const venueFields = {
  ListMarket: { params: 'params', oracle: 'microTicks' },
  /** `immediate`: an increase of a requirement does not wait a day (MARKET-2). */
  ChangeMarket: { market: 'market', change: 'marketChange', immediate: 'flag?' },
  /** By the number of its announcement. */
  CancelMarketChange: { market: 'market', change: 'number' },
  SetMarketMode: { market: 'market', mode: 'mode' },
  SettleMarket: { market: 'market', price: 'ticks' },
  SetFeeTiers: { tiers: 'feeTier[]' },
  SetExchangeMode: { mode: 'mode' },
  /** Between fees, insurance, backstops, and an account that is not the exchange's own. `by`: by
   *  hand, by the named operator (ACCT-10). */
  MoveReserve: { from: 'account', to: 'account', amount: 'quote', by: 'text?' },
  SetOwnerLimit: { owner: 'account', market: 'market', lots: 'lots|null' },
  /** The part of each hour's fees that goes to the insurance fund. */
  SetInsuranceShare: { sharePpm: 'ppm' },
  /** The part of itself that the insurance fund pays per UTC day at most. */
  SetFundDailyMax: { dailyMax: 'ppm' },
  /** The maximum of withdrawals of an owner per UTC day without two approvals, of a withdrawal on
   *  one approval, and of a credit by one operator. Null: no limit; absent: unchanged. */
  SetWithdrawalLimits: {
    approvalAbove: 'quote|null',
    dailyMax: 'quote|null',
    creditApprovalAbove: 'quote|null?',
  },
  /** ACCT-11; `fundPpm` null: off. */
  SetWithdrawalBrake: { fundPpm: 'ppm|null', profitAbove: 'quote', holdMs: 'number' },
  /** `market` null: the breach concerns the whole exchange. */
  Breach: { market: 'market|null', invariant: 'number' },
  SetRulesVersion: { version: 'number' },
  SetClockFrozen: { frozen: 'flag' },
  /** `pricesStand`: the source of prices stopped with the engine, as a simulation does. */
  EngineStarted: { pricesStand: 'flag?' },
  /** Text that a source reads again after a restart; null removes it. */
  KeepNote: { name: 'text', text: 'text|null' },
  /** Minutes of a market from before its listing, for charts; no rule reads them. */
  TellPast: { market: 'market', bars: 'text' },
} as const

export const commandFields = { ...tradingFields, ...accountFields, ...venueFields }

/** An action of batches only: replaces the order of this client id (ORDER-17). */
export const quoteFields = {
  ...onMarket,
  side: 'side',
  price: 'ticks',
  size: 'lots',
  clientOrderId: 'text|null',
} as const
