// The notes with which a fork begins (sources/sandbox-notes.ts): the bots stand still, and the
// prices of a venue, which nothing feeds any more, hold until they are set.

import type { ExchangeView } from '../../core/index.ts'
import { noteOf } from '../../sources/prices/script.ts'
import { botsNote } from '../../sources/sandbox-notes.ts'

/** `fromSandbox`: its prices continue as after a restart. */
export function forkNotes(
  { markets }: ExchangeView,
  fromSandbox: boolean,
): ReadonlyMap<string, string> {
  const held = fromSandbox
    ? []
    : markets.all().map((market) =>
        noteOf(market, {
          kind: 'path',
          prices: [market.oracle],
          from: market.jumps,
          holds: true,
          jump: false,
        }),
      )
  const notes = [botsNote({ running: false, configured: false }), ...held]
  return new Map(notes.map(({ name, text }) => [name, text!]))
}
