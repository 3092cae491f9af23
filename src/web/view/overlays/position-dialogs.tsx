import { type Signal, useSignal } from '@preact/signals'
import { levelsOf, profitAt } from '../../model/account/positions.ts'
import { fixed, signedUsd, usd } from '../../model/number-text.ts'
import { cleaned, isNumber } from '../../model/ticket/order-draft.ts'
import { namedValue, sentence } from '../../model/ticket/refusal-field.ts'
import type { Position } from '../../model/wire.ts'
import { Segments } from '../parts/choice.tsx'
import { Dialog, Numbers } from '../parts/dialog.tsx'
import { type InputRefusal, NumberInput, useRefusal } from '../parts/number-input.tsx'
import { useTerminal } from '../use-terminal.ts'

type LevelRefusal = InputRefusal & Readonly<{ level: 'take_profit' | 'stop_loss' }>

/** A refusal speaks of a level by its name, or by its price. */
function levelRefusal(message: string, takeProfit: string, stopLoss: string): LevelRefusal {
  const price = /(?:stop price|stop_price) ([0-9.]+)/.exec(message)?.[1]
  const ofLoss =
    /stop_loss/.test(message) || (price === cleaned(stopLoss) && price !== cleaned(takeProfit))
  const level = ofLoss ? 'stop_loss' : 'take_profit'
  return { level, message: sentence(message), accepted: namedValue(message) }
}

type PriceProps = Readonly<{
  id: string
  label: string
  value: Signal<string>
  position: Position
  first?: boolean
  refusal?: InputRefusal | null
}>

/** A price with what the position would have gained there. */
function PriceInput({ position, ...input }: PriceProps) {
  const text = input.value.value
  const gain = isNumber(text) ? profitAt(position, Number(cleaned(text))) : null
  const hint = gain !== null && <span class={gain >= 0 ? 'up' : 'down'}>{signedUsd(gain)} USD</span>
  return <NumberInput {...input} hint={hint} />
}

function Summary({ position }: { position: Position }) {
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

export function LevelsDialog({ position }: { position: Position }) {
  const terminal = useTerminal()
  const levels = levelsOf(position, terminal.account.orders.peek())
  const takeProfit = useSignal(levels.takeProfit?.sp ?? '')
  const stopLoss = useSignal(levels.stopLoss?.sp ?? '')
  /** Undefined: as it was; null: away. */
  const wish = (text: string, before: string) => {
    const now = cleaned(text)
    return now === before ? undefined : now === '' ? null : now
  }
  const refusal = useSignal<LevelRefusal | null>(null)
  const save = async () => {
    refusal.value = null
    const profit = wish(takeProfit.peek(), levels.takeProfit?.sp ?? '')
    const loss = wish(stopLoss.peek(), levels.stopLoss?.sp ?? '')
    const wanted = {
      ...(profit !== undefined && { takeProfit: profit }),
      ...(loss !== undefined && { stopLoss: loss }),
    }
    const done = await terminal.trading.setLevels(position, wanted, ({ message }) => {
      refusal.value = levelRefusal(message, takeProfit.peek(), stopLoss.peek())
    })
    if (done) terminal.close()
  }
  return (
    <Dialog
      title={`Take profit and stop loss, ${position.s}`}
      onClose={() => terminal.close()}
      action={{ label: 'Save', go: save }}
    >
      <Summary position={position} />
      <PriceInput
        id="take-profit"
        label="Take profit at mark"
        first
        position={position}
        value={takeProfit}
        refusal={refusal.value?.level === 'take_profit' ? refusal.value : null}
      />
      <PriceInput
        id="stop-loss"
        label="Stop loss at mark"
        position={position}
        value={stopLoss}
        refusal={refusal.value?.level === 'stop_loss' ? refusal.value : null}
      />
      <p class="dim">Both close the whole position at market. An empty field takes a level away.</p>
    </Dialog>
  )
}

export function ClosingDialog({ position }: { position: Position }) {
  const terminal = useTerminal()
  const { markets, live } = terminal
  const { tick } = markets.gridOf(position.s)
  const here = markets.symbol.peek() === position.s
  const best = here ? live.best(position.d === 'bid' ? 'ask' : 'bid', tick) : null
  const price = useSignal(best ?? markets.prices.peek().get(position.s)?.mark ?? '')
  const amount = useSignal(position.a)
  const { refusal, refused } = useRefusal()
  const send = async () => {
    const wish = { price: cleaned(price.peek()), amount: cleaned(amount.peek()) }
    if (await terminal.trading.closeAtLimit(position, wish, refused)) terminal.close()
  }
  return (
    <Dialog
      title={`Close ${position.s} at a limit`}
      onClose={() => terminal.close()}
      action={{ label: 'Send', go: send }}
    >
      <Summary position={position} />
      <PriceInput id="closing-price" label="Price" first position={position} value={price} />
      <NumberInput id="closing-size" label="Size" value={amount} refusal={refusal.value} />
    </Dialog>
  )
}

/** More money behind an isolated position, or some of it back. */
export function MarginDialog({ position }: { position: Position }) {
  const terminal = useTerminal()
  const { account, markets, trading } = terminal
  const amount = useSignal('')
  const takes = useSignal<'add' | 'remove'>('add')
  const { refusal, refused } = useRefusal()
  const now = account.position(position.s) ?? position
  const save = async () => {
    const usdAmount = `${takes.peek() === 'add' ? '' : '-'}${cleaned(amount.peek())}`
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
          ['Available', `${usd(account.numbers.value?.as)} USD`],
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
      <NumberInput id="margin-amount" label="USD" value={amount} refusal={refusal.value} first />
    </Dialog>
  )
}
