// `openperp rebuild`: rebuilds the history store from the journal. The exchange must not be running
// on the folder. No other file in the folder is changed.

import { command } from '../frame/command.ts'
import { dataFolderOf, dataOption, onData } from './data-option.ts'

export const rebuild = command({
  name: 'rebuild',
  group: 'data',
  summary: 'Rebuild the history store (history.db) from the journal',
  about: 'The exchange must not be running there. Only history.db is changed.',
  options: { ...dataOption },
  examples: ['openperp rebuild', 'openperp rebuild --data /srv/openperp'],
  async run({ values, screen, environment }) {
    const folder = dataFolderOf(values.data, environment)
    const { rebuildHistory } = await import('./rebuild-history.ts')
    const started = performance.now()
    const { fromSeq, seq, events } = await onData(() =>
      rebuildHistory(folder, {
        onProgress: (so) => screen.progress(`rebuild  seq ${so.seq}, ${so.events} events`),
        onWarning: (text) => screen.remark(`openperp: ${text}`),
      }),
    )
    const seconds = (performance.now() - started) / 1_000
    const begins = fromSeq > 0 ? `; like the journal, it begins after entry ${fromSeq}` : ''
    return {
      json: { folder, fromSeq, seq, events, seconds },
      lines: [`${folder}: history rebuilt up to entry ${seq} (${events} events)${begins}`],
    }
  },
})
