// Handles in the label of a position, from which a take-profit or stop-loss is dragged to its
// price. By keyboard they open the dialog of levels.

import { useSignal } from '@preact/signals'
import { addLevel } from '../../model/account/move-line.ts'
import { profitAt } from '../../model/account/positions.ts'
import type { LevelKind } from '../../model/levels/level-rows.ts'
import { LineDrag } from '../../model/market/line-drag.ts'
import { numberOnGrid } from '../../model/market/market-grid.ts'
import { fixed, signedUsd } from '../../model/number-text.ts'
import type { Position } from '../../model/wire.ts'
import { useTerminal } from '../use-terminal.ts'
import type { PriceChart } from './price-chart.ts'

type HandleProps = Readonly<{ position: Position; chart: PriceChart }>

const handles = [
  ['take_profit', 'TP'],
  ['stop_loss', 'SL'],
] as const satisfies readonly (readonly [LevelKind, string])[]

export function LevelHandles(props: HandleProps) {
  return (
    <>
      {handles.map(([kind, text]) => (
        <LevelHandle key={kind} kind={kind} text={text} {...props} />
      ))}
    </>
  )
}

function LevelHandle(props: HandleProps & { kind: LevelKind; text: string }) {
  const { position, chart, kind, text } = props
  const terminal = useTerminal()
  const price = useSignal<string | null>(null)
  const drag = useSignal(new LineDrag()).peek()
  const { tick } = terminal.markets.grid.value
  const entry = chart.yOf(Number(position.p)) ?? 0
  const pointOf = ({ clientX: x, clientY: y }: PointerEvent) => ({ x, y })
  const end = () => {
    drag.end()
    price.value = null
  }
  return (
    <>
      <button
        type="button"
        class="level-handle"
        aria-label={`${text} of ${position.s}`}
        title="Drag to a price"
        onPointerDown={(event) => {
          event.stopPropagation()
          event.currentTarget.setPointerCapture(event.pointerId)
          drag.grab(pointOf(event), event.pointerType === 'touch', () => undefined)
        }}
        onPointerMove={(event) => {
          const down = drag.by(pointOf(event))
          const at = down === null ? null : chart.priceAt(entry + down)
          if (at !== null) price.value = numberOnGrid(at, tick)
        }}
        onPointerUp={() => {
          const chosen = price.peek()
          end()
          if (chosen !== null) void addLevel(terminal, { position, kind }, chosen)
        }}
        onPointerCancel={end}
        onClick={({ detail }) => {
          // A click by keyboard has no pointer.
          if (detail === 0) terminal.open({ show: 'levels', position })
        }}
      >
        {text}
      </button>
      {price.value !== null && (
        <span
          class={`level-ghost tag-${kind === 'take_profit' ? 'up' : 'down'}`}
          style={{ top: `${(chart.yOf(Number(price.value)) ?? entry) - entry}px` }}
        >
          {text} {fixed(price.value, terminal.markets.grid.value.tickPlaces)}{' '}
          {signedUsd(profitAt(position, Number(price.value)))} USD
        </span>
      )}
    </>
  )
}
