// Selects the kind of order: the main kinds in a row, the others in a menu, and a line about the
// selected kind.

import {
  mainKinds,
  type OrderKind,
  orderKinds,
  otherKinds,
} from '../../model/ticket/order-kinds.ts'
import { Segments } from '../parts/choice.tsx'
import { useTerminal } from '../use-terminal.ts'

export function KindChoice() {
  const { ticket } = useTerminal()
  const { kind } = ticket.draft.value
  const choose = (next: string) => ticket.change({ kind: next as OrderKind })
  const { main, about } = orderKinds[kind]
  return (
    <>
      <div class="kinds">
        <Segments
          label="Order type"
          value={kind}
          options={mainKinds.map((value) => ({ value, label: orderKinds[value].label }))}
          onChange={choose}
        />
        <select
          class={`select ${main ? '' : 'chosen'}`}
          aria-label="More order types"
          value={main ? '' : kind}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="" disabled hidden>
            More
          </option>
          {otherKinds.map((value) => (
            <option key={value} value={value}>
              {orderKinds[value].label}
            </option>
          ))}
        </select>
      </div>
      <p class="kind-note">{about}</p>
    </>
  )
}
