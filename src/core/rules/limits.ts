// Limits of the memory of the exchange and of its numbers. They hold under every version of the
// rules; a limit that is a rule is in the book of its version (rule-book.ts). A queue, list or size
// without a row in one of the two is a defect.

export const limits = {
  /** Running TWAPs count their slices by it. */
  twapSliceSeconds: 30,
  marketsMax: 256,
  accountsMax: 10_000_000,
  /** Accounts that may hold a provisional binding of one key; the oldest makes room. */
  bindingsPerAgent: 8,
  /** How far the timestamp of a text may be ahead of the leader's wall clock. */
  textAheadMs: 10_000,
  /** Texts signed by an account's own key, remembered until they expire. */
  textsPerAccount: 65_536,
  /** Texts of one agent, remembered until they expire. */
  textsPerAgent: 16_384,
  /** Beyond each of those, for the signer's cancels and revocations alone. */
  textsReserved: 4_096,
  /** Agents of an account, bound or gone, of whom texts are remembered at one time. */
  agentTextShares: 40,
  /** Texts without a timestamp, remembered with the position: the owner's, and one agent's. */
  untimedTextsPerPosition: 256,
  untimedTextsPerAgent: 64,
  /** No sum of worst-case values, deposits or caps may pass this many micro-dollars. */
  moneyMax: 2 ** 52,
  /** Of an oracle price when its market is listed, and ever. */
  oracleTicksMin: 1_000,
  oracleTicksMax: 1_000_000_000,
  referencesKept: 10_000_000,
  /** Credits that wait for a second operator, of one who requested them and of all; and operators
   *  whose sums of a day are kept. */
  creditsWaitingEach: 100,
  creditsWaiting: 1_000,
  operatorsCounted: 1_000,
  textLength: 128,
  /** Notes of a sandbox's sources, and the length of each. */
  notes: 1_024,
  noteLength: 120_000,
} as const
