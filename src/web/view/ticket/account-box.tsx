import { ratioTone, worstRatio } from '../../model/account/margin-ratio.ts'
import { profitAt } from '../../model/account/positions.ts'
import { percent, signedUsd, toneOf, usd } from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import { useTerminal } from '../use-terminal.ts'

/** Unrealised profit at the current marks, and the margin of isolated positions. */
function heldOf({ account, markets }: Terminal) {
  const positions = account.positions.value
  const profit = positions.reduce((sum, position) => {
    const mark = Number(markets.prices.value.get(position.s)?.mark ?? position.p)
    return sum + profitAt(position, mark)
  }, 0)
  const isolated = positions.filter(({ i }) => i)
  const margin = isolated.reduce((sum, { m }) => sum + Number(m), 0)
  return { profit, margin: isolated.length === 0 ? null : margin }
}

/** Shows the account's margin level as a bar. */
export function AccountBox() {
  const terminal = useTerminal()
  const { account, streams } = terminal
  const numbers = account.numbers.value
  if (numbers === null) return null
  const { markets } = terminal
  const markOf = (symbol: string) => Number(markets.prices.value.get(symbol)?.mark ?? 0)
  const ratio = worstRatio(numbers, account.positions.value, markOf)
  const tone = ratioTone(ratio)
  const { profit, margin } = heldOf(terminal)
  const rows: readonly (readonly [string, preact.ComponentChildren])[] = [
    ['Balance', `${usd(numbers.b)} USD`],
    ...(margin === null ? [] : [['Isolated margin', `${usd(margin)} USD`] as const]),
    [
      'Unrealised profit',
      <span key="profit" class={toneOf(profit)}>
        {signedUsd(profit)} USD
      </span>,
    ],
    ['Equity', `${usd(numbers.ae)} USD`],
    ['Margin used', `${usd(numbers.mu)} USD`],
    ['Available', `${usd(numbers.as)} USD`],
    ['Maintenance margin', `${usd(numbers.cm)} USD`],
  ]
  return (
    <div class={`account-box ${streams.stale.value ? 'stale' : ''}`}>
      <h2>Account</h2>
      <div
        class="gauge"
        title="The worst of the cross account and all isolated positions; 100 % is liquidated"
      >
        <span class="dim">Margin ratio</span>
        <meter class={`meter ${tone}`} min="0" max="1" value={ratio} aria-label="Margin ratio" />
        <span class={tone}>{percent(ratio, 1)}</span>
      </div>
      <dl class="numbers">
        {rows.map(([name, value]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} value`}>{value}</dd>,
        ])}
      </dl>
    </div>
  )
}
