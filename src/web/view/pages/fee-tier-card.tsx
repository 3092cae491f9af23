// The fee tier of the account, and what is left to the next one.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { compact, fixed, percent } from '../../model/number-text.ts'
import { tierProgress, tiersOf } from '../../model/portfolio/fee-tier.ts'
import { useTerminal } from '../use-terminal.ts'
import { Card } from './page-parts.tsx'

const settleMs = 700

type Standing = Readonly<{ level: number; volume: number }>

export function FeeTierCard({ happened }: { happened: number }) {
  const { reader, address, markets } = useTerminal()
  const standing = useSignal<Standing | null>(null)
  const [client, who] = [reader.value, address.value!]
  useEffect(() => {
    const load = async () => {
      const reply = await client.getAccount({ account: who }).catch(() => null)
      // An address that has never had money has no account, and the first tier.
      standing.value = {
        level: reply?.fee_level ?? 0,
        volume: Number(reply?.volume_14d ?? 0),
      }
    }
    const timer = setTimeout(() => void load(), standing.peek() === null ? 0 : settleMs)
    return () => clearTimeout(timer)
  }, [client, who, happened])
  const { level, volume } = standing.value ?? { level: 0, volume: 0 }
  const tiers = tiersOf(markets.fees.value, markets.limits.value.fee_level_volumes)
  const { tier, next, left, share } = tierProgress(tiers, level, volume)
  return (
    <Card title="Fees">
      <div class="tier">
        <p>
          Level <b>{level}</b>: maker <b>{rate(tier?.maker_fee_rate)}</b>, taker{' '}
          <b>{rate(tier?.taker_fee_rate)}</b>
        </p>
        <meter class="meter" aria-label="Way to the next level" value={share} min={0} max={1} />
        <p class="small">
          {fixed(volume, 0)} USD traded in the 14 days before today.{' '}
          {next === undefined
            ? 'This is the highest level.'
            : left === 0
              ? `Level ${next.level} begins at midnight UTC.`
              : `${fixed(left, 0)} USD more until level ${next.level}.`}
        </p>
      </div>
      <table class="table plain" aria-label="Fee levels">
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col" class="num">
              Volume from
            </th>
            <th scope="col" class="num">
              Maker
            </th>
            <th scope="col" class="num">
              Taker
            </th>
          </tr>
        </thead>
        <tbody>
          {tiers.map((each) => (
            <tr key={each.level} aria-current={each.level === level ? 'true' : undefined}>
              <td>{each.level}</td>
              <td class="num">{compact(each.from)} USD</td>
              <td class="num">{rate(each.maker_fee_rate)}</td>
              <td class="num">{rate(each.taker_fee_rate)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

const rate = (text: string | undefined) => percent(Number(text), 3)
