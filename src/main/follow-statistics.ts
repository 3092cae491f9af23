// Feeds every batch from the start on to the statistics of markets.

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

/** They read every batch, and after a revert they are loaded again. */
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

/** A history that is being started again is waited for. */
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
