// The numbers of the rules, as one version of them has it. The version in force is part of the
// state and changes by a command (ADR 1), so that history is replayed by the rules it was made
// under: a number that is to change gets a new version, and the old one stays.
//
// Code that has a market asks `market.rules`; all markets share the rules of the exchange.

export type RuleBook = Readonly<{
  prices: PriceRules
  funding: FundingRules
  margin: Readonly<{
    /** The maintenance fraction of a tier is 1 ÷ (this × its leverage) (MARGIN-1). */
    maintenanceParts: number
    /** 1 ÷ this of the notional stays with the account (MARGIN-7). */
    withdrawalParts: number
    /** The period for which, and for the next, a market keeps gaps of its book (MARGIN-3). */
    dislocationMs: number
  }>
  liquidation: LiquidationRules
  triggers: Readonly<{
    /** The largest slippage that a stop may name (TRIG-2). */
    slippagePpmMax: number
    /** How long the order of a reduce-only market stop goes on after it fired (TRIG-3). */
    goesOnMs: number
  }>
  limits: RuleLimits
  fees: Readonly<{
    /** Full days before today whose volume decides the tier (FEE-2). */
    volumeDays: number
    /** What part of the fees goes to the insurance fund until an operator sets another, and how
     *  often (FEE-4). */
    insuranceSharePpm: number
    shareMs: number
  }>
}>

export type PriceRules = Readonly<{
  /** The oracle moves at most this much per millisecond, and this much in one step (PRICE-1). */
  movePpmPerMs: number
  movePpmMax: number
  /** PRICE-8: an order counts after this many speed bumps, and this long, at its place. */
  countingBumps: number
  countingAgeMsMin: number
  /** PRICE-8: steps through one side of a book. */
  impactSteps: number
  /** PRICE-5. */
  cancelOnlyAfterMs: number
  goodTicks: number
}>

/** Points and epochs are numbered by their periods: a version with other periods has to renumber
 *  those of each market. */
export type FundingRules = Readonly<{
  /** FUND-1. */
  samplePeriodMs: number
  samplesPerEpoch: number
  epochMs: number
  /** FUND-1: a premium is bounded by 1 ÷ (this × leverageMax), and by this. */
  premiumParts: number
  premiumPpmMax: number
  /** FUND-2: interest of a day's third, and how much it makes up for a premium. */
  interestPpb: number
  interestClampPpb: number
  /** An epoch pays this part of premium and interest. */
  epochParts: number
  ratePpbMax: number
  /** FUND-2: without a live tick in this time before the hour there is no rate. */
  liveTickBeforeEpochMs: number
}>

export type LiquidationRules = Readonly<{
  /** LIQ-2: a step while equity × this ≥ maintenance × that. */
  stepEquity: number
  stepMaintenance: number
  /** Steps without a fill that are further apart than this are not in a row. */
  unfilledWindowMs: number
  /** The count grows no sooner again than this. */
  unfilledPauseMs: number
  /** LIQ-3: a step aims at equity of this percentage of maintenance. */
  healthPercent: number
  /** The maximum of one step: 1 ÷ this of the position, or a value if that is more. */
  stepParts: number
  /** LIQ-4: how far from mark a backstop sells what it took. */
  backstopSlipPpm: number
  /** And no further than this part of maintenance in the first tier. */
  backstopPartPpm: number
  /** LIQ-5: the part of itself that the insurance fund pays on a day at most, in ppm, until an
   *  operator sets another. */
  fundDailyMax: number
  /** LIQ-6. */
  deleverageBuckets: number
}>

/** Limits of commands: counts, durations and amounts. */
export type RuleLimits = Readonly<{
  /** Open orders, waiting orders, stops and TP/SL levels together, per account. */
  ordersPerAccount: number
  /** Prices with orders on one side of a book (ORDER-12). */
  levelsPerSide: number
  /** Orders of the other side that the checks of an arriving order look at (ORDER-2). */
  ordersWalked: number
  /** Orders of its owner that a taker ends before it ends itself (ORDER-5). */
  ownOrdersMet: number
  /** Accounts that one deleveraging looks at (LIQ-6). */
  deleverageCandidates: number
  /** Orders looked at and candidates of a command, before no more releases begin (CORE-5). */
  commandUnits: number
  /** How long an order waits for a tick after its speed bump (ORDER-3). */
  tickWaitMs: number
  twapsPerMarket: number
  twapSecondsMin: number
  twapSecondsMax: number
  /** A late TWAP slice may be this many times its plan, never more. */
  twapCatchUp: number
  /** Steps of algos that one command runs (CORE-3). */
  stepsPerCommand: number
  /** Algos of one kind that an account has in a market, and how many refusals in a row end one. */
  algosPerMarket: number
  algoRefusals: number
  /** Parts of an iceberg, and how long it waits after one that was refused (ALGO-3). */
  icebergParts: number
  icebergRetryMs: number
  /** Chases of an owner, the time between two steps of one and the longest that it lives, and the
   *  orders of a side that it looks at (ALGO-2). */
  chasesPerOwner: number
  chaseStepMs: number
  chaseMsMax: number
  chaseLook: number
  /** Actions of a batch: under one signature, and where each has its own (ORDER-10, ORDER-16). */
  batchActions: number
  batchActionsEach: number
  /** Protected orders of an account in a market, and the times of a protection (ORDER-18). */
  mmpOrders: number
  mmpMsMin: number
  mmpMsMax: number
  subaccountsPerAccount: number
  agentsPerAccount: number
  ipsPerAgent: number
  /** Markets that a policy names (ACCT-9). */
  policyMarkets: number
  /** Connections armed to cancel at their end: by the account's own key, and by one agent. */
  armedPerAccount: number
  armedPerAgent: number
  apiKeysPerAccount: number
  /** Stops of an account, in all markets; levels of positions and orders are not among them. */
  stopsPerAccount: number
  /** Take-profits, and stop-losses, of a position or an order (TRIG-12). */
  levelsPerKind: number
  /** Live trailing stops and levels of an account, and how near and far they follow (TRIG-11). */
  trailingPerAccount: number
  trailPpmMin: number
  trailPpmMax: number
  /** What one run of reactions does at most, each kind on its own (CORE-5). */
  riskUnits: number
  /** Units of the matches of one run of risk. */
  riskMatchUnits: number
  triggerUnits: number
  fundingUnits: number
  /** Releases from the speed bump that one command runs (CORE-3). */
  releasesPerCommand: number
  /** The same of orders and stops whose time is over, and how far ahead that is at least. */
  expiriesPerCommand: number
  expireAheadMsMin: number
  leverageMax: number
  /** Of a tick or lot size (MARKET-1): its decimals, and micro-dollars of one lot at one tick. */
  stepScaleMax: number
  unitValueMax: number
  /** The highest tick that a market may have. Prices lie in 32 bits: no version has more. */
  tickMaxMost: number
  riskTiers: number
  feeTiers: number
  feePpmMax: number
  slippagePpmMax: number
  scheduleAheadMsMin: number
  withdrawalMin: number
  withdrawalDailyMax: number
  withdrawalsPending: number
  /** Up to this much lost in a minute nothing pulls the withdrawal brake (ACCT-11). */
  brakeLossMin: number
  speedBumpMsMax: number
  staleAfterMsMin: number
  staleAfterMsMax: number
  observedWithinMsMin: number
  observedWithinMsMax: number
  minSourcesMax: number
  /** Of what a market may have for its liquidations (LIQ-9). */
  liquidationFeePartMost: number
  liquidationFeeMost: number
  liquidationDryMost: number
  /** A raised margin requirement waits this long before it takes effect. */
  requirementNoticeMs: number
  /** The maintenance that an immediate change raises waits this long. */
  immediateNoticeMs: number
}>
