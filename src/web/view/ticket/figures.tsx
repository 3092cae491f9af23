import { fixed, NONE, usd } from '../../model/number-text.ts'
import { useTerminal } from '../use-terminal.ts'

/** Most fees of small orders are less than a cent, and none of them is nothing. */
function feeText(fee: string): string {
  const value = Math.abs(Number(fee))
  return value > 0 && value < 0.01 ? fixed(fee, 4) : usd(fee)
}

/** What the exchange says the order would cost and become. The place is kept while it is unknown,
 *  so that nothing jumps. */
export function Figures() {
  const { ticket, markets } = useTerminal()
  const preview = ticket.preview.value
  const { tickPlaces } = markets.grid.value
  const base = markets.market.value?.base_asset ?? ''
  const { liquidation_price: liquidation, position_after: after } = preview ?? {}
  const rows: readonly (readonly [string, string])[] = [
    ['Order value', preview?.notional == null ? NONE : `${usd(preview.notional)} USD`],
    ['Fee, at most', preview?.fee == null ? NONE : `${feeText(preview.fee)} USD`],
    ['Margin needed', preview?.margin == null ? NONE : `${usd(preview.margin)} USD`],
    ['Position after', after == null ? NONE : `${after} ${base}`],
    [
      'Liquidation price',
      preview === null || preview.notional === null
        ? NONE
        : liquidation == null
          ? 'none'
          : fixed(liquidation, tickPlaces),
    ],
  ]
  return (
    <dl class="figures" aria-label="Preview">
      {rows.map(([name, value]) => [
        <dt key={name}>{name}</dt>,
        <dd key={`${name} value`}>{value}</dd>,
      ])}
    </dl>
  )
}
