import { marginRatio } from '../../model/account/account.ts'
import { percent, signedUsd, usd } from '../../model/number-text.ts'
import { useTerminal } from '../use-terminal.ts'

/** The account at a glance: how far it is from a liquidation, as a bar. */
export function AccountBox() {
  const { account, streams } = useTerminal()
  const numbers = account.numbers.value
  if (numbers === null) return null
  const ratio = Math.min(1, marginRatio(numbers))
  const tone = ratio > 0.8 ? 'down' : ratio > 0.5 ? 'warn' : 'up'
  const profit = Number(numbers.ae) - Number(numbers.b)
  const rows: readonly (readonly [string, preact.ComponentChildren])[] = [
    ['Balance', `${usd(numbers.b)} USD`],
    [
      'Unrealised profit',
      <span key="profit" class={profit >= 0 ? 'up' : 'down'}>
        {signedUsd(profit)} USD
      </span>,
    ],
    ['Equity', `${usd(numbers.ae)} USD`],
    ['Margin used', `${usd(numbers.mu)} USD`],
    ['Maintenance margin', `${usd(numbers.cm)} USD`],
  ]
  return (
    <div class={`account-box ${streams.stale.value ? 'stale' : ''}`}>
      <h2>Account</h2>
      <dl class="numbers">
        {rows.map(([name, value]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} value`}>{value}</dd>,
        ])}
      </dl>
      <div class="gauge" title="At 100 % the account is liquidated">
        <span class="dim">Margin ratio</span>
        <meter class={`meter ${tone}`} min="0" max="1" value={ratio} aria-label="Margin ratio" />
        <span class={tone}>{percent(ratio, 1)}</span>
      </div>
    </div>
  )
}
