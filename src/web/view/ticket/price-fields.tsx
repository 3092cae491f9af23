// The fields that precede the size, for each kind of order: prices and times.

import { isNumber } from '../../model/number-entry.ts'
import { fixed, NONE } from '../../model/number-text.ts'
import { hasLimit, isTrailing, slippageName, wayOf } from '../../model/ticket/order-draft.ts'
import { type Pair, pairs } from '../../model/ticket/order-kinds.ts'
import { useTerminal } from '../use-terminal.ts'
import { NumberField } from './number-field.tsx'
import { Refusal } from './refusal.tsx'

export function PriceFields() {
  const { ticket } = useTerminal()
  const { kind, side } = ticket.draft.value
  switch (kind) {
    case 'limit':
    case 'iceberg':
      return <PriceField label="Price" />
    case 'chase':
      return <PriceField label={side === 'bid' ? 'Max price' : 'Min price'} />
    case 'stop':
      return <StopFields />
    case 'oco':
      return <PairFields />
    case 'scale':
      return <ScaleFields />
    case 'market':
      return <WorstPrice />
    default:
      return (
        <>
          <WorstPrice />
          <NumberField field="duration" name="minutes" label="Duration" unit="min" />
        </>
      )
  }
}

function PriceField({ label }: { label: string }) {
  return <NumberField field="price" name="price" label={label} unit="USD" hint={<BestPrices />} />
}

function WorstPrice() {
  const name = slippageName(useTerminal().ticket.draft.value)
  return <NumberField field="slippage" name={name} label="Max slippage" unit="%" />
}

function StopFields() {
  const draft = useTerminal().ticket.draft.value
  return (
    <>
      {isTrailing(draft) ? (
        <TrailFields />
      ) : (
        <div class="two">
          <TriggerField label={`Trigger at ${draft.triggerBy}`} narrow />
          <WayField />
        </div>
      )}
      <Refusal field="stop" />
      {hasLimit(draft) ? <PriceField label="Price" /> : <StopSlippage />}
    </>
  )
}

/** Slippage of a stop's market order. */
function StopSlippage() {
  const { markets } = useTerminal()
  const usual = markets.standing.value?.stop_slippage_percent
  return (
    <NumberField
      field="slippage"
      name="stopSlippage"
      label="Max slippage"
      unit="%"
      hint={usual !== undefined && <span class="dim">optional, {usual} %</span>}
    />
  )
}

/** Direction in which the market reaches the price: from below or from above. */
function WayField() {
  const { ticket } = useTerminal()
  const { triggerBy } = ticket.draft.value
  return (
    <div class="field">
      <label class="field-label" for="ticket-way">
        Trigger when
      </label>
      <select
        id="ticket-way"
        class="select"
        value={wayOf(ticket.draft.value)}
        onChange={({ currentTarget }) =>
          ticket.change({ way: currentTarget.value as 'gte' | 'lte' })
        }
      >
        <option value="gte">{triggerBy} ≥ price</option>
        <option value="lte">{triggerBy} ≤ price</option>
      </select>
    </div>
  )
}

type TriggerProps = Readonly<{ label: string; narrow?: boolean }>

function TriggerField({ label, narrow = false }: TriggerProps) {
  return <NumberField field="stop" name="stop" label={label} unit="USD" narrow={narrow} />
}

/** Fields of an OCO: an order and a stop, or two stops, of which one is executed. */
function PairFields() {
  const { ticket } = useTerminal()
  const draft = ticket.draft.value
  const { pair, side, triggerBy } = draft
  const [above, below] = pair === 'breakout' ? ['Buy', 'Sell'] : sides(side)
  return (
    <>
      <select
        class="select"
        aria-label="OCO type"
        value={pair}
        onChange={({ currentTarget }) => ticket.change({ pair: currentTarget.value as Pair })}
      >
        {Object.entries(pairs).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {pair === 'rests' ? (
        <>
          <PriceField label="Price" />
          {isTrailing(draft) ? <TrailFields /> : <TriggerField label="Stop trigger" narrow />}
          <Refusal field="stop" />
        </>
      ) : (
        <>
          <div class="two">
            <TriggerField label={`${above} if ${triggerBy} rises to`} narrow />
            <NumberField
              field="below"
              name="below"
              label={`${below} if ${triggerBy} falls to`}
              unit="USD"
              narrow
            />
          </div>
          <Refusal field="stop" />
          <Refusal field="below" />
        </>
      )}
    </>
  )
}

const sides = (side: 'bid' | 'ask') => (side === 'bid' ? ['Buy', 'Buy'] : ['Sell', 'Sell'])

function ScaleFields() {
  const { ticket } = useTerminal()
  const { rising } = ticket.draft.value
  return (
    <>
      <PriceField label="From price" />
      <NumberField field="to" name="to" label="To price" unit="USD" />
      <div class="two">
        <NumberField field="count" name="count" label="Orders" unit="" />
        <div class="field">
          <label class="field-label" for="ticket-rising">
            Sizes
          </label>
          <select
            id="ticket-rising"
            class="select"
            value={rising ? 'rising' : 'flat'}
            onChange={({ currentTarget }) =>
              ticket.change({ rising: currentTarget.value === 'rising' })
            }
          >
            <option value="flat">all the same</option>
            <option value="rising">growing</option>
          </select>
        </div>
      </div>
      <ScaleNote />
    </>
  )
}

/** Describes the first and the last order of a scale. */
function ScaleNote() {
  const { ticket, markets } = useTerminal()
  const { request } = ticket.built.value
  if (request?.kind !== 'scale') return null
  const { orders } = request.body
  const base = markets.market.value?.base_asset ?? ''
  const [first, last] = [orders[0]!, orders.at(-1)!]
  const { tickPlaces } = markets.grid.value
  return (
    <p class="dim small">
      {orders.length} orders: {first.amount} {base} at {fixed(first.price, tickPlaces)} …{' '}
      {last.amount} {base} at {fixed(last.price, tickPlaces)}
    </p>
  )
}

/** Fields of a trailing stop: its current trigger price, or the price from which it trails. */
function TrailFields() {
  const { ticket, markets } = useTerminal()
  const { side, trail, activation } = ticket.meant.value
  const from = Number(activation) || markets.mark.value
  const away = (Number(trail) / 100) * (side === 'ask' ? -1 : 1)
  const { tickPlaces } = markets.grid.value
  const fires = isNumber(trail) && from > 0 ? fixed(from * (1 + away), tickPlaces) : NONE
  return (
    <>
      <div class="two">
        <NumberField
          field="trail"
          name="trail"
          label={`Trail by`}
          unit="%"
          hint={<span title="First trigger price">{fires}</span>}
          narrow
        />
        <NumberField
          field="activation"
          name="activation"
          label="Activation price (optional)"
          unit="USD"
          narrow
        />
      </div>
      <Refusal field="trail" />
      <Refusal field="activation" />
    </>
  )
}

function BestPrices() {
  const { ticket, live, markets } = useTerminal()
  const pick = (side: 'bid' | 'ask' | 'mid') => {
    const price = live.best(side, markets.grid.peek().tick)
    if (price !== null) ticket.change({ price })
  }
  return (
    <span>
      {(['bid', 'mid', 'ask'] as const).map((side) => (
        <button
          key={side}
          type="button"
          class="link"
          style={{ marginLeft: '8px' }}
          onClick={() => pick(side)}
        >
          {side}
        </button>
      ))}
    </span>
  )
}
