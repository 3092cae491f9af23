import { fixed, usd, wordsOf } from '../../model/number-text.ts'
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
      <button type="button" class="button primary" data-first onClick={onGo}>
        {label}
      </button>
    </>
  )
}

export function OrderDialog({ request }: { request: Request }) {
  const terminal = useTerminal()
  const { kind, body } = request
  const { ticket, markets } = terminal
  const places = markets.grid.value.tickPlaces
  const preview = ticket.preview.value
  const amount = kind === 'stop' ? body.stop_order.amount : body.amount
  const price = kind === 'limit' ? fixed(body.price, places) : 'market'
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
      <Numbers
        rows={[
          ['Type', wordsOf(kind)],
          ['Size', `${amount} ${markets.market.value?.base_asset ?? ''}`],
          ...(kind === 'stop'
            ? ([['Trigger', fixed(body.stop_order.stop_price, places)]] as const)
            : ([['Price', price]] as const)),
          ['Value', `${usd(preview?.notional)} USD`],
          ['Fee, at most', `${usd(preview?.fee)} USD`],
          ['Margin needed', `${usd(preview?.margin)} USD`],
          ['Liquidation price', fixed(preview?.liquidation_price, places)],
        ]}
      />
    </Dialog>
  )
}
