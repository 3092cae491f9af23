// Controls of the sandbox, for instance to watch a liquidation or a funding payment.

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { cleaned } from '../../model/number-entry.ts'
import { dateText, fixed } from '../../model/number-text.ts'
import type { Scenario } from '../../model/sandbox.ts'
import { EngineClock } from '../parts/engine-clock.tsx'
import { CloseIcon } from '../parts/icons.tsx'
import { useTerminal } from '../use-terminal.ts'

export function SandboxDrawer() {
  const terminal = useTerminal()
  const { drawer, sandbox } = terminal
  if (!drawer.value || !sandbox.is.value) return null
  return (
    <aside class="drawer" aria-label="Sandbox">
      <div class="dialog-head">
        <h2>Sandbox</h2>
        <span class="spacer" />
        {sandbox.busy.value !== null && <span class="dim">{sandbox.busy.value}…&ensp;</span>}
        <button
          type="button"
          class="button small"
          aria-label="Close"
          onClick={() => {
            drawer.value = false
          }}
        >
          <CloseIcon />
        </button>
      </div>
      <div class="dialog-body scrolls">
        <Money />
        <Clock />
        <Price />
        <Bots />
        <Snapshots />
      </div>
    </aside>
  )
}

function Lever({ title, children }: { title: ComponentChildren; children: ComponentChildren }) {
  return (
    <div class="section">
      <h3>{title}</h3>
      {children}
    </div>
  )
}

type ActProps = Readonly<{ label: string; onClick: () => void }>

function Act({ label, onClick }: ActProps) {
  const { sandbox } = useTerminal()
  return (
    <button type="button" class="button" disabled={sandbox.busy.value !== null} onClick={onClick}>
      {label}
    </button>
  )
}

function Money() {
  const { sandbox } = useTerminal()
  return (
    <Lever title="Test money">
      <div class="line">
        {['1000', '10000', '100000'].map((amount) => (
          <Act key={amount} label={`+ ${fixed(amount, 0)}`} onClick={() => sandbox.fund(amount)} />
        ))}
      </div>
    </Lever>
  )
}

const minute = 60_000
const steps: readonly (readonly [string, number])[] = [
  ['+ 1 min', minute],
  ['+ 1 hour', 60 * minute],
  ['+ 8 hours', 480 * minute],
  ['+ 1 day', 1_440 * minute],
]

function Clock() {
  const { sandbox } = useTerminal()
  const clock = sandbox.clock.value
  const stands = clock?.frozen ?? false
  return (
    <Lever
      title={
        <>
          Clock <EngineClock />
        </>
      }
    >
      <div class="line">
        {steps.map(([label, ms]) => (
          <Act key={label} label={label} onClick={() => sandbox.advance(ms)} />
        ))}
        <Act label={stands ? 'Resume' : 'Freeze'} onClick={() => sandbox.freeze(!stands)} />
      </div>
      <p class="dim">Everything due in between happens: funding at every full hour.</p>
    </Lever>
  )
}

const scenarios: readonly (readonly [Scenario, string])[] = [
  ['crash', 'Crash'],
  ['pump', 'Pump'],
  ['wick', 'Wick'],
  ['squeeze', 'Squeeze'],
  ['freeze', 'Stop the feed'],
]

function Price() {
  const { sandbox, markets } = useTerminal()
  const symbol = markets.symbol.value
  const price = useSignal('')
  const meant = () => cleaned(price.peek(), markets.grid.peek().tickPlaces)
  return (
    <Lever title={`Price of ${symbol}`}>
      <div class="line">
        <input
          class="input num"
          inputMode="decimal"
          aria-label={`Index price of ${symbol}`}
          placeholder={markets.price.value?.oracle ?? ''}
          value={price.value}
          onInput={({ currentTarget }) => {
            price.value = currentTarget.value
          }}
        />
        <Act label="Set" onClick={() => sandbox.setOracle(symbol, meant())} />
        <Act label="Resume" onClick={() => sandbox.resumeOracle(symbol)} />
      </div>
      <div class="line">
        {scenarios.map(([name, label]) => (
          <Act key={name} label={label} onClick={() => sandbox.play(name, symbol)} />
        ))}
      </div>
    </Lever>
  )
}

function Bots() {
  const { sandbox } = useTerminal()
  const running = sandbox.bots.value
  return (
    <Lever title="Bots">
      <div class="line">
        <Act
          label={running ? 'Stop the bots' : 'Start the bots'}
          onClick={() => sandbox.setBots(!running)}
        />
        <span class="dim">{running ? 'Running.' : 'Their orders are cancelled.'}</span>
      </div>
    </Lever>
  )
}

function Snapshots() {
  const { sandbox } = useTerminal()
  return (
    <Lever title="Snapshots">
      <div class="line">
        <Act label="Create snapshot" onClick={() => sandbox.save()} />
      </div>
      {sandbox.saved.value.toReversed().map(({ id, engine_now }) => (
        <div key={id} class="line">
          <span class="mono">{id}</span>
          <span class="dim">{dateText(engine_now)}</span>
          <span class="spacer" />
          <Act label={`Go back to ${id}`} onClick={() => sandbox.revert(id)} />
        </div>
      ))}
    </Lever>
  )
}
