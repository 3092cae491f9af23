// What the admin plane asks of the process: prices, deeds, backups, hashes, draining.

import { cp, mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Operator } from '../gateway/admin/operator.ts'
import type { OpenHistory } from '../projections/history/create-history.ts'
import type { ExchangeData } from '../sequencer/exchange-data.ts'
import type { PriceFeed } from '../sources/prices/price-feed.ts'

export type OperatorNeeds = Readonly<{
  folder: string
  data: ExchangeData
  history: OpenHistory
  feed: PriceFeed | null
  drain: () => void
}>

/** What a restore needs: the journal, its snapshots and the genesis. History is made from them. */
const backedUp = ['genesis.json', 'journal', 'snapshots', 'saved', 'sandbox-sources.json']

export function createOperator({ folder, data, history, feed, drain }: OperatorNeeds): Operator {
  return {
    pushPrices(source, prices) {
      if (feed === null) return prices.map(() => 'a sandbox makes its own prices')
      return prices.flatMap(({ market, price, external }) => {
        const result = feed.push(source, market, price, external)
        return result === 'taken' ? [] : [`market ${market}: ${result}`]
      })
    },
    deeds: (limit, before) => history.history.deeds(data.sequencer.seq, limit, before),
    async backup() {
      const seq = await data.snapshotNow()
      const target = join(dirname(folder), `${basename(folder)}-backup-${seq}`)
      await mkdir(target, { recursive: true })
      for (const name of backedUp)
        await cp(join(folder, name), join(target, name), { recursive: true, force: true }).catch(
          (error: NodeJS.ErrnoException) => {
            // Not every exchange has all of them.
            if (error.code !== 'ENOENT') throw error
          },
        )
      return { folder: target, seq }
    },
    drain,
    hashes: () => data.hashesNow(),
  }
}
