// Size in base units or dollars, or as a share of the maximum.

import { isNumber } from '../../model/number-entry.ts'
import { amountText, fixed, NONE } from '../../model/number-text.ts'
import { SwapIcon } from '../parts/icons.tsx'
import { useTerminal } from '../use-terminal.ts'
import { NumberField } from './number-field.tsx'

export function SizeField() {
  const { ticket, markets } = useTerminal()
  const { sizeUnit } = ticket.draft.value
  const base = markets.market.value?.base_asset ?? ''
  const unit = (
    <button
      type="button"
      class="unit"
      aria-label={`Size in ${sizeUnit === 'base' ? base : 'USD'}, switch`}
      onClick={() => ticket.switchUnit()}
    >
      {sizeUnit === 'base' ? base : 'USD'} <SwapIcon />
    </button>
  )
  const amount = ticket.amount.value
  const most = ticket.most.value
  const other =
    sizeUnit === 'usd' && isNumber(amount)
      ? `${amount} ${base}`
      : `max ${most === null ? NONE : amountText(most)} ${base}`
  return (
    <>
      <NumberField
        field="amount"
        name="size"
        label="Size"
        unit={unit}
        hint={ticket.draft.value.reduceOnly ? <PositionOffer /> : <span>{other}</span>}
      />
      <Share />
      {ticket.draft.value.kind === 'iceberg' && (
        <NumberField field="display" name="display" label="Visible size" unit={base} />
      )}
    </>
  )
}

/** Button that inserts the position a reduce-only order can reduce. Also shown for the other
 *  side. */
function PositionOffer() {
  const { account, markets, ticket } = useTerminal()
  const position = account.position(markets.symbol.value)
  if (position === undefined) return <span>no position</span>
  const word = position.d === 'bid' ? 'long' : 'short'
  return (
    <button type="button" class="link" onClick={() => ticket.closePosition(position)}>
      all of the {word}: {amountText(position.a)}
    </button>
  )
}

const shareMarks = [25, 50, 75, 100] as const

function Share() {
  const { ticket } = useTerminal()
  const known = ticket.most.value
  const most = Number(known)
  const amount = Number(ticket.amount.value)
  const share =
    most > 0 && Number.isFinite(amount) ? Math.min(100, Math.round((amount / most) * 100)) : 0
  const whole = ticket.draft.value.reduceOnly ? 'the position' : 'what margin allows'
  return (
    <div class="percents">
      <div class="slider">
        <input
          type="range"
          min="0"
          max="100"
          step="1"
          value={share}
          disabled={known === null}
          aria-label={`Percentage of ${whole}`}
          onInput={({ currentTarget }) => ticket.setShare(Number(currentTarget.value))}
        />
        <div class="slider-marks">
          {shareMarks.map((mark) => (
            <button
              key={mark}
              type="button"
              class={share >= mark ? 'reached' : ''}
              style={{ left: `${mark}%` }}
              disabled={known === null}
              title={`${mark}% of ${whole}`}
              onClick={() => ticket.setShare(mark)}
            >
              {mark === 100 ? 'Max' : mark}
            </button>
          ))}
        </div>
      </div>
      <span class="num dim" style={{ width: '38px' }}>
        {known === null ? NONE : `${fixed(share, 0)}%`}
      </span>
    </div>
  )
}
