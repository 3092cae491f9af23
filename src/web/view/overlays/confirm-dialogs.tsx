import type { Taking } from '../../model/market/depth.ts'
import { averageText, fixed, percent, usd } from '../../model/number-text.ts'
import { feeText } from '../../model/ticket/order-fee.ts'
import { outlineOf, type Request } from '../../model/ticket/order-request.ts'
import { Dialog, Numbers } from '../parts/dialog.tsx'
import { useTerminal } from '../use-terminal.ts'
import { type Rows, requestRows } from './request-rows.ts'

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

export function Feet({ label, onGo, onBack }: FeetProps) {
  return (
    <>
      <button type="button" class="button" onClick={onBack}>
        Back
      </button>
      <button
        type="button"
        class="button primary"
        data-first
        // The second click of a double click that opened the dialog is ignored.
        onClick={({ detail }) => detail < 2 && onGo()}
      >
        {label}
      </button>
    </>
  )
}

/** Shows the effect of a market order on the current book. */
export function takingRows(taking: Taking | null, places: number): Rows {
  if (taking === null) return []
  const { share, average } = taking
  return [
    ['Of the depth up to there', percent(share, 0)],
    ['Average, by the book now', averageText(average, places)],
  ]
}

export function OrderDialog({ request }: { request: Request }) {
  const terminal = useTerminal()
  const { side, symbol } = outlineOf(request)
  const { ticket, markets } = terminal
  const places = markets.grid.value.tickPlaces
  const preview = ticket.preview.value
  const taking = terminal.takingOf(request)
  const far = terminal.farBeyond(request)
  const send = () => {
    terminal.close()
    void terminal.trading.send(request)
  }
  return (
    <Dialog
      title={`${side === 'bid' ? 'Buy' : 'Sell'} ${symbol}`}
      onClose={() => terminal.close()}
      foot={<Feet label="Send" onGo={send} onBack={() => terminal.close()} />}
    >
      {terminal.takesMuch(taking) && (
        <p class="warn">It takes {percent(taking?.share ?? 0, 0)} of what the book offers.</p>
      )}
      {far !== null && (
        <p class="warn">
          Its price is {fixed(far, 1)} % beyond the mark: it takes what is offered up to there.
        </p>
      )}
      <Numbers
        rows={[
          ...requestRows(request, places, markets.market.value?.base_asset ?? ''),
          ...takingRows(taking, places),
          ['Value', `${usd(preview?.notional)} USD`],
          ['Max fee', feeText(ticket.fee.value)],
          ['Margin needed', `${usd(preview?.margin)} USD`],
          ['Liquidation price', fixed(preview?.liquidation_price, places)],
        ]}
      />
    </Dialog>
  )
}
