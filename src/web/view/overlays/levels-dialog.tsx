// Take-profits and stop-losses of a position. Each closes its share of the position.

import { useSignal } from '@preact/signals'
import { levelsOf } from '../../model/account/positions.ts'
import {
  bodiesOf,
  type Entered,
  type LevelKind,
  type LevelRow,
  priceOf,
  rowNamed,
  rowsProblem,
} from '../../model/levels/level-rows.ts'
import { sideProblem } from '../../model/levels/level-side.ts'
import {
  asNow,
  haveChanged,
  rowsOf,
  type Typed,
  typedOver,
} from '../../model/levels/position-levels.ts'
import type { Terminal } from '../../model/terminal.ts'
import { namedValue } from '../../model/ticket/refusal-field.ts'
import type { Position } from '../../model/wire.ts'
import { sentence } from '../../model/words/sentence.ts'
import { Dialog } from '../parts/dialog.tsx'
import { LevelRows, type RowRefusal } from '../parts/level-rows.tsx'
import { useTerminal } from '../use-terminal.ts'
import { Summary } from './position-dialogs.tsx'

const kinds = ['take_profit', 'stop_loss'] as const

type Rows = Readonly<Record<LevelKind, readonly LevelRow[]>>
const byKind = (rowsOf: (kind: LevelKind) => readonly LevelRow[]): Rows => ({
  take_profit: rowsOf('take_profit'),
  stop_loss: rowsOf('stop_loss'),
})
type Refusal = RowRefusal & Readonly<{ kind: LevelKind }>

/** Properties of the current position, because the request uses its size at the time of sending. */
function enteredOf({ account, markets }: Terminal, opened: Position): Entered {
  const position = account.position(opened.s) ?? opened
  return {
    side: position.d as 'bid' | 'ask',
    entry: Number(position.p),
    mark: Number(markets.prices.value.get(position.s)?.mark ?? position.p),
    amount: position.a,
    open: true,
  }
}

/** Rows of the levels. Rows that were not edited follow the current levels. */
function useRows(position: Position) {
  const terminal = useTerminal()
  const grid = terminal.markets.gridOf(position.s)
  const typed = useSignal<Partial<Record<LevelKind, Typed>>>({})
  const rowsNow = (): Readonly<Record<'there' | 'rows', Rows>> => {
    const now = terminal.account.position(position.s) ?? position
    const levels = levelsOf(now, terminal.account.orders.value)
    const there = byKind((kind) => rowsOf(now, kind, levels[kind], grid))
    const rows = byKind((kind) => {
      const some = typed.value[kind]
      return some === undefined ? there[kind] : asNow(some, there[kind])
    })
    return { there, rows }
  }
  /** Request with only the changed kinds. */
  const wish = () => {
    const now = enteredOf(terminal, position)
    const { there, rows } = rowsNow()
    const bodies = (all: Rows, kind: LevelKind) => bodiesOf(all[kind], kind, now, grid)
    const changed = kinds.filter(
      (kind) => JSON.stringify(bodies(rows, kind)) !== JSON.stringify(bodies(there, kind)),
    )
    return Object.fromEntries(changed.map((kind) => [kind, bodies(rows, kind)]))
  }
  const { rows, there } = rowsNow()
  const typeInto = (kind: LevelKind, next: readonly LevelRow[]) => {
    const over = typedOver(next, there[kind], typed.peek()[kind])
    typed.value = { ...typed.peek(), [kind]: over }
  }
  const changed = kinds.some((kind) => {
    const some = typed.value[kind]
    return some !== undefined && haveChanged(some, there[kind])
  })
  return { grid, entered: enteredOf(terminal, position), rows, changed, typeInto, wish }
}

/** Refusal at the row that it concerns. */
function refusalOf(message: string, rows: Rows, priceIn: PriceIn): Refusal {
  const named = kinds.flatMap((kind) => {
    const prices = rows[kind].map((row) => ({ price: priceIn(row, kind) }))
    const row = rowNamed(message, kind, prices)
    return row === null ? [] : [{ kind, row }]
  })
  const { kind, row } = named[0] ?? { kind: 'take_profit' as const, row: 0 }
  return { kind, row, message: sentence(message), accepted: namedValue(message) }
}

type PriceIn = (row: LevelRow, kind: LevelKind) => string | null

export function LevelsDialog({ position: opened }: { position: Position }) {
  const terminal = useTerminal()
  const position = terminal.account.position(opened.s)
  if (position?.d === opened.d) return <OpenLevels position={position} />
  return (
    <Dialog title={`Take profit and stop loss, ${opened.s}`} onClose={() => terminal.close()}>
      <p>The position is closed, and its levels ended with it.</p>
    </Dialog>
  )
}

function OpenLevels({ position }: { position: Position }) {
  const terminal = useTerminal()
  const { grid, entered, rows, changed, typeInto, wish } = useRows(position)
  const refusal = useSignal<Refusal | null>(null)
  const problem = (): Refusal | null => {
    for (const kind of kinds) {
      const found =
        rowsProblem(rows[kind], kind, entered.amount, grid) ??
        sideProblem(rows[kind], kind, entered, grid)
      if (found !== null) return { kind, ...found, accepted: null }
    }
    return null
  }
  const save = async () => {
    refusal.value = problem()
    if (refusal.peek() !== null) return
    const done = await terminal.trading.setLevels(position, wish(), ({ message }) => {
      const priceIn: PriceIn = (row, kind) => priceOf(row, kind, entered, grid)
      refusal.value = refusalOf(message, rows, priceIn)
    })
    if (done) terminal.close()
  }
  /** Refusal by the exchange, or problem found while typing. */
  const refused = (kind: LevelKind): RowRefusal | null => {
    if (refusal.value !== null) return refusal.value.kind === kind ? refusal.value : null
    const side = sideProblem(rows[kind], kind, entered, grid)
    return side === null ? null : { ...side, accepted: null }
  }
  const change = (kind: LevelKind, next: readonly LevelRow[]) => {
    refusal.value = null
    typeInto(kind, next)
  }
  const trails = rows.stop_loss.some(({ by, was }) => was !== undefined && by !== 'price')
  return (
    <Dialog
      title={`Take profit and stop loss, ${position.s}`}
      onClose={() => terminal.close()}
      action={{ label: 'Save', go: save }}
    >
      <Summary position={position} />
      {kinds.map((kind, at) => (
        <LevelRows
          of="position"
          key={kind}
          kind={kind}
          label={kind === 'take_profit' ? 'Take profit at mark' : 'Stop loss at mark'}
          first={at === 0}
          rows={rows[kind]}
          entered={entered}
          symbol={position.s}
          refusal={refused(kind)}
          onChange={(next) => change(kind, next)}
        />
      ))}
      {changed && (
        <p class="warn" role="note">
          Levels have ended or were set while this was open: look again before you save.
        </p>
      )}
      <p class="dim">
        Each closes its share at market. Shares of 100 % in all cover the position however it grows.
        An empty field takes a level away.
        {trails && ' A trailing stop loss restarts at the mark when stop losses are changed.'}
      </p>
    </Dialog>
  )
}
