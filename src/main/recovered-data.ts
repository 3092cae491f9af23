// What happened so far: the data folder and the history store beside it, both open and in step. A
// store that read further than the journal goes (of another exchange, or an older backup) is
// thrown away and made anew from the journal.

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Genesis } from '../core/genesis.ts'
import { createHistory, type OpenHistory } from '../projections/history/create-history.ts'
import { type ExchangeData, openExchangeData } from '../sequencer/exchange-data.ts'
import type { EngineClock, SourceMemory } from '../sequencer/ports.ts'
import { allBots } from '../sources/bots/bot-accounts.ts'

export type RecoveredData = Readonly<{ data: ExchangeData; history: OpenHistory }>

export type DataNeeds = Readonly<{
  config: Config
  genesis: Genesis
  clock: EngineClock
  sources: SourceMemory
  log: Logger
  onFatal: (error: unknown) => void
}>

const historyFiles = ['history.db', 'history.db-wal', 'history.db-shm']
/** Bots trade all day; what they did long ago interests nobody. */
const botRowsKept = 20_000

export async function recoverData(needs: DataNeeds): Promise<RecoveredData> {
  mkdirSync(needs.config.data, { recursive: true })
  const first = await open(needs)
  if (first.history.seq() <= first.data.sequencer.seq) return first
  needs.log.warn('the history store is ahead of the journal and is made anew')
  await first.history.close()
  await first.data.close({ snapshot: false })
  for (const name of historyFiles) rmSync(join(needs.config.data, name), { force: true })
  return open(needs)
}

async function open({ config, genesis, clock, sources, log, onFatal }: DataNeeds) {
  const history = await createHistory({
    file: join(config.data, 'history.db'),
    exchange: 'openperp',
    journalSeq: Number.MAX_SAFE_INTEGER,
    reserved: [genesis.feesAddress, genesis.insuranceAddress, genesis.deficitAddress],
    ...(config.mode === 'sandbox' && {
      churn: { addresses: allBots.map(({ address }) => address), keepRows: botRowsKept },
    }),
    onFailure: (error) => log.error({ err: error }, 'the history store failed; restart to mend it'),
  })
  try {
    const data = await openExchangeData({
      folder: config.data,
      genesis,
      clock,
      sources,
      keep: config.mode,
      onFatal,
      onWarning: (text) => log.warn(text),
      feed: { after: history.seq(), tell: (batch) => history.feed(batch) },
      snapshotEntries: config.snapshotCommands,
    })
    return { data, history }
  } catch (error) {
    await history.close()
    throw error
  }
}
