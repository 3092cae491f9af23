// The numbers of docs/rules, by version, as the twin knows them: written from the documents,
// chapter by chapter, and not from the core's own table. It refuses a version it does not know.

import type { RuleBook } from '../../src/core/rules/rule-book.ts'

const firstBook: RuleBook = {
  prices: {
    movePpmPerMs: 20,
    movePpmMax: 200_000,
    bandParts: 2,
    bandPpmMax: 50_000,
    countingBumps: 2,
    countingAgeMsMin: 250,
    ordersCounted: 4_096,
    externalMaxAgeMs: 5_000,
    spreadPpmMax: 50_000,
    basisWeight: 85_046_051,
    basisStepMs: 3_000,
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
  margin: { maintenanceParts: 2, countedPpm: 375_000, withdrawalParts: 10 },
  liquidation: {
    stepOracleParts: 2,
    stepEquity: 3,
    stepMaintenance: 2,
    unfilledWindowMs: 60_000,
    unfilledPauseMs: 2_500,
    healthPercent: 115,
    stepParts: 5,
    backstopSlipPpm: 5_000,
    fundDailyMax: 500_000,
    deleverageBuckets: 5,
  },
  triggers: { stopSlippagePpm: 100_000 },
  fees: { volumeDays: 14, insuranceSharePpm: 100_000, shareMs: 3_600_000 },
  limits: {
    ordersPerAccount: 1_000,
    levelsPerSide: 1_000_000,
    ordersWalked: 1_000,
    ordersWalkedReducing: 10_000,
    twapsPerMarket: 5,
    twapSecondsMin: 60,
    twapSecondsMax: 86_400,
    twapCatchUp: 3,
    batchActions: 10,
    subaccountsPerAccount: 50,
    agentsPerAccount: 20,
    ipsPerAgent: 50,
    armedPerAccount: 16,
    armedPerAgent: 4,
    apiKeysPerAccount: 5,
    stopsPerAccount: 200,
    riskUnits: 64,
    triggerUnits: 64,
    fundingUnits: 64,
    releasesPerCommand: 256,
    expiriesPerCommand: 512,
    expireAheadMsMin: 1_000,
    leverageMax: 100,
    stepScaleMax: 18,
    unitValueMax: 1_000_000_000,
    tickMaxMost: 2_000_000_000,
    riskTiers: 10,
    feeTiers: 12,
    feePpmMax: 10_000,
    slippagePpmMax: 1_000_000,
    scheduleAheadMsMin: 5_000,
    withdrawalMin: 1_000_000,
    withdrawalDailyMax: 10_000_000_000_000,
    withdrawalsPending: 100,
    speedBumpMsMax: 10_000,
    staleAfterMsMin: 1_000,
    staleAfterMsMax: 60_000,
    minSourcesMax: 16,
    liquidationFeePartMost: 500_000,
    liquidationFeeMost: 250_000,
    liquidationDryMost: 100,
    requirementNoticeMs: 86_400_000,
    immediateNoticeMs: 3_600_000,
  },
}

/** By version; a test may add one of its own. */
export const twinBooks = new Map<number, RuleBook>([[1, firstBook]])

/** Those in force. */
export function bookOf({ rulesVersion }: Readonly<{ rulesVersion: number }>): RuleBook {
  const book = twinBooks.get(rulesVersion)
  if (book === undefined) throw new Error(`no rules of version ${rulesVersion}`)
  return book
}
