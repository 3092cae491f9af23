// The menu of a price on the chart: an order, a level or an alert there. Opened with a right click.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { addLevel } from '../../model/account/move-line.ts'
import { profitAt } from '../../model/account/positions.ts'
import { numberOnGrid } from '../../model/market/market-grid.ts'
import { fixed } from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import { trade } from '../commands.ts'
import { type MenuItem, MenuList } from '../parts/menu.tsx'
import { useTerminal } from '../use-terminal.ts'
import type { PriceChart } from './price-chart.ts'

type Place = Readonly<{ x: number; y: number; price: string }>

/** What can be done at a price. Below the mark a limit order buys and a stop sells. */
function itemsAt(terminal: Terminal, price: string): readonly MenuItem[] {
  const { account, alerts, markets, notices } = terminal
  const symbol = markets.symbol.peek()
  const mark = markets.mark.peek()
  const text = fixed(price, markets.grid.peek().tickPlaces)
  const isBelow = Number(price) < mark
  const [limitSide, stopSide] = isBelow ? (['bid', 'ask'] as const) : (['ask', 'bid'] as const)
  const verb = { bid: 'Buy', ask: 'Sell' } as const
  const position = account.position(symbol)
  const kind =
    position !== undefined && profitAt(position, Number(price)) > 0 ? 'take_profit' : 'stop_loss'
  return [
    {
      id: 'limit',
      label: `${verb[limitSide]} limit at ${text}`,
      act: () => trade(terminal, { kind: 'limit', side: limitSide, price }, 'ticket-size'),
    },
    {
      id: 'stop',
      label: `${verb[stopSide]} stop at ${text}`,
      act: () => trade(terminal, { kind: 'stop', side: stopSide, stop: price }, 'ticket-size'),
    },
    ...(position === undefined
      ? []
      : [
          {
            id: 'level',
            label: `${kind === 'take_profit' ? 'Take profit' : 'Stop loss'} at ${text}`,
            act: () => void addLevel(terminal, { position, kind }, price),
          },
        ]),
    {
      id: 'alert',
      label: `Alert at ${text}`,
      act: () => {
        const refused = alerts.add({ symbol, source: 'mark', level: Number(price) }, mark)
        if (refused !== null)
          notices.show({
            kind: 'bad',
            title: 'Alert not set',
            text: refused,
            link: { label: 'Alerts', open: () => terminal.open({ show: 'alerts' }) },
          })
      },
    },
  ]
}

type ChartMenuProps = Readonly<{
  chart: PriceChart
  box: Readonly<{ current: HTMLDivElement | null }>
}>

export function ChartMenu({ chart, box }: ChartMenuProps) {
  const terminal = useTerminal()
  const at = useSignal<Place | null>(null)
  useEffect(() => {
    const node = box.current
    const open = (event: MouseEvent) => {
      const { left, top, width, height } = node!.getBoundingClientRect()
      const [x, y] = [event.clientX - left, event.clientY - top]
      const price = y < chart.paneHeight() ? chart.priceAt(y) : null
      if (price === null) return
      event.preventDefault()
      const onGrid = numberOnGrid(price, terminal.markets.grid.peek().tick)
      at.value = { x: Math.min(x, width - 190), y: Math.min(y, height - 130), price: onGrid }
    }
    node?.addEventListener('contextmenu', open)
    return () => node?.removeEventListener('contextmenu', open)
  }, [chart, box, terminal])
  if (at.value === null) return null
  const { x, y, price } = at.value
  return (
    <MenuList
      label={`At ${price}`}
      items={itemsAt(terminal, price)}
      style={{ left: `${x}px`, top: `${y}px` }}
      onClose={() => {
        at.value = null
      }}
    />
  )
}
