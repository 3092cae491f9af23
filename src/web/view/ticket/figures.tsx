import { amountText, compact, fixed, NONE, usd } from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import { feeText } from '../../model/ticket/order-fee.ts'
import { orderKinds } from '../../model/ticket/order-kinds.ts'
import type { Preview } from '../../model/wire.ts'
import { useTerminal } from '../use-terminal.ts'

/** Describes the maximum leverage, which falls with the size of position and orders. */
function tierText({ max_leverage, from_value }: NonNullable<Preview['risk_tier']>): string {
  const from = Number(from_value)
  return from === 0 ? `${max_leverage}×` : `${max_leverage}× above ${compact(from)} USD`
}

/** Shows the liquidation price of the resulting position at the button, where it is always
 *  visible. */
export function LiquidationPrice() {
  const { ticket, markets } = useTerminal()
  const preview = ticket.preview.value
  const { tickPlaces } = markets.grid.value
  const text =
    preview === null || preview.notional === null
      ? NONE
      : preview.liquidation_price === null
        ? 'none'
        : fixed(preview.liquidation_price, tickPlaces)
  return (
    <dl class="liquidation" aria-label="Liquidation">
      <dt>Liquidation price</dt>
      <dd class={text === NONE || text === 'none' ? '' : 'warn'}>{text}</dd>
    </dl>
  )
}

/** Describes the order that the figures refer to, if it is not the draft itself. */
function figuresOf({ ticket, markets }: Terminal): string {
  const { kind, pair } = ticket.draft.value
  if (kind === 'oco' && pair !== 'rests') return 'If one of them fired now'
  const { request } = ticket.built.value
  const { figures } = orderKinds[kind]
  if (request?.kind !== 'scale') return figures
  return `${figures}: at ${fixed(request.body.average, markets.grid.value.tickPlaces)} on average`
}

/** Shows cost and result from the preview. While they are unknown the space stays reserved, so that
 *  the layout is stable. */
export function Figures() {
  const terminal = useTerminal()
  const { ticket, markets } = terminal
  const preview = ticket.preview.value
  const about = figuresOf(terminal)
  const caution = ticket.caution.value
  const base = markets.market.value?.base_asset ?? ''
  const { position_after: after, risk_tier: tier } = preview ?? {}
  const rows: readonly (readonly [string, string])[] = [
    ['Order value', preview?.notional == null ? NONE : `${usd(preview.notional)} USD`],
    ['Max fee', feeText(ticket.fee.value)],
    ['Margin needed', preview?.margin == null ? NONE : `${usd(preview.margin)} USD`],
    ['Max leverage', tier == null ? NONE : tierText(tier)],
    ['Position after', after == null ? NONE : `${amountText(after)} ${base}`],
  ]
  return (
    <div class="figures">
      {about !== '' && <p class="figures-of">{about}</p>}
      <dl aria-label="Preview">
        {rows.map(([name, value]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} value`}>{value}</dd>,
        ])}
      </dl>
      {caution !== null && (
        <p class="warn" role="status">
          {caution}
        </p>
      )}
    </div>
  )
}
