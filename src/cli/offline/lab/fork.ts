// `openperp fork`: a sandbox that begins with the state of another exchange at one entry.

import { resolve } from 'node:path'
import type { Forked } from '../../../lab/fork/fork-folder.ts'
import { command } from '../../frame/command.ts'
import { misused } from '../../frame/exit-codes.ts'
import { pairsOf } from '../../frame/screen.ts'
import { dataFolderOf, onData, pointOf } from '../data-option.ts'

export const fork = command({
  name: 'fork',
  group: 'data',
  summary: 'Create a sandbox with the state of an exchange at one entry',
  about:
    'Reads the newest snapshot before the entry and the journal after it, and writes a new data ' +
    'folder. The exchange may be running, also a venue: nothing of its folder is changed or ' +
    'locked. The fork has its accounts, orders, positions and prices, but no agents, API keys, ' +
    'IP addresses or history before that entry. It is a sandbox for good: it never starts ' +
    'as a venue, listens on loopback, and its time moves by `POST /sandbox/clock`. A request ' +
    'with the header `x-act-as: <address>` acts for that account without a signature. A copy ' +
    'with --anonymise has other addresses; names of operators and references of deposits are ' +
    'replaced, too. Client order ids stay.',
  arguments: [{ name: 'data', about: 'data folder of the original', required: true }],
  options: {
    at: {
      value: '<seq|time>',
      about: 'last entry, or the time that no entry may be later than (default: the newest entry)',
    },
    out: { short: 'o', value: '<folder>', about: 'new folder (required)' },
    anonymise: { about: 'replace addresses by others that lead back to none' },
  },
  examples: [
    'openperp fork data -o incident --at 2026-11-17T06:25:00Z',
    'openperp fork /srv/openperp -o /tmp/copy --at 10713 --anonymise',
    'openperp start --data incident --port 8090',
  ],
  async run({ values, words, screen }) {
    const source = dataFolderOf(words[0], {})
    if (values.out === undefined) throw misused('fork needs -o <folder>', 'name a new folder')
    const target = resolve(values.out)
    if (`${target}/`.startsWith(`${source}/`))
      throw misused(`-o ${values.out} is inside the folder of the original`)
    const { forkFolder } = await import('../../../lab/fork/fork-folder.ts')
    const { atMs, ...forked } = await onData(() =>
      forkFolder({
        ...{ source, target, at: pointOf(values.at), anonymise: values.anonymise === true },
        onProgress: (seq) => screen.progress(`fork  entry ${seq}`),
      }),
    )
    const at = new Date(atMs).toISOString()
    return {
      json: { from: source, to: target, ...forked, at },
      lines: linesOf(target, { ...forked, atMs }),
    }
  },
})

function linesOf(target: string, forked: Forked): readonly string[] {
  const { agents, apiKeys, connections } = forked.forgotten
  return pairsOf([
    ['forked to', target],
    ['at', `entry ${forked.seq}, ${new Date(forked.atMs).toISOString()}`],
    ['accounts', `${forked.accounts}`],
    ['dropped', `${agents} agents, ${apiKeys} API keys, ${connections} armed connections`],
    ['state hash', forked.stateHash],
    ['trading hash', forked.tradingHash],
    ['start it', `openperp start --data ${target}`],
  ])
}
