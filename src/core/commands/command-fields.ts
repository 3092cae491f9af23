// Every command and its fields. The types of commands and the check of commands from another
// process are both derived from this table. A kind with `|null` may be null, one with `?` may be
// absent, and one with `[]` is a list. The options of orders are in words/order-words.ts.

/** Records inside commands. */
export const commandRecords = {
  /** A verified signed request, its timestamp and the end of its window. A request without a
   *  timestamp has 0 and null. */
  proof: {
    textHash: 'hash',
    signedAtMs: 'time',
    expiresAtMs: 'time|null',
    agent: 'text|null',
    ip: 'text|null',
  },
  /** How a stop follows the mark (TRIG-11): at a distance in ticks behind the best mark, or at a
   *  share of it. `activation` is the mark from which it follows; null: immediately. */
  trail: { distance: 'ticks|null', ppm: 'ppm|null', activation: 'ticks|null' },
  /** A take-profit or stop-loss level. `limitPrice` null: market order. `size` null: the whole
   *  position. A trailing level has a `stopPrice` of 0. `slippagePpm`: maximum distance of its
   *  market order from the mark; null: the default of the market (TRIG-3). */
  level: {
    stopPrice: 'ticks',
    limitPrice: 'ticks|null',
    size: 'lots|null',
    triggerBy: 'triggerBy',
    clientOrderId: 'text|null',
    trail: 'trail|null?',
    slippagePpm: 'ppm|null?',
  },
  /** A leg that rests in the book as an ALO order. */
  restingLeg: {
    side: 'side',
    price: 'ticks',
    size: 'lots',
    reduceOnly: 'flag',
    clientOrderId: 'text|null',
  },
  stopLeg: { side: 'side', reduceOnly: 'flag', level: 'level', up: 'flag|null?' },
  /** The limits of a key (ACCT-9). null: no limit. */
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
  /** Maximum fills within the window. null: no limit. `frozenMs` 0: until a reset (ORDER-18). */
  mmpLimits: { windowMs: 'number', frozenMs: 'number', maxLots: 'lots|null', maxNet: 'lots|null' },
  feeTier: { volumeDollars: 'number', makerPpm: 'ppm', takerPpm: 'ppm' },
} as const

const ofAccount = { account: 'account', proof: 'proof|null' } as const
const onMarket = { ...ofAccount, market: 'market' } as const
/** One open order, by its id, by its client id, or by both, which must then match. */
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
/** An algo with resting orders. */
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
  /** The order cannot trade from `expireTime` on (ORDER-14). */
  PlaceOrder: { ...order, price: 'ticks', tif: 'tif', expireTime: 'time|null?' },
  PlaceMarketOrder: { ...order, slippagePpm: 'ppm' },
  /** The levels belong to the position that the stop's order opens (TRIG-13). `up`: whether it
   *  fires at or above its stop price, or at or below it (TRIG-10); absent: decided by TRIG-1. */
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
  /** Two linked legs, at least one of them a stop: when one executes, the other is cancelled
   *  (TRIG-14). */
  PlaceOco: { ...onMarket, legs: 'leg[]', expireTime: 'time|null?' },
  /** `side` is the side of the position. If a kind is absent, its levels stay. Given levels replace
   *  all of their kind, and null removes them. */
  SetPositionTpsl: { ...onMarket, side: 'side', takeProfit: 'levels?', stopLoss: 'levels?' },
  EditOrder: { ...onMarket, ...orderRef, price: 'ticks', size: 'lots' },
  CancelOrder: { ...onMarket, ...orderRef },
  /** Like CancelOrder, but finds only stops and TP/SL levels. */
  CancelStop: { ...onMarket, ...orderRef },
  /** `market` null: all markets. */
  CancelAllOrders: { ...ofAccount, market: 'market|null', excludeReduceOnly: 'flag' },
  /** Every action belongs to `account`. Each action has its own proof, or one proof covers all of
   *  them. The proof is null if the caller is trusted. */
  Batch: { account: 'account', actions: 'action[]', proof: 'proof|null?' },
  /** `time` null removes the schedule. */
  ScheduleCancel: { ...ofAccount, time: 'time|null', keepProtective: 'flag' },
  /** Cancels the account's orders when this connection ends. The client chooses the name
   *  `connection`. */
  ArmConnection: { ...ofAccount, connection: 'text', keepProtective: 'flag' },
  /** Needs no proof, because the connection only withdraws its own request. */
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
  /** Shows at most `display` lots at a time (ALGO-3). CancelOrder cancels it. */
  PlaceIceberg: { ...restingAlgo, display: 'lots' },
  /** Its order follows the best price, never beyond `price` (ALGO-2). CancelOrder cancels it. */
  PlaceChase: restingAlgo,
  CancelTwap: { ...onMarket, ...orderRef },
  /** `limits` null removes the protection (ORDER-18). */
  SetMmp: { ...onMarket, limits: 'mmpLimits|null' },
  ResetMmp: onMarket,
  /** `observedAtMs`: the engine time at which most sources had this price. `null`: the price is
   *  valid until the next tick. */
  OracleTick: { market: 'market', price: 'microTicks', observedAtMs: 'number|null', jump: 'flag' },
  Tick: {},
} as const

export const accountFields = {
  Deposit: { address: 'text', amount: 'quote', reference: 'text' },
  /** Credited by the named operator. Above a limit the credit is held for a second operator
   *  (ACCT-10). */
  CreditDeposit: { address: 'text', amount: 'quote', reference: 'text', by: 'text' },
  ApproveCredit: { credit: 'credit', approver: 'text' },
  DropCredit: { credit: 'credit' },
  Withdraw: { ...ofAccount, amount: 'quote' },
  /** Approved by the named operator. Two approvals need two different operators (ACCT-8). */
  ApproveWithdrawal: { withdrawal: 'withdrawal', approver: 'text' },
  CompleteWithdrawal: { withdrawal: 'withdrawal' },
  /** `by`: the operator who fails it by hand. If the withdrawal is payable, this becomes a credit
   *  (ACCT-10). */
  FailWithdrawal: { withdrawal: 'withdrawal', by: 'text?' },
  CreateSubaccount: { ...ofAccount, address: 'text' },
  Transfer: { ...ofAccount, to: 'account', amount: 'quote' },
  SetLeverage: { ...onMarket, leverage: 'number' },
  SetMarginMode: { ...onMarket, isolated: 'flag' },
  MoveIsolatedMargin: { ...onMarket, amount: 'quote' },
  /** The policy and the addresses take effect together with the key. */
  BindAgent: { ...ofAgent, scopes: 'scope[]', policy: 'policy|null?', ips: 'text[]|null?' },
  /** `policy` null removes the policy of the key. */
  SetAgentPolicy: { ...ofAgent, policy: 'policy|null' },
  RevokeAgent: ofAgent,
  RevokeAllAgents: ofAccount,
  /** Unbinds the key from every account, on behalf of the operator. */
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
  /** Cancels the announced change with this number. */
  CancelMarketChange: { market: 'market', change: 'changeNumber' },
  SetMarketMode: { market: 'market', mode: 'mode' },
  SettleMarket: { market: 'market', price: 'ticks' },
  SetFeeTiers: { tiers: 'feeTier[]' },
  SetExchangeMode: { mode: 'mode' },
  /** Moves money between the fee, insurance and backstop accounts, or between one of them and a
   *  client account. `by`: the operator who does it by hand (ACCT-10). */
  MoveReserve: { from: 'account', to: 'account', amount: 'quote', by: 'text?' },
  SetOwnerLimit: { owner: 'account', market: 'market', lots: 'lots|null' },
  /** The share of each hour's fees that goes to the insurance fund. */
  SetInsuranceShare: { sharePpm: 'ppm' },
  /** The maximum share of the insurance fund that may be paid out per UTC day. */
  SetFundDailyMax: { dailyMax: 'ppm' },
  /** Maximum withdrawals of an owner per UTC day without two approvals, maximum of one withdrawal
   *  with one approval, and maximum credit by one operator. null: no limit; absent: unchanged. */
  SetWithdrawalLimits: {
    approvalAbove: 'quote|null',
    dailyMax: 'quote|null',
    creditApprovalAbove: 'quote|null?',
  },
  /** The withdrawal brake (ACCT-11). `fundPpm` null: off. */
  SetWithdrawalBrake: { fundPpm: 'ppm|null', profitAbove: 'quote', holdMs: 'number' },
  /** `market` null: the breach concerns the whole exchange. */
  Breach: { market: 'market|null', invariant: 'number' },
  SetRulesVersion: { version: 'number' },
  SetClockFrozen: { frozen: 'flag' },
  /** `pricesStand`: the source of prices stopped together with the engine, as in a simulation. */
  EngineStarted: { pricesStand: 'flag?' },
  /** Text that a price source reads after a restart. null removes it. */
  KeepNote: { name: 'text', text: 'text|null' },
  /** One-minute bars of a market from before its listing, for charts only. No rule reads them. */
  TellPast: { market: 'market', bars: 'text' },
} as const

export const commandFields = { ...tradingFields, ...accountFields, ...venueFields }

/** An action for batches only: replaces the order with this client id (ORDER-17). */
export const quoteFields = {
  ...onMarket,
  side: 'side',
  price: 'ticks',
  size: 'lots',
  clientOrderId: 'text|null',
} as const
