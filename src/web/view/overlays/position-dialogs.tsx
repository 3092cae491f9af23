import { type Signal, useSignal } from '@preact/signals'
import { profitAt } from '../../model/account/positions.ts'
import { readEntry } from '../../model/number-entry.ts'
import { fixed, signedUsd, toneOf, usd } from '../../model/number-text.ts'
import type { Position } from '../../model/wire.ts'
import { Segments } from '../parts/choice.tsx'
import { Dialog, Numbers } from '../parts/dialog.tsx'
import { centPlaces, type InputRefusal, NumberInput, useRefusal } from '../parts/number-input.tsx'
import { useTerminal } from '../use-terminal.ts'

type PriceProps = Readonly<{
  id: string
  label: string
  value: Signal<string>
  position: Position
  first?: boolean
  refusal?: InputRefusal | null
}>

/** An input for a price that shows the position's profit at this price. */
function PriceInput({ position, ...input }: PriceProps) {
  const places = useTerminal().markets.gridOf(position.s).tickPlaces
  const { number } = readEntry(input.value.value, places)
  const gain = number === null ? null : profitAt(position, Number(number))
  const hint = gain !== null && <span class={toneOf(gain)}>{signedUsd(gain)} USD</span>
  return <NumberInput {...input} places={places} hint={hint} />
}

export function Summary({ position }: { position: Position }) {
  const { markets } = useTerminal()
  const places = markets.gridOf(position.s).tickPlaces
  const mark = markets.prices.value.get(position.s)?.mark
  return (
    <p class="dim">
      {position.d === 'bid' ? 'Long' : 'Short'} {position.a} {position.s} from{' '}
      {fixed(position.p, places)}, mark {fixed(mark, places)}
    </p>
  )
}

export function ClosingDialog({ position }: { position: Position }) {
  const terminal = useTerminal()
  const { markets, live } = terminal
  const { tick, tickPlaces, lotPlaces } = markets.gridOf(position.s)
  const here = markets.symbol.peek() === position.s
  const best = here ? live.best(position.d === 'bid' ? 'ask' : 'bid', tick) : null
  const price = useSignal(best ?? markets.prices.peek().get(position.s)?.mark ?? '')
  const amount = useSignal(position.a)
  const ofPrice = useRefusal()
  const { refusal, refused, read } = useRefusal()
  const send = async () => {
    const wish = {
      price: ofPrice.read(price.peek(), tickPlaces),
      amount: read(amount.peek(), lotPlaces),
    }
    if (wish.price === null || wish.amount === null) return
    const { price: at, amount: size } = wish
    if (await terminal.trading.closeAtLimit(position, { price: at, amount: size }, refused))
      terminal.close()
  }
  return (
    <Dialog
      title={`Close ${position.s} at a limit`}
      onClose={() => terminal.close()}
      action={{ label: 'Send', go: send }}
    >
      <Summary position={position} />
      <PriceInput
        id="closing-price"
        label="Price"
        first
        position={position}
        value={price}
        refusal={ofPrice.refusal.value}
      />
      <NumberInput
        id="closing-size"
        label="Size"
        value={amount}
        places={lotPlaces}
        refusal={refusal.value}
      />
    </Dialog>
  )
}

/** Adds margin to an isolated position, or removes it. */
export function MarginDialog({ position }: { position: Position }) {
  const terminal = useTerminal()
  const { account, markets, trading } = terminal
  const amount = useSignal('')
  const takes = useSignal<'add' | 'remove'>('add')
  const { refusal, refused, read } = useRefusal()
  const now = account.position(position.s) ?? position
  const save = async () => {
    const entered = read(amount.peek(), centPlaces)
    if (entered === null) return
    const usdAmount = `${takes.peek() === 'add' ? '' : '-'}${entered}`
    if (await trading.changeMargin(position.s, usdAmount, refused)) terminal.close()
  }
  return (
    <Dialog
      title={`Margin of the ${position.s} position`}
      onClose={() => terminal.close()}
      action={{ label: takes.value === 'add' ? 'Add' : 'Remove', go: save }}
    >
      <Summary position={now} />
      <Numbers
        rows={[
          ['Margin', `${usd(now.m)} USD`],
          ['Liquidation price', fixed(now.l, markets.gridOf(now.s).tickPlaces)],
          ['Available', `${usd(account.numbers.value?.aw)} USD`],
        ]}
      />
      <Segments
        label="Direction"
        value={takes.value}
        options={[
          { value: 'add', label: 'Add' },
          { value: 'remove', label: 'Remove' },
        ]}
        onChange={(next) => {
          takes.value = next
        }}
      />
      <NumberInput
        id="margin-amount"
        label="USD"
        value={amount}
        places={centPlaces}
        refusal={refusal.value}
        first
      />
    </Dialog>
  )
}
