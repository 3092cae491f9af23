// `explain funding`: explains one payment, and the rate of its hour. Payments have the ids of the
// account's funding history.

import type { Event, EventOf, ExchangeView, MarketView } from '../../core/index.ts'
import type { Lots, MicroTicks, Ppb } from '../../units/units.ts'
import { ratioTrunc } from '../../units/wide.ts'
import { type Explanation, ppb, type Step, step, timeOf, usd, wordsOf } from './explanation.ts'
import {
  type Found,
  findEvents,
  NoExplanation,
  notFound,
  type Past,
  type Seqs,
  stateAt,
} from './past.ts'

type Paid = EventOf<'FundingPaid'>
type Fixed = EventOf<'FundingFixed'>

/** Which payment: of the account's history, or the one counted from the journal's beginning. */
export type Payment = Readonly<{ account: number; market: number; epoch: number }>

export async function explainFunding(
  past: Past,
  id: number,
  seqs: Seqs,
  stored: Payment | null,
): Promise<Explanation> {
  const always = () => true
  const search = await findEvents(past, { FundingPaid: always, FundingFixed: always }, seqs)
  if (stored === null && search.fromSeq > 0)
    throw new NoExplanation(
      'gone',
      `the journal begins after seq ${search.fromSeq}, and no history store has payment ${id}: ` +
        'payments cannot be counted from the first; `openperp explain fill` and ' +
        '`openperp explain order` still work for what is left of it',
    )
  const payments = search.found.filter(({ events, at }) => events[at]!.type === 'FundingPaid')
  const found =
    stored === null
      ? payments[id - 1]
      : payments.find(({ events, at }) => isPayment(events[at] as Paid, stored))
  if (found === undefined) throw notFound(`funding payment ${id}`, search)
  const paid = found.events[found.at] as Paid
  const fixing = search.found.find(({ events, at }) => isFixing(events[at]!, paid))
  if (fixing === undefined) throw notFound(`funding of epoch ${paid.epoch}`, search)
  const market = search.view.markets.get(paid.market)!
  const fixed = fixing.events[fixing.at] as Fixed
  const rate: Step[] = []
  await stateAt(past, [fixing.seq], {
    before: (_, view) => rate.push(rateStep(view, fixing, fixed)),
  })
  return {
    title: `Funding payment ${id} on ${market.params.symbol}`,
    facts: {
      account: search.view.accounts.addressOf(paid.account),
      hour: timeOf(paid.epoch * 3_600_000),
      'rate fixed': `seq ${fixing.seq}, ${timeOf(fixing.atMs)}`,
      settled: `seq ${found.seq}, ${timeOf(found.atMs)}`,
    },
    happened: [],
    steps: [...rate, paymentStep(paid, fixed, market)],
    pending: [],
  }
}

/** Formats a whole number, such as `100,000`. */
const whole = (value: number) => value.toLocaleString('en')

/** Whether the payment is the stored one. An account pays at most once per market and epoch. */
function isPayment({ account, market, epoch }: Paid, stored: Payment): boolean {
  return account === stored.account && market === stored.market && epoch === stored.epoch
}

function isFixing(event: Event, { market, epoch }: Paid): boolean {
  return event.type === 'FundingFixed' && event.market === market && event.epoch === epoch
}

function paymentStep(paid: Paid, fixed: Fixed, market: MarketView): Step {
  const words = wordsOf(market.params, market.unitValue)
  const { lots, payment } = paid
  const { rate, oracle } = fixed
  const pays = lots > 0 === rate > 0
  const amount = market.fundingPayment(lots as Lots, rate as Ppb, oracle as MicroTicks)
  return step({
    rule: 'FUND-4',
    formula: pays ? 'pays ⌈|lots| × oracle × K × |rate|⌉' : 'gets ⌊|lots| × oracle × K × |rate|⌋',
    inputs: {
      position: words.size(lots),
      oracle: words.oracle(oracle),
      K: words.unit,
      rate: ppb(rate),
      side: `${lots > 0 ? 'long' : 'short'}, and a rate ${rate > 0 ? 'above' : 'below'} zero`,
    },
    result: amount,
    recorded: payment,
    text: usd,
  })
}

/** Funding rate (FUND-2), from the sum of the hour's samples when the epoch was fixed. */
function rateStep({ markets }: ExchangeView, { events, at }: Found, fixed: Fixed): Step {
  const market = markets.get(fixed.market)!
  let { count } = market.samples
  let sum: number = market.samples.sum
  for (const event of events.slice(0, at)) {
    if (event.type === 'PremiumSampled' && event.market === fixed.market) {
      sum += event.premium
      count += 1
    } else if (event.type === 'FundingFixed' && event.market === fixed.market) {
      sum = 0
      count = 0
    }
  }
  const { samplesPerEpoch, interestPpb, interestClampPpb, epochParts } = market.fundingRules
  const { fundingSamplesMin } = market.params
  const premium = ratioTrunc([sum], [samplesPerEpoch])
  const counted = market.fundingRateFor(premium as Ppb) || 0
  const isFew = count < fundingSamplesMin
  // A halted market or a lost feed also has a rate of zero, which is recorded in history.
  const result = isFew || fixed.rate === 0 ? 0 : counted
  return step({
    rule: 'FUND-2',
    formula:
      `rate = clamp(trunc((P + clamp(${whole(interestPpb)} − P, ±${whole(interestClampPpb)})) ` +
      `÷ ${epochParts}), ±most)`,
    inputs: {
      'samples of the hour': isFew
        ? `${count}, below ${fundingSamplesMin}: the rate is 0`
        : `${count}`,
      [`P = trunc(Σ premium ÷ ${samplesPerEpoch})`]: ppb(premium),
      most: ppb(market.fundingRateMax),
    },
    result,
    recorded: fixed.rate,
    text: ppb,
  })
}
