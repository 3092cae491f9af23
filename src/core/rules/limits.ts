// Limits of memory and numbers. They hold under every version of the rules; a limit that is a rule
// belongs to the rule book of its version (rule-book.ts). Every queue, list and size must have a
// row in one of the two.

export const limits = {
  /** Running TWAPs count their slices by this interval. */
  twapSliceSeconds: 30,
  marketsMax: 256,
  accountsMax: 10_000_000,
  /** Accounts that may hold a provisional binding of one key. The oldest binding is replaced. */
  bindingsPerAgent: 8,
  /** How far the timestamp of a signed request may be ahead of the leader's wall clock. */
  textAheadMs: 10_000,
  /** Requests signed by an account's own key that are remembered until they expire. */
  textsPerAccount: 65_536,
  /** Requests of one agent that are remembered until they expire. */
  textsPerAgent: 16_384,
  /** Additional space of each signer for cancels and revocations only. */
  textsReserved: 4_096,
  /** Agents of an account, bound or unbound, with remembered requests at one time. */
  agentTextShares: 40,
  /** Requests without a timestamp, remembered with the position: those of the owner, and of one
   *  agent. */
  untimedTextsPerPosition: 256,
  untimedTextsPerAgent: 64,
  /** Maximum in micro-dollars of any sum of worst-case values, deposits or limits. */
  moneyMax: 2 ** 52,
  /** Bounds of an oracle price, when its market is listed and later. */
  oracleTicksMin: 1_000,
  oracleTicksMax: 1_000_000_000,
  referencesKept: 10_000_000,
  /** Credits held for a second operator, per requesting operator and in total; and the number of
   *  operators whose daily sums are kept. */
  creditsWaitingEach: 100,
  creditsWaiting: 1_000,
  operatorsCounted: 1_000,
  textLength: 128,
  /** Notes of a sandbox's price sources, and the length of each. */
  notes: 1_024,
  noteLength: 120_000,
} as const
