// A second version of the rules, for tests alone: the seam between two versions is crossed before
// the first real one is. All numbers are others, but for the periods by which points and epochs are
// numbered.

import { firstRules } from '../../src/core/rules/first-rules.ts'
import { limits } from '../../src/core/rules/limits.ts'
import type { RuleBook, RuleLimits } from '../../src/core/rules/rule-book.ts'
import { ruleBooks } from '../../src/core/rules/versions.ts'
import { twinBooks } from '../twin/rule-books.ts'

/** Far from those that are real. */
export const trialVersion = 1_000

export const trialRules: RuleBook = {
  prices: {
    movePpmPerMs: 10,
    movePpmMax: 20_000,
    countingBumps: 3,
    countingAgeMsMin: 100,
    impactSteps: 5,
    // Not before the longest life of a price is over.
    cancelOnlyAfterMs: 80_000,
    goodTicks: 3,
  },
  funding: {
    ...firstRules.funding,
    premiumParts: 3,
    premiumPpmMax: 30_000,
    interestPpb: 300_000,
    interestClampPpb: 400_000,
    epochParts: 4,
    ratePpbMax: 1_000_000,
    liveTickBeforeEpochMs: 600_000,
  },
  margin: { maintenanceParts: 3, withdrawalParts: 5, dislocationMs: 2_000 },
  liquidation: {
    stepEquity: 6,
    stepMaintenance: 1,
    unfilledWindowMs: 1_000,
    unfilledPauseMs: 100,
    healthPercent: 130,
    stepParts: 3,
    backstopSlipPpm: 9_000,
    backstopPartPpm: 300_000,
    fundDailyMax: 500_000,
    deleverageBuckets: 2,
  },
  triggers: { slippagePpmMax: 60_000, goesOnMs: 20_000 },
  fees: { volumeDays: 1, insuranceSharePpm: 100_000, shareMs: 3_600_000 },
  limits: {
    ...firstRules.limits,
    ordersWalked: 1,
    brakeLossMin: 1_000,
    tickWaitMs: 3_000,
    commandUnits: 3,
    ownOrdersMet: 1,
    deleverageCandidates: 3,
    observedWithinMsMin: 50,
    observedWithinMsMax: 5_000,
    stopsPerAccount: 3,
    levelsPerKind: 2,
    trailingPerAccount: 2,
    trailPpmMin: 2_000,
    trailPpmMax: 400_000,
    riskUnits: 5,
    riskMatchUnits: 2,
    triggerUnits: 3,
    fundingUnits: 3,
    releasesPerCommand: 2,
    expiriesPerCommand: 1,
    expireAheadMsMin: 500,
    twapsPerMarket: 2,
    twapCatchUp: 2,
    stepsPerCommand: 2,
    algosPerMarket: 1,
    algoRefusals: 2,
    icebergParts: 5,
    icebergRetryMs: 300,
    chasesPerOwner: 2,
    chaseStepMs: 400,
    chaseMsMax: 60_000,
    chaseLook: 3,
  },
}

/** From here on this process knows the trial version with these numbers: the core, and its twin. */
export function knowRules(rules: RuleBook): void {
  const known = ruleBooks as Map<number, RuleBook>
  known.set(trialVersion, rules)
  twinBooks.set(trialVersion, rules)
}

/** Other bounds until the test is over. */
export function boundFor(test: { after: (undo: () => void) => void }, limits: Partial<RuleLimits>) {
  test.after(() => setLimits(usualLimits))
  setLimits(limits)
}

/** As they are outside of tests, so that a test may bound something twice. */
const usualLimits: RuleLimits = { ...firstRules.limits }

type TextLimits = Pick<
  typeof limits,
  'textsPerAccount' | 'textsPerAgent' | 'textsReserved' | 'agentTextShares'
>

/** Other sizes of the memory of signed texts, of core and twin, until the test is over. */
export function textLimitsFor(
  test: { after: (undo: () => void) => void },
  others: { readonly [Name in keyof TextLimits]?: number },
) {
  const usual = { ...limits }
  test.after(() => Object.assign(limits, usual))
  Object.assign(limits, others)
}

/** A bound that a small world reaches, in the first rules of core and twin. */
export function setLimits(limits: Partial<RuleLimits>): void {
  Object.assign(firstRules.limits, limits)
  Object.assign(twinBooks.get(1)!.limits, limits)
}
