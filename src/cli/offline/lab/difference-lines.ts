// A difference between two histories, for reading.

import type { Difference, OnlyIn, Pair } from '../../../lab/diff/difference.ts'
import { pairsOf, tableOf } from '../../frame/screen.ts'

/** Rows beyond these are in the JSON. */
const rowsMax = 20

type NameOf = (address: string) => string

export function differenceLines(
  difference: Difference,
  nameOf: NameOf = (address) => address,
): readonly string[] {
  const { names, entries, first, isEqual, fund } = difference
  const heads: [string, string][] = [['compared', `${names[0]} with ${names[1]}`]]
  heads.push(['entries', `${entries[0]} and ${entries[1]}`])
  if (isEqual) return [...pairsOf(heads), 'EQUAL: no difference']
  if (first !== null) {
    heads.push(['first', `entry ${first.seq}: ${first.cause}`], ['command', first.command])
    heads.push(['results', shown(first.results)])
  }
  if (fund !== null) heads.push(['fund', shown(fund)])
  return [
    ...pairsOf(heads),
    ...accountLines(difference, nameOf),
    ...table('markets', ['market', 'mark', 'open interest'], marketRows(difference)),
    ...onlyLines('fills', difference.fills),
    ...onlyLines('liquidations', difference.liquidations),
  ]
}

const shown = ([a, b]: Pair) => (a === b ? `${a}` : `${a ?? '-'} → ${b ?? '-'}`)

function accountLines({ accounts }: Difference, nameOf: NameOf): readonly string[] {
  const rows = accounts.map(({ address, name, balance, fees, funding, positions }) => {
    const held = positions.map(({ symbol, size }) => `${symbol} ${shown(size)}`)
    return [name ?? nameOf(address), shown(balance), shown(fees), shown(funding), held.join('; ')]
  })
  return table('accounts', ['account', 'balance', 'fees', 'funding', 'positions'], rows)
}

const marketRows = ({ markets }: Difference) =>
  markets.map(({ symbol, mark, openInterest }) => [symbol, shown(mark), shown(openInterest)])

function table(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  if (rows.length === 0) return []
  const more = rows.length > rowsMax ? [`and ${rows.length - rowsMax} more (--json)`] : []
  return ['', `${title}: ${rows.length}`, ...tableOf(heads, rows.slice(0, rowsMax)), ...more]
}

function onlyLines(title: string, { count, rows }: OnlyIn): readonly string[] {
  if (rows.length === 0) return []
  const lines = rows.slice(0, rowsMax).map(([a, b]) => (a === null ? `+ ${b}` : `- ${a}`))
  const left = count[0] + count[1] - lines.length
  const more = left > 0 ? [`and ${left} more`] : []
  return [
    '',
    `${title}: ${count[0]} only in the first, ${count[1]} only in the second`,
    ...lines,
    ...more,
  ]
}
