// Every bound of the core in one place. A queue, list or size without a row here is a defect. What
// the rules compute with is in first-rules.ts, by version.

export const limits = {
  /** Open orders, waiting orders, stops and TP/SL levels together, per account. */
  ordersPerAccount: 1_000,
  /** Prices with orders on one side of a book (ORDER-12). */
  levelsPerSide: 1_000_000,
  /** Orders of the other side that the checks of an arriving order look at (ORDER-2). */
  ordersWalked: 1_000,
  twapsPerMarket: 5,
  twapSliceSeconds: 30,
  twapSecondsMin: 60,
  twapSecondsMax: 86_400,
  /** A late TWAP slice may be this many times its plan, never more. */
  twapCatchUp: 3,
  batchActions: 10,
  marketsMax: 256,
  accountsMax: 10_000_000,
  subaccountsPerAccount: 50,
  agentsPerAccount: 20,
  /** Accounts that may hold a provisional binding of one key; the oldest makes room. */
  bindingsPerAgent: 8,
  ipsPerAgent: 50,
  /** Connections armed to cancel at their end: by the account's own key, and by one agent. */
  armedPerAccount: 16,
  armedPerAgent: 4,
  apiKeysPerAccount: 5,
  /** Texts signed by an account's own key, remembered until they expire. */
  textsPerAccount: 65_536,
  /** Beyond those, for the owner's cancels and revocations alone. */
  textsReserved: 4_096,
  /** Texts of one agent, remembered until they expire. */
  textsPerAgent: 16_384,
  /** Agents of an account, bound or gone, of whom texts are remembered at one time. */
  agentTextShares: 40,
  /** Texts without a timestamp, remembered with the position: the owner's, and one agent's. */
  untimedTextsPerPosition: 256,
  untimedTextsPerAgent: 64,
  /** Triggers, liquidation steps, takeovers, deleveragings and funding payments in one go. */
  reactions: 64,
  /** No sum of worst-case values, deposits or caps may pass this many micro-dollars. */
  moneyMax: 2 ** 52,
  leverageMax: 100,
  maintenanceTiers: 10,
  feeTiers: 12,
  feePpmMax: 10_000,
  slippagePpmMax: 1_000_000,
  oracleTicksMin: 1_000,
  oracleTicksMax: 1_000_000_000,
  scheduleAheadMsMin: 5_000,
  withdrawalMin: 1_000_000,
  withdrawalDailyMax: 10_000_000_000_000,
  withdrawalsPending: 100,
  referencesKept: 10_000_000,
  textLength: 128,
  /** Notes of a sandbox's sources, and the length of each. */
  notes: 1_024,
  noteLength: 120_000,
  speedBumpMsMax: 10_000,
  /** A raised margin requirement waits this long before it takes effect. */
  requirementNoticeMs: 86_400_000,
} as const
