// Passes every batch since the start to the market statistics.

import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenHistory } from '../projections/history/create-history.ts'
import { HistoryBehind } from '../projections/history/history.ts'
import {
  createMarketStatistics,
  type FedStatistics,
  type Recent,
} from '../projections/market-statistics.ts'
import type { Sequencing } from '../sequencer/sequencing.ts'

const historyRetryMs = 200

type RecentHistory = Pick<OpenHistory, 'recent'>

/** Adds every batch to the statistics. After a revert the statistics are loaded again. */
export async function followStatistics(
  sequencer: Sequencing,
  history: RecentHistory,
  fault: (error: unknown) => void,
): Promise<FedStatistics> {
  const statistics = createMarketStatistics()
  const load = async () => {
    statistics.load(await recentOf(history, sequencer))
  }
  await load()
  sequencer.onBatch((batch) => {
    statistics.feed(batch)
    if (statistics.needsLoad()) load().catch(fault)
  })
  return statistics
}

/** Loads recent history, with retries while history is behind. */
async function recentOf(history: RecentHistory, sequencer: Sequencing): Promise<Recent> {
  for (;;) {
    try {
      return await history.recent(sequencer.seq, sequencer.view.atMs)
    } catch (error) {
      if (!(error instanceof HistoryBehind)) throw error
      await sleep(historyRetryMs)
    }
  }
}
