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
    /** Notional ÷ this must stay with the account (MARGIN-7). */
    withdrawalParts: number
    /** Length of a period of kept gaps. A market keeps gaps of its book for the current period and
     *  the next (MARGIN-3). */
    dislocationMs: number
  }>
  liquidation: LiquidationRules
  triggers: Readonly<{
    /** The maximum slippage that a stop may name (TRIG-2). */
    slippagePpmMax: number
    /** How long the order of a reduce-only market stop keeps executing after the stop fired
     *  (TRIG-3). */
    goesOnMs: number
  }>
  limits: RuleLimits
  fees: Readonly<{
    /** Full days before today whose volume decides the tier (FEE-2). */
    volumeDays: number
    /** The default share of fees that goes to the insurance fund, and how often it is paid
     *  (FEE-4). */
    insuranceSharePpm: number
    shareMs: number
  }>
}>

export type PriceRules = Readonly<{
  /** The maximum move of the oracle per millisecond, and in one step (PRICE-1). */
  movePpmPerMs: number
  movePpmMax: number
  /** An order counts after this many speed bumps and this much time at its place (PRICE-8). */
  countingBumps: number
  countingAgeMsMin: number
  /** Maximum steps through one side of a book (PRICE-8). */
  impactSteps: number
  /** Feed health (PRICE-5). */
  cancelOnlyAfterMs: number
  goodTicks: number
}>

/** Sample points and epochs are numbered by their periods. A version with different periods must
 *  renumber those of each market. */
export type FundingRules = Readonly<{
  /** Sampling (FUND-1). */
  samplePeriodMs: number
  samplesPerEpoch: number
  epochMs: number
  /** A premium is bounded by 1 ÷ (this × leverageMax), and by the maximum below (FUND-1). */
  premiumParts: number
  premiumPpmMax: number
  /** Interest per eight hours, and how much of a premium it may offset (FUND-2). */
  interestPpb: number
  interestClampPpb: number
  /** An epoch pays premium and interest divided by this. */
  epochParts: number
  ratePpbMax: number
  /** Without a live tick within this time before the hour, the rate is not fixed (FUND-2). */
  liveTickBeforeEpochMs: number
}>

export type LiquidationRules = Readonly<{
  /** A liquidation takes a step while equity × `stepEquity` ≥ maintenance × `stepMaintenance`
   *  (LIQ-2). */
  stepEquity: number
  stepMaintenance: number
  /** Steps without a fill that are further apart than this are not consecutive. */
  unfilledWindowMs: number
  /** Minimum time between two increments of the count. */
  unfilledPauseMs: number
  /** A step aims at equity of this percentage of maintenance (LIQ-3). */
  healthPercent: number
  /** The maximum of one step: position ÷ this, or a value if that is more. */
  stepParts: number
  /** The maximum distance from mark at which a backstop sells its position (LIQ-4). */
  backstopSlipPpm: number
  /** The distance is also limited to this share of maintenance in the first tier. */
  backstopPartPpm: number
  /** The default maximum share of the insurance fund that may be paid per day, in ppm (LIQ-5). */
  fundDailyMax: number
  /** Deleveraging (LIQ-6). */
  deleverageBuckets: number
}>

/** Limits of commands: counts, durations and amounts. */
export type RuleLimits = Readonly<{
  /** Open orders, waiting orders, stops and TP/SL levels together, per account. */
  ordersPerAccount: number
  /** Price levels on one side of a book (ORDER-12). */
  levelsPerSide: number
  /** Orders of the other side that the checks of an incoming order visit (ORDER-2). */
  ordersWalked: number
  /** Orders of its owner that a taker cancels before it is cancelled itself (ORDER-5). */
  ownOrdersMet: number
  /** Accounts that one deleveraging considers (LIQ-6). */
  deleverageCandidates: number
  /** Orders visited and candidates considered by a command, after which it starts no more releases
   *  (CORE-5). */
  commandUnits: number
  /** How long an order waits for a tick after its speed bump (ORDER-3). */
  tickWaitMs: number
  twapsPerMarket: number
  twapSecondsMin: number
  twapSecondsMax: number
  /** A late TWAP slice may be at most this many times its planned size. */
  twapCatchUp: number
  /** Algo steps that one command runs (CORE-3). */
  stepsPerCommand: number
  /** Algos of one kind per account and market, and consecutive rejections after which an algo
   *  ends. */
  algosPerMarket: number
  algoRefusals: number
  /** Maximum parts of an iceberg, and the delay after a rejected part (ALGO-3). */
  icebergParts: number
  icebergRetryMs: number
  /** Chases per owner, time between two steps of a chase, its maximum duration, and the orders of a
   *  side that it checks (ALGO-2). */
  chasesPerOwner: number
  chaseStepMs: number
  chaseMsMax: number
  chaseLook: number
  /** Maximum actions of a batch with one signature, and with a signature per action (ORDER-10,
   *  ORDER-16). */
  batchActions: number
  batchActionsEach: number
  /** Protected orders of an account in a market, and the bounds of a protection's times
   *  (ORDER-18). */
  mmpOrders: number
  mmpMsMin: number
  mmpMsMax: number
  subaccountsPerAccount: number
  agentsPerAccount: number
  ipsPerAgent: number
  /** Maximum markets that a policy may list (ACCT-9). */
  policyMarkets: number
  /** Armed connections of an account's own key, and of one agent. */
  armedPerAccount: number
  armedPerAgent: number
  apiKeysPerAccount: number
  /** Stops of an account in all markets, without levels of positions and orders. */
  stopsPerAccount: number
  /** Levels per kind of a position or an order (TRIG-12). */
  levelsPerKind: number
  /** Open trailing stops and levels of an account, and the bounds of their distance (TRIG-11). */
  trailingPerAccount: number
  trailPpmMin: number
  trailPpmMax: number
  /** Maximum units of one run of reactions, separately for each kind (CORE-5). */
  riskUnits: number
  /** Units for the matches of one run of risk reactions. */
  riskMatchUnits: number
  triggerUnits: number
  fundingUnits: number
  /** Maximum releases from the speed bump per command (CORE-3). */
  releasesPerCommand: number
  /** Maximum expiries per command, and how far ahead an expiry must be at least. */
  expiriesPerCommand: number
  expireAheadMsMin: number
  leverageMax: number
  /** A tick or lot size (MARKET-1): maximum decimals, and maximum micro-dollars of one lot at one
   *  tick. */
  stepScaleMax: number
  unitValueMax: number
  /** The highest tick that a market may have. Prices are 32-bit integers, so no version allows
   *  more. */
  tickMaxMost: number
  riskTiers: number
  feeTiers: number
  feePpmMax: number
  slippagePpmMax: number
  scheduleAheadMsMin: number
  withdrawalMin: number
  withdrawalDailyMax: number
  withdrawalsPending: number
  /** A loss up to this amount within a minute does not trigger the withdrawal brake (ACCT-11). */
  brakeLossMin: number
  speedBumpMsMax: number
  staleAfterMsMin: number
  staleAfterMsMax: number
  observedWithinMsMin: number
  observedWithinMsMax: number
  minSourcesMax: number
  /** Bounds of the liquidation parameters of a market (LIQ-9). */
  liquidationFeePartMost: number
  liquidationFeeMost: number
  liquidationDryMost: number
  /** Notice before a raised margin requirement takes effect. */
  requirementNoticeMs: number
  /** Notice before the maintenance raised by an immediate change takes effect. */
  immediateNoticeMs: number
}>
