// Shows the exchange's explanation of an object of the account, word for word.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiRefusal } from '../../../client/errors.ts'
import {
  agreementText,
  citation,
  happenedHead,
  pendingHead,
} from '../../../protocol/text/explanation-text.ts'
import type { Explained } from '../../model/desk.ts'
import { fixed, usd } from '../../model/number-text.ts'
import {
  type Explanation,
  explanationOf,
  isMissing,
  type Refused,
} from '../../model/why/explanation.ts'
import { sentence } from '../../model/words/sentence.ts'
import { Dialog, Numbers } from '../parts/dialog.tsx'
import { Table, Unread } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'

type Loading = 'loading' | 'late'

const titles = {
  fill: 'Fill',
  funding: 'Funding',
  liquidation: 'Liquidation',
  position: 'Position',
} as const

function titleOf(what: Explained): string {
  if (what.about === 'refusal') return `${what.title} refused`
  return what.about === 'order' ? `Order ${what.id}` : titles[what.about]
}

export function WhyDialog({ what }: { what: Explained }) {
  const terminal = useTerminal()
  const { trader } = terminal
  const state = useSignal<Explanation | Error | Loading | null>('loading')
  const load = () => {
    const ending = new AbortController()
    const { signal } = ending
    const settle = (outcome: Explanation | Error | 'late' | null) => {
      if (!signal.aborted) state.value = outcome
    }
    state.value = 'loading'
    if (trader.value !== null)
      explanationOf(trader.value.client, what, { signal, onLate: () => settle('late') }).then(
        settle,
        settle,
      )
    return () => ending.abort()
  }
  useEffect(load, [what, trader.value])
  const found = state.value
  const isLoading = found === 'loading' || found === 'late'
  const isShown = found !== null && !isLoading && !(found instanceof Error)
  return (
    <Dialog title={isShown ? found.title : titleOf(what)} wide onClose={() => terminal.close()}>
      {what.about === 'refusal' && <Refusal {...what} />}
      {trader.value === null ? (
        <Unsigned />
      ) : isLoading ? (
        <p class="nothing" role="status">
          {found === 'late' && 'The exchange is busy. '}Loading…
        </p>
      ) : found instanceof Error ? (
        <Failure error={found} onAgain={load} />
      ) : found !== null ? (
        <Story explanation={found} />
      ) : (
        what.about === 'refusal' && <BeforeHistory />
      )}
      {what.about === 'fill' && <FillLinks {...what} />}
    </Dialog>
  )
}

function Unsigned() {
  const terminal = useTerminal()
  return (
    <div class="nothing">
      <p>An explanation is shown only to the owner of the account.</p>
      <button type="button" class="button" onClick={() => terminal.open({ show: 'keys' })}>
        Connect or import a key
      </button>
    </div>
  )
}

function Failure({ error, onAgain }: Readonly<{ error: Error; onAgain: () => void }>) {
  const why = error instanceof ApiRefusal ? sentence(error.message) : error.message
  // What is not there, or too old, is not found by a second request.
  if (isMissing(error)) return <p class="nothing">{why}</p>
  return <Unread what="The explanation" why={why} onAgain={onAgain} />
}

const Rule = ({ rule }: { rule: string | null }) =>
  rule === null ? null : <span class="dim"> {citation(rule)}</span>

function Story({ explanation }: { explanation: Explanation }) {
  const { facts, happened, pending, steps } = explanation
  return (
    <div class="why">
      <Numbers rows={Object.entries(facts)} />
      {happened.length > 0 && (
        <section class="section">
          <h3>{happenedHead}</h3>
          <Table
            label={happenedHead}
            rows={happened.map((row, at) => ({ ...row, at }))}
            rowKey={({ at }) => at}
            empty=""
            columns={[
              { name: 'Entry', cell: ({ seq }) => `seq ${seq}` },
              { name: 'Time', cell: ({ time }) => time },
              {
                name: 'What',
                cell: ({ what, rule }) => (
                  <>
                    {what}
                    <Rule rule={rule} />
                  </>
                ),
              },
            ]}
          />
        </section>
      )}
      {pending.length > 0 && (
        <section class="section">
          <h3>{pendingHead}</h3>
          <ul>
            {pending.map(({ what, rule }) => (
              <li key={what}>
                {what}
                <Rule rule={rule} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {steps.map((step, at) => (
        <section class="section" key={at}>
          <h3>
            {step.rule} {step.formula} <span class="dim">{step.document}</span>
          </h3>
          <Numbers rows={Object.entries(step.inputs)} />
          <p>
            → {step.result} <span class={step.agrees ? 'up' : 'down'}>{agreementText(step)}</span>
          </p>
        </section>
      ))}
    </div>
  )
}

const Refusal = ({ refusal: { message, reason, code } }: Refused) => (
  <>
    <p>{sentence(message)}</p>
    <Numbers
      rows={[
        ['Rule', reason],
        ['Code', code],
      ]}
    />
  </>
)

/** The present numbers, for a request that history does not have. */
function BeforeHistory() {
  const { account, markets } = useTerminal()
  const numbers = account.numbers.value
  return (
    <>
      <Numbers
        rows={[
          ['Mark of the market', fixed(markets.price.value?.mark, markets.grid.value.tickPlaces)],
          ['Equity', `${usd(numbers?.ae)} USD`],
          ['Margin used', `${usd(numbers?.mu)} USD`],
          ['Available', `${usd(numbers?.as)} USD`],
        ]}
      />
      <p class="dim">Nothing was changed. The request was refused before it entered history.</p>
    </>
  )
}

function FillLinks({ orderId, liquidated }: Extract<Explained, { about: 'fill' }>) {
  return (
    <div class="line">
      {liquidated && (
        <Link label="Latest liquidation" what={{ about: 'liquidation', seq: 'latest' }} />
      )}
      {orderId !== null && (
        <Link label={`Order ${orderId}`} what={{ about: 'order', id: orderId }} />
      )}
    </div>
  )
}

function Link({ label, what }: Readonly<{ label: string; what: Explained }>) {
  const terminal = useTerminal()
  return (
    <button type="button" class="button" onClick={() => terminal.explain(what)}>
      {label}
    </button>
  )
}
