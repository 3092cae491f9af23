// The exchange interface that operations use, over a local or a remote sequencer.

import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Exchange } from '../../gateway/exchange.ts'
import { ExplainThread } from '../../projections/explain/thread/explain-thread.ts'
import { publishedReserves } from '../../projections/reserves/published-reserves.ts'
import { readDataFolder } from '../../sequencer/data-folder.ts'
import type { Sequencing } from '../../sequencer/sequencing.ts'

type Parts = Readonly<{ config: Config }> &
  Pick<
    Exchange,
    | 'history'
    | 'statistics'
    | 'closed'
    | 'keyUse'
    | 'apiKeys'
    | 'sandbox'
    | 'disputedPrices'
    | 'receipts'
    | 'connections'
    | 'manual'
    | 'lab'
    | 'forks'
  >

/** Time in ms that a request waits for an entry that another process has already reported. */
const reachedMs = 1_000

export function exchangeOver(sequencing: Sequencing, { config, ...parts }: Parts): Exchange {
  const { venue: id, genesis } = readDataFolder(config.data)
  return {
    ...parts,
    submit: (command, by, mayPass) => sequencing.ask(command, by ?? null, mayPass),
    get view() {
      return sequencing.view
    },
    seq: () => sequencing.seq,
    reached: (seq) => sequencing.reached(seq, reachedMs),
    wallNow: Date.now,
    explain: new ExplainThread(config.data).run,
    reserves: publishedReserves(join(config.data, 'reserves')),
    settings: {
      mode: config.mode,
      fork: genesis.fork !== undefined,
      reads: config.reads,
      untimedTexts: config.untimedTexts,
      operatorAccounts: config.mode === 'sandbox' ? null : config.operatorAccounts,
      creditsPerIp: config.credits,
      venue: { id, required: config.requireVenue },
    },
  }
}
