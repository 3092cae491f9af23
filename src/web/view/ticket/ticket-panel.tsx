// The ticket: the order, its price, its size, and its preview.

import { marketStatuses } from '../../../protocol/words.ts'
import { isClosed, ticketNote } from '../../model/market/standing.ts'
import { usd } from '../../model/number-text.ts'
import { isBothWays } from '../../model/ticket/order-draft.ts'
import { availableFor } from '../../model/words/own-need.ts'
import { Segments } from '../parts/choice.tsx'
import { Handle } from '../parts/handle.tsx'
import { useTerminal } from '../use-terminal.ts'
import { AccountBox } from './account-box.tsx'
import { Figures, LiquidationPrice } from './figures.tsx'
import { KindChoice } from './kind-choice.tsx'
import { Levels } from './level-fields.tsx'
import { Advanced, EndingField, Options } from './order-options.tsx'
import { PriceFields } from './price-fields.tsx'
import { Refusal } from './refusal.tsx'
import { SizeField } from './size-field.tsx'

const drawnMs = 50

export function TicketPanel() {
  const terminal = useTerminal()
  return (
    <section class="panel ticket" aria-label="Order ticket">
      <Handle
        label="Width of the ticket"
        direction="columns"
        size="ticket"
        min={250}
        max={460}
        factor={-1}
      />
      <div class="ticket-body scrolls">
        <form
          class="ticket-form"
          // A key that is held down sends the order once.
          onKeyDown={(event) => event.key === 'Enter' && event.repeat && event.preventDefault()}
          onSubmit={(event) => {
            event.preventDefault()
            if (!terminal.submit()) goToRefused(event.currentTarget)
          }}
        >
          <MarginButtons />
          <Choices />
          <Available />
          <PriceFields />
          <SizeField />
          <Options />
          <EndingField />
          <Levels />
          <Advanced />
          <Refusal field="form" />
          <div class="ticket-end">
            <LiquidationPrice />
            <StandingNote />
            <SendButton />
          </div>
          <Figures />
        </form>
        <AccountBox />
      </div>
    </section>
  )
}

/** Money that the order may use. */
function Available() {
  const { account, markets } = useTerminal()
  const numbers = account.numbers.value
  const isolated = account.isolated(
    markets.symbol.value,
    markets.market.value?.isolated_only ?? false,
  )
  return (
    <p class="field-label">
      <span>Available</span>
      <span>{usd(numbers === null ? null : availableFor(numbers, isolated))} USD</span>
    </p>
  )
}

/** Focuses the field that has the problem, after it has been drawn. */
function goToRefused(form: HTMLElement) {
  const go = () => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  setTimeout(go, drawnMs)
}

function Choices() {
  const { ticket } = useTerminal()
  const { side } = ticket.draft.value
  return (
    <>
      {!isBothWays(ticket.draft.value) && (
        <Segments
          label="Side"
          class="side-choice"
          value={side}
          options={[
            { value: 'bid', label: 'Buy / Long' },
            { value: 'ask', label: 'Sell / Short' },
          ]}
          onChange={(next) => ticket.change({ side: next })}
        />
      )}
      <KindChoice />
    </>
  )
}

/** Describes the effect of the market's status on this order, before it is sent. */
function StandingNote() {
  const { ticket, markets } = useTerminal()
  const note = ticketNote(markets.standing.value, ticket.draft.value)
  if (note === null) return null
  const label = marketStatuses[markets.status.value ?? 'live'].label
  return (
    <p class="standing-note" role="note">
      <b>
        {markets.symbol.value} is {label}.
      </b>{' '}
      {note}
    </p>
  )
}

function SendButton() {
  const terminal = useTerminal()
  const { ticket, markets } = terminal
  const { side, reduceOnly } = ticket.draft.value
  const buys = side === 'bid'
  const both = isBothWays(ticket.draft.value)
  const plain = both ? 'Buy or sell' : buys ? 'Buy' : 'Sell'
  const verb = reduceOnly ? `${plain} to close` : plain
  if (terminal.trader.value === null)
    return (
      <button type="button" class="button primary" onClick={() => terminal.open({ show: 'keys' })}>
        Connect a key to trade
      </button>
    )
  return (
    <button
      type="submit"
      class={`send ${both ? 'both' : buys ? 'buy' : 'sell'}`}
      disabled={ticket.sending.value || isClosed(markets.standing.value)}
    >
      {ticket.sending.value ? 'Sending…' : `${verb} ${markets.symbol.value}`}
    </button>
  )
}

function MarginButtons() {
  const terminal = useTerminal()
  const { account, markets } = terminal
  const market = markets.market.value
  const symbol = markets.symbol.value
  const isolated = account.isolated(symbol, market?.isolated_only ?? false)
  const most = market?.max_leverage ?? 1
  const first = account.firstLeverage(symbol, most)
  const leverage = first ?? account.leverage(symbol, most)
  const set = first === null ? 'Leverage in force' : 'Set with your first order here'
  const open = () => terminal.open({ show: 'leverage' })
  return (
    <div class="two">
      <button type="button" class="button" onClick={open}>
        {isolated ? 'Isolated' : 'Cross'} <span class="hidden-text">margin mode</span>
      </button>
      <button type="button" class="button" title={set} onClick={open}>
        {leverage}× <span class="hidden-text">leverage</span>
      </button>
    </div>
  )
}
