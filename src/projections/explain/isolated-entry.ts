// Steps of an order's margin check in an isolated market (MARGIN-4): its tests in the order of the
// rule, up to the one that failed.

import type { MarketView, OrderEntry } from '../../core/index.ts'
import { divCeil, mulDivFloor, shareTrunc } from '../../units/rounding.ts'
import type { Quote } from '../../units/units.ts'
import { feeOn, initialOf, type Recorded, requiredStep } from './entry-amounts.ts'
import { type Step, step, usd, wordsOf } from './explanation.ts'
import { guardedPriceOf } from './margin-steps.ts'

type Amount = Readonly<{
  formula: string
  inputs: Readonly<Record<string, number>>
  result: number
}>

const amount = ({ formula, inputs, result }: Amount, recorded: number): Step => {
  const entries = Object.entries(inputs).map(([name, value]) => [name, usd(value)])
  return step({
    rule: 'MARGIN-4',
    formula,
    inputs: Object.fromEntries(entries),
    result,
    recorded,
    text: usd,
  })
}

/** Balance, wallet and position after the closing part (MARGIN-6). */
function afterClosing(entry: OrderEntry) {
  const { sign, balance, wallet, lots, cost, takerPpm } = entry
  const closes = entry.taken - entry.opened
  if (closes === 0) return { balance, wallet, lots, cost }
  const value = entry.takenValue - entry.openedValue
  const share = mulDivFloor(wallet, closes, Math.abs(lots))
  const costShare = shareTrunc(cost, closes, Math.abs(lots))
  const out = share - sign * value - costShare - feeOn(value, takerPpm)
  return {
    balance: balance + Math.max(0, out),
    wallet: wallet - share + Math.min(0, out),
    lots: lots + sign * closes,
    cost: cost - costShare,
  }
}

type Closed = ReturnType<typeof afterClosing>

export function isolatedSteps(
  market: MarketView,
  entry: OrderEntry,
  required: number,
  recorded: Recorded,
): readonly Step[] {
  const { openedValue, elsewhere } = entry
  const closed = afterClosing(entry)
  if (entry.opened > 0 && closed.lots === 0 && closed.wallet < 0)
    return [debtStep(closed.wallet, recorded.first)]
  const held = Math.abs(closed.lots) * market.lotValue
  const [before, after] = [
    initialOf(entry, held).margin,
    initialOf(entry, held + openedValue).margin,
  ]
  const fee = feeOn(openedValue, entry.takerPpm)
  const loss = Math.max(0, entry.sign * (openedValue - entry.opened * market.lotValue))
  const margin = after - before + loss
  const moved: Amount = {
    formula:
      'm = I(N + value that opens) − I(N) + its loss against the mark + its fee: what goes into ' +
      'the wallet',
    inputs: {
      ...{ 'value that opens': openedValue, N: held, 'I of both': after, 'I(N)': before },
      ...{ 'loss against the mark': loss, fee },
    },
    result: margin + fee,
  }
  const equity = elsewhere.equity + closed.balance - entry.balance
  const left: Amount = {
    formula: 'available = cross equity after the closing part − m',
    inputs: { 'cross equity': equity, m: moved.result },
    result: equity - moved.result,
  }
  if (left.result < required)
    return [requiredStep(entry, required, recorded.first), amount(left, recorded.second)]
  const leaves = mayLeave(entry, closed.balance, equity, required)
  if (moved.result > leaves.result)
    return [amount(moved, recorded.first), amount(leaves, recorded.second)]
  return ownSteps(market, entry, { ...closed, wallet: closed.wallet + margin }, recorded)
}

/** Test 1: a flip must not leave a debt. */
function debtStep(wallet: number, recorded: number): Step {
  const formula = 'required = what the wallet lacks once the position is closed'
  return amount({ formula, inputs: { wallet }, result: -wallet }, recorded)
}

/** Test 3: the amount that may leave the cross balance (MARGIN-7). */
function mayLeave(entry: OrderEntry, balance: number, equity: number, required: number): Amount {
  const { losses, withheld, notional, maintenance } = entry.elsewhere
  const tenth = divCeil(notional, 10)
  const kept = Math.max(required + withheld, tenth)
  const free = Math.max(0, Math.min(balance, balance + losses - kept))
  return {
    formula:
      'available = min(balance, balance + Σ min(0, unrealised at guarded prices) − max(Σ ' +
      'requirements + excess kept by stale markets, ⌈value in live ones ÷ 10⌉)); 0 ' +
      'below maintenance',
    inputs: {
      'balance after the closing part': balance,
      'losses at guarded prices': losses,
      requirements: required,
      'excess kept by stale markets': withheld,
      'a tenth of the value': tenth,
      'cross equity': equity,
      'cross maintenance': maintenance,
    },
    result: equity < maintenance ? 0 : free,
  }
}

/** Tests 4 and 5: the margin of the position itself. */
function ownSteps(
  market: MarketView,
  entry: OrderEntry,
  { wallet, lots: kept, cost: paid }: Closed,
  recorded: Recorded,
): readonly Step[] {
  const { lotValue, unitValue } = market
  const signed = entry.sign * entry.opened
  const lots = kept + signed
  const cost = paid + entry.sign * entry.openedValue
  const worth = (size: number) => size * guardedPriceOf(market, size) * unitValue
  const own = wallet + worth(lots) - cost
  // Only the loss beyond the mark: the loss at the mark is already in the wallet.
  const lost =
    Math.max(0, entry.sign * entry.openedValue - worth(signed)) -
    Math.max(0, entry.sign * entry.openedValue - signed * lotValue)
  const value = Math.abs(kept) * lotValue + Math.min(entry.openedValue, entry.opened * lotValue)
  const initial = initialOf(entry, value).margin
  const words = wordsOf(market.params, unitValue)
  const inputs = { wallet, [`value of ${words.size(lots)}`]: worth(lots), cost }
  if (own + lost < initial)
    return [
      amount(
        { formula: 'required = I(value)', inputs: { value }, result: initial },
        recorded.first,
      ),
      amount(
        {
          formula:
            'available = wallet + value at the guarded price − cost ' +
            '+ loss of the fill between mark and guarded price',
          inputs: { ...inputs, 'loss of the fill': lost },
          result: own + lost,
        },
        recorded.second,
      ),
    ]
  const formula = 'equity of the position = wallet + value at the guarded price − cost'
  const notional = Math.abs(lots) * lotValue
  const least = 'maintenance of its value at mark'
  const maintenance = market.maintenanceOf(notional as Quote)
  return [
    amount({ formula, inputs, result: own }, recorded.first),
    amount({ formula: least, inputs: { value: notional }, result: maintenance }, recorded.second),
  ]
}
