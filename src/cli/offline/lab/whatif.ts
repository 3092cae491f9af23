// `openperp whatif`: plays a history with changes, and shows what would have been different.

import { readFileSync } from 'node:fs'
import { sandboxKeys } from '../../../client/sandbox-keys.ts'
import type { WhatIfReport } from '../../../lab/what-if/what-if.ts'
import { counted } from '../../../projections/explain/explanation.ts'
import { command } from '../../frame/command.ts'
import { CliError, misused } from '../../frame/exit-codes.ts'
import { pairsOf } from '../../frame/screen.ts'
import { dataFolderOf, onData, pointOf } from '../data-option.ts'
import { differenceLines } from './difference-lines.ts'

export const whatif = command({
  name: 'whatif',
  group: 'data',
  summary: 'Play a history again with changes, next to the original',
  about:
    'Every recorded command is applied to both. Ids that it names are those of the same order, ' +
    'stop, algo, withdrawal or account in the variant. Commands that were accepted and are ' +
    'refused in the variant are counted first: the more there are, the further the answer is ' +
    'from what would have happened. Traders and prices do not react to the changes. Nothing is ' +
    'written. The exit code is 0 if nothing else changed, and 1 if something did.',
  arguments: [{ name: 'data', about: 'data folder', required: true }],
  options: {
    at: {
      value: '<seq|time>',
      about: 'the changes apply after this entry (default: from the beginning)',
    },
    set: {
      multiple: true,
      value: '<market>.<parameter>=<value>',
      about: 'a parameter of a market, in the words of `openperp admin market change`',
    },
    insert: {
      multiple: true,
      value: '<file>',
      about:
        'requests to insert, one JSON object a line: {"seq"|"time","account","operation","body"}',
    },
    drop: {
      multiple: true,
      value: '<order=id|account=address>',
      about: 'without the command that placed an order, or without the commands of an account',
    },
    rules: { value: '<version>', about: 'version of the rules' },
  },
  examples: [
    'openperp whatif data --set BTC.leverage_max=20',
    'openperp whatif data --drop order=42 --json',
    'openperp whatif data --at 2026-11-17T06:25:00Z --insert orders.jsonl',
  ],
  async run({ values, words, screen }) {
    const folder = dataFolderOf(words[0], {})
    const { set = [], drop = [], insert = [] } = values
    const { FolderHistory } = await import('../../../lab/history.ts')
    const { parseDrops, parseSet } = await import('../../../lab/what-if/changes.ts')
    const { parseInsertions } = await import('../../../lab/what-if/inserted.ts')
    const { whatIf } = await import('../../../lab/what-if/what-if.ts')
    const play = async () =>
      whatIf({
        ...{
          history: new FolderHistory(folder),
          at: pointOf(values.at),
          sets: set.map(parseSet),
          dropped: parseDrops(drop),
        },
        insertions: insert.flatMap((file) => parseInsertions(textOf(file))),
        rules: rulesOf(values.rules),
        onProgress: (seq) => screen.progress(`whatif  entry ${seq}`),
      })
    // The exit code 1 says that there is a difference.
    const report = await onData(play, 'misused')
    return {
      json: report,
      lines: linesOf(report),
      end: report.difference.isEqual ? ('yes' as const) : ('refused' as const),
    }
  },
})

function rulesOf(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^[1-9]\d{0,5}$/.test(text)) return Number.parseInt(text, 10)
  throw misused(`--rules ${text} is not the number of a version`)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CliError('misused', `--insert ${file}: ${(error as Error).message}`)
  }
}

function linesOf(report: WhatIfReport): readonly string[] {
  const { distance, dropped, inserted, own, difference } = report
  const { refusedHere, acceptedHere } = distance
  return [
    headline(report),
    ...pairsOf([
      ['distance', `${refusedHere} accepted there are refused here`],
      ['', `${acceptedHere} refused there are accepted here, ${distance.dropped} dropped`],
    ]),
    ...dropped.map(({ seq, command, result }) => `dropped   entry ${seq}: ${command} (${result})`),
    ...inserted.map(({ line, refused }) => `inserted  line ${line}: ${refused ?? 'accepted'}`),
    ...(difference.isEqual ? [] : differenceLines(difference, (address) => named(address, own))),
  ].map((line) => named(line, own))
}

const same = 'no balance, position, fill, liquidation or mark differs'

function headline({ distance, inserted, difference }: WhatIfReport): string {
  const { isEqual, accounts, markets, fills, liquidations, fund } = difference
  const isPlain = distance.dropped + inserted.length === 0
  if (isEqual) return `nothing ${isPlain ? '' : 'else '}changed: ${same}`
  const counts = [
    [accounts.length, 'account'],
    [markets.length, 'market'],
    [fills.count[0] + fills.count[1], 'fill'],
    [liquidations.count[0] + liquidations.count[1], 'liquidation'],
  ] as const
  const changed = counts.filter(([count]) => count > 0).map(([count, what]) => counted(count, what))
  if (fund !== null) changed.push('the insurance fund')
  if (changed.length === 0) return 'only results of commands changed: no balance or fill differs'
  return `changed: ${changed.join(', ')}`
}

/** With the names of a sandbox in place of addresses, and a mark at accounts of the change. */
function named(line: string, own: readonly string[]): string {
  const marked = own.reduce((text, each) => text.replaceAll(each, `${each} (own)`), line)
  return sandboxKeys.reduce((text, { name, key }) => text.replaceAll(key.address, name), marked)
}
