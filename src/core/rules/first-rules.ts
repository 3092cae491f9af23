// Version 1 of the rules, which an exchange is born with. Journals were made under it: no number
// here ever changes.

import type { RuleBook } from './rule-book.ts'

export const firstRules: RuleBook = {
  prices: {
    movePpmPerMs: 20,
    movePpmMax: 200_000,
    bandPpmMax: 200_000,
    lastTradeMaxAgeMs: 60_000,
    externalMaxAgeMs: 5_000,
    spreadPpmMax: 50_000,
    basisWeight: 85_046_051,
    basisStepMs: 3_000,
    basisStepsMax: 200,
    staleAfterMs: 10_000,
    cancelOnlyAfterMs: 60_000,
    goodTicks: 5,
  },
  funding: {
    samplePeriodMs: 5_000,
    samplesPerEpoch: 720,
    epochMs: 3_600_000,
    interestPpb: 100_000,
    interestClampPpb: 500_000,
    epochParts: 8,
    ratePpbMax: 40_000_000,
    samplesMin: 360,
    liveTickBeforeEpochMs: 60_000,
  },
  margin: { maintenanceParts: 2 },
  liquidation: {
    stepEquity: 3,
    stepMaintenance: 2,
    unfilledMax: 3,
    unfilledWindowMs: 60_000,
    feeTenths: 4,
    feePpmMax: 7_500,
    healthPercent: 115,
    stepParts: 5,
    stepValueMax: 100_000_000_000,
    backstopSlipPpm: 5_000,
    deleverageBuckets: 5,
  },
  triggers: { stopSlippagePpm: 100_000 },
  fees: { volumeDays: 14 },
}
