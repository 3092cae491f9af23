import type { Taking } from '../../model/market/depth.ts'
import {
  averageText,
  dateText,
  fixed,
  percent,
  usd,
  wholeAmount,
  wordsOf,
} from '../../model/number-text.ts'
import type { Request } from '../../model/ticket/order-draft.ts'
import { Dialog, Numbers } from '../parts/dialog.tsx'
import { useTerminal } from '../use-terminal.ts'

type ConfirmProps = Readonly<{ title: string; text: string; act: () => void; back?: () => void }>

export function ConfirmDialog({ title, text, act, back }: ConfirmProps) {
  const terminal = useTerminal()
  const leave = back ?? (() => terminal.close())
  const go = () => {
    terminal.close()
    act()
  }
  return (
    <Dialog title={title} onClose={leave} foot={<Feet label={title} onGo={go} onBack={leave} />}>
      <p>{text}</p>
    </Dialog>
  )
}

type FeetProps = Readonly<{ label: string; onGo: () => void; onBack: () => void }>

function Feet({ label, onGo, onBack }: FeetProps) {
  return (
    <>
      <button type="button" class="button" onClick={onBack}>
        Back
      </button>
      <button
        type="button"
        class="button primary"
        data-first
        // The second click of two that opened the dialog presses nothing in it.
        onClick={({ detail }) => detail < 2 && onGo()}
      >
        {label}
      </button>
    </>
  )
}

type Rows = readonly (readonly [string, string])[]

/** What a market order does to the book as it is now. */
export function takingRows(taking: Taking | null, places: number): Rows {
  if (taking === null) return []
  const { share, average } = taking
  return [
    ['Of the depth up to there', percent(share, 0)],
    ['Average, by the book now', averageText(average, places)],
  ]
}

/** Everything that is sent, in the words of the ticket. */
function rowsOf(request: Request, places: number, base: string): Rows {
  const { kind, body } = request
  const price = (text: string | null | undefined) => fixed(text, places)
  const rows: (readonly [string, string])[] = [['Type', wordsOf(kind)]]
  if (kind === 'stop') {
    const { amount, stop_price, limit_price } = body.stop_order
    rows.push(['Size', `${wholeAmount(amount ?? '')} ${base}`])
    rows.push(['Trigger at mark', price(stop_price)])
    rows.push(['Then', limit_price == null ? 'market' : `limit ${price(limit_price)}`])
  } else rows.push(['Size', `${wholeAmount(body.amount)} ${base}`])
  if (kind === 'limit') rows.push(['Price', price(body.price)], ['Time in force', body.tif])
  if (kind === 'market' || kind === 'twap')
    rows.push(['Worst price, from mark', `${body.slippage_percent} %`])
  if (kind === 'twap') rows.push(['Worked off over', `${body.duration_in_seconds} s`])
  if ((kind === 'limit' || kind === 'stop') && body.expire_time != null)
    rows.push(['Ends', dateText(body.expire_time)])
  if (kind === 'limit' || kind === 'market') {
    if (body.stp != null) rows.push(['Self-trade', wordsOf(body.stp)])
    for (const level of [body.take_profit ?? []].flat())
      rows.push(['Take profit', price(level.stop_price)])
    for (const level of [body.stop_loss ?? []].flat())
      rows.push(['Stop loss', price(level.stop_price)])
  }
  return body.reduce_only ? [...rows, ['Reduce only', 'yes']] : rows
}

export function OrderDialog({ request }: { request: Request }) {
  const terminal = useTerminal()
  const { body } = request
  const { ticket, markets } = terminal
  const places = markets.grid.value.tickPlaces
  const preview = ticket.preview.value
  const taking = terminal.takingOf(request)
  const send = () => {
    terminal.close()
    void terminal.trading.send(request)
  }
  return (
    <Dialog
      title={`${body.side === 'bid' ? 'Buy' : 'Sell'} ${body.symbol}`}
      onClose={() => terminal.close()}
      foot={<Feet label="Send" onGo={send} onBack={() => terminal.close()} />}
    >
      {terminal.takesMuch(taking) && (
        <p class="warn">It takes {percent(taking?.share ?? 0, 0)} of what the book offers.</p>
      )}
      <Numbers
        rows={[
          ...rowsOf(request, places, markets.market.value?.base_asset ?? ''),
          ...takingRows(taking, places),
          ['Value', `${usd(preview?.notional)} USD`],
          ['Fee, at most', `${usd(ticket.fee.value)} USD`],
          ['Margin needed', `${usd(preview?.margin)} USD`],
          ['Liquidation price', fixed(preview?.liquidation_price, places)],
        ]}
      />
    </Dialog>
  )
}
